/// Removes the chunks of an HTTP answer, however they were split.
/// - Source: RFC 9112, 7.1.
package struct ChunkedBody {
  /// The longest line with a size, bytes; extensions are seldom.
  private static let longestLine = 256
  /// The longest trailer after the last chunk, bytes.
  private static let longestTrailer = 4096

  private enum State {
    case size(line: [UInt8])
    case data(left: Int)
    case dataEnd
    case trailer(count: Int, isLineEmpty: Bool)
    case end
  }
  private var state = State.size(line: [])

  /// Begins before the first chunk.
  package init() {}

  /// True after the last chunk.
  package var isAtEnd: Bool { if case .end = state { true } else { false } }

  /// Appends the content of the next bytes to `body`.
  package mutating func append(
    _ bytes: ArraySlice<UInt8>, to body: inout [UInt8]
  ) throws(CorrectionFault) {
    var rest = bytes
    while let byte = rest.first {
      switch state {
      case .data(let left):
        let piece = rest.prefix(left)
        body += piece
        rest = rest.dropFirst(piece.count)
        state = piece.count == left ? .dataEnd : .data(left: left - piece.count)
        continue
      case .size(var line):
        if byte == UInt8(ascii: "\n") {
          let count = try Self.size(line)
          state = count == 0 ? .trailer(count: 0, isLineEmpty: true) : .data(left: count)
        } else {
          line.append(byte)
          guard line.count <= Self.longestLine else { throw .brokenChunks }
          state = .size(line: line)
        }
      case .dataEnd:
        if byte == UInt8(ascii: "\n") {
          state = .size(line: [])
        } else if byte != UInt8(ascii: "\r") {
          throw .brokenChunks
        }
      case .trailer(let count, let isLineEmpty):
        guard count < Self.longestTrailer else { throw .brokenChunks }
        if byte == UInt8(ascii: "\n") {
          state = isLineEmpty ? .end : .trailer(count: count + 1, isLineEmpty: true)
        } else {
          state = .trailer(
            count: count + 1, isLineEmpty: isLineEmpty && byte == UInt8(ascii: "\r"))
        }
      case .end: return
      }
      rest = rest.dropFirst()
    }
  }

  private static func size(_ line: [UInt8]) throws(CorrectionFault) -> Int {
    let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\r") }
    let text = String(decoding: digits, as: UTF8.self).filter { $0 != " " && $0 != "\t" }
    // Eight digits are 4 GB.
    guard (1...8).contains(text.utf8.count), let size = Int(text, radix: 16), size >= 0 else {
      throw .brokenChunks
    }
    return size
  }
}
