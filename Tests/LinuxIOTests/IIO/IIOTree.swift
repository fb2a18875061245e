import Chips
import LinuxIO
import Quantities
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Folders that imitate sysfs and `/dev` for a chip that a kernel driver owns.
final class IIOTree {
  let folder: TemporaryFolder
  /// The clock of the drivers under test.
  let clock = ManualClock()
  let chip: String

  init(driver: String?, address: UInt8 = 0x1E) throws {
    folder = try TemporaryFolder()
    let digits = String(address, radix: 16)
    chip = "sys/bus/i2c/devices/1-" + String(repeating: "0", count: 4 - digits.count) + digits
    try folder.file("dev/i2c-1")
    try folder.file("\(chip)/modalias")
    if let driver { try folder.link("\(chip)/driver", to: "../../../../bus/i2c/drivers/\(driver)") }
  }

  /// A chip on another bus than I2C, such as `sys/devices/spi0.0`.
  init(driver: String, chip: String) throws {
    folder = try TemporaryFolder()
    self.chip = chip
    try folder.file("\(chip)/modalias")
    try folder.link("\(chip)/driver", to: "/bus/drivers/\(driver)")
  }

  /// All chips that the kernel lists.
  func all() -> [IIODevice] {
    IIODevice.all(system: "\(folder.path)/sys", devices: "\(folder.path)/dev")
  }

  /// Adds a device to the kernel's list.
  func list(_ number: Int) throws {
    let path = "\(folder.path)/\(chip)/iio:device\(number)"
    try folder.link("sys/bus/iio/devices/iio:device\(number)", to: path)
  }

  /// Makes or changes attributes of `iio:deviceK`.
  func node(_ number: Int, _ attributes: [String: String]) throws {
    for (name, text) in attributes {
      try folder.file("\(chip)/iio:device\(number)/\(name)", text + "\n")
    }
  }

  /// Makes a device with magnetometer channels as `hmc5843` has them.
  func magnetometer(_ raw: [Int] = [100, -200, 300], name: String = "hmc5883l") throws {
    try node(
      0,
      [
        "name": name, "in_magn_scale": "0.000009174", "in_magn_sampling_frequency": "15.000000",
        "sampling_frequency_available": "0.750000 1.500000 3.0 7.500000 15.0 30.0 75.0",
        "scale_available": "0.000007299 0.000009174 0.000012195 0.000043478",
        "in_magn_x_raw": "\(raw[0])", "in_magn_y_raw": "\(raw[1])", "in_magn_z_raw": "\(raw[2])",
      ])
  }

  /// Makes the scan elements of channels, a trigger and a pipe in place of the device file.
  func buffer(_ number: Int, _ channels: [(name: String, index: Int, type: String)]) throws {
    var attributes = [
      "buffer0/enable": "0", "buffer0/length": "2", "trigger/current_trigger": "",
      "current_timestamp_clock": "realtime",
    ]
    for channel in channels {
      attributes["buffer0/\(channel.name)_en"] = "0"
      attributes["buffer0/\(channel.name)_index"] = "\(channel.index)"
      attributes["buffer0/\(channel.name)_type"] = channel.type
    }
    try node(number, attributes)
    try #require(mkfifo("\(folder.path)/dev/iio:device\(number)", 0o600) == 0)
  }

  /// Makes a trigger: the chip's own, or an independent one.
  func trigger(_ number: Int, _ name: String, ofChip: Bool) throws {
    if ofChip { try folder.file("\(chip)/trigger\(number)/name", "\(name)\n") }
    let path = "sys/bus/iio/devices/trigger\(number)"
    try folder.file("\(path)/name", "\(name)\n")
    try folder.file("\(path)/sampling_frequency", "100.000\n")
  }

  func read(_ attribute: String, of number: Int = 0) throws -> String {
    let path = "\(folder.path)/\(chip)/iio:device\(number)/\(attribute)"
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count].filter { $0 != 0x0A }, as: UTF8.self)
  }

  func remove(_ path: String) throws {
    try #require(unlink("\(folder.path)/\(chip)/\(path)") == 0)
  }

  func find(address: UInt8 = 0x1E) throws -> IIODevice? {
    try IIODevice.find(
      bus: "\(folder.path)/dev/i2c-1", address: address, system: "\(folder.path)/sys",
      devices: "\(folder.path)/dev")
  }

  func found(address: UInt8 = 0x1E) throws -> IIODevice {
    let device = try find(address: address)
    return try #require(device)
  }

  /// Opens the pipe in place of a device file, for writing scans.
  func pipe(_ number: Int = 0) throws -> Pipe {
    try Pipe("\(folder.path)/dev/iio:device\(number)")
  }

  final class Pipe {
    private let file: Int32

    init(_ path: String) throws {
      file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      try #require(file >= 0)
    }

    deinit { close(file) }

    func write(_ bytes: [UInt8]) throws {
      try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
    }
  }
}

/// A clock that the test advances.
final class ManualClock {
  private(set) var now = Timestamp(nanoseconds: 1_000_000_000)
  /// The time by which each reading advances the clock.
  var step: UInt64 = 0

  func read() -> Timestamp {
    now = now.advanced(byNanoseconds: step)
    return now
  }

  func advance(milliseconds: UInt64) { now = now.advanced(byNanoseconds: milliseconds * 1_000_000) }
}

/// The bytes of numbers, lowest first.
func littleEndian<Number: FixedWidthInteger>(_ numbers: Number...) -> [UInt8] {
  numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
}

/// The bytes of numbers, highest first.
func bigEndian<Number: FixedWidthInteger>(_ numbers: Number...) -> [UInt8] {
  numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
