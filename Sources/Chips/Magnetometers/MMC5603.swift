import Quantities

extension ChipModel {
  /// The MMC5603 and the MMC5633, which have the same identity.
  public static let mmc5603 = ChipModel(
    "MMC5603", .field, at: [0x30], Identity(0x39, 0x10, "MMC5603 or MMC5633"))
}

/// MEMSIC's magnetometer MMC5603: ±30 gauss in 20 bits, up to 75 Hz here. The bridge's offset is
/// removed by SET and RESET, and measured again in service (`SetResetCore`). The data-ready line is
/// not used.
///
/// - Axes: right-handed, as printed on the package, after SET.
/// - Source: MEMSIC MMC5603NJ data sheet: registers 00H to 08H, 18H, 1BH, 1CH, 39H; 16,384 counts a
///   gauss; 6.6 ms a measurement; 1 ms after a pulse. Read from Linux mmc5633.c (registers, the
///   arrangement of the bits, 1 ms) and compared with ArduPilot's AP_Compass_MMC5603.cpp
///   (registers, 16,384 counts a gauss, and 20 ms after a reset there 50). The sources differ in
///   the sign after SET and by 2.4 % in the scale: see `ChipFact`. Here SET is positive, as in
///   ArduPilot, Betaflight and PX4's driver of a sister part.
public struct MMC5603<Bus: RegisterBus>: Magnetometer {
  /// The part number.
  public var model: ChipModel { .mmc5603 }
  /// The chip's address, always 0x30.
  public var address: UInt8 { core.link.address }
  /// Samples a second: 25, 50 or 75.
  public var rateHertz: Double { core.rateHertz }
  /// A period less half of a measurement.
  public var latencySeconds: Double { core.latencySeconds }

  private var core: SetResetCore<Bus>

  /// Makes a driver; nothing is transferred before `start`. The chip has one range.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    core = SetResetCore(
      link: ChipLink(bus: bus, address: address, model: .mmc5603),
      part: SetResetCore.Part(
        identity: (0x39, 0x10), status: 0x18, done: 0x40, control: (0x1B, 0x1C), layout: .bits20,
        measurementNanoseconds: 6_600_000, pulseNanoseconds: 1_000_000,
        resetNanoseconds: 50_000_000, rates: [25, 50, 75],
        countsPerMicrotesla: 163.84),
      rateHertz: settings.rateHertz)
  }

  /// Identity, reset, and the bridge's offset.
  public mutating func start() throws(ChipError) { try core.start() }

  /// Whether no measurement was lost.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    try core.holdsConfiguration()
  }

  /// The measurement that ended since the last call; begins the next one.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    try core.readField()
  }
}
