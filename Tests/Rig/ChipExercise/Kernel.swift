import LinuxIO

#if canImport(Glibc)
  import Glibc
#endif

/// A chip that this program has the kernel bind a driver to.
final class Kernel {
  private let folder: String
  private let release: (path: String, text: String)
  private let deadlineSeconds: UInt64 = 5

  /// Makes a device of a name at an address, to which a driver whose module is loaded binds.
  init(bus: String, name: String, address: UInt8) throws {
    let number = try Self.number(of: bus)
    let adapter = "/sys/bus/i2c/devices/i2c-\(number)"
    let digits = String(address, radix: 16)
    folder = Self.folder(number, digits)
    release = ("\(adapter)/delete_device", "0x\(digits)")
    try Self.write("\(name) 0x\(digits)", to: "\(adapter)/new_device")
    try awaitDevice()
  }

  /// Binds a driver to a device of the device tree.
  init(bus: String, driver: String, address: UInt8) throws {
    folder = Self.folder(try Self.number(of: bus), String(address, radix: 16))
    let device = folder.split(separator: "/").last.map(String.init) ?? ""
    release = ("/sys/bus/i2c/drivers/\(driver)/unbind", device)
    try Self.write(device, to: "/sys/bus/i2c/drivers/\(driver)/bind")
    try awaitDevice()
  }

  private static func number(of bus: String) throws -> Substring {
    guard let real = realpath(bus, nil) else { throw Trouble("no bus \(bus)") }
    defer { free(real) }
    return Substring(String(cString: real).split(separator: "-").last ?? "")
  }

  private static func folder(_ number: Substring, _ digits: String) -> String {
    "/sys/bus/i2c/devices/\(number)-" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  private func awaitDevice() throws {
    let deadline = MonotonicClock.now.advanced(byNanoseconds: deadlineSeconds * 1_000_000_000)
    while node(with: "name") == nil {
      guard MonotonicClock.now < deadline else {
        try unbind()
        throw Trouble("not bound: no IIO device within \(deadlineSeconds) s")
      }
      usleep(20_000)
    }
  }

  func unbind() throws { try Self.write(release.text, to: release.path) }

  /// The driver's name.
  var driver: String {
    var buffer = [CChar](repeating: 0, count: 256)
    let count = readlink("\(folder)/driver", &buffer, buffer.count)
    let text = buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }
    return String(decoding: text, as: UTF8.self).split(separator: "/").last.map(String.init)
      ?? "none"
  }

  /// The folder of the first IIO device that has an attribute.
  func node(with attribute: String) -> String? { nodes(with: attribute).min() }

  private func nodes(with attribute: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var found: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix("iio:device"), access("\(folder)/\(name)/\(attribute)", F_OK) == 0 {
        found.append("\(folder)/\(name)")
      }
    }
    return found
  }

  /// An attribute's text, or the driver's error number.
  func text(_ attribute: String) throws -> Result<String, Answer> {
    guard let node = node(with: attribute) else { throw Trouble("no attribute \(attribute)") }
    let file = open("\(node)/\(attribute)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Trouble("\(attribute) cannot be opened") }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &bytes, bytes.count)
    guard count >= 0 else { return .failure(Answer(code: errno)) }
    return .success(String(decoding: bytes[..<count].filter { $0 != 0x0A }, as: UTF8.self))
  }

  /// An attribute's number.
  func number(_ attribute: String) throws -> IIODecimal {
    switch try text(attribute) {
    case .success(let text):
      guard let decimal = IIODecimal(text) else { throw Trouble("\(attribute) is '\(text)'") }
      return decimal
    case .failure(let answer): throw Trouble("\(attribute): error \(answer.code)")
    }
  }

  /// Writes an attribute.
  func set(_ attribute: String, _ text: String) throws {
    guard let node = node(with: attribute) else { throw Trouble("no attribute \(attribute)") }
    try Self.write(text, to: "\(node)/\(attribute)")
  }

  /// Writes an attribute of all the chip's IIO devices, such as an inertial unit's two.
  func setAll(_ attribute: String, _ text: String) throws {
    let nodes = nodes(with: attribute)
    guard !nodes.isEmpty else { throw Trouble("no attribute \(attribute)") }
    for node in nodes { try Self.write(text, to: "\(node)/\(attribute)") }
  }

  struct Answer: Error { let code: Int32 }

  private static func write(_ text: String, to path: String) throws {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw Trouble("\(path) cannot be opened (error \(errno))") }
    defer { close(file) }
    let bytes = Array(text.utf8)
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
      throw Trouble("'\(text)' to \(path): error \(errno)")
    }
  }
}
