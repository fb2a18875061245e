import Quantities

extension ChipModel {
  /// The BMI270.
  public static let bmi270 = ChipModel("BMI270", .inertia, at: [0x68, 0x69], Identity(0x00, 0x24))
    // Source: Linux bmi270_spi.c, which cites section 6.4 of the data sheet: the first byte of an
    // answer has no meaning. Bosch's bmi2.c reads CHIP_ID once at the start and after a soft reset,
    // which switches the chip to SPI.
    .over(
      SPIFraming(
        fastestHertz: 10_000_000, dummyBytes: 1, wakingRead: 0x00,
        reset: RegisterSetting(0x7E, 0xB6)))
}

/// Bosch's BMI270: gyroscope and accelerometer at one rate, read through their FIFO without
/// headers.
///
/// Its processor runs an image that is written at each start, and that may not be shipped with this
/// library: `ChipSettings.image`. It is the array `bmi270_config_file` of Bosch's BMI270_SensorAPI
/// (`bmi270.c`, BSD-3-Clause), 8192 bytes; Linux loads the same bytes as `bmi270-init-data.fw`.
///
/// - Axes: right-handed, as printed on the package, the same for both quantities.
/// - Source: Bosch BST-BMI270-DS000-07 (revision 1.5): scales of its specification, section 4.4
///   "POR and device initialization" (INTERNAL_STATUS), "FIFO" and the register map with defaults;
///   Linux `bmi270_core.c` (rates, scales, times); order of the halves in the FIFO and flush:
///   ArduPilot's `AP_InertialSensor_BMI270.cpp`. What x shows of z: section 4.6.10, and Bosch's
///   `bmi2.c`, `bmi2_defs.h` and `bmi2_ois.c` (seven bits with a sign, 512ths).
public struct BMI270<Bus: RegisterBus>: InertialUnit, BoschFIFO {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case chipID = 0x00
    case internalStatus = 0x21
    case fifoLength = 0x24
    case fifoData = 0x26
    case featurePage = 0x2F
    case gyroscopeCrossAxis = 0x3C
    case accelerometer = 0x40, accelerometerRange, gyroscope, gyroscopeRange
    case fifoDownsampling = 0x45, fifoWatermark, fifoWatermarkHigh, fifoMode, fifoContent
    case interruptOutput = 0x53
    case interruptMap = 0x58, initControl
    case initAddress = 0x5B
    case initData = 0x5E
    case powerMode = 0x7C, power, command
  }

  /// CHIP_ID's content.
  public static var identity: UInt8 { 0x24 }
  /// The size of the processor's memory for the image, bytes.
  public static var imageBytes: Int { 8192 }
  /// The bytes of the image in a transfer, which an SMBus block holds too.
  private static var imagePart: Int { 32 }
  /// INTERNAL_STATUS: the image runs.
  private static var initialised: UInt8 { 0x01 }
  /// PWR_CTRL: thermometer, accelerometer and gyroscope.
  private static var allOn: UInt8 { 0x0E }

  /// The part number.
  public var model: ChipModel { .bmi270 }
  /// The chip's address, 0x68 or 0x69.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// A sampling period: half a period of averaging, and as much for the low pass of the normal
  /// mode.
  public var latencySeconds: Double { 1 / rateHertz }

  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  let link: ChipLink<Bus>
  package let gyroscope: SixteenBitGyroscopeRange
  package let accelerometer: MPUAccelerometerRange
  private let image: [UInt8]
  private let table: [RegisterSetting]
  /// The share of the rate around z that the chip adds to the one around x: up to an eighth, in
  /// each chip another.
  private var crossAxisShare = 0.0
  var fifo = FIFOAccount()

  var fifoSize: Int { 2048 }
  static var fifoRegisters: (length: UInt8, data: UInt8, command: UInt8) {
    (Register.fifoLength.rawValue, Register.fifoData.rawValue, Register.command.rawValue)
  }
  static var lengthMask: UInt16 { 0x3FFF }

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .bmi270)
    gyroscope = .least(for: settings.angularRateRadiansPerSecond)
    accelerometer = .least(for: settings.specificForceMetresPerSecondSquared)
    image = settings.image
    let rate = settings.rate(among: Self.rates, default: 200) { $0.hertz }
    rateHertz = rate.hertz
    let isWired = settings.drivesDataReadyLine
    table = [
      RegisterSetting(Register.power.rawValue, Self.allOn),
      // Normal bandwidth, best filter and noise.
      RegisterSetting(Register.accelerometer.rawValue, 0xA0 | rate.bits),
      RegisterSetting(Register.accelerometerRange.rawValue, accelerometer.rawValue),
      RegisterSetting(Register.gyroscope.rawValue, 0xE0 | rate.bits),
      // ±2000 degrees a second is 0, with the bit of the same range for data before the filter:
      // without it, as ArduPilot has it, the FIFO's are those of ±250.
      RegisterSetting(
        Register.gyroscopeRange.rawValue, gyroscope == .degrees2000 ? 0x08 : 3 - gyroscope.rawValue),
      // Filtered data, each sample.
      RegisterSetting(Register.fifoDownsampling.rawValue, 0x88),
      // A sample, for the line.
      RegisterSetting(Register.fifoWatermark.rawValue, UInt8(Self.sampleBytes)),
      RegisterSetting(Register.fifoWatermarkHigh.rawValue, 0x00),
      // The oldest samples are dropped; no time stamps.
      RegisterSetting(Register.fifoMode.rawValue, 0x00),
      // Gyroscope and accelerometer, no headers.
      RegisterSetting(Register.fifoContent.rawValue, 0xC0),
      // FIFO watermark on INT1, active high.
      RegisterSetting(Register.interruptOutput.rawValue, isWired ? 0x0A : 0x00),
      RegisterSetting(Register.interruptMap.rawValue, isWired ? 0x02 : 0x00),
      // No power saving, the FIFO wakes itself.
      RegisterSetting(Register.powerMode.rawValue, 0x02),
    ]
  }

  /// Identity, reset, image, configuration, and an empty FIFO.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.chipID.rawValue, as: Self.identity)
    guard !image.isEmpty else {
      throw link.error(
        .image(
          "it needs Bosch's configuration image, which may not be shipped here; name the file by 'image:' in the board "
            + "file, or put it at /usr/lib/firmware/bmi270-init-data.fw (bmi270_config_file of Bosch's BMI270_SensorAPI)"
        ))
    }
    guard image.count <= Self.imageBytes, image.count % 2 == 0 else {
      throw link.error(
        .image(
          "its configuration image has \(image.count) bytes in place of \(Self.imageBytes); use the "
            + "bytes of bmi270_config_file of Bosch's BMI270_SensorAPI"))
    }
    // Soft reset: 2 ms, as Bosch's bmi2.c waits.
    try link.write(0xB6, to: Register.command.rawValue)
    link.bus.wait(nanoseconds: 2_000_000)
    try load()
    // On the first page of features; the factory's value, in the lower seven bits.
    try link.write(0x00, to: Register.featurePage.rawValue)
    let factor = try link.read(Register.gyroscopeCrossAxis.rawValue)
    crossAxisShare = Double(Int8(bitPattern: factor << 1) >> 1) / 512
    try link.apply(table)
    try startFIFO()
  }

  private func load() throws(ChipError) {
    try link.write(0x00, to: Register.powerMode.rawValue)
    link.bus.wait(nanoseconds: 450_000)
    try link.write(0x00, to: Register.initControl.rawValue)
    for start in stride(from: 0, to: image.count, by: Self.imagePart) {
      // The place is counted in words: its four low bits, then the others.
      let word = start / 2
      try write([UInt8(word & 0x0F), UInt8(word >> 4)][...], to: Register.initAddress.rawValue)
      let end = min(start + Self.imagePart, image.count)
      try write(image[start..<end], to: Register.initData.rawValue)
    }
    try link.write(0x01, to: Register.initControl.rawValue)
    // Linux waits as long; the data sheet has 20 ms.
    link.bus.wait(nanoseconds: 140_000_000)
    let status = try link.read(Register.internalStatus.rawValue) & 0x0F
    guard status == Self.initialised else {
      throw link.error(
        .image(
          "it did not accept its configuration image (INTERNAL_STATUS \(Hexadecimal.text(status))); use the bytes of "
            + "bmi270_config_file of Bosch's BMI270_SensorAPI"))
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>, to register: UInt8) throws(ChipError) {
    var failure: BusError?
    bytes.withUnsafeBytes {
      do throws(BusError) { try link.bus.write($0, to: register, of: address) } catch {
        failure = error
      }
    }
    if let failure { throw link.error(.bus(failure)) }
  }

  /// Whether the registers still hold the configuration table, and the image runs.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard try link.read(Register.internalStatus.rawValue) & 0x0F == Self.initialised else {
      return false
    }
    return try link.holds(table)
  }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int { try drain(take) }

  /// A sample as it lies in the FIFO: gyroscope x, y, z, then accelerometer x, y, z.
  package static var layout: SixteenBitLayout { .init(rate: 0, force: 6, isBigEndian: false) }

  func corrected(_ reading: InertialReading) -> InertialReading {
    guard case .value(let measured)? = reading.angularRate else { return reading }
    var rate = measured.radiansPerSecond
    rate.x -= crossAxisShare * rate.z
    var corrected = reading
    corrected.angularRate = .value(AngularRate(radiansPerSecond: rate))
    return corrected
  }

  func isOn() throws(ChipError) -> Bool {
    try link.read(Register.power.rawValue) == Self.allOn
  }
}
