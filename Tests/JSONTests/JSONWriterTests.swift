import JSON
import Quantities
import Testing

@Suite("Writing JSON", .timeLimit(.minutes(30)))
struct JSONWriterTests {
  private func text(_ body: (inout JSONWriter) -> Void) -> String {
    var bytes: [UInt8] = []
    var json = JSONWriter(appendingTo: &bytes)
    body(&json)
    json.close(into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("a record begins with its time, which is absent where it is not known")
  func record() {
    func record(_ time: UTCTime?) -> String {
      String(decoding: JSONWriter.record(at: time) { $0.add("a", 1) }, as: UTF8.self)
    }
    let time = UTCTime(nanosecondsSince1970: 1_735_689_600_999_600_000)
    #expect(time.recordText == "2025-01-01T00:00:01.000Z")
    #expect(record(time) == #"{"time":"2025-01-01T00:00:01.000Z","a":1}"#)
    #expect(record(nil) == #"{"a":1}"#)
  }

  @Test("values are separated, and unknown values are absent")
  func values() {
    let written = text {
      $0.add("none", Int?.none)
      $0.add("whole", -7)
      $0.add("fixed", 1.005, decimals: 2)
      $0.add("lost", Double.nan, decimals: 2)
      $0.add("exact", exactly: 0.1 + 0.2)
      $0.add("bits", exactly: .infinity)
      $0.add("flag", true)
      $0.add("list", [1.5, nil], decimals: 1)
      $0.add("parts", [1, 2]) { part, json in json.add("n", part) }
      $0.add("seconds", nanoseconds: 1_000_000_005)
      $0.add("most", unsigned: .max)
      $0.add("least", integer: .min)
      $0.add("time", UTCTime(nanosecondsSince1970: 1_999_600_000))
      $0.add("words", ["a", "b"])
      $0.add("no", [String]())
    }
    #expect(
      written
        == #"{"whole":-7,"fixed":1.00,"exact":0.30000000000000004,"bits":"0x7ff0000000000000","#
        + #""flag":true,"list":[1.5,null],"parts":[{"n":1},{"n":2}],"seconds":1.000000005,"#
        + #""most":18446744073709551615,"least":-9223372036854775808,"#
        + #""time":"1970-01-01T00:00:02.000Z","words":["a","b"]}"#)
  }

  @Test("strings are escaped, in either spelling of a line feed")
  func escapes() {
    var (long, short): ([UInt8], [UInt8]) = ([], [])
    long.append(quoted: "\"\\/\n\t\u{1f}\u{7f}é")
    short.append(quoted: "\"\\/\n\t\u{1f}\u{7f}é", hasShortEscapes: true)
    #expect(String(decoding: long, as: UTF8.self) == "\"\\\"\\\\/\\u000a\\u0009\\u001f\u{7f}é\"")
    #expect(String(decoding: short, as: UTF8.self) == "\"\\\"\\\\/\\n\\t\\u001f\u{7f}é\"")
  }
}
