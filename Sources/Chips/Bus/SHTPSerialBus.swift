import Quantities

/// The packets of an SH-2 sensor hub, such as the BNO085, over a serial port at 3,000,000 bits a
/// second; read and written as over I2C. The pin PS1 is high, PS0 low.
///
/// - Source: BNO08X data sheet 1000-3927 (revision 1.17), "UART-SHTP interface": frames between
///   0x7E, protocol 0x01, 0x7D escapes the next byte by exclusive or with 0x20, at least 100 µs
///   between bytes to the hub. The hub's buffer holds more than the longest command, so that it is
///   not asked for its space.
public final class SHTPSerialBus<Port: TimedSerialPort>: RegisterBus {
  /// The port's name.
  public let name: String
  private let port: Port
  /// The frame that is read or complete, with its protocol's number; allocated once.
  private var frame: [UInt8] = []
  private var isEscaped = false
  private var isInFrame = false
  private var isComplete = false
  /// The bytes of the complete packet that were delivered, without its header, and whether the
  /// header was.
  private var delivered = 0
  private var wasHeaderRead = false

  private static var flag: UInt8 { 0x7E }
  private static var escape: UInt8 { 0x7D }
  private static var packetProtocol: UInt8 { 0x01 }
  private static var headerBytes: Int { 4 }
  private static var longestFrame: Int { 1100 }
  /// The pause between bytes to the hub, ns.
  private static var pause: UInt64 { 150_000 }

  /// Makes a bus; nothing is transferred.
  public init(_ port: Port) {
    (self.port, name) = (port, port.name)
    frame.reserveCapacity(Self.longestFrame)
  }

  /// The present instant of the port's clock.
  public var now: Timestamp { port.now }
  /// Waits at least this long.
  public func wait(nanoseconds: UInt64) { port.wait(nanoseconds: nanoseconds) }

  /// Not supported: the hub has no registers.
  public func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) {
    throw BusError(.unsupported("no registers"), device: name)
  }

  /// Not supported: a scan is of buses with addresses.
  public func receive(from address: UInt8) throws(BusError) -> UInt8 {
    throw BusError(.unsupported("no registers"), device: name)
  }

  /// Reads a packet's header with the bytes that follow; zero where none waits. A header that
  /// continues a packet has its highest bit set.
  public func receive(
    into bytes: UnsafeMutableRawBufferPointer, from address: UInt8
  ) throws(BusError) {
    if !isComplete { try collect() }
    let first = 1 + Self.headerBytes
    guard isComplete, frame.count >= first, bytes.count >= Self.headerBytes else {
      for index in bytes.indices { bytes[index] = 0 }
      isComplete = false
      return
    }
    let left = frame.count - first - delivered
    let length = left + Self.headerBytes
    bytes[0] = UInt8(length & 0xFF)
    bytes[1] = UInt8(length >> 8) | (delivered > 0 || wasHeaderRead ? 0x80 : 0)
    (bytes[2], bytes[3]) = (frame[3], frame[4])
    wasHeaderRead = true
    let count = min(left, bytes.count - Self.headerBytes)
    for index in 0..<bytes.count - Self.headerBytes {
      bytes[Self.headerBytes + index] = index < count ? frame[first + delivered + index] : 0
    }
    delivered += count
    if count == left { begin() }
  }

  /// Writes a packet as a frame.
  public func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) {
    try send(Self.flag)
    try send(Self.packetProtocol)
    try sendEscaped(register)
    for byte in bytes { try sendEscaped(byte) }
    try send(Self.flag)
  }

  private func sendEscaped(_ byte: UInt8) throws(BusError) {
    guard byte == Self.flag || byte == Self.escape else { return try send(byte) }
    try send(Self.escape)
    try send(byte ^ 0x20)
  }

  private func send(_ byte: UInt8) throws(BusError) {
    var failure: BusError?
    withUnsafeBytes(of: byte) {
      do throws(BusError) { try port.write($0) } catch { failure = error }
    }
    if let failure { throw failure }
    port.wait(nanoseconds: Self.pause)
  }

  /// Takes bytes of the port until a packet is complete or none is left. A byte is read at a time,
  /// so that what follows the packet stays in the port.
  private func collect() throws(BusError) {
    var byte: UInt8 = 0
    while !isComplete {
      var count = 0
      var failure: BusError?
      withUnsafeMutableBytes(of: &byte) {
        do throws(BusError) { count = try port.read(into: $0, until: port.now) } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      guard count > 0 else { return }
      receive(byte)
    }
  }

  private func receive(_ byte: UInt8) {
    switch byte {
    case Self.flag:
      // A flag ends a frame and begins the next.
      if isInFrame, isPacket {
        isComplete = true
        isInFrame = false
      } else {
        begin()
        isInFrame = true
      }
    case _ where !isInFrame: break
    case Self.escape: isEscaped = true
    default:
      frame.append(isEscaped ? byte ^ 0x20 : byte)
      isEscaped = false
      if frame.count > Self.longestFrame { begin() }
    }
  }

  /// Whether the frame is a whole packet: the length of its header is that of the frame.
  private var isPacket: Bool {
    guard frame.count > Self.headerBytes, frame[0] == Self.packetProtocol else { return false }
    return Int(frame[1]) | Int(frame[2] & 0x7F) << 8 == frame.count - 1
  }

  private func begin() {
    frame.removeAll(keepingCapacity: true)
    (isEscaped, isInFrame, isComplete) = (false, false, false)
    (delivered, wasHeaderRead) = (0, false)
  }
}
