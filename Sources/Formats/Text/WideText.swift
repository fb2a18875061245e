/// Removes the zero bytes of a text file in UTF-16, as some programs write logs of a receiver. Such
/// a stream begins with a byte order mark.
/// - Source: RFC 2781, section 3.2.
package struct WideText: Sendable {
  /// How far the mark is read, and whether it was one.
  private enum State { case begin, halfMark(UInt8), wide(Order, first: UInt8?), other }
  private enum Order { case little, big }

  private var state = State.begin

  package init() {}

  /// The bytes of the characters; the same bytes where the stream is no such text. A character
  /// beyond ASCII, which no sentence has, becomes a question mark.
  package mutating func narrow(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    switch state {
    case .other: return bytes
    case .begin:
      guard let first = bytes.first else { return bytes }
      guard first == 0xFF || first == 0xFE else {
        state = .other
        return bytes
      }
      state = .halfMark(first)
      return narrow(bytes.dropFirst())
    case .halfMark(let first):
      guard let second = bytes.first else { return bytes }
      guard first ^ second == 1 else {
        state = .other
        return [first] + bytes
      }
      state = .wide(first == 0xFE ? .big : .little, first: nil)
      return narrow(bytes.dropFirst())
    case .wide(let order, var first):
      var narrow: [UInt8] = []
      narrow.reserveCapacity(bytes.count / 2 + 1)
      for byte in bytes {
        guard let earlier = first else {
          first = byte
          continue
        }
        let (high, low) = order == .big ? (earlier, byte) : (byte, earlier)
        narrow.append(high == 0 && low < 0x80 ? low : UInt8(ascii: "?"))
        first = nil
      }
      state = .wide(order, first: first)
      return narrow[...]
    }
  }
}
