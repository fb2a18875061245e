import JSON
import Quantities
import Testing

@Suite("Texts of JSON", .timeLimit(.minutes(30)))
struct JSONTextCheckTests {
  private func fault(_ bytes: [UInt8]) -> JSONFault? {
    do throws(JSONFault) { try JSONText.check(bytes) } catch { return error }
    return nil
  }

  @Test(
    "that are UTF-8 with valid escapes pass, whatever their structure",
    arguments: [
      "", "{", "{\"a\":1}", "\"\\u00e9\\ud83d\\ude00\\n\\\"\"", "[\"é\",\"\"]", "\"a\"\"b\"", "1,2",
    ])
  func valid(_ text: String) {
    #expect(fault(Array(text.utf8)) == nil, "\(text)")
  }

  @Test("that are not have a fault at their place")
  func invalid() {
    #expect(fault(Array("{\"".utf8) + [0xFF] + Array("\":1}".utf8))?.offset == 2)
    #expect(fault(Array("{\"a\u{2}\":1}".utf8))?.offset == 3)
    #expect(fault(Array("{\"a\":\"".utf8) + [0xC3] + Array("\"}".utf8))?.offset == 6)
    for text in ["\"\\x\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\u12\"", "\"a", "\"a\\\""] {
      #expect(fault(Array(text.utf8)) != nil, "\(text)")
    }
  }
}
