import Quantities

/// A driver of a chip on a bus. Synchronous: called on the thread of its bus.
///
/// After an error the next call tries again; samples already delivered are not delivered a second
/// time.
public protocol SensorChip {
  /// The chip's part number, variant included.
  var model: ChipModel { get }
  /// The chip's address on its bus, 7 bits.
  var address: UInt8 { get }
  /// The configured rate, samples a second.
  var rateHertz: Double { get }
  /// The age of a sample when the chip reports it as ready: half of its averaging time, seconds.
  var latencySeconds: Double { get }
  /// The instant of the sample delivered last, where its source stamps samples; nil: the reader
  /// stamps them. An inertial unit's readings have stamps of their own.
  var sampleTimestamp: Timestamp? { get }

  /// What its samples make doubtful of the chip's name, for its user: that another part, which
  /// answers alike, would have shown a usual value. Nil for nothing. As the name may be right, its
  /// samples are delivered.
  var doubt: String? { get }

  /// Checks the identity, resets the chip if possible, and writes the configuration table.
  /// - Throws: `ChipError` with the chip that answered instead, or the register that refused its
  ///   value.
  mutating func start() throws(ChipError)
  /// Reads the configuration back: false after a brown-out or a write by another program.
  /// - Throws: `ChipError` if the chip does not answer.
  mutating func holdsConfiguration() throws(ChipError) -> Bool
}

extension SensorChip {
  /// Nil: the reader stamps the samples.
  public var sampleTimestamp: Timestamp? { nil }
  /// Nil: its identity is its own.
  public var doubt: String? { nil }
}

/// A chip without an identity register, or with one that other devices may seem to have.
public protocol RecognisedChip: SensorChip {
  /// Checks whether the device can be this chip; only reads.
  /// - Throws: `ChipError` with the other device that it is.
  func recognise() throws(ChipError)
}

/// A chip that measures magnetic flux density.
public protocol Magnetometer: SensorChip {
  /// The new sample since the last call, along the chip's axes; nil for none.
  mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>?
}

/// A chip that measures angular rate, specific force or both.
public protocol InertialUnit: SensorChip {
  /// True if a FIFO stores samples until they are read, so that several may be read at once.
  var keepsSamples: Bool { get }
  /// The start of the last check of the FIFO after which all samples that it found were read; nil
  /// where it is unknown. The newest sample that was read is at most one period older. The start of
  /// the reading is a worse bound, because samples arrive while the FIFO is read.
  var emptiedAt: Timestamp? { get }
  /// Delivers all new samples since the last call, oldest first: with a FIFO several, else at most
  /// one.
  /// - Returns: The number of samples dropped by the chip because they were not read in time.
  mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int
}

extension InertialUnit {
  /// False: a unit without a FIFO, whose sample is overwritten by the next.
  public var keepsSamples: Bool { false }
  /// Nil: a unit without a FIFO.
  public var emptiedAt: Timestamp? { nil }
}

/// A chip that measures static pressure.
public protocol Barometer: SensorChip {
  /// The new conversion since the last call; nil for none.
  /// - Throws: `ChipError`, also for an impossible pressure.
  mutating func readPressure() throws(ChipError) -> PressureReading?
}

/// The requested settings of a chip; each driver uses the nearest possible ones.
public struct ChipSettings: Equatable, Sendable {
  /// Samples a second; the chip's lowest rate not below it is used. Nil for the driver's default.
  public var rateHertz: Double?
  /// The largest field to measure, microtesla; the smallest range that contains it is used.
  public var fieldMicrotesla: Double?
  /// The largest angular rate, radians per second.
  public var angularRateRadiansPerSecond: Double?
  /// The largest specific force, metres per second squared.
  public var specificForceMetresPerSecondSquared: Double?
  /// Whether a data-ready line is wired: enables the chip's interrupt output, active high.
  public var drivesDataReadyLine: Bool
  /// Whether a module delivers the attitude of its own firmware in place of samples.
  public var usesOwnAttitude = false
  /// The image that the chip's own processor runs, for a chip that has none in itself; empty for
  /// none.
  public var image: [UInt8] = []

  /// Makes settings; omitted values are the driver's defaults.
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
