import Quantities

extension ChipModel {
  /// The BNO055.
  public static let bno055 = ChipModel(
    "BNO055", .inertia, at: [0x28, 0x29], Identity(0x00, 0xA0)
  ).module(baud: 115_200)
}

/// Bosch's BNO055: gyroscope, accelerometer and magnetometer beside a processor with fusion of its
/// own.
///
/// It delivers raw samples (mode AMG), or with `usesOwnAttitude` its own attitude (mode NDOF). Over
/// I2C, or over a serial port by `BNO055SerialBus`. It is not reset, as it would not answer for
/// 0.65 s, and its clock is left as it is: not every board has a crystal.
///
/// - Axes: right-handed, as in the data sheet's figure of the default axes, the same for all
///   quantities. The quaternion is the identity with x east, y north and z up.
/// - Source: Bosch BST-BNO055-DS000-14 (revision 1.4): tables 3-5 and 3-6 (modes and their
///   switching times), 3-8 to 3-10 (configurations), 3-17 (acceleration: 100 counts a m/s²), 3-19
///   (field: 16 counts a microtesla), 3-31 (quaternion), 4-2 and 4-3 (register map, two pages),
///   4.3.54 (calibration state). The scale of the gyroscope in mode AMG is that of Linux
///   `bno055.c`, the range over 2^15 counts, which the chip has in place of the 900 counts of table
///   3-22. That the quaternion is of east, north and up is a user's measurement in Bosch's forum,
///   and agrees with table 3-13.
public struct BNO055<Bus: RegisterBus>: InertialUnit {
  /// The registers in use of page 0.
  public enum Register: UInt8, Sendable {
    case chipID = 0x00
    case page = 0x07
    case acceleration, field = 0x0E, rotation = 0x14
    case quaternion = 0x20
    case calibration = 0x35
    case units = 0x3B
    case mode = 0x3D, power
    case axes = 0x41, axisSigns
  }
  /// The registers in use of page 1.
  enum SensorRegister: UInt8 {
    case accelerometer = 0x08, magnetometer, gyroscope, gyroscopePower
  }

  /// The identity register's content.
  public static var identity: UInt8 { 0xA0 }
  /// The operating modes in use.
  private enum Mode {
    static var configuration: UInt8 { 0x00 }
    static var raw: UInt8 { 0x07 }
    static var fused: UInt8 { 0x0C }
  }
  /// Counts a microtesla.
  private static var fieldCounts: Double { 16 }
  /// Counts a metre per second squared.
  private static var forceCounts: Double { 100 }
  /// The magnetometer's full scale on x and y and on z, microtesla.
  private static var fieldRange: SIMD3<Double> { SIMD3(1300, 1300, 2500) }
  /// The longest time from power-on or a reset on in which it does not acknowledge, ns: 400 and 650
  /// ms by table 0-2.
  private static var bootTimeout: UInt64 { 700_000_000 }
  /// Times of a change to the configuration mode and back, ns (table 3-6: 19 and 7 ms).
  private static var toConfiguration: UInt64 { 20_000_000 }
  private static var fromConfiguration: UInt64 { 10_000_000 }

  /// The part number.
  public var model: ChipModel { .bno055 }
  /// The chip's address, 0x28 or 0x29.
  public var address: UInt8 { link.address }
  /// Samples a second: that of its registers. The field is new 20 times a second.
  public var rateHertz: Double { 100 }
  /// Half a period, and the delay of low passes of 62.5 Hz (accelerometer) and 47 Hz (gyroscope).
  public var latencySeconds: Double { 0.008 }

  let link: ChipLink<Bus>
  private let gyroscope: SixteenBitGyroscopeRange
  private let accelerometer: MPUAccelerometerRange
  private let isFused: Bool
  private let table: [RegisterSetting]
  private let sensorTable: [RegisterSetting]
  /// The newest bytes: no register shows whether a sample is new.
  private var last = RegisterBytes(count: 0)

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .bno055)
    gyroscope = .least(for: settings.angularRateRadiansPerSecond)
    accelerometer = .least(for: settings.specificForceMetresPerSecondSquared)
    isFused = settings.usesOwnAttitude
    table = [
      RegisterSetting(Register.power.rawValue, 0x00, kept: 0x03),
      // Metres per second squared, radians, Android's signs: the units by which Linux's scales were
      // measured.
      RegisterSetting(Register.units.rawValue, 0x82),
      RegisterSetting(Register.axes.rawValue, 0x24, kept: 0x3F),
      RegisterSetting(Register.axisSigns.rawValue, 0x00, kept: 0x07),
    ]
    // Fusion chooses the sensors' settings itself.
    sensorTable =
      isFused
      ? []
      : [
        // Normal power; 62.5 Hz.
        RegisterSetting(SensorRegister.accelerometer.rawValue, 0x0C | accelerometer.rawValue),
        // High accuracy, 20 Hz.
        RegisterSetting(SensorRegister.magnetometer.rawValue, 0x1D),
        // 47 Hz; ±2000 degrees a second is 0.
        RegisterSetting(SensorRegister.gyroscope.rawValue, 0x18 | (3 - gyroscope.rawValue)),
        RegisterSetting(SensorRegister.gyroscopePower.rawValue, 0x00, kept: 0x07),
      ]
  }

  /// Identity, configuration, and the mode of operation.
  public mutating func start() throws(ChipError) {
    last = RegisterBytes(count: 0)
    try link.awaitAnswer(Register.chipID.rawValue, nanoseconds: Self.bootTimeout)
    // Another program may have left the second page, which has no identity.
    if try link.read(Register.chipID.rawValue) != Self.identity,
      try link.read(Register.page.rawValue) == 0x01
    {
      try link.write(0x00, to: Register.page.rawValue)
    }
    try link.identify(Register.chipID.rawValue, as: Self.identity)
    try link.write(0x00, to: Register.page.rawValue)
    try set(Mode.configuration, Self.toConfiguration)
    try link.apply(table)
    if !sensorTable.isEmpty {
      try link.write(0x01, to: Register.page.rawValue)
      try link.apply(sensorTable)
      try link.write(0x00, to: Register.page.rawValue)
    }
    try set(isFused ? Mode.fused : Mode.raw, Self.fromConfiguration)
    guard try holdsConfiguration() else { throw link.error(.unfinished("its change of mode")) }
  }

  /// Whether the chip is in its mode, which it is not after a brown-out, with its units. No other
  /// register can change outside the configuration mode.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard try link.read(Register.page.rawValue) & 0x7F == 0 else { return false }
    guard try link.read(Register.mode.rawValue) & 0x0F == (isFused ? Mode.fused : Mode.raw) else {
      return false
    }
    return try link.holds(table)
  }

  /// The sample in the registers, if it differs from the last one: noise changes every sample.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int {
    guard !isFused else { return try readAttitude(take) }
    let bytes = try link.readSample(Register.acceleration.rawValue, count: 18)
    // All zero is the configuration mode, in which the chip starts.
    guard bytes != last, !bytes.isConstant(0) else { return 0 }
    var reading = Self.decode(bytes, gyroscope: gyroscope, accelerometer: accelerometer)
    if last.count > 0, Self.hasSameField(bytes, last) { reading.field = nil }
    last = bytes
    take(reading)
    return 0
  }

  /// The attitude, and the state of the calibration: at 0 the heading is that of the start, not of
  /// north.
  private mutating func readAttitude(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int {
    let first = Register.quaternion.rawValue
    let bytes = try link.readSample(first, count: Int(Register.calibration.rawValue - first) + 1)
    guard bytes != last, !bytes.isConstant(0) else { return 0 }
    last = bytes
    let state = bytes[bytes.count - 1]
    let isAbsolute = state >> 6 > 0 && state & 0x03 > 0
    take(
      InertialReading(
        angularRate: nil, specificForce: nil,
        attitude: isAbsolute ? Self.attitude(bytes) : nil))
    return 0
  }

  /// Acceleration, field and angular rate as they lie in the registers.
  public static func decode(
    _ bytes: RegisterBytes, gyroscope: SixteenBitGyroscopeRange,
    accelerometer: MPUAccelerometerRange
  ) -> InertialReading {
    // The 14 bits of the accelerometer end a count of theirs below the range.
    let force = bytes.littleEndianAxes(at: 0)
    let end = (accelerometer.metresPerSecondSquared * forceCounts * 8190.5 / 8192).rounded(.down)
    let field = bytes.littleEndianAxes(at: 6) / fieldCounts
    let isFieldInside =
      abs(field.x) < fieldRange.x && abs(field.y) < fieldRange.y && abs(field.z) < fieldRange.z
    return InertialReading(
      angularRate: RawAxes(littleEndian: bytes, at: 12).angularRate(
        perCount: SIMD3(repeating: gyroscope.radiansPerSecondPerCount), rails: .bits16),
      specificForce: Reading(force / forceCounts, axesAtEnd: force.axes(from: end))
        .map { SpecificForce(metresPerSecondSquared: $0) },
      field: isFieldInside ? .value(MagneticField(microtesla: field)) : .saturated)
  }

  /// The quaternion at the start of the bytes, with its scalar part first; nil for one that is
  /// none.
  public static func attitude(_ bytes: RegisterBytes) -> ModuleAttitude? {
    let v = bytes.littleEndianAxes(at: 2) / 16_384
    let w = Double(bytes.littleEndian(at: 0)) / 16_384
    let square = w * w + v.x * v.x + v.y * v.y + v.z * v.z
    // Also a torn or wrongly clocked transfer.
    guard abs(square - 1) < 0.01 else { return nil }
    return ModuleAttitude(eastNorthUp: w, v)
  }

  private static func hasSameField(_ a: RegisterBytes, _ b: RegisterBytes) -> Bool {
    for index in 6..<12 where a[index] != b[index] { return false }
    return true
  }

  private func set(_ mode: UInt8, _ nanoseconds: UInt64) throws(ChipError) {
    try link.write(mode, to: Register.mode.rawValue)
    link.bus.wait(nanoseconds: nanoseconds)
  }
}
