// - Source of the layouts in this file: u-blox M8 receiver description UBX-13003221 and ZED-F9P
//   interface description UBX-18010854, as pyubx2 1.4.0 and SparkFun's u-blox GNSS library 3 quote them.

/// What the antenna's supervisor finds.
public enum UBXAntennaStatus: UInt8, Sendable {
  /// It begins.
  case starting = 0
  /// It cannot tell.
  case unknown
  /// Connected.
  case good
  /// Short circuit.
  case short
  /// Not connected, or torn.
  case open
}

/// What the interference monitor finds.
public enum UBXJamming: UInt8, Sendable {
  /// Not known, or the monitor is off.
  case unknown = 0
  /// Nothing to speak of.
  case none
  /// Visible, and there is a fix all the same.
  case warning
  /// Visible, and there is no fix.
  case critical
}

/// The state of one radio path.
public struct UBXRadio: Equatable, Sendable {
  /// The gain control's count has this many steps.
  static var gainSteps: Double { 8191 }

  /// What the interference monitor finds.
  public var jamming: UBXJamming?
  /// What the antenna's supervisor finds.
  public var antenna: UBXAntennaStatus?
  /// True where the antenna is fed; nil where that is not known.
  public var isAntennaPowered: Bool?
  /// Noise each millisecond as the receiver counts it.
  public var noisePerMillisecond: UInt16
  /// How far the gain control is open, 0 to 1.
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
  /// True where the receiver was started without its settings.
  public var isSafeBoot: Bool
  /// True where the real-time clock has no crystal.
  public var isCrystalAbsent: Bool
  /// Pins with a purpose of their own, bit by bit.
  public var peripheralPins: UInt32
  /// Pins of bank B, bit by bit.
  public var bankPins: UInt32
  /// Pins that are outputs, bit by bit.
  public var outputPins: UInt32
  /// Pins that are high, bit by bit.
  public var highPins: UInt32
  /// Pins that the pin manager uses, bit by bit.
  public var managedPins: UInt32
  /// Pins that interrupt, bit by bit.
  public var interruptPins: UInt32
  /// Pins that are pulled up, bit by bit.
  public var pulledUpPins: UInt32
  /// Pins that are pulled down, bit by bit.
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

/// MON-RF (0x0A 0x38): radio and antenna, path by path.
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
    /// Its state.
    public var radio: UBXRadio
    /// The word of the self-test at start.
    public var selfTest: UInt32
    /// How lopsided the in-phase part is, -128 to 127.
    public var inPhaseOffset: Int8
    /// How large the in-phase part is, 0 to 255.
    public var inPhaseMagnitude: UInt8
    /// How lopsided the quadrature part is, -128 to 127.
    public var quadratureOffset: Int8
    /// How large the quadrature part is, 0 to 255.
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
