import Chips

#if canImport(Glibc)
  import Glibc
#endif

/// A chip that a kernel driver owns and exports through Industrial I/O.
///
/// A device-tree overlay or a write to the bus's `new_device` binds the driver. The address is then not
/// accessible (`BusError.Kind.ownedByKernel`), but the driver reports samples.
/// - Source: Linux, Documentation/ABI/testing/sysfs-bus-iio and Documentation/i2c/instantiating-devices.
public struct IIODevice: Equatable, Sendable {
  /// The bus's path, such as `/dev/i2c-1`.
  public let bus: String
  /// The chip's address on it, 7 bits.
  public let address: UInt8
  /// The kernel driver, such as `hmc5843`.
  public let driver: String
  /// The driver's name of the chip, such as `hmc5883l`; the first one's for several devices.
  public var name: String { nodes[0].name }

  /// The driver's devices for the chip, in the kernel's order, at least one.
  let nodes: [IIONode]

  /// Looks for a chip that a kernel driver owns.
  /// - Parameters:
  ///   - path: The bus, or a symbolic link to it.
  ///   - address: The chip's address, 7 bits.
  ///   - system: The folder used as `/sys`.
  ///   - devices: The folder used as `/dev`.
  /// - Returns: nil if no driver owns the address.
  /// - Throws: `inUse` if the driver has no IIO device; `missing` if the path is not a bus.
  public static func find(
    bus path: String, address: UInt8, system: String = "/sys", devices: String = "/dev"
  ) throws(BusError) -> IIODevice? {
    guard let chip = LinuxI2CBus.deviceFolder(at: address, of: path, system: system) else {
      throw BusError(.missing, device: path)
    }
    guard let driver = SystemFiles.linkName(of: "\(chip)/driver") else { return nil }
    var nodes: [IIONode] = []
    for label in SystemFiles.numbered("iio:device", in: chip) {
      guard let name = SystemFiles.line(of: "\(chip)/\(label)/name") else { continue }
      nodes.append(
        IIONode(
          name: name, label: label, chip: chip, device: "\(devices)/\(label)", system: system))
    }
    guard !nodes.isEmpty else {
      throw BusError(
        .inUse("the kernel driver \(driver), which does not offer it through IIO"), device: path,
        address: address)
    }
    return IIODevice(bus: path, address: address, driver: driver, nodes: nodes)
  }

  /// The device that has a channel.
  func node(with attribute: String) -> IIONode? { nodes.first { $0.has(attribute) } }

  /// Whether the driver still owns the chip, by the same names.
  var isBound: Bool {
    guard let chip = nodes.first?.chip, SystemFiles.linkName(of: "\(chip)/driver") == driver
    else { return false }
    return nodes.allSatisfy { $0.line("name") == $0.name }
  }

  /// The error for a fault of one of the devices.
  func error(_ fault: IIOFault, model: ChipModel) -> ChipError {
    error(fault.kind, model: model, code: fault.code)
  }

  func error(_ kind: BusError.Kind, model: ChipModel, code: Int32 = 0) -> ChipError {
    let place = "\(bus) \(nodes.map(\.label).joined(separator: " and ")) (driver \(driver))"
    let error = BusError(kind, device: place, address: address, code: code)
    return ChipError(.bus(error), model: model, bus: bus, address: address)
  }

  /// The model by the driver's name of the chip; nil if unknown to Lodestar.
  ///
  /// The name comes from the overlay or `new_device`. Some drivers check the chip's identity, others only
  /// log a mismatch.
  public var model: ChipModel? { Self.models[name] }

  /// The kernel drivers' names of the chips.
  /// - Source: the names of the drivers' `i2c_device_id` tables in Linux 6.12, drivers/iio:
  ///   magnetometer/hmc5843_i2c.c, st_magn.h, ak8975.c, bmc150_magn_i2c.c, rm3100-core.c;
  ///   accel/st_accel.h; imu/st_lsm6dsx/st_lsm6dsx.h, inv_mpu6050/inv_mpu_i2c.c; pressure/bmp280-i2c.c, dps310.c, st_pressure.h,
  ///   ms5611_i2c.c. The LSM9DS1's halves were `lsm9ds1_imu` in 5.x at first.
  static let models: [String: ChipModel] = [
    // The HMC5883 has other gains and the HMC5983 one more rate; the driver handles both.
    "hmc5883": .hmc5883l, "hmc5883l": .hmc5883l, "hmc5983": .hmc5883l,
    "lis3mdl": .lis3mdl,
    "lis2mdl": .lis2mdl, "lsm303agr_magn": .lis2mdl, "iis2mdc": .lis2mdl,
    // The BMC150's and BMC156's magnetometers are the BMM150's design.
    "bmm150_magn": .bmm150, "bmc150_magn": .bmm150, "bmc156_magn": .bmm150,
    "rm3100": .rm3100,
    "lsm303dlhc_magn": .lsm303dlhcMagnetometer,
    "lsm303dlhc_accel": .lsm303dlhcAccelerometer,
    "lsm9ds1_magn": .lsm9ds1Magnetometer,
    "lsm9ds1-imu_accel": .lsm9ds1Inertial, "lsm9ds1-imu_gyro": .lsm9ds1Inertial,
    "lsm9ds1_imu_accel": .lsm9ds1Inertial, "lsm9ds1_imu_gyro": .lsm9ds1Inertial,
    "mpu6050": .mpu6050, "mpu6500": .mpu6500, "mpu9250": .mpu9250, "mpu9255": .mpu9250,
    "ak8963": .ak8963, "ak09916": .ak09916,
    "bmp180": .bmp180, "bmp085": .bmp180,
    // The BMP390 is a bmp380 in the kernel, too, the BMP581 and BMP585 a bmp580.
    "bmp280": .bmp280, "bme280": .bme280, "bmp380": .bmp388, "bmp580": .bmp581,
    "lps25h": .lps25hb, "lps22hb": .lps22hb, "lps33hw": .lps22hb, "lps35hw": .lps22hb,
    "lps22hh": .lps22hh, "lps22df": .lps22df,
    "dps310": .dps310,
    "ms5611": .ms5611,
  ]

  /// The chips readable through this device: an MPU-9250's driver also reads the AK8963 inside, which is
  /// then not accessible on the bus.
  public var models: [ChipModel] {
    guard let model else { return [] }
    return model == .mpu9250 && node(with: "in_magn_x_raw") != nil ? [model, .ak8963] : [model]
  }

  /// The driver that reads a chip through this device; nothing is read or written before its `start`.
  /// - Parameters:
  ///   - model: The chip, one of `models`.
  ///   - settings: The requested settings. Data-ready lines are ignored: the kernel handles them.
  /// - Returns: nil if the device is not that chip.
  public func driver(for model: ChipModel, settings: ChipSettings) -> (any SensorChip)? {
    guard models.contains(model) else { return nil }
    return switch model.quantity {
    case .field: IIOMagnetometer(device: self, model: model, settings: settings)
    case .inertia:
      IIOInertialUnit(device: self, model: model, settings: settings.withHandHeldRanges)
    case .pressure: IIOBarometer(device: self, model: model, settings: settings)
    }
  }
}
