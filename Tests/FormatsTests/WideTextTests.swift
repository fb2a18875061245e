import Formats
import Testing

@Suite("Text in UTF-16", .timeLimit(.minutes(30)))
struct WideTextTests {
  private static func narrow(_ bytes: [UInt8], pieces: Int) -> [UInt8] {
    var (text, rest, result) = (WideText(), bytes[...], [UInt8]())
    while !rest.isEmpty {
      result += text.narrow(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
    }
    return result
  }

  @Test("its characters are read in either byte order, in any pieces", arguments: [1, 2, 3, 1000])
  func orders(pieces: Int) {
    let line = "$GPGGA,120000.00*00\r\n"
    let little: [UInt8] = [0xFF, 0xFE] + line.utf8.flatMap { [$0, 0] }
    let big: [UInt8] = [0xFE, 0xFF] + line.utf8.flatMap { [0, $0] }
    for bytes in [little, big] { #expect(Self.narrow(bytes, pieces: pieces) == Array(line.utf8)) }
  }

  @Test("other bytes stay as they are", arguments: [1, 2, 1000])
  func others(pieces: Int) {
    let streams: [[UInt8]] = [
      Array("$GP".utf8), [0xFF, 0xD3, 0, 1], [0xFE, 0xFE, 0], [0xB5, 0x62, 0xFF, 0xFE, 0], [0],
    ]
    for bytes in streams { #expect(Self.narrow(bytes, pieces: pieces) == bytes) }
  }

  @Test("a character beyond ASCII becomes one question mark", arguments: [1, 2, 3, 1000])
  func foreign(pieces: Int) {
    let bytes: [UInt8] = [0xFF, 0xFE, 0x24, 0x20, 0x0A, 0x0A, 0xB0, 0, 0x41, 0]
    #expect(Self.narrow(bytes, pieces: pieces) == Array("???A".utf8))
  }
}
