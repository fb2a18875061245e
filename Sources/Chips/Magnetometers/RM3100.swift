import Quantities

extension ChipModel {
  /// The RM3100.
  public static let rm3100 = ChipModel(
    "RM3100", .field, at: [0x20, 0x21, 0x22, 0x23], Identity(0x36, 0x22)
  )
  // Source: RM3100 user manual, SPI: at most 1 MHz.
  .over(SPIFraming(fastestHertz: 1_000_000))
}

/// PNI's magneto-inductive magnetometer RM3100: it counts the time of cycles of its coils, so a
/// finer step takes longer. 0.013 µT at up to 75 Hz, 0.026 µT at 150 Hz, 0.05 µT at 300 Hz.
///
/// The count has no limit that a strong field would reach; beyond ±800 µT the sheet promises no
/// linearity.
///
/// - Axes: as printed on the board that carries the three coils, right-handed.
/// - Source: PNI RM3100 user manual: registers POLL 00H, CMM 01H, CCX to CCZ 04H to 09H, TMRC 0BH,
///   results 24H to 2CH, STATUS 34H, REVID 36H; cycle counts with their gains and longest rates;
///   update rates. Read from Linux rm3100-core.c (registers, rates of TMRC, scales 500, 263 and 133
///   microgauss) and compared with ArduPilot's AP_Compass_RM3100.cpp (20, 38 and 75 counts a
///   microtesla) and PX4's rm3100.h (75, REVID).
public struct RM3100<Bus: RegisterBus>: Magnetometer, RecognisedChip {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case continuous = 0x01, cycleCountX = 0x04, updateRate = 0x0B, outX = 0x24, status = 0x34
    case revision = 0x36
  }

  /// The cycle counts, the finest first.
  public enum CycleCount: UInt8, CaseIterable, Sendable {
    case fine = 200, middle = 100, coarse = 50

    /// Counts a microtesla.
    var countsPerMicrotesla: Double {
      switch self {
      case .fine: 75
      case .middle: 38
      case .coarse: 20
      }
    }
    /// The fastest rate of three axes, hertz.
    var greatestHertz: Double {
      switch self {
      case .fine: 147
      case .middle: 283
      case .coarse: 534
      }
    }
  }

  /// The linear range, microtesla.
  static var fullScale: Double { 800 }
  /// Rates by TMRC from 0x92 on, hertz.
  static var rates: [Double] { [600, 300, 150, 75, 37, 18, 9, 4.5, 2.3, 1.2] }

  /// The part number.
  public var model: ChipModel { .rm3100 }
  /// The chip's address, 0x20 to 0x23.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of the cycles of the three axes.
  public var latencySeconds: Double { 0.5 / cycleCount.greatestHertz }

  private let link: ChipLink<Bus>
  private let cycleCount: CycleCount
  private let table: [RegisterSetting]

  /// Makes a driver; nothing is transferred before `start`. The rate chooses the finest cycle count
  /// that it leaves time for; the chip has one range.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .rm3100)
    // 600 Hz is beyond every cycle count of the manual's table.
    let wanted = min(settings.rateHertz ?? 75, 300)
    let index = Self.rates.lastIndex { $0 >= wanted } ?? 1
    let hertz = Self.rates[index]
    rateHertz = hertz
    cycleCount = CycleCount.allCases.first { $0.greatestHertz >= hertz } ?? .coarse
    var settings: [RegisterSetting] = []
    for axis in UInt8(0)..<3 {
      settings.append(RegisterSetting(Register.cycleCountX.rawValue + 2 * axis, 0x00))
      settings.append(
        RegisterSetting(Register.cycleCountX.rawValue + 2 * axis + 1, cycleCount.rawValue))
    }
    table =
      settings + [
        RegisterSetting(Register.updateRate.rawValue, 0x92 + UInt8(index)),
        // CMZ, CMY, CMX: the three axes; DRDM 0: DRDY after all of them; START; last.
        RegisterSetting(Register.continuous.rawValue, 0x71),
      ]
  }

  /// Checks the revision, and that the bits that are always zero in another register are: a port
  /// expander at the same address reads the same in every register. Only reads.
  public func recognise() throws(ChipError) {
    try link.identify(Register.revision.rawValue, as: 0x22)
    let found = try link.read(Register.continuous.rawValue)
    guard found & 0x82 == 0 else {
      throw link.error(
        .wrongIdentity(
          register: Register.continuous.rawValue, expected: found & ~0x82, found: found))
    }
  }

  /// Identity, a stop of the measurement (there is no reset), configuration.
  public mutating func start() throws(ChipError) {
    try recognise()
    try link.write(0x00, to: Register.continuous.rawValue)
    try link.apply(table)
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The measurement that ended since the last call.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    // DRDY, which reading the results clears; after a loss of power nothing is measured.
    guard try link.readSample(Register.status.rawValue, count: 1)[0] & 0x80 != 0 else { return nil }
    let bytes = try link.readSample(Register.outX.rawValue, count: 9)
    let field = Self.decode(bytes, at: 0, cycleCount: cycleCount)
    return field.components.isWithin(Self.fullScale) ? .value(field) : .saturated
  }

  /// The field that nine bytes from MX2 on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, cycleCount: CycleCount
  ) -> MagneticField<SensorFrame> {
    var counts = SIMD3<Double>.zero
    for axis in 0..<3 { counts[axis] = Double(bytes.bigEndian24(at: index + 3 * axis)) }
    return MagneticField(microtesla: counts / cycleCount.countsPerMicrotesla)
  }
}
