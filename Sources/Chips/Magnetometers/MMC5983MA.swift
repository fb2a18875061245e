import Quantities

extension ChipModel {
  /// The MMC5983MA.
  public static let mmc5983ma = ChipModel("MMC5983MA", .field, at: [0x30], Identity(0x2F, 0x30))
    // Source: MMC5983MA data sheet, SPI: the first bit of a read is set, the second is 0.
    .over(SPIFraming(fastestHertz: 10_000_000))
}

/// MEMSIC's magnetometer MMC5983MA: ±8 gauss in 18 bits, up to 100 Hz here. The bridge's offset is
/// removed by SET and RESET, and measured again in service (`SetResetCore`). The data-ready line is
/// not used.
///
/// - Axes: right-handed, as printed on the package; the output falls with the field after SET.
///   ArduPilot and PX4 invert all three axes alike, and SparkFun's compass example x and y; Linux
///   does not (`ChipFact`).
/// - Source: MEMSIC MMC5983MA data sheet revision A: registers 00H to 0CH, 2FH; 16,384 counts a
///   gauss with 18 bits; page 15: 8 ms a measurement at BW 00, pulses of 500 ns, 10 ms after a
///   reset. Read from Linux mmc5983.c (which cites them) and compared with ArduPilot's
///   AP_Compass_MMC5xx3.cpp (16 of the 18 bits, 4096 counts a gauss, the same registers).
public struct MMC5983MA<Bus: RegisterBus>: Magnetometer {
  /// The part number.
  public var model: ChipModel { .mmc5983ma }
  /// The chip's address, always 0x30.
  public var address: UInt8 { core.link.address }
  /// Samples a second: 25, 50 or 100.
  public var rateHertz: Double { core.rateHertz }
  /// A period less half of a measurement.
  public var latencySeconds: Double { core.latencySeconds }

  private var core: SetResetCore<Bus>

  /// Makes a driver; nothing is transferred before `start`. The chip has one range.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    core = SetResetCore(
      link: ChipLink(bus: bus, address: address, model: .mmc5983ma),
      part: SetResetCore.Part(
        identity: (0x2F, 0x30), status: 0x08, done: 0x01, control: (0x09, 0x0A), layout: .bits18,
        measurementNanoseconds: 8_000_000, pulseNanoseconds: 500_000,
        resetNanoseconds: 15_000_000, rates: [25, 50, 100],
        countsPerMicrotesla: -163.84),
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
