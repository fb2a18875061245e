import Formats
import Foundation
import Testing

@Suite("Percent encoding", .timeLimit(.minutes(30)))
struct PercentEncodingTests {
  @Test(
    "is read as Foundation reads it",
    arguments: [
      "", "a", "a%20b", "%41%c3%A9", "%", "%4", "%4g", "%zz", "%ff", "%C3", "a+b", "%00", "é",
      "%25%32%30",
      "%\u{FF11}\u{FF11}",
    ])
  func decoded(text: String) {
    #expect(text.percentDecoded == text.removingPercentEncoding)
    #expect(text[...].percentDecoded == text.removingPercentEncoding)
  }
}
