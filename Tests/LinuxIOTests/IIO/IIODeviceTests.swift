import Chips
import LinuxIO
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Chips that a kernel driver owns: finding them", .timeLimit(.minutes(30)))
struct IIODeviceTests {
  @Test("an address without a driver gives nil, and a path that is no bus is an error")
  func unowned() throws {
    let tree = try IIOTree(driver: nil)
    #expect(try tree.find() == nil)
    #expect(try tree.find(address: 0x77) == nil)
    let error = try failure { _ = try IIODevice.find(bus: "/dev/null", address: 0x1E) }
    #expect(error.kind == .missing)
  }

  @Test("a driver that offers no IIO device is named")
  func otherDriver() throws {
    let tree = try IIOTree(driver: "lm75")
    let error = try failure { _ = try tree.find() }
    #expect("\(error)".contains("the kernel driver lm75, which does not offer it through IIO"))
  }

  @Test("a chip is found with its driver, its name and its model")
  func found() throws {
    let tree = try IIOTree(driver: "hmc5843")
    try tree.magnetometer()
    let device = try tree.found()
    #expect(device.driver == "hmc5843")
    #expect(device.name == "hmc5883l")
    #expect(device.model == .hmc5883l)
    #expect(device.models == [.hmc5883l])
    #expect(device.driver(for: .hmc5883l, settings: ChipSettings())?.model == .hmc5883l)
    #expect(device.driver(for: .lis3mdl, settings: ChipSettings()) == nil)
  }

  @Test(
    "the kernel's names are the chips'",
    arguments: [
      ("hmc5883", ChipModel.hmc5883l), ("lis3mdl", .lis3mdl), ("ak8963", .ak8963),
      ("lis2mdl", .lis2mdl), ("ak09916", .ak09916), ("bmm150_magn", .bmm150), ("rm3100", .rm3100),
      ("lsm303dlhc_magn", .lsm303dlhcMagnetometer), ("lsm9ds1_magn", .lsm9ds1Magnetometer),
      ("lsm303dlhc_accel", .lsm303dlhcAccelerometer), ("lsm9ds1-imu_gyro", .lsm9ds1Inertial),
      ("mpu6050", .mpu6050), ("mpu6500", .mpu6500), ("mpu9255", .mpu9250), ("bmp280", .bmp280),
      ("bme280", .bme280), ("mmc5983", .mmc5983ma), ("mmc5633", .mmc5603), ("lps25h", .lps25hb),
      ("ms5611", .ms5611),
    ])
  func names(name: String, model: ChipModel) throws {
    let tree = try IIOTree(driver: "any")
    try tree.node(3, ["name": name])
    let device = try tree.found()
    #expect(device.model == model)
  }

  @Test("an unknown name has no model")
  func unknown() throws {
    let tree = try IIOTree(driver: "any")
    try tree.node(0, ["name": "tsl2561"])
    let device = try tree.found()
    #expect(device.model == nil)
    #expect(device.driver(for: .bmp280, settings: ChipSettings()) == nil)
  }

  @Test("an MPU-9250 whose driver reads its magnetometer is an AK8963 too")
  func magnetometerInside() throws {
    let tree = try IIOTree(driver: "inv-mpu6050-i2c", address: 0x68)
    try tree.node(0, ["name": "mpu9250"])
    let without = try tree.found(address: 0x68)
    #expect(without.models == [.mpu9250])
    try tree.node(0, ["in_magn_x_raw": "1", "in_magn_y_raw": "1", "in_magn_z_raw": "1"])
    let device = try tree.found(address: 0x68)
    #expect(device.models == [.mpu9250, .ak8963])
    #expect(device.driver(for: .ak8963, settings: ChipSettings()) is IIOMagnetometer)
  }

  @Test("the kernel's error numbers are mapped to kinds of faults")
  func faults() {
    func kind(_ code: Int32) -> BusError.Kind { IIOFault(code: code, doing: "reading x").kind }
    #expect(kind(EBUSY) == .inUse("another program, which has its IIO buffer on"))
    #expect(kind(ENODEV) == .disconnected)
    for code in [EIO, EREMOTEIO, ENXIO, ETIMEDOUT] { #expect(kind(code) == .noAnswer) }
    #expect(kind(EACCES) == .permissionDenied(group: "iio"))
    #expect(kind(EINVAL) == .failed("reading x"))
  }
}
