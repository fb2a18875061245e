import Quantities

/// Divides received bytes into lines of limited length: a partial line is stored until its end
/// arrives, one that is too long is discarded.
struct LineSplitter: Sendable {
  /// The longest line, bytes, including its end.
  private let longest: Int
  /// Lines that were too long.
  private(set) var tooLong: Int64 = 0
  private var partial: [UInt8] = []
  private var partialBegan = Timestamp(nanoseconds: 0)
  private var isOverlong = false

  init(longest: Int) { self.longest = longest }

  /// Calls `body` with each line that the bytes complete, without its line feed, and with the
  /// arrival of its first byte.
  mutating func push(
    _ bytes: UnsafeRawBufferPointer, at timestamp: Timestamp,
    _ body: (UnsafeBufferPointer<UInt8>, Timestamp) -> Void
  ) {
    bytes.withMemoryRebound(to: UInt8.self) { bytes in
      var start = 0
      for index in 0..<bytes.count where bytes[index] == 0x0A {
        let piece = UnsafeBufferPointer(rebasing: bytes[start..<index])
        start = index + 1
        if partial.isEmpty && !isOverlong {
          deliver(piece, timestamp, body)
        } else {
          buffer(piece, at: timestamp)
          endPartial(body)
        }
      }
      buffer(UnsafeBufferPointer(rebasing: bytes[start...]), at: timestamp)
    }
  }

  /// Discards a partial line.
  mutating func reset() {
    partial.removeAll(keepingCapacity: true)
    isOverlong = false
  }

  private mutating func deliver(
    _ line: UnsafeBufferPointer<UInt8>, _ timestamp: Timestamp,
    _ body: (UnsafeBufferPointer<UInt8>, Timestamp) -> Void
  ) {
    if line.count < longest { body(line, timestamp) } else { tooLong += 1 }
  }

  private mutating func buffer(_ piece: UnsafeBufferPointer<UInt8>, at timestamp: Timestamp) {
    guard !piece.isEmpty else { return }
    if partial.isEmpty { partialBegan = timestamp }
    if isOverlong || partial.count + piece.count >= longest {
      isOverlong = true
    } else {
      partial.append(contentsOf: piece)
    }
  }

  private mutating func endPartial(_ body: (UnsafeBufferPointer<UInt8>, Timestamp) -> Void) {
    if isOverlong {
      tooLong += 1
    } else {
      partial.withUnsafeBufferPointer { body($0, partialBegan) }
    }
    reset()
  }
}
