import Quantities

// - Source of the layouts in this file: u-blox M8 receiver description UBX-13003221 (ADR and UDR),
//   as pyubx2 1.4.0, SparkFun's u-blox GNSS library 3 and the cc.ublox library quote it.

/// ESF-STATUS (0x10 0x10): state of the fusion with motion sensors.
public struct EsfStatus: UBXPayload {
  static var shortestPayload: Int { 16 }

  /// State of the fusion.
  public enum Mode: UInt8, Sendable {
    /// Initialisation.
    case initialising = 0
    /// Running.
    case working
    /// Suspended, because of wrong data or on a ferry.
    case suspended
    /// Disabled until a reset, because of a sensor fault.
    case disabled
  }

  /// Progress of one part of the initialisation.
  public enum Progress: UInt8, Sendable {
    /// Not needed.
    case off = 0
    /// Under way.
    case initialising
    /// Done.
    case initialised
    /// Done, and the vehicle moves (only the motion solution has this).
    case moving
  }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public let timeOfWeekMilliseconds: UInt32
  /// State of the fusion; nil for a value that u-blox has not defined.
  public let mode: Mode?
  /// Progress of the wheel sensors' calibration.
  public let wheelTicks: Progress?
  /// Progress of the mounting angles' estimation.
  public let mounting: Progress?
  /// Progress of the motion solution.
  public let motion: Progress?
  /// Progress of the motion sensors.
  public let sensorUnit: Progress?
  /// The sensors.
  public let sensors: UBXBlocks<Sensor>

  init(_ fields: UBXFields) throws(UBXRejection) {
    let (first, second) = (fields.u1(5), fields.u1(6))
    // Before version 2 the bytes of progress are reserved.
    let hasProgress = fields.u1(4) >= 2
    timeOfWeekMilliseconds = fields.u4(0)
    wheelTicks = hasProgress ? Progress(rawValue: first.bits(0, count: 2)) : nil
    mounting = hasProgress ? Progress(rawValue: first.bits(2, count: 3)) : nil
    motion = hasProgress ? Progress(rawValue: first.bits(5, count: 3)) : nil
    sensorUnit = hasProgress ? Progress(rawValue: second.bits(0, count: 2)) : nil
    mode = Mode(rawValue: fields.u1(12))
    sensors = try UBXBlocks(fields, from: 16, count: Int(fields.u1(15)))
  }

  /// One sensor.
  public struct Sensor: Equatable, Sendable, UBXBlock {
    /// A block's length.
    public static var size: Int { 4 }

    /// Type of the measurement, numbered as in `SensorReading`.
    public var type: UInt8
    /// True where the solution uses it.
    public var isUsed: Bool
    /// True where it is ready, used or not.
    public var isReady: Bool
    /// 0 not calibrated, 1 being calibrated, 2 and 3 calibrated.
    public var calibration: UInt8
    /// Source of its times: 0 none, 1 its first byte, 2 an input, 3 its own tag.
    public var timing: UInt8
    /// Measurement rate.
    public var frequencyHertz: Int
    /// True where its measurements are wrong.
    public var hasBadMeasurements: Bool
    /// True where its time tags are wrong.
    public var hasBadTimeTags: Bool
    /// True where measurements are missing or late.
    public var misses: Bool
    /// True where it is noisy.
    public var isNoisy: Bool

    /// Reads a block.
    public init(_ fields: UBXFields, at offset: Int) {
      let (first, second) = (fields.u1(offset), fields.u1(offset + 1))
      let faults = fields.u1(offset + 3)
      type = first.bits(0, count: 6)
      isUsed = first.bit(6)
      isReady = first.bit(7)
      calibration = second.bits(0, count: 2)
      timing = second.bits(2, count: 2)
      frequencyHertz = Int(fields.u1(offset + 2))
      hasBadMeasurements = faults.bit(0)
      hasBadTimeTags = faults.bit(1)
      misses = faults.bit(2)
      isNoisy = faults.bit(3)
    }
  }
}

/// ESF-ALG (0x10 0x14): mounting angles of the motion sensors in the vehicle.
public struct EsfAlg: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 16 }

  /// State of the angles' estimation.
  public enum State: UInt8, Sendable {
    /// The angles are configured.
    case given = 0
    /// Roll and pitch are being estimated.
    case findingTilt
    /// Roll, pitch and yaw are being estimated.
    case findingAll
    /// Coarse angles are in use.
    case coarse
    /// Fine angles are in use.
    case fine
  }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// True where the receiver estimates the angles.
  public var isAutomatic: Bool
  /// State of the estimation; nil for a value that u-blox has not defined.
  public var state: State?
  /// True where roll or pitch cannot be right.
  public var hasTiltError: Bool
  /// True where yaw cannot be right.
  public var hasYawError: Bool
  /// True where pitch is so close to 90 degrees that roll and yaw cannot be separated.
  public var hasSingularity: Bool
  /// About the vertical axis, 0 to 2 pi.
  public var yaw: Angle
  /// About the transverse axis, -pi/2 to pi/2.
  public var pitch: Angle
  /// About the longitudinal axis, -pi to pi.
  public var roll: Angle

  init(_ fields: UBXFields) {
    let (flags, errors) = (fields.u1(5), fields.u1(6))
    timeOfWeekMilliseconds = fields.u4(0)
    isAutomatic = flags.bit(0)
    state = State(rawValue: flags.bits(1, count: 3))
    hasTiltError = errors.bit(0)
    hasYawError = errors.bit(1)
    hasSingularity = errors.bit(2)
    yaw = Angle(degrees: Double(fields.u4(8)) / 1e2)
    pitch = Angle(degrees: Double(fields.i2(12)) / 1e2)
    roll = Angle(degrees: Double(fields.i2(14)) / 1e2)
  }
}
