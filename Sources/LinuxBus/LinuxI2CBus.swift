import Bus
import CLinuxBus
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// An I2C bus of the kernel, by i2c-dev: raw transfers where the adapter can do them, SMBus calls through
/// libi2c where not.
///
/// An adapter that loses arbitration is asked up to three times more. Controllers differ in how they say
/// that nobody answers, and some say ETIMEDOUT, which others keep for a line that is held down. So after
/// an ETIMEDOUT one byte is asked of another address, the last that ever answered or else one that I2C
/// reserves: where that times out as well, the bus is stuck. On a controller of the first kind a bus
/// where nobody has answered yet is called stuck too; a scan therefore goes on after it. The same is done
/// after arbitration was lost for good, as a data line that is held down looks like that.
/// - Source: Linux, Documentation/i2c/dev-interface, smbus-protocol and fault-codes.
public final class LinuxI2CBus: RegisterBus {
  /// The bus's path, such as `/dev/i2c-1`.
  public let name: String
  /// Whether the adapter does raw transfers; else by SMBus, where more than 32 bytes are several.
  public var isRaw: Bool { functions.contains(.raw) }

  let file: Int32
  let functions: I2CFunctions
  /// The addresses that no kernel driver owns, as far as asked.
  private var free = AddressSet()
  /// The address that SMBus calls go to now.
  private var selected: UInt8?
  /// The last address that answered.
  private var lastAnswer: UInt8?

  /// Reserved "for future purposes" by the I2C specification (NXP UM10204, table 4): no chip has it.
  private static var reservedAddress: UInt8 { 0x03 }
  private static var retries: Int { 3 }

  /// Opens a bus, such as `/dev/i2c-1`; nothing is transferred.
  /// - Throws: `BusError` that says whether it is missing, forbidden or no I2C bus.
  public init(path: String) throws(BusError) {
    name = path
    let file = open(path, O_RDWR | O_CLOEXEC)
    if file < 0 {
      let code = errno
      throw BusError(
        code == EISDIR
          ? Self.isNoBus
          : SystemError.opening(code, group: SystemFiles.group(of: path, usual: "i2c")),
        device: path, code: code)
    }
    var bits: UInt = 0
    let status = linuxbus_i2c_functions(file, &bits)
    let functions = I2CFunctions(rawValue: bits)
    if status < 0 || (!functions.contains(.raw) && !linuxbus_smbus_load()) {
      close(file)
      throw status < 0
        ? BusError(Self.isNoBus, device: path, code: -status)
        : BusError(.libraryMissing("libi2c", package: "libi2c0"), device: path)
    }
    self.file = file
    self.functions = functions
  }

  deinit { close(file) }

  private static var isNoBus: BusError.Kind { .unsupported("I2C, as it is no I2C bus") }

  /// The present instant of `CLOCK_MONOTONIC`.
  public var now: Timestamp { MonotonicClock.now }

  /// Returns no earlier than so many nanoseconds from now.
  public func wait(nanoseconds: UInt64) {
    MonotonicClock.sleep(until: now.advanced(byNanoseconds: nanoseconds))
  }

  /// Reads consecutive bytes from a register on: one transfer with a repeated start, at most 8192 bytes;
  /// by SMBus one for each 32, 2 or 1, each from the register number that many later.
  public func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) {
    guard let first = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    guard let count = UInt16(exactly: bytes.count) else { throw tooLong(address) }
    try perform(at: address) {
      isRaw
        ? linuxbus_i2c_read(file, address, register, first, count)
        : readBySMBus(register, first, bytes.count)
    }
  }

  /// Writes consecutive bytes from a register on: one transfer, at most 8191 bytes; by SMBus as `read`.
  public func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) {
    let first = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let count = UInt16(exactly: bytes.count) else { throw tooLong(address) }
    try perform(at: address) {
      isRaw
        ? linuxbus_i2c_write(file, address, register, first, count)
        : writeBySMBus(register, first, bytes.count)
    }
  }

  /// Reads one byte without naming a register: whether anybody answers there.
  public func receive(from address: UInt8) throws(BusError) -> UInt8 {
    var byte: UInt8 = 0
    try perform(at: address) { receiveByte(address, &byte) }
    return byte
  }

  /// Makes a transfer, again where arbitration was lost. Below 0 the transfer's result is an error number.
  private func perform(at address: UInt8, _ transfer: () -> Int32) throws(BusError) {
    try claim(address)
    var status = transfer()
    var left = Self.retries
    while status == -EAGAIN && left > 0 {
      status = transfer()
      left -= 1
    }
    if status >= 0 {
      lastAnswer = address
      return
    }
    // A driver may have been bound meanwhile: the next transfer asks again.
    free.remove(address)
    selected = nil
    // An adapter that is unplugged gives whatever number its driver likes, but its file goes.
    let kind: BusError.Kind =
      access(name, F_OK) != 0
      ? .disconnected : SystemError.transfer(-status) { askAnother(than: address) }
    throw BusError(kind, device: name, address: address, code: -status)
  }

  /// Raw transfers do not ask whether a kernel driver owns the address, so it is asked once for each; SMBus
  /// calls go to the address that was asked last.
  private func claim(_ address: UInt8) throws(BusError) {
    if isRaw ? free.contains(address) : selected == address { return }
    let status = linuxbus_i2c_claim(file, address)
    guard status == 0 else {
      throw BusError(
        SystemError.claiming(-status), device: name, address: address, code: -status)
    }
    free.insert(address)
    selected = address
  }

  /// The error number of receiving a byte elsewhere; 0 where that works or cannot be tried.
  private func askAnother(than address: UInt8) -> Int32 {
    let known = lastAnswer.flatMap { $0 == address ? nil : $0 }
    let other = known ?? Self.reservedAddress
    if !isRaw && linuxbus_i2c_claim(file, other) < 0 { return 0 }
    var byte: UInt8 = 0
    return max(0, -receiveByte(other, &byte))
  }

  private func receiveByte(_ address: UInt8, _ byte: inout UInt8) -> Int32 {
    if isRaw { return linuxbus_i2c_receive(file, address, &byte) }
    guard functions.contains(.readByte) else { return -EOPNOTSUPP }
    let value = linuxbus_smbus_read_byte(file)
    byte = UInt8(truncatingIfNeeded: value)
    return value
  }

  private func tooLong(_ address: UInt8) -> BusError {
    BusError(.unsupported("a transfer of that length"), device: name, address: address)
  }
}

/// A set of 7-bit addresses, held in place.
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
