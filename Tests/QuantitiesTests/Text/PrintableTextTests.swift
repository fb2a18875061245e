import Quantities
import Testing

@Suite("The text of a peer in a message", .timeLimit(.minutes(30)))
struct PrintableTextTests {
  @Test("is one line without control characters")
  func controls() {
    let hostile = "a\u{1B}[2Jb\r\nc\u{0}d\u{9B}e\u{2028}f\u{202E}g\u{7F}h"
    let shown = String(printable: hostile)
    #expect(shown == "a [2Jb  c d e f g h")
    #expect(!shown.unicodeScalars.contains { $0.isControl })
    #expect(String(printable: "Überfahrt 12,5° 航海") == "Überfahrt 12,5° 航海")
    #expect(String(printable: "").isEmpty)
  }

  @Test("has at most the limit of scalars, and ends with an ellipsis where it is cut")
  func length() {
    let exact = String(repeating: "x", count: 80)
    #expect(String(printable: exact) == exact)
    #expect(String(printable: exact + "y") == exact + "…")
    #expect(String(printable: "abc", atMost: 2) == "ab…")
    // One character of many scalars.
    let marks = "a" + String(repeating: "\u{301}", count: 250_000)
    #expect(String(printable: marks).unicodeScalars.count == 81)
  }

  @Test("is made of bytes that are no UTF-8 too")
  func bytes() {
    #expect(String(printable: [0x61, 0xFF, 0x1B, 0x62] as [UInt8]) == "a\u{FFFD} b")
    #expect(String(printable: Array("äöü".utf8), atMost: 2) == "äö…")
    #expect(String(printable: [UInt8](repeating: 0x78, count: 1 << 20)).count == 81)
  }
}
