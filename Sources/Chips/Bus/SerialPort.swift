import Quantities

/// A serial port, such as a receiver's.
public protocol SerialPort: AnyObject {
  /// The name for messages, such as `/dev/serial0`.
  var name: String { get }
  /// The present speed, bits per second.
  var baud: Int { get }
  /// Changes the speed; bytes in flight are lost.
  func setBaud(_ baud: Int) throws(BusError)
  /// Reads received bytes, up to the size of the destination.
  /// - Parameters:
  ///   - bytes: The destination.
  ///   - deadline: The end of the wait for the first byte.
  /// - Returns: The number of bytes; 0 at the deadline.
  /// - Throws: `BusError` if the port was removed.
  func read(
    into bytes: UnsafeMutableRawBufferPointer, until deadline: Timestamp
  ) throws(BusError) -> Int
  /// Writes all of the bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(BusError)
  /// Writes as many bytes as the port accepts without waiting.
  /// - Returns: The number of bytes written, from the first on.
  func writeSome(_ bytes: UnsafeRawBufferPointer) throws(BusError) -> Int
  /// Ends the present wait of `read`, or the next one, before its deadline; may be called by any
  /// thread, also after the end of the port. Nil for a port that cannot.
  var readInterrupter: (@Sendable () -> Void)? { get }
}

extension SerialPort {
  /// None: for a port that is polled.
  public var readInterrupter: (@Sendable () -> Void)? { nil }

  /// Writes all of the bytes: for a port that cannot write without waiting.
  public func writeSome(_ bytes: UnsafeRawBufferPointer) throws(BusError) -> Int {
    try write(bytes)
    return bytes.count
  }
}

/// A serial port with the clock of the samples, for the driver of a module.
public protocol TimedSerialPort: SerialPort {
  /// The present instant of the clock of the samples.
  var now: Timestamp { get }
  /// Waits at least this long.
  func wait(nanoseconds: UInt64)
}
