import CLinuxIO
import Chips
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// An I2C bus of the kernel, by i2c-dev: raw transfers if the adapter supports them, else SMBus
/// calls through libi2c.
///
/// After lost arbitration a transfer is repeated up to three times. Controllers report a missing
/// answer by different error numbers. Some use ETIMEDOUT, which others use for a line held low. So
/// after an ETIMEDOUT one byte is read from another address, the last that answered or else a
/// reserved one: if that times out too, the bus is stuck. With a controller of the first kind, a
/// bus on which no device has answered yet is reported as stuck too; a scan therefore continues
/// after this error. The same check is made after repeated loss of arbitration, because a data line
/// held low looks the same.
///
/// An open bus blocks the removal of its adapter in the kernel, so a bus that is lost is closed,
/// and opened again by the next transfer.
/// - Source: Linux, Documentation/i2c/dev-interface, smbus-protocol and fault-codes.
public final class LinuxI2CBus: RegisterBus {
  /// The bus's path, such as `/dev/i2c-1`.
  public let name: String
  /// Whether the adapter supports raw transfers; else SMBus is used, with several calls for over 32
  /// bytes.
  public var isRaw: Bool { functions.contains(.raw) }

  /// Nil while the bus is released.
  private var opened: (file: Int32, node: FileIdentity?)?
  private var functions: I2CFunctions
  /// The addresses checked so far that no kernel driver owns.
  private var free = AddressSet()
  /// The selected address for SMBus calls.
  private var selected: UInt8?
  /// The last address that answered.
  private var lastAnswer: UInt8?
  /// Where the adapter is plugged in; nil for one that is no USB device.
  private var place: USBPlace?

  /// Reserved "for future purposes" by the I2C specification (NXP UM10204, table 4): used by no
  /// chip.
  private static var reservedAddress: UInt8 { 0x03 }
  private static var retries: Int { 3 }

  /// Opens a bus, such as `/dev/i2c-1`; nothing is transferred.
  /// - Throws: `BusError`: missing, forbidden or not an I2C bus.
  public init(path: String) throws(BusError) {
    name = path
    let (file, functions) = try Self.open(path, name: path)
    self.functions = functions
    opened = (file, FileIdentity(of: file))
    place = USBPlace(of: path)
  }

  deinit { release() }

  /// Closes the bus; the next transfer opens it again.
  public func release() {
    guard let opened else { return }
    close(opened.file)
    self.opened = nil
    free = AddressSet()
    (selected, lastAnswer) = (nil, nil)
  }

  /// Closes the bus if its file was removed or replaced. A kernel that removes an adapter deletes
  /// its file, then waits until no program has it open; until then transfers succeed.
  public func releaseIfRemoved() {
    guard let opened, FileIdentity(of: currentPath) != opened.node else { return }
    release()
  }

  /// The path of the board file; where it is missing, that of the same USB adapter, which may
  /// return with another number.
  private var currentPath: String {
    access(name, F_OK) == 0 ? name : place?.path ?? name
  }

  private func reopened() throws(BusError) -> Int32 {
    if let opened { return opened.file }
    let path = currentPath
    do throws(BusError) {
      let (file, functions) = try Self.open(path, name: name)
      self.functions = functions
      opened = (file, FileIdentity(of: file))
      place = USBPlace(of: path)
      return file
    } catch {
      // It was there once.
      throw error.kind == .missing
        ? BusError(.disconnected, device: name, code: error.code) : error
    }
  }

  private static func open(
    _ path: String, name: String
  ) throws(BusError) -> (file: Int32, functions: I2CFunctions) {
    let file = try DeviceFile.open(path, name: name, group: "i2c", orElse: Self.isNoBus)
    var bits: UInt = 0
    let status = linuxbus_i2c_functions(file, &bits)
    let functions = I2CFunctions(rawValue: bits)
    if status < 0 || (!functions.contains(.raw) && !linuxbus_smbus_load()) {
      close(file)
      throw status < 0
        ? BusError(Self.isNoBus, device: name, code: -status)
        : BusError(.libraryMissing("libi2c", package: "libi2c0"), device: name)
    }
    return (file, functions)
  }

  private static var isNoBus: BusError.Kind { .unsupported("not an I2C bus; see /dev/i2c-*") }

  /// The present instant of `CLOCK_MONOTONIC`.
  public var now: Timestamp { MonotonicClock.now }

  /// Waits at least this long.
  public func wait(nanoseconds: UInt64) {
    MonotonicClock.sleep(until: now.advanced(byNanoseconds: nanoseconds))
  }

  /// Reads consecutive bytes from a register on, in one transfer with a repeated start, at most
  /// 8192 bytes. By SMBus one call for each 32, 2 or 1 bytes, with increasing register numbers.
  public func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) {
    guard let first = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    guard let count = UInt16(exactly: bytes.count) else { throw tooLong(address) }
    try perform(at: address) { file in
      isRaw
        ? linuxbus_i2c_read(file, address, register, first, count)
        : readBySMBus(file, register, first, bytes.count)
    }
  }

  /// Writes consecutive bytes from a register on: one transfer, at most 8191 bytes; by SMBus as
  /// `read`.
  public func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) {
    let first = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let count = UInt16(exactly: bytes.count) else { throw tooLong(address) }
    try perform(at: address) { file in
      isRaw
        ? linuxbus_i2c_write(file, address, register, first, count)
        : writeBySMBus(file, register, first, bytes.count)
    }
  }

  /// Reads one byte without a register number, to test for a device.
  public func receive(from address: UInt8) throws(BusError) -> UInt8 {
    var byte: UInt8 = 0
    try perform(at: address) { receiveByte($0, address, &byte) }
    return byte
  }

  /// Reads bytes without a register number; SMBus cannot do that.
  public func receive(
    into bytes: UnsafeMutableRawBufferPointer, from address: UInt8
  ) throws(BusError) {
    guard let first = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    guard let count = UInt16(exactly: bytes.count) else { throw tooLong(address) }
    guard isRaw else {
      throw BusError(
        .unsupported("no reads without a register number"), device: name, address: address)
    }
    try perform(at: address) { linuxbus_i2c_receive($0, address, first, count) }
  }

  /// Makes a transfer and repeats it after lost arbitration. A negative result is an error number.
  private func perform(
    at address: UInt8, _ transfer: (Int32) -> Int32
  ) throws(BusError) {
    let file = try reopened()
    try claim(file, address)
    var status = transfer(file)
    var left = Self.retries
    while status == -EAGAIN && left > 0 {
      status = transfer(file)
      left -= 1
    }
    if status >= 0 {
      lastAnswer = address
      return
    }
    // A driver may have been bound meanwhile: the next transfer checks again.
    free.remove(address)
    selected = nil
    throw error(-status, at: address) {
      SystemError.transfer($0) { askAnother(file, than: address) }
    }
  }

  /// The error of a transfer. The number of an unplugged adapter depends on its driver, but its
  /// file disappears; it is then closed.
  private func error(
    _ code: Int32, at address: UInt8, _ kind: (Int32) -> BusError.Kind
  ) -> BusError {
    releaseIfRemoved()
    return BusError(
      opened == nil ? .disconnected : kind(code), device: name, address: address, code: code)
  }

  /// Raw transfers do not check for a kernel driver at the address, so it is checked once for each
  /// address; SMBus calls use the address selected last.
  private func claim(_ file: Int32, _ address: UInt8) throws(BusError) {
    if isRaw ? free.contains(address) : selected == address { return }
    let status = linuxbus_i2c_claim(file, address)
    guard status == 0 else {
      throw error(-status, at: address) { SystemError.claiming($0) }
    }
    free.insert(address)
    selected = address
  }

  /// The error number of a read from another address; 0 if it succeeds or cannot be tried.
  private func askAnother(_ file: Int32, than address: UInt8) -> Int32 {
    let known = lastAnswer.flatMap { $0 == address ? nil : $0 }
    let other = known ?? Self.reservedAddress
    if !isRaw && linuxbus_i2c_claim(file, other) < 0 { return 0 }
    var byte: UInt8 = 0
    return max(0, -receiveByte(file, other, &byte))
  }

  private func receiveByte(_ file: Int32, _ address: UInt8, _ byte: inout UInt8) -> Int32 {
    if isRaw { return linuxbus_i2c_receive(file, address, &byte, 1) }
    guard functions.contains(.readByte) else { return -EOPNOTSUPP }
    let value = linuxbus_smbus_read_byte(file)
    byte = UInt8(truncatingIfNeeded: value)
    return value
  }

  private func tooLong(_ address: UInt8) -> BusError {
    BusError(.unsupported("a transfer has at most 65535 bytes"), device: name, address: address)
  }
}

/// A set of 7-bit addresses, without allocation.
struct AddressSet {
  private var bits: (low: UInt64, high: UInt64) = (0, 0)

  private static func bit(_ address: UInt8) -> UInt64 { 1 << UInt64(address & 0x3F) }

  func contains(_ address: UInt8) -> Bool {
    switch address {
    case 0..<64: bits.low & Self.bit(address) != 0
    case 64..<128: bits.high & Self.bit(address) != 0
    default: false
    }
  }

  mutating func insert(_ address: UInt8) {
    switch address {
    case 0..<64: bits.low |= Self.bit(address)
    case 64..<128: bits.high |= Self.bit(address)
    default: break
    }
  }

  mutating func remove(_ address: UInt8) {
    switch address {
    case 0..<64: bits.low &= ~Self.bit(address)
    case 64..<128: bits.high &= ~Self.bit(address)
    default: break
    }
  }
}

/// The functions of an adapter.
/// - Source: Linux, include/uapi/linux/i2c.h, I2C_FUNC_.
struct I2CFunctions: OptionSet {
  let rawValue: UInt

  static var raw: Self { Self(rawValue: 0x0000_0001) }
  static var readByte: Self { Self(rawValue: 0x0002_0000) }
  static var writeByte: Self { Self(rawValue: 0x0004_0000) }
  static var readByteData: Self { Self(rawValue: 0x0008_0000) }
  static var writeByteData: Self { Self(rawValue: 0x0010_0000) }
  static var readWordData: Self { Self(rawValue: 0x0020_0000) }
  static var writeWordData: Self { Self(rawValue: 0x0040_0000) }
  static var readBlock: Self { Self(rawValue: 0x0400_0000) }
  static var writeBlock: Self { Self(rawValue: 0x0800_0000) }

  /// An SMBus call that transfers a register's bytes.
  enum Call: Equatable {
    case block(Int)
    case word, byte, command, none

    /// SMBus's longest block (I2C_SMBUS_BLOCK_MAX).
    static var longest: Int { 32 }
  }

  /// The call that reads the most of `count` bytes: a block for more than one byte, else a word, so
  /// that the two bytes of a value are of one conversion.
  func call(
    reading count: Int
  ) -> Call {
    call(count, block: .readBlock, word: .readWordData, byte: .readByteData)
  }

  /// The call that writes the most bytes; a command without bytes.
  func call(writing count: Int) -> Call {
    if count == 0 { return contains(.writeByte) ? .command : .none }
    return call(count, block: .writeBlock, word: .writeWordData, byte: .writeByteData)
  }

  private func call(_ count: Int, block: Self, word: Self, byte: Self) -> Call {
    if count == 1 && contains(byte) { return .byte }
    if contains(block) { return .block(min(count, Call.longest)) }
    if count >= 2 && contains(word) { return .word }
    return contains(byte) ? .byte : .none
  }
}

extension LinuxI2CBus {
  /// Reads from consecutive registers of the selected address; 0, or a negative error number.
  private func readBySMBus(
    _ file: Int32, _ register: UInt8, _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int
  ) -> Int32 {
    var done = 0
    while done < count {
      let next = register &+ UInt8(truncatingIfNeeded: done)
      let status: Int32
      switch functions.call(reading: count - done) {
      case .block(let length):
        status = linuxbus_smbus_read_block(file, next, UInt8(length), bytes + done)
        if status == 0 { return -EIO }
        done += Int(status)
      case .word:
        status = linuxbus_smbus_read_word_data(file, next)
        // SMBus sends the low byte first.
        bytes[done] = UInt8(truncatingIfNeeded: status)
        bytes[done + 1] = UInt8(truncatingIfNeeded: status >> 8)
        done += 2
      case .byte:
        status = linuxbus_smbus_read_byte_data(file, next)
        bytes[done] = UInt8(truncatingIfNeeded: status)
        done += 1
      case .command, .none:
        return -EOPNOTSUPP
      }
      if status < 0 { return status }
    }
    return 0
  }

  /// Writes to consecutive registers of the selected address; 0, or a negative error number.
  private func writeBySMBus(
    _ file: Int32, _ register: UInt8, _ bytes: UnsafePointer<UInt8>?, _ count: Int
  ) -> Int32 {
    guard let bytes, count > 0 else {
      return functions.call(writing: 0) == .command
        ? linuxbus_smbus_write_byte(file, register) : -EOPNOTSUPP
    }
    var done = 0
    while done < count {
      let next = register &+ UInt8(truncatingIfNeeded: done)
      let status: Int32
      switch functions.call(writing: count - done) {
      case .block(let length):
        status = linuxbus_smbus_write_block(file, next, UInt8(length), bytes + done)
        done += length
      case .word:
        let word = UInt16(bytes[done]) | UInt16(bytes[done + 1]) << 8
        status = linuxbus_smbus_write_word_data(file, next, word)
        done += 2
      case .byte:
        status = linuxbus_smbus_write_byte_data(file, next, bytes[done])
        done += 1
      case .command, .none:
        return -EOPNOTSUPP
      }
      if status < 0 { return status }
    }
    return 0
  }
}

extension LinuxI2CBus {
  /// Finds the machine's I2C buses.
  /// - Parameter devices: The folder used as `/dev`.
  /// - Returns: Their paths, in the order of their numbers.
  public static func buses(devices: String = "/dev") -> [String] {
    SystemFiles.numbered("i2c-", in: devices).map { "\(devices)/\($0)" }
  }

  /// Reads the kernel's name of an adapter.
  /// - Parameters:
  ///   - path: The bus, or a symbolic link to it.
  ///   - system: The folder used as `/sys`.
  /// - Returns: A name such as `bcm2835 (i2c@7e804000)`; nil for none.
  public static func adapterName(of path: String, system: String = "/sys") -> String? {
    number(of: path).flatMap { SystemFiles.line(of: "\(system)/class/i2c-dev/i2c-\($0)/name") }
  }

  /// Reads the name of the kernel driver bound to an address.
  /// - Parameters:
  ///   - address: The device's address, 7 bits.
  ///   - path: The bus, or a symbolic link to it.
  ///   - system: The folder used as `/sys`.
  /// - Returns: A driver's name such as `hmc5843`; nil for none.
  public static func kernelDriver(
    at address: UInt8, of path: String, system: String = "/sys"
  ) -> String? {
    deviceFolder(at: address, of: path, system: system).flatMap {
      SystemFiles.linkName(of: "\($0)/driver")
    }
  }

  /// The sysfs folder of a chip, which exists only if the kernel has a device there; nil if the
  /// path is not an I2C bus.
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
    let name = SystemFiles.resolved(path).fileName
    guard name.hasPrefix("i2c-") else { return nil }
    return SystemFiles.number(name.dropFirst("i2c-".count))
  }
}
