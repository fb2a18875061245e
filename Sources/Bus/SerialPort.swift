import Quantities

/// A serial line that is read as bytes, such as a receiver's.
public protocol SerialPort: AnyObject {
  /// What messages call it, such as `/dev/serial0`.
  var name: String { get }
  /// Bits per second now.
  var baud: Int { get }
  /// Changes the speed; bytes in flight are lost.
  func setBaud(_ baud: Int) throws(BusError)
  /// Reads what has come in, at most as much as there is room for.
  /// - Parameters:
  ///   - bytes: Where the bytes go.
  ///   - deadline: How long to wait for the first byte.
  /// - Returns: How many came; 0 where the deadline passed.
  /// - Throws: `BusError` where the port is gone.
  func read(
    into bytes: UnsafeMutableRawBufferPointer, until deadline: Timestamp
  ) throws(BusError) -> Int
  /// Writes all of the bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(BusError)
  /// Writes what the port takes without waiting.
  /// - Returns: How many bytes, from the first on.
  func writeSome(_ bytes: UnsafeRawBufferPointer) throws(BusError) -> Int
}

extension SerialPort {
  /// Writes all of the bytes: a port that cannot tell what it takes at once.
  public func writeSome(_ bytes: UnsafeRawBufferPointer) throws(BusError) -> Int {
    try write(bytes)
    return bytes.count
  }
}
