import Bus
import Quantities

/// TDK InvenSense's gyroscope and accelerometer of most hobby boards, and its successors with the same
/// registers: MPU-6050, MPU-6500, MPU-9250 and MPU-9255. Samples come from its FIFO, so that a late thread
/// loses none. The second bus behind it is connected to the main one, for the magnetometer there.
///
/// - Axes: right-handed, as printed on the package.
/// - Source: InvenSense RM-MPU-6000A-00 revision 4.2 and PS-MPU-6000A-00 revision 3.4 (MPU-6050);
///   RM-MPU-6500A-00 revision 2.1; RM-MPU-9250A-00 revision 1.6: register maps, filter tables
///   (register 26, 29), sensitivities (registers 27 and 28). Second source of map and scales: Linux
///   inv_mpu_core.c and inv_mpu_iio.h.
public struct MPU6050<Bus: RegisterBus>: InertialUnit {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case rateDivider = 0x19, configuration, gyroscopeConfiguration, accelerometerConfiguration
    case accelerometerFilter = 0x1D
    case fifoEnable = 0x23
    case pinConfiguration = 0x37, interruptEnable, interruptStatus = 0x3A
    case userControl = 0x6A, power1, power2
    case fifoCount = 0x72, fifoData = 0x74, whoAmI = 0x75
  }

  /// The part number.
  public var model: ChipModel { link.model }
  /// The chip's address, 0x68 or 0x69.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// The delay of the gyroscope's low-pass.
  public let latencySeconds: Double
  /// The FIFO keeps samples until they are fetched.
  public var keepsSamples: Bool { true }

  /// Bytes of a sample in the FIFO: three axes of force, three of rate.
  private static var sampleBytes: Int { 12 }
  /// DATA_RDY_INT and FIFO_OFLOW_INT.
  private static var overflowFlag: UInt8 { 0x10 }

  private let link: ChipLink<Bus>
  private let variant: MPU6050Variant
  private let rotationRange: MPU6050Range.Rotation
  private let forceRange: MPU6050Range.Force
  private let table: [RegisterSetting]
  /// After a transfer that broke off nobody knows where in a sample the FIFO stands.
  private var isTorn = false

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings, variant: MPU6050Variant) {
    link = ChipLink(bus: bus, address: address, model: variant.model)
    self.variant = variant
    rotationRange = MPU6050Range.Rotation.holding(settings.angularRateRadiansPerSecond)
    forceRange = MPU6050Range.Force.holding(settings.specificForceMetresPerSecondSquared)
    // 1 kHz divided by 1 to 256: the least rate that is not below the wish.
    let wanted = max(settings.rateHertz ?? 200, 1000.0 / 256)
    let divider = min(max((1000 / wanted).rounded(.down), 1), 256)
    rateHertz = 1000 / divider
    let filter = variant.filter(below: rateHertz / 2)
    latencySeconds = filter.gyroscopeDelaySeconds
    var table = [
      // PLL on the gyroscope's x oscillator, awake: the data sheet's own advice for a steady clock.
      RegisterSetting(Register.power1.rawValue, 0x01),
      RegisterSetting(Register.power2.rawValue, 0x00),
      RegisterSetting(Register.rateDivider.rawValue, UInt8(divider) &- 1),
      RegisterSetting(Register.configuration.rawValue, filter.code),
      RegisterSetting(Register.gyroscopeConfiguration.rawValue, rotationRange.rawValue),
      RegisterSetting(Register.accelerometerConfiguration.rawValue, forceRange.rawValue),
    ]
    if variant.hasAccelerometerFilter {
      table.append(RegisterSetting(Register.accelerometerFilter.rawValue, filter.code))
    }
    table += [
      // I2C_BYPASS_EN; INT_RD_CLEAR off: only a read of the status takes its flags away.
      RegisterSetting(Register.pinConfiguration.rawValue, 0x02),
      RegisterSetting(
        Register.interruptEnable.rawValue, settings.drivesDataReadyLine ? 0x11 : 0x10),
      // Rate of all axes and force.
      RegisterSetting(Register.fifoEnable.rawValue, 0x78),
      // FIFO_EN, and once FIFO_RESET; I2C_MST_EN off, as bypass needs.
      RegisterSetting(Register.userControl.rawValue, 0x44, kept: 0x60),
    ]
    self.table = table
  }

  /// Identity, reset, configuration.
  public mutating func start() throws(ChipError) {
    try identify()
    // DEVICE_RESET, then the time that the data sheets give for it.
    try link.write(0x80, to: Register.power1.rawValue)
    link.bus.wait(nanoseconds: 100_000_000)
    try link.apply(table)
    // The gyroscope's start-up time, 30 ms (35 ms from sleep); its first samples are none.
    link.bus.wait(nanoseconds: 35_000_000)
    try resetFIFO()
  }

  private func identify() throws(ChipError) {
    let found = try link.read(Register.whoAmI.rawValue)
    if variant.identities.contains(found) { return }
    try link.identify(Register.whoAmI.rawValue, as: variant.identities[0])
  }

  /// Whether the configuration table still stands in the registers.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The samples that wait in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int {
    if isTorn {
      let waiting = try count() / Self.sampleBytes
      try resetFIFO()
      return waiting
    }
    let status = try link.read(Register.interruptStatus.rawValue)
    let bytes = try count()
    // Overwritten from the front: no sample can be told from its neighbour any more.
    if status & Self.overflowFlag != 0 || bytes > variant.fifoBytes - Self.sampleBytes {
      try resetFIFO()
      return max(1, bytes / Self.sampleBytes)
    }
    var left = bytes / Self.sampleBytes
    while left > 0 {
      let now = min(left, RegisterBytes.capacity / Self.sampleBytes)
      isTorn = true
      let samples = try link.readSample(Register.fifoData.rawValue, count: now * Self.sampleBytes)
      isTorn = false
      for index in 0..<now { take(reading(samples, at: index * Self.sampleBytes)) }
      left -= now
    }
    return 0
  }

  /// Bytes in the FIFO.
  private func count() throws(ChipError) -> Int {
    let bytes = try link.readSample(Register.fifoCount.rawValue, count: 2)
    let count = Int(UInt16(bitPattern: bytes.bigEndian(at: 0)))
    guard count <= variant.fifoBytes else {
      throw link.error(.impossibleValue("its FIFO counts \(count) bytes"))
    }
    return count
  }

  private mutating func resetFIFO() throws(ChipError) {
    isTorn = true
    try link.write(0x44, to: Register.userControl.rawValue)
    _ = try link.read(Register.interruptStatus.rawValue)
    isTorn = false
  }

  private func reading(_ bytes: RegisterBytes, at index: Int) -> InertialReading {
    func isSaturated(_ start: Int) -> Bool {
      for axis in 0..<3 {
        let raw = bytes.bigEndian(at: start + 2 * axis)
        if raw == .max || raw == .min { return true }
      }
      return false
    }
    let force = Self.force(bytes, at: index, range: forceRange)
    let rate = Self.rate(bytes, at: index + 6, range: rotationRange)
    return InertialReading(
      angularRate: isSaturated(index + 6) ? .saturated : .value(rate),
      specificForce: isSaturated(index) ? .saturated : .value(force))
  }

  /// The specific force that six bytes from ACCEL_XOUT_H on stand for.
  public static func force(
    _ bytes: RegisterBytes, at index: Int, range: MPU6050Range.Force
  ) -> SpecificForce<SensorFrame> {
    SpecificForce(
      metresPerSecondSquared: counts(bytes, at: index) * (9.806_65 / range.countsPerGravity))
  }

  /// The angular rate that six bytes from GYRO_XOUT_H on stand for.
  public static func rate(
    _ bytes: RegisterBytes, at index: Int, range: MPU6050Range.Rotation
  ) -> AngularRate<SensorFrame> {
    AngularRate(radiansPerSecond: counts(bytes, at: index) * range.radiansPerSecondPerCount)
  }

  private static func counts(_ bytes: RegisterBytes, at index: Int) -> SIMD3<Double> {
    SIMD3(
      Double(bytes.bigEndian(at: index)), Double(bytes.bigEndian(at: index + 2)),
      Double(bytes.bigEndian(at: index + 4)))
  }
}
