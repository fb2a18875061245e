/// Removes the zero bytes of a text file in UTF-16, as some programs write logs of a receiver. A
/// stream is one by its mark of byte order.
/// - Source: RFC 2781, section 3.2.
package struct WideText: Sendable {
  /// How far the mark is read, and whether it was one.
  private enum State { case begin, halfMark(UInt8), wide(isHighByte: Bool), other }

  private var state = State.begin

  package init() {}

  /// The bytes of the characters; the same bytes where the stream is no such text. Characters
  /// beyond ASCII, which no sentence has, are not kept.
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
      state = .wide(isHighByte: first == 0xFE)
      return narrow(bytes.dropFirst())
    case .wide(var isHighByte):
      var narrow: [UInt8] = []
      narrow.reserveCapacity(bytes.count / 2 + 1)
      for byte in bytes {
        if isHighByte ? byte != 0 : byte > 0x7F {
          narrow.append(UInt8(ascii: "?"))
        } else if !isHighByte {
          narrow.append(byte)
        }
        isHighByte.toggle()
      }
      state = .wide(isHighByte: isHighByte)
      return narrow[...]
    }
  }
}
