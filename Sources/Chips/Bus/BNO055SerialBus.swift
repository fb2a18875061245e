import Quantities

/// The registers of a BNO055 over a serial port, at 115,200 bits a second: the way round the clock
/// stretching that the I2C controllers of the Raspberry Pi 1 to 4 cannot do. Its pin PS1 is high,
/// PS0 low.
///
/// - Source: Bosch BST-BNO055-DS000-14 (revision 1.4), section 4.7; BST-BNO055-AN012-00 (revision
///   1.0). That the chip loses bytes if more than two are sent without a pause, and is ready again
///   30 ms after an incomplete command: Linux `bno055_ser_core.c`.
public final class BNO055SerialBus<Port: TimedSerialPort>: RegisterBus {
  /// The port's name.
  public let name: String
  private let port: Port

  private static var startByte: UInt8 { 0xAA }
  private static var dataByte: UInt8 { 0xBB }
  private static var statusByte: UInt8 { 0xEE }
  /// WRITE_SUCCESS.
  private static var success: UInt8 { 0x01 }
  /// The most bytes of a command.
  private static var longestTransfer: Int { 128 }
  private static var tooLong: BusError.Kind {
    .unsupported("a transfer has at most \(longestTransfer) bytes")
  }
  /// Bytes that the chip takes at once, and the pause behind them, ns.
  private static var part: Int { 2 }
  private static var pause: UInt64 { 2_000_000 }
  /// Time limit of an answer, ns.
  private static var answerTimeout: UInt64 { 100_000_000 }
  /// Silence after which the chip awaits a new command, ns.
  private static var recovery: UInt64 { 40_000_000 }
  /// How often a command is sent that the chip refuses because it was busy.
  private static var attempts: Int { 3 }

  /// Makes a bus; nothing is transferred.
  public init(_ port: Port) {
    (self.port, name) = (port, port.name)
  }

  /// The present instant of the port's clock.
  public var now: Timestamp { port.now }
  /// Waits at least this long.
  public func wait(nanoseconds: UInt64) { port.wait(nanoseconds: nanoseconds) }

  /// Reads consecutive registers by one command.
  public func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) {
    guard bytes.count > 0 else { return }
    guard bytes.count <= Self.longestTransfer else { throw error(Self.tooLong) }
    try attempt { () throws(BusError) in
      try self.send((Self.startByte, 0x01), register, UInt8(bytes.count))
      let end = self.port.now.advanced(byNanoseconds: Self.answerTimeout)
      let head = try self.head(until: end)
      guard head.kind == Self.dataByte else { return head.value }
      guard Int(head.value) == bytes.count else {
        throw self.error(.failed("an answer of another length"))
      }
      try self.receive(bytes, until: end)
      return nil
    }
  }

  /// Writes consecutive registers by one command.
  public func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) {
    guard bytes.count > 0, bytes.count <= Self.longestTransfer else {
      throw error(Self.tooLong)
    }
    try attempt { () throws(BusError) in
      try self.send((Self.startByte, 0x00), register, UInt8(bytes.count))
      var rest = bytes[...]
      while !rest.isEmpty {
        self.port.wait(nanoseconds: Self.pause)
        try self.port.write(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.part)))
        rest = rest.dropFirst(Self.part)
      }
      let head = try self.head(until: self.port.now.advanced(byNanoseconds: Self.answerTimeout))
      guard head.kind == Self.statusByte else { throw self.error(.failed("an answer to a write")) }
      return head.value == Self.success ? nil : head.value
    }
  }

  /// Reads the identity register.
  public func receive(from address: UInt8) throws(BusError) -> UInt8 {
    try read(0x00, of: address)
  }

  /// Makes a transfer, which returns the chip's status where it was refused, until it is done.
  private func attempt(_ transfer: () throws(BusError) -> UInt8?) throws(BusError) {
    var status: UInt8 = 0
    for _ in 0..<Self.attempts {
      do throws(BusError) {
        try discard()
        guard let refusal = try transfer() else { return }
        status = refusal
      } catch {
        // The rest of a command or an answer must not be taken for the next one.
        port.wait(nanoseconds: Self.recovery)
        throw error
      }
      port.wait(nanoseconds: Self.recovery)
    }
    throw error(.failed("a transfer (BNO055 status \(Hexadecimal.text(status)))"))
  }

  private func send(
    _ start: (UInt8, UInt8), _ register: UInt8, _ count: UInt8
  ) throws(BusError) {
    try write(start)
    port.wait(nanoseconds: Self.pause)
    try write((register, count))
  }

  private func write(_ bytes: (UInt8, UInt8)) throws(BusError) {
    var failure: BusError?
    withUnsafeBytes(of: bytes) {
      do throws(BusError) { try port.write($0) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// The first two bytes of an answer; bytes that begin none are skipped.
  private func head(until end: Timestamp) throws(BusError) -> (kind: UInt8, value: UInt8) {
    while true {
      let kind = try byte(until: end)
      guard kind == Self.dataByte || kind == Self.statusByte else { continue }
      return (kind, try byte(until: end))
    }
  }

  private func byte(until end: Timestamp) throws(BusError) -> UInt8 {
    var byte: UInt8 = 0
    var failure: BusError?
    withUnsafeMutableBytes(of: &byte) {
      do throws(BusError) { try receive($0, until: end) } catch { failure = error }
    }
    if let failure { throw failure }
    return byte
  }

  /// Fills the bytes.
  private func receive(
    _ bytes: UnsafeMutableRawBufferPointer, until end: Timestamp
  ) throws(BusError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count = try port.read(into: rest, until: end)
      guard count > 0 else { throw error(.noAnswer) }
      done += count
    }
  }

  /// Discards what came before a command.
  private func discard() throws(BusError) {
    var bytes = SIMD32<UInt8>()
    var failure: BusError?
    withUnsafeMutableBytes(of: &bytes) {
      do throws(BusError) {
        while try port.read(into: $0, until: port.now) > 0 {}
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func error(_ kind: BusError.Kind) -> BusError { BusError(kind, device: name) }
}
