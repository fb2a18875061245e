// - Source of the layouts in this file: u-blox M8 receiver description UBX-13003221 and ZED-F9P
//   interface description UBX-18010854, as pyubx2 1.4.0 and SparkFun's u-blox GNSS library 3 quote
//   them.

/// State of the antenna by the receiver's supervisor.
public enum UBXAntennaStatus: UInt8, Sendable {
  /// Initialisation.
  case starting = 0
  /// Not known.
  case unknown
  /// Connected.
  case good
  /// Short circuit.
  case short
  /// Open circuit.
  case open
}

/// Result of the interference monitor.
public enum UBXJamming: UInt8, Sendable {
  /// Not known, or the monitor is off.
  case unknown = 0
  /// No significant interference.
  case none
  /// Interference, but there is a fix.
  case warning
  /// Interference, and there is no fix.
  case critical
}

/// The state of one radio path.
public struct UBXRadio: Equatable, Sendable {
  /// Full scale of the gain control's count.
  static var gainSteps: Double { 8191 }

  /// Result of the interference monitor.
  public var jamming: UBXJamming?
  /// State of the antenna.
  public var antenna: UBXAntennaStatus?
  /// True where the antenna is powered; nil where that is not known.
  public var isAntennaPowered: Bool?
  /// Noise level per millisecond, in the receiver's unit.
  public var noisePerMillisecond: UInt16
  /// Gain of the automatic gain control, 0 to 1.
  public var gainFraction: Double
  /// Continuous-wave interference, 0 none to 255 strong.
  public var continuousWaveLevel: UInt8

  init(
    _ fields: UBXFields, noiseAt noise: Int, antennaAt antenna: Int, jamming: UInt8, levelAt: Int
  ) {
    self.jamming = UBXJamming(rawValue: jamming)
    self.antenna = UBXAntennaStatus(rawValue: fields.u1(antenna))
    let power = fields.u1(antenna + 1)
    isAntennaPowered = power <= 1 ? power == 1 : nil
    noisePerMillisecond = fields.u2(noise)
    gainFraction = fields.u2(noise + 2, per: Self.gainSteps)
    continuousWaveLevel = fields.u1(levelAt)
  }
}

/// MON-HW (0x0A 0x09): radio, antenna and pins of receivers with one radio path.
/// - Source: 60 bytes as above; 68 bytes, with 25 pins, from receivers before M8, as a flight
///   controller's driver lays it out ("Neo7 uses a 68 byte message").
public struct MonHW: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 60 }
  private static var lengthWith25Pins: Int { 68 }

  /// The radio path.
  public var radio: UBXRadio
  /// True where the real-time clock is calibrated.
  public var isClockCalibrated: Bool
  /// True where the receiver started in safe boot mode, without its settings.
  public var isSafeBoot: Bool
  /// True where the real-time clock has no crystal.
  public var isCrystalAbsent: Bool
  /// Pins with a peripheral function, one bit each.
  public var peripheralPins: UInt32
  /// Pins of bank B, one bit each.
  public var bankPins: UInt32
  /// Output pins, one bit each.
  public var outputPins: UInt32
  /// Pins at high level, one bit each.
  public var highPins: UInt32
  /// Pins in use by the virtual pin manager, one bit each.
  public var managedPins: UInt32
  /// Interrupt pins, one bit each.
  public var interruptPins: UInt32
  /// Pins with a pull-up, one bit each.
  public var pulledUpPins: UInt32
  /// Pins with a pull-down, one bit each.
  public var pulledDownPins: UInt32

  init(_ fields: UBXFields) {
    let flags = fields.u1(22)
    let level = 28 + (fields.count >= Self.lengthWith25Pins ? 25 : 17)
    radio = UBXRadio(
      fields, noiseAt: 16, antennaAt: 20, jamming: flags.bits(2, count: 2), levelAt: level)
    isClockCalibrated = flags.bit(0)
    isSafeBoot = flags.bit(1)
    isCrystalAbsent = flags.bit(4)
    peripheralPins = fields.u4(0)
    bankPins = fields.u4(4)
    outputPins = fields.u4(8)
    highPins = fields.u4(12)
    managedPins = fields.u4(24)
    interruptPins = fields.u4(level + 3)
    pulledUpPins = fields.u4(level + 7)
    pulledDownPins = fields.u4(level + 11)
  }
}

/// MON-RF (0x0A 0x38): radio and antenna of each path.
public struct MonRF: UBXPayload {
  static var shortestPayload: Int { 4 }

  /// The radio paths.
  public let paths: UBXBlocks<Path>

  init(_ fields: UBXFields) throws(UBXRejection) {
    paths = try UBXBlocks(fields, from: 4, count: Int(fields.u1(1)))
  }

  /// One radio path.
  public struct Path: Equatable, Sendable, UBXBlock {
    /// A block's length.
    public static var size: Int { 24 }

    /// 0 the L1 band; 1 the L2 or L5 band, depending on the receiver.
    public var number: UInt8
    /// State of the path.
    public var radio: UBXRadio
    /// Status of the self-test at start.
    public var selfTest: UInt32
    /// Imbalance of the in-phase part, -128 to 127.
    public var inPhaseOffset: Int8
    /// Magnitude of the in-phase part, 0 to 255.
    public var inPhaseMagnitude: UInt8
    /// Imbalance of the quadrature part, -128 to 127.
    public var quadratureOffset: Int8
    /// Magnitude of the quadrature part, 0 to 255.
    public var quadratureMagnitude: UInt8

    /// Reads a block.
    public init(_ fields: UBXFields, at offset: Int) {
      number = fields.u1(offset)
      radio = UBXRadio(
        fields, noiseAt: offset + 12, antennaAt: offset + 2,
        jamming: fields.u1(offset + 1).bits(0, count: 2), levelAt: offset + 16)
      selfTest = fields.u4(offset + 4)
      inPhaseOffset = fields.i1(offset + 17)
      inPhaseMagnitude = fields.u1(offset + 18)
      quadratureOffset = fields.i1(offset + 19)
      quadratureMagnitude = fields.u1(offset + 20)
    }
  }
}

/// SEC-SIG (0x27 0x09): interference and spoofing, of receivers from protocol version 34 on.
public struct SecSig: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 4 }

  /// Result of the interference monitor; nil where it is off.
  public var interference: UBXJamming?
  /// Result of the spoofing detection; nil where it is off.
  public var spoofing: NavStatus.Spoofing?

  init(_ fields: UBXFields) throws(UBXRejection) {
    switch fields.u1(0) {
    case 1:
      guard fields.count >= 12 else { throw .malformed }
      let (jam, spoof) = (fields.u1(4), fields.u1(8))
      set(jam.bit(0), jam.bits(1, count: 2), spoof.bit(0), spoof.bits(1, count: 3))
    case 2:
      let flags = fields.u1(1)
      set(flags.bit(0), flags.bits(1, count: 2), flags.bit(3), flags.bits(4, count: 3))
    default: break
    }
  }

  private mutating func set(
    _ detectsJamming: Bool, _ jamming: UInt8, _ detectsSpoofing: Bool, _ spoof: UInt8
  ) {
    interference = detectsJamming ? UBXJamming(rawValue: jamming) : nil
    spoofing = detectsSpoofing ? NavStatus.Spoofing(rawValue: spoof) : nil
  }
}
