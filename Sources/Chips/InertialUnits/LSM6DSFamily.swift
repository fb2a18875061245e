import Quantities

/// ST's LSM6DS3, LSM6DS3TR-C, LSM6DSO, LSM6DSO32, LSM6DSV, LSM6DSV32X and ISM330DHCX: gyroscope and
/// accelerometer at one rate, read through their FIFO.
///
/// The later parts hold a measurement of their own oscillator, from which the rate is known to
/// about 0.2 % where it may be 7 % off. The chip's time stamps count periods of the same
/// oscillator, so they add nothing to that and are not stored in the FIFO.
///
/// - Axes: right-handed, as printed on the package, the same for both quantities.
/// - Source: see `LSM6DSVariant`.
public struct LSM6DSFamily<Bus: RegisterBus>: InertialUnit, WatchedFIFO {
  /// The registers that all parts have at the same place.
  public enum Register: UInt8, Sendable {
    case fifoRate = 0x09, fifoMode
    case interrupt1 = 0x0D
    case whoAmI = 0x0F, control1, control2, control3
  }

  /// The part number.
  public var model: ChipModel { variant.model }
  /// The chip's address, 0x6A or 0x6B.
  public var address: UInt8 { link.address }
  /// Samples a second: the nominal rate, after the start with the chip's own trim.
  public private(set) var rateHertz: Double
  /// A sampling period: half a period of averaging, and about as much again for a first-order low
  /// pass at the third of the rate where the data sheets put the gyroscope's cutoff.
  public var latencySeconds: Double { 1 / rateHertz }

  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  let link: ChipLink<Bus>
  private let variant: LSM6DSVariant
  private let gyroscope: LSM6DSGyroscopeRange
  private let accelerometer: LSM6DSAccelerometerRange
  private let nominalHertz: Double
  private let table: [RegisterSetting]
  /// What FIFO_CTRL4 (LSM6DS3: FIFO_CTRL5) holds while the FIFO runs.
  private let fifoMode: UInt8
  var fifo = FIFOAccount()
  var fifoSize: Int { variant.fifo.depth }
  /// Whole samples, except that a tagged word may be read alone.
  var fifoStep: Int { variant.fifo.isTagged ? 1 : variant.fifo.sampleWords }
  var burstSize: Int {
    let layout = variant.fifo
    return RegisterBytes.capacity / (layout.wordBytes * layout.sampleWords) * layout.sampleWords
  }
  /// A word whose partner of the same conversion was not read yet, with its TAG_CNT.
  private var half: (count: UInt8, reading: InertialReading)?

  /// CTRL3: BDU, so that the two bytes of an axis belong to one conversion, and IF_INC, which
  /// counts up.
  private static var control3: UInt8 { 0x44 }

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings, variant: LSM6DSVariant) {
    link = ChipLink(bus: bus, address: address, model: variant.model)
    self.variant = variant
    gyroscope = .least(for: settings.angularRateRadiansPerSecond)
    let force = variant.accelerometer(for: settings.specificForceMetresPerSecondSquared)
    accelerometer = force.range
    let rate = settings.rate(among: variant.rates, default: 200) { $0.hertz }
    (nominalHertz, rateHertz) = (rate.hertz, rate.hertz)
    // Continuous mode.
    fifoMode = 0x06 | (variant.fifo.modeRateShift.map { rate.bits << $0 } ?? 0)
    let ranges = variant.ranges
    let (control1, control2) = (Register.control1.rawValue, Register.control2.rawValue)
    let gyroscopeBits = ranges.gyroscopeBits[gyroscope.rawValue]
    // By register, because the older parts have rate and range in one.
    func value(of register: UInt8) -> UInt8 {
      (register == ranges.gyroscope ? gyroscopeBits : 0)
        | (register == ranges.accelerometer ? force.bits : 0)
        | (register == control1 || register == control2 ? rate.bits << variant.rateShift : 0)
    }
    var table = [RegisterSetting(Register.control3.rawValue, Self.control3)] + variant.settings
    if variant.fifo.isTagged {
      table.append(RegisterSetting(Register.fifoRate.rawValue, rate.bits << 4 | rate.bits))
    }
    // FIFO threshold: the line is high while a sample waits.
    table.append(
      RegisterSetting(
        Register.interrupt1.rawValue, settings.drivesDataReadyLine ? 0x08 : 0x00))
    for register in [ranges.gyroscope, ranges.accelerometer]
    where register != control1 && register != control2 {
      table.append(RegisterSetting(register, value(of: register)))
    }
    // Last: they start the halves.
    table.append(RegisterSetting(control1, value(of: control1)))
    table.append(RegisterSetting(control2, value(of: control2)))
    self.table = table
  }

  /// Identity, reset, configuration, trim, and an empty FIFO.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: variant.identity)
    // Bypass first: with samples in the FIFO, as after a restart of the program, the reset is not
    // acknowledged (`ChipFact`).
    try link.write(0x00, to: Register.fifoMode.rawValue)
    // SW_RESET: every register at its default. It takes 50 µs; Linux waits 50 ms.
    try link.reset(
      by: 0x05, to: Register.control3.rawValue, bit: 0x01, nanoseconds: 50_000_000)
    try link.apply(table)
    if let trim = variant.trim {
      let steps = Double(Int8(bitPattern: try link.read(trim.register)))
      rateHertz = nominalHertz * (1 + trim.sharePerStep * steps)
    }
    // The gyroscope starts: as for the LSM9DS1, which is longer than any of the data sheets has.
    link.bus.wait(nanoseconds: 100_000_000)
    try startFIFO()
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int { try drain(take) }

  /// The angular rate that six bytes of the gyroscope stand for.
  public static func decodeAngularRate(
    _ bytes: RegisterBytes, at index: Int, range: LSM6DSGyroscopeRange
  ) -> Reading<AngularRate<SensorFrame>> {
    RawAxes(littleEndian: bytes, at: index).angularRate(
      perCount: SIMD3(repeating: range.radiansPerSecondPerCount), rails: .bits16)
  }

  /// The specific force that six bytes of the accelerometer stand for.
  public static func decodeSpecificForce(
    _ bytes: RegisterBytes, at index: Int, range: LSM6DSAccelerometerRange
  ) -> Reading<SpecificForce<SensorFrame>> {
    RawAxes(littleEndian: bytes, at: index).specificForce(
      perCount: SIMD3(repeating: range.metresPerSecondSquaredPerCount), rails: .bits16)
  }

  func readBurst(_ words: Int) throws(ChipError) -> RegisterBytes {
    try link.readSample(variant.fifo.data, count: words * variant.fifo.wordBytes)
  }

  mutating func deliver(
    _ burst: RegisterBytes, _ words: Int, _ take: (InertialReading) -> Void
  ) {
    let layout = variant.fifo
    guard layout.isTagged else {
      let sampleBytes = layout.wordBytes * layout.sampleWords
      for index in stride(from: 0, to: words * layout.wordBytes, by: sampleBytes) {
        take(
          InertialReading(
            angularRate: Self.decodeAngularRate(burst, at: index, range: gyroscope),
            specificForce: Self.decodeSpecificForce(burst, at: index + 6, range: accelerometer)))
      }
      return
    }
    for index in stride(from: 0, to: words * layout.wordBytes, by: layout.wordBytes) {
      let count = burst[index] >> 1 & 0x03
      var reading = InertialReading(angularRate: nil, specificForce: nil)
      // TAG_SENSOR: 1 gyroscope, 2 accelerometer.
      switch burst[index] >> 3 {
      case 1:
        reading.angularRate = Self.decodeAngularRate(burst, at: index + 1, range: gyroscope)
      case 2:
        reading.specificForce = Self.decodeSpecificForce(
          burst, at: index + 1, range: accelerometer)
      default: continue
      }
      join(reading, count: count, take)
    }
  }

  /// Joins the two words of a conversion; their order is not documented. A word without a partner
  /// is delivered alone.
  private mutating func join(
    _ reading: InertialReading, count: UInt8, _ take: (InertialReading) -> Void
  ) {
    guard let other = half else {
      half = (count, reading)
      return
    }
    let isPartner =
      other.count == count
      && (other.reading.angularRate == nil) != (reading.angularRate == nil)
    guard isPartner else {
      take(other.reading)
      half = (count, reading)
      return
    }
    half = nil
    take(
      InertialReading(
        angularRate: reading.angularRate ?? other.reading.angularRate,
        specificForce: reading.specificForce ?? other.reading.specificForce))
  }

  func readState() throws(ChipError) -> FIFOState? {
    guard try link.read(Register.fifoMode.rawValue) == fifoMode else { return nil }
    let layout = variant.fifo
    // The untagged FIFO's next two registers tell which word of a sample the next one is.
    let bytes = try link.readSample(layout.status, count: layout.isTagged ? 2 : 4)
    let isMisaligned = !layout.isTagged && bytes.littleEndian(at: 2) & 0x03FF != 0
    let words = Int(bytes[0]) | Int(bytes[1] & layout.countMask) << 8
    return FIFOState(
      count: words, hasLost: bytes[1] & layout.overrun != 0 || isMisaligned)
  }

  /// Bypass mode empties the FIFO; then it runs again.
  mutating func restartFIFO() throws(ChipError) {
    half = nil
    try link.write(0x00, to: Register.fifoMode.rawValue)
    try link.write(fifoMode, to: Register.fifoMode.rawValue)
    // Reading clears FIFO_OVR_LATCHED.
    _ = try link.read(variant.fifo.status + 1)
  }
}
