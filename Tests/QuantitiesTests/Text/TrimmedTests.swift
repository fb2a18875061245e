import Quantities
import Testing

@Suite("Text without white space at its ends", .timeLimit(.minutes(30)))
struct TrimmedTests {
  @Test(
    "keeps what is between",
    arguments: [
      ("", ""), (" \t\r\n ", ""), ("a b", "a b"), ("\n a\u{00A0}b\r\n", "a\u{00A0}b"), ("a", "a"),
    ])
  func text(given: String, expected: String) {
    #expect(given.trimmed == expected)
    #expect(given[...].trimmed == expected)
  }
}
