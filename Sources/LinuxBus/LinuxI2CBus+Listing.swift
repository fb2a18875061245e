extension LinuxI2CBus {
  /// Finds the machine's I2C buses.
  /// - Parameter devices: The folder that stands for `/dev`.
  /// - Returns: Their paths, in the order of their numbers.
  public static func buses(devices: String = "/dev") -> [String] {
    SystemFiles.numbered("i2c-", in: devices).map { "\(devices)/\($0)" }
  }

  /// Asks what the kernel calls an adapter.
  /// - Parameters:
  ///   - path: The bus, or a symbolic link to it.
  ///   - system: The folder that stands for `/sys`.
  /// - Returns: A name such as `bcm2835 (i2c@7e804000)`; nil where the kernel does not say.
  public static func adapterName(of path: String, system: String = "/sys") -> String? {
    number(of: path).flatMap { SystemFiles.line(of: "\(system)/class/i2c-dev/i2c-\($0)/name") }
  }

  /// Asks which kernel driver is bound to an address.
  /// - Parameters:
  ///   - address: The device's address, 7 bits.
  ///   - path: The bus, or a symbolic link to it.
  ///   - system: The folder that stands for `/sys`.
  /// - Returns: A driver's name such as `hmc5843`; nil where there is none.
  public static func kernelDriver(
    at address: UInt8, of path: String, system: String = "/sys"
  ) -> String? {
    deviceFolder(at: address, of: path, system: system).flatMap {
      SystemFiles.linkName(of: "\($0)/driver")
    }
  }

  /// The folder of a chip that the kernel knows of, whether there is one or not; nil where the path is
  /// no I2C bus.
  static func deviceFolder(at address: UInt8, of path: String, system: String) -> String? {
    guard let number = number(of: path) else { return nil }
    let digits = String(address, radix: 16)
    let device = "\(number)-" + String(repeating: "0", count: 4 - digits.count) + digits
    return "\(system)/bus/i2c/devices/\(device)"
  }

  /// The kernel driver that is bound to an address of this bus, such as `hmc5843`.
  public func kernelDriver(at address: UInt8) -> String? {
    Self.kernelDriver(at: address, of: name)
  }

  /// N of `/dev/i2c-N`.
  private static func number(of path: String) -> Int? {
    let name = SystemFiles.lastPart(of: SystemFiles.resolved(path))
    guard name.hasPrefix("i2c-") else { return nil }
    return SystemFiles.number(name.dropFirst("i2c-".count))
  }
}
