import Quantities

extension ChipModel {
  /// The AK8963, with its axes in the MPU-9250.
  public static let ak8963 = ChipModel(
    "AK8963", .field, at: [0x0C], Identity(0x00, 0x48, "AK8963 or AK8975"), Identity(0x01, 0x9A)
  ).inPackage(x: .left, y: .forward, z: .down)
}

/// Asahi Kasei's magnetometer in the MPU-9250, ±4912 µT with 16 bits, 8 or 100 Hz. It answers at
/// 0x0C once the MPU's driver has enabled the bypass. It has no data-ready line there.
///
/// - Axes: the AK8963's own, right-handed. In the MPU-9250 its x lies along the accelerometer's y,
///   its y along the accelerometer's x, its z against the accelerometer's z: see `ak8963`.
/// - Source: AKM AK8963 data sheet MS1356-E-02: section 6.4 (modes, reading), 7.2.3 (counting up),
///   8.1 to 8.3 (registers, sensitivity adjustment); InvenSense MPU-9250 PS-MPU-9250A-01 revision
///   1.1, section 9.1 (axes).
public struct AK8963<Bus: RegisterBus>: Magnetometer {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case identity = 0x00, information, status1, outX, status2 = 0x09, control1, control2
    case adjustment = 0x10
  }

  /// The part number.
  public var model: ChipModel { .ak8963 }
  /// The chip's address, behind an MPU-9250 always 0x0C.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of the 7.2 ms of a measurement.
  ///
  /// - Source: AKM's figure (TSM, typical) for the similar AK09911; the AK8963's own was not
  ///   available.
  public var latencySeconds: Double { 0.0036 }

  private let link: ChipLink<Bus>
  private let mode: RegisterSetting
  private var adjustment = SIMD3<Double>(repeating: 1)

  /// Makes a driver; nothing is transferred before `start`. The chip has one range.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .ak8963)
    let isSlow = settings.rateHertz ?? 100 <= 8
    rateHertz = isSlow ? 8 : 100
    // BIT: 16 bits. MODE: continuous 1 or 2. An AK8975, which has the same identity, has neither.
    mode = RegisterSetting(Register.control1.rawValue, isSlow ? 0x12 : 0x16, kept: 0x1F)
  }

  /// Identity, reset, factory adjustment, configuration.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.identity.rawValue, as: 0x48)
    // The maker's later chips share it and have one of their own in the second register.
    let second = try link.read(Register.information.rawValue)
    guard second != 0x09 else {
      throw link.error(
        .wrongIdentity(register: Register.information.rawValue, expected: 0x9A, found: second))
    }
    // SRST: power-down mode, whatever was set before.
    try link.write(0x01, to: Register.control2.rawValue)
    waitForMode()
    // Fuse ROM access; read back, because an AK8975 does not keep BIT.
    try link.apply([RegisterSetting(Register.control1.rawValue, 0x1F, kept: 0x1F)])
    waitForMode()
    let bytes = try link.read(Register.adjustment.rawValue, count: 3)
    for byte in [UInt8(0x00), 0xFF] where bytes.isConstant(byte) {
      throw link.error(
        .badFactoryData("every sensitivity adjustment reads \(Hexadecimal.text(byte))"))
    }
    adjustment = Self.adjustment(bytes)
    // From one mode into another only through power-down.
    try link.write(0x10, to: Register.control1.rawValue)
    waitForMode()
    try link.apply([mode])
  }

  /// Whether the chip still measures as configured.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds([mode]) }

  /// The measurement that ended since the last call.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    // ST1, the data, ST2, which must be read for the next measurement to come through, and CNTL1.
    let bytes = try link.readSample(Register.status1.rawValue, count: 9)
    // DRDY; and BITM, which repeats BIT beside the data.
    let status2 = bytes[7]
    guard bytes[0] & 0x01 != 0, status2 & 0x10 != 0, mode.matches(bytes[8]) else { return nil }
    // HOFL: the sum of the three magnitudes reached 4912 µT, and the data are no measurement.
    guard status2 & 0x08 == 0 else { return .saturated }
    return .value(Self.decode(bytes, at: 1, adjustment: adjustment))
  }

  /// Factors from the three bytes of the fuse ROM: 1 + (ASA - 128) / 256 (section 8.3, ASAX).
  public static func adjustment(_ bytes: RegisterBytes) -> SIMD3<Double> {
    let values = SIMD3(Double(bytes[0]), Double(bytes[1]), Double(bytes[2]))
    let unity = SIMD3<Double>(repeating: 1)
    return unity + (values - 128) / 256
  }

  /// The field that six bytes from HXL on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, adjustment: SIMD3<Double>
  ) -> MagneticField<SensorFrame> {
    MagneticField(microtesla: bytes.littleEndianAxes(at: index) * adjustment * 0.15)
  }

  /// Twice the 100 µs that a change of mode needs (section 6.3).
  private func waitForMode() { link.bus.wait(nanoseconds: 200_000) }
}
