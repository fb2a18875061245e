/// What a serial port reads of bytes that were sent at another speed: it looks for the edge of a
/// start bit, and takes the level in the middle of each of its own bits. A byte without a stop bit
/// is dropped, as Linux does with a framing error.
package struct MisreadLine {
  private let ratio: Double

  /// Makes a line.
  /// - Parameters:
  ///   - sent: The sender's speed, bits per second.
  ///   - read: The port's speed, bits per second.
  package init(sent: Int, read: Int) { ratio = Double(sent) / Double(read) }

  /// The bytes that the port reads; the line is idle before and after.
  package func reading(of bytes: [UInt8]) -> [UInt8] {
    var levels: [Bool] = []
    levels.reserveCapacity(bytes.count * 10)
    for byte in bytes {
      levels.append(false)
      for bit in 0..<8 { levels.append(byte >> UInt8(bit) & 1 == 1) }
      levels.append(true)
    }
    var result: [UInt8] = []
    // In bits of the sender.
    var time = 0.0
    while let start = levels.start(from: time) {
      guard levels.level(at: start + 0.5 * ratio) == false else {
        // A pulse shorter than half a bit is no start.
        time = start + 0.5 * ratio
        continue
      }
      var byte: UInt8 = 0
      for bit in 0..<8 where levels.level(at: start + (1.5 + Double(bit)) * ratio) {
        byte |= 1 << UInt8(bit)
      }
      let stop = start + 9.5 * ratio
      if levels.level(at: stop) { result.append(byte) }
      time = stop
    }
    return result
  }
}

extension [Bool] {
  /// The level at a time, in bits; high where the line is idle.
  fileprivate func level(at time: Double) -> Bool {
    let index = Int(bounded: time)
    return index < count ? self[index] : true
  }

  /// The next falling edge; nil at the end.
  fileprivate func start(from time: Double) -> Double? {
    var index = Int(bounded: time)
    guard index < count else { return nil }
    // Within a low level the line must rise first.
    if !self[index], Double(index) < time || (index > 0 && !self[index - 1]) {
      while index < count, !self[index] { index += 1 }
    }
    while index < count, self[index] { index += 1 }
    return index < count ? Double(index) : nil
  }
}
