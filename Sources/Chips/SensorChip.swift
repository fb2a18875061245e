import Bus
import Quantities

/// A chip on a bus. Synchronous: the thread of its bus calls it.
///
/// An error leaves the driver as it was: the next call tries again, and what was read before is not
/// handed out a second time.
public protocol SensorChip {
  /// The chip's part number, variant included.
  var model: ChipModel { get }
  /// The chip's address on its bus, 7 bits.
  var address: UInt8 { get }
  /// How many samples a second the chip makes as it is configured.
  var rateHertz: Double { get }
  /// The age of a sample when the chip makes it known: half the time over which it averages, seconds.
  var latencySeconds: Double { get }

  /// Checks who answers, resets the chip where it can be, and writes the configuration table.
  /// - Throws: `ChipError` that says who answered instead, or which register did not take its value.
  mutating func start() throws(ChipError)
  /// Reads the configuration back: false after a brown-out or where somebody else wrote to the chip.
  /// - Throws: `ChipError` where the chip does not answer.
  mutating func holdsConfiguration() throws(ChipError) -> Bool
}

/// A chip that measures magnetic flux density.
public protocol Magnetometer: SensorChip {
  /// The sample that is new since the last call, along the chip's axes; nil where there is none yet.
  mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>?
}

/// A chip that measures angular rate, specific force or both.
public protocol InertialUnit: SensorChip {
  /// True where a FIFO keeps samples until they are fetched, so that several may be fetched at once.
  var keepsSamples: Bool { get }
  /// Hands out all samples that are new since the last call, oldest first: several where the chip has a
  /// FIFO, at most one where it has not.
  /// - Returns: How many the chip had to drop because nobody fetched them.
  mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int
}

/// A chip that measures static pressure.
public protocol Barometer: SensorChip {
  /// The conversion that is new since the last call; nil where there is none yet.
  /// - Throws: `ChipError`; a chip that reports an impossible pressure is at fault too.
  mutating func readPressure() throws(ChipError) -> PressureReading?
}

/// How a chip is to be used; each driver takes the nearest that its chip can do.
public struct ChipSettings: Equatable, Sendable {
  /// Samples a second: the least rate of the chip that is not below it. Nil for the driver's own choice.
  public var rateHertz: Double?
  /// The greatest field to be measured, microtesla: the smallest range that holds it.
  public var fieldMicrotesla: Double?
  /// The greatest angular rate, radians per second.
  public var angularRateRadiansPerSecond: Double?
  /// The greatest specific force, metres per second squared.
  public var specificForceMetresPerSecondSquared: Double?
  /// Whether a data-ready line is wired: the chip's interrupt output is switched on, active high.
  public var drivesDataReadyLine: Bool

  /// Makes settings; what is left out is the driver's choice.
  public init(
    rateHertz: Double? = nil, fieldMicrotesla: Double? = nil,
    angularRateRadiansPerSecond: Double? = nil,
    specificForceMetresPerSecondSquared: Double? = nil, drivesDataReadyLine: Bool = false
  ) {
    self.rateHertz = rateHertz
    self.fieldMicrotesla = fieldMicrotesla
    self.angularRateRadiansPerSecond = angularRateRadiansPerSecond
    self.specificForceMetresPerSecondSquared = specificForceMetresPerSecondSquared
    self.drivesDataReadyLine = drivesDataReadyLine
  }
}
