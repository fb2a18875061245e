import Chips
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A chip that a kernel driver owns and exports through Industrial I/O.
///
/// A device-tree overlay or a write to the bus's `new_device` binds the driver. An I2C address is
/// then not accessible (`BusError.Kind.ownedByKernel`), but the driver reports samples. Any chip is
/// readable whose driver has the channels of a quantity, known to Lodestar or not.
/// - Source: Linux, Documentation/ABI/testing/sysfs-bus-iio and
///   Documentation/i2c/instantiating-devices.
public struct IIODevice: Equatable, Sendable {
  /// The place of the chip: an I2C bus's path, such as `/dev/i2c-1`; an SPI device, `spi0.0`; else
  /// the kernel's name of the device that contains it.
  public let bus: String
  /// The chip's address on an I2C bus, 7 bits; 0 elsewhere.
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
    let labels = SystemFiles.numbered("iio:device", in: chip)
    let nodes = nodes(labels, of: chip, system: system, devices: devices)
    guard !nodes.isEmpty else {
      throw BusError(
        .inUse("the kernel driver \(driver), which does not offer it through IIO"), device: path,
        address: address)
    }
    return IIODevice(bus: path, address: address, driver: driver, nodes: nodes)
  }

  /// All chips of this machine that have IIO devices, on any bus.
  /// - Parameters:
  ///   - system: The folder used as `/sys`.
  ///   - devices: The folder used as `/dev`.
  /// - Returns: The chips, in the order of the kernel's devices.
  public static func all(system: String = "/sys", devices: String = "/dev") -> [IIODevice] {
    let folder = "\(system)/bus/iio/devices"
    var chips: [(folder: String, labels: [String])] = []
    for label in SystemFiles.numbered("iio:device", in: folder) {
      let path = SystemFiles.resolved("\(folder)/\(label)")
      let chip = path.parentFolder
      if let place = chips.firstIndex(where: { $0.folder == chip }) {
        chips[place].labels.append(label)
      } else {
        chips.append((chip, [label]))
      }
    }
    return chips.compactMap { chip, labels in
      let nodes = nodes(labels, of: chip, system: system, devices: devices)
      guard !nodes.isEmpty else { return nil }
      let place = place(of: chip.fileName, devices: devices)
      return IIODevice(
        bus: place.bus, address: place.address,
        driver: SystemFiles.linkName(of: "\(chip)/driver") ?? "?", nodes: nodes)
    }
  }

  private static func nodes(
    _ labels: [String], of chip: String, system: String, devices: String
  ) -> [IIONode] {
    labels.compactMap { label in
      SystemFiles.line(of: "\(chip)/\(label)/name").map {
        IIONode(name: $0, label: label, chip: chip, device: "\(devices)/\(label)", system: system)
      }
    }
  }

  /// The bus and address of a chip by the name of its folder: `1-001e` of an I2C chip.
  private static func place(
    of name: String, devices: String
  ) -> (bus: String, address: UInt8) {
    let parts = name.split(separator: "-")
    guard parts.count == 2, let number = SystemFiles.number(parts[0]), parts[1].count == 4,
      let address = UInt8(parts[1], radix: 16)
    else { return (name, 0) }
    return ("\(devices)/i2c-\(number)", address)
  }

  /// The device that has a channel.
  func node(with attribute: String) -> IIONode? { nodes.first { $0.has(attribute) } }

  /// Whether the driver still owns the chip, by the same names.
  var isBound: Bool {
    guard let chip = nodes.first?.chip,
      (SystemFiles.linkName(of: "\(chip)/driver") ?? "?") == driver
    else { return false }
    return nodes.allSatisfy { $0.line("name") == $0.name }
  }

  /// The error for a fault of one of the devices.
  func error(_ fault: IIOFault, model: ChipModel) -> ChipError {
    error(fault.kind, model: model, code: fault.code)
  }

  func error(_ kind: BusError.Kind, model: ChipModel, code: Int32 = 0) -> ChipError {
    let place = "\(bus) \(nodes.map(\.label).joined(separator: " and ")) (driver \(driver))"
    let error = BusError(
      kind, device: place, address: address == 0 ? nil : address, code: code)
    return ChipError(.bus(error), model: model, bus: bus, address: address)
  }

  // MARK: The chips

  /// The quantities that the driver measures, each with the device that has its channels.
  private var measured: [(quantity: ChipModel.Quantity, node: IIONode)] {
    ChipModel.Quantity.allCases.compactMap { quantity in
      nodes.first { $0.measures(quantity) }.map { (quantity, $0) }
    }
  }

  /// The model by the driver's name of the chip: one of the catalogue, else the kernel's; nil for a
  /// device without the channels of a quantity.
  ///
  /// The name comes from the overlay or `new_device`. Some drivers check the chip's identity,
  /// others only log a mismatch.
  public var model: ChipModel? { models.first }

  /// The chips readable through this device: one for each quantity, the inertial unit first. The
  /// driver of an MPU-9250 also reads the AK8963 inside, which is then not accessible on the bus.
  public var models: [ChipModel] {
    var models = Self.known(name).map { [$0] } ?? []
    for (quantity, node) in measured {
      let model =
        Self.known(node.name, measuring: quantity) ?? .ofKernel(node.baseName, quantity)
      if !models.contains(where: { $0.quantity == quantity }) { models.append(model) }
    }
    return models.filter { $0.quantity == .inertia } + models.filter { $0.quantity != .inertia }
  }

  /// Whether samples of a chip can be read through this device, by the kernel's name or by the
  /// catalogue's.
  public func reads(_ model: ChipModel) -> Bool {
    if models.contains(model) { return true }
    // The BMP390 and the BMP384 have the BMP388's driver and name.
    if model == .bmp390 { return name == "bmp380" }
    guard model.isOfKernel else { return false }
    return measured.contains { quantity, node in
      quantity == model.quantity && [node.name, node.baseName].contains(model.rawValue)
    }
  }

  /// The chip of the catalogue by the kernel's name: by the table, else by the part number alone.
  static func known(_ name: String) -> ChipModel? {
    if let model = names[name] ?? names[IIONode.baseName(of: name)] { return model }
    let part = partNumber(IIONode.baseName(of: name))
    return parts.first { $0.number == part }?.model
  }

  private static func known(
    _ name: String, measuring quantity: ChipModel.Quantity
  ) -> ChipModel? {
    let model = known(name)
    if model == .mpu9250, quantity == .field { return .ak8963 }
    return model?.quantity == quantity ? model : nil
  }

  private static let parts = ChipModel.allCases.map { (number: partNumber($0.rawValue), model: $0) }

  /// A name's letters and digits only, in lower case: `icm20948` of ICM-20948.
  private static func partNumber(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// The kernel's names that are not the catalogue's.
  /// - Source: the names of the drivers' `i2c_device_id` tables in Linux 6.12, drivers/iio:
  ///   magnetometer/hmc5843_i2c.c, st_magn.h, bmc150_magn_i2c.c, mmc5983.c, mmc5633.c (after 6.12);
  ///   accel/st_accel.h; imu/st_lsm6dsx/st_lsm6dsx.h, inv_mpu6050/inv_mpu_i2c.c,
  ///   inv_icm42600/inv_icm42600_i2c.c; pressure/bmp280-i2c.c, st_pressure.h. The LSM9DS1's halves
  ///   were `lsm9ds1_imu` in 5.x at first.
  private static let names: [String: ChipModel] = [
    // The HMC5883 has other gains and the HMC5983 one more rate; the driver handles both.
    "hmc5883": .hmc5883l, "hmc5983": .hmc5883l,
    "lsm303agr_magn": .lis2mdl, "iis2mdc": .lis2mdl,
    "lsm303agr_accel": .lsm303agrAccelerometer,
    // The BMC150's and BMC156's magnetometers are the BMM150's design.
    "bmc150_magn": .bmm150, "bmc156_magn": .bmm150,
    "lsm303dlhc_magn": .lsm303dlhcMagnetometer,
    "mmc5603": .mmc5603, "mmc5633": .mmc5603, "mmc5983": .mmc5983ma,
    "lsm303dlhc_accel": .lsm303dlhcAccelerometer,
    "lsm9ds1_magn": .lsm9ds1Magnetometer,
    "lsm9ds1-imu": .lsm9ds1Inertial, "lsm9ds1_imu": .lsm9ds1Inertial,
    "lsm6dsl": .lsm6ds3trc, "lsm6dsm": .lsm6ds3trc, "ism330dlc": .lsm6ds3trc,
    "lsm6dsox": .lsm6dso, "lsm6dsv16x": .lsm6dsv, "lsm6dsr": .ism330dhcx,
    "lsm9ds0": .lsm9ds0, "lsm9ds0_gyro": .l3gd20, "itg3200": .itg3205, "fxas21002c": .fxas21002,
    // Bosch's accelerometers and gyroscopes, which are also halves of other packages.
    "bmi088-accel": .bmi088Accelerometer, "bmi088_gyro": .bmi088Gyroscope,
    "bmg160": .bmx055Gyroscope, "bmi055_gyro": .bmx055Gyroscope,
    "bmi055_accel": .bmx055Accelerometer, "bma253": .bmx055Accelerometer,
    "bma254": .bmx055Accelerometer, "bma255": .bmx055Accelerometer,
    "bmc150_accel": .bmx055Accelerometer, "bmc156_accel": .bmx055Accelerometer,
    "mpu9255": .mpu9250, "icm42688": .icm42688p,
    "bmp380": .bmp388, "bmp580": .bmp581, "bmp085": .bmp180,
    "lps25h": .lps25hb, "lps33hw": .lps22hb, "lps35hw": .lps22hb,
    "mpl3115": .mpl3115a2,
  ]

  // MARK: Drivers

  /// The driver that reads a chip through this device; nothing is read or written before its
  /// `start`.
  /// - Parameters:
  ///   - model: The chip, one of `models`.
  ///   - settings: The requested settings. Data-ready lines are ignored: the kernel handles them.
  ///   - sharing: The devices that several drivers of this program read; nil for a driver by
  ///     itself.
  /// - Returns: nil if the device is not that chip.
  public func driver(
    for model: ChipModel, settings: ChipSettings, sharing: IIOSharing? = nil
  ) -> (any SensorChip)? {
    guard reads(model) else { return nil }
    let sharing = sharing ?? IIOSharing()
    return switch model.quantity {
    case .field:
      IIOMagnetometer(device: self, model: model, settings: settings, sharing: sharing)
    case .inertia:
      IIOInertialUnit(
        device: self, model: model, settings: settings.withHandHeldRanges, sharing: sharing)
    case .pressure:
      IIOBarometer(device: self, model: model, settings: settings, sharing: sharing)
    }
  }

  /// The full scale of an inertial unit with these settings, as its driver will set it; empty for
  /// others.
  public func fullScale(of model: ChipModel, settings: ChipSettings) -> SensorFullScale {
    guard model.quantity == .inertia, reads(model) else { return SensorFullScale() }
    let settings = settings.withHandHeldRanges
    func limit(_ stem: String, _ greatest: Double?) -> Double? {
      node(with: "\(stem)_x_raw").flatMap {
        IIOChannels.inertial(stem, greatest: greatest, model: model, node: $0).fullScale(of: $0)
      }
    }
    return SensorFullScale(
      radiansPerSecond: limit("in_anglvel", settings.angularRateRadiansPerSecond),
      metresPerSecondSquared: limit("in_accel", settings.specificForceMetresPerSecondSquared))
  }

  /// How a chip's samples are read, with the remedy where they are read one by one.
  public func access(to model: ChipModel) -> IIOAccess {
    guard
      let node = measured.first(where: { $0.quantity == model.quantity })?.node
    else { return .direct(remedy: nil) }
    return IIOAccess(node, channel: model.quantity.firstChannel)
  }
}

extension ChipModel.Quantity {
  /// The name of a channel that every device of the quantity has, for its buffer.
  var firstChannel: String {
    switch self {
    case .field: "in_magn_x"
    case .inertia: "in_accel_x"
    case .pressure: "in_pressure"
    }
  }
}

extension IIONode {
  /// Whether it has all channels of a quantity; an inertial unit may be a gyroscope or an
  /// accelerometer.
  func measures(_ quantity: ChipModel.Quantity) -> Bool {
    func hasAxes(_ stem: String) -> Bool {
      ["x", "y", "z"].allSatisfy { has("\(stem)_\($0)_raw") }
    }
    return switch quantity {
    case .field: hasAxes("in_magn")
    case .inertia: hasAxes("in_anglvel") || hasAxes("in_accel")
    case .pressure:
      has("in_pressure_input") && has("in_temp_input")
        || has("in_pressure_raw") && has("in_temp_raw")
    }
  }

  /// The part's name without the quantity: `lsm6dsox` of `lsm6dsox_accel`.
  var baseName: String { Self.baseName(of: name) }

  static func baseName(of name: String) -> String {
    for end in ["accel", "gyro", "magn", "press"] {
      for mark in ["_", "-"] where name.hasSuffix(mark + end) {
        return String(name.dropLast(end.count + 1))
      }
    }
    return name
  }
}
