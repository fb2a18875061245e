import Chips
import Quantities

/// The serial port of a WitMotion module that sends the same sample again and again.
final class RepeatingPort: TimedSerialPort, FrozenSource {
  private(set) var bytesRead = 0
  private(set) var reads = 0

  /// Samples a second.
  static var hertz: Double { 100 }
  private static var period: UInt64 { 10_000_000 }
  /// The frames of a sample: 0x55, the kind (acceleration, angular rate, angles, field), eight
  /// bytes, the sum.
  private static let sample: [UInt8] = (UInt8(0x51)...0x54).flatMap { kind -> [UInt8] in
    let frame: [UInt8] = [0x55, kind, 0x12, 0x01, 0x34, 0x02, 0x56, 0x03, 0x78, 0x04]
    return frame + [frame.reduce(0, &+)]
  }

  let name = "serial port"
  let baud = 115_200
  private(set) var now = Timestamp(nanoseconds: 0)
  private var due = Timestamp(nanoseconds: 0)
  private var left = 0

  func beginCall(after nanoseconds: UInt64) { wait(nanoseconds: nanoseconds) }
  func wait(nanoseconds: UInt64) { now = now.advanced(byNanoseconds: nanoseconds) }
  func setBaud(_ baud: Int) {}
  func write(_ bytes: UnsafeRawBufferPointer) {}

  func read(
    into bytes: UnsafeMutableRawBufferPointer, until deadline: Timestamp
  ) throws(BusError) -> Int {
    if left == 0 {
      if due > now { now = max(now, min(due, deadline)) }
      guard due <= now else { return 0 }
      due = now.advanced(byNanoseconds: Self.period)
      left = Self.sample.count
    }
    let count = min(left, bytes.count)
    let begin = Self.sample.count - left
    for index in 0..<count { bytes[index] = Self.sample[begin + index] }
    left -= count
    bytesRead += count
    reads += 1
    return count
  }
}
