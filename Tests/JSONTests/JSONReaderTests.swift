import JSON
import Quantities
import Testing

@Suite("Reading JSON", .timeLimit(.minutes(30)))
struct JSONReaderTests {
  /// What `body` returns for a text, and the reader after it.
  private func read<Value>(
    _ text: String, isLenient: Bool = false, deepest: Int = 32,
    _ body: (inout JSONReader) -> Value
  ) -> (value: Value, reader: JSONReader) {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes, isLenient: isLenient, deepest: deepest)
      let value = body(&reader)
      reader.expectEnd()
      return (value, reader)
    }
  }

  private func fault<Value>(
    _ text: String, deepest: Int = 32, _ body: (inout JSONReader) -> Value
  ) -> JSONFault? {
    read(text, deepest: deepest, body).reader.fault
  }

  @Test("keys, elements and values come in their order")
  func order() {
    let text = " { \"a\" : [ 1 , -2.5e1 , [ ] ] , \"b\\n\" : { } , \"c\" : \"x\" , \"d\" : true } "
    let (words, reader) = read(text) { json in
      var words: [String] = []
      guard json.beginObject() else { return words }
      while let key = json.nextKey() {
        words.append(json.string(key) ?? "")
        if key.is("a") {
          guard json.beginArray() else { return words }
          while json.nextElement() {
            if json.peek() == UInt8(ascii: "[") {
              json.skip()
            } else {
              words.append("\(json.number() ?? 0)")
            }
          }
        } else if key.is("c") {
          words.append(json.string() ?? "")
        } else if key.is("d") {
          words.append("\(json.flag() ?? false)")
        } else {
          json.skip()
        }
      }
      return words
    }
    #expect(words == ["a", "1.0", "-25.0", "b\n", "c", "x", "d", "true"])
    #expect(reader.fault == nil && reader.unreadable == 0)
  }

  @Test("a number is the nearest double, as the standard library reads it")
  func numbers() {
    var texts = [
      "0", "-0", "0.0", "1e0", "1E+2", "9007199254740993", "9007199254740992.5",
      "18446744073709551615",
      "18446744073709551616", "0.1", "1.7976931348623157e308", "2.2250738585072014e-308", "5e-324",
      "2.4703282292062327e-324", "123456789012345678901234567890",
      "0.000000000000000000000000000001",
      "4503599627370496.5", "4503599627370497.5", "1e-27", "1e27", "1e28", "0e999",
      "1.00000000000000011102230246",
    ]
    var state: UInt64 = 11
    for index in 0..<30_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = Double(bitPattern: state)
      if value.isFinite { texts.append("\(value)") }
      let digits = state >> (UInt64(index) % 60)
      texts.append("\(digits)e\(Int(state % 70) - 35)")
      texts.append("\(digits / 1000).\(state % 100_000_007)")
    }
    for text in texts {
      #expect(read(text) { $0.number() }.value?.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test(
    "what is no number is a fault at its place",
    arguments: [
      ("true", 0), ("+1", 0), (".5", 0), ("5.", 0), ("01", 1), ("1e", 0), ("-", 0), ("1.5.2", 3),
      ("0x1", 1),
      ("nan", 0), ("\"1\"", 0), ("", 0), ("1e999", 0), (" -1e400", 1), ("1 2", 2),
    ])
  func noNumber(text: String, offset: Int) {
    #expect(fault(text) { $0.number() }?.offset == offset)
  }

  @Test("a whole number is read to the limits of its type and not beyond")
  func integers() {
    #expect(read("18446744073709551615") { $0.uint64() }.value == .max)
    #expect(read("-9223372036854775808") { $0.int64() }.value == .min)
    for text in ["18446744073709551616", "-1", "1.0", "1e2", "true", "-", "\"1\"", "[]"] {
      #expect(read(text) { $0.uint64() }.value == nil, "\(text)")
      #expect(fault(text) { $0.uint64() } != nil, "\(text)")
    }
    for text in ["9223372036854775808", "-9223372036854775809", "-", "", "1e1"] {
      #expect(fault(text) { $0.int64() } != nil, "\(text)")
    }
    #expect(read("-0") { $0.int64() }.value == 0)
  }

  @Test("escapes and surrogate pairs are characters; invalid ones and invalid UTF-8 are faults")
  func strings() {
    let text = #""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00é""#
    #expect(
      read(text) { $0.string() }.value == "\"\\/\u{8}\u{c}\n\r\tA\u{e9}\u{20ac}\u{1f600}\u{e9}")
    for (text, reason) in [
      (#""\ud83d""#, "surrogate"), (#""\ud83dx""#, "surrogate"), (#""\ude00""#, "surrogate"),
      (#""\ud83d\u0041""#, "surrogate"), (#""\x""#, "unknown escape"),
      (#""\u12g4""#, "hexadecimal"),
      (#""\u12""#, "hexadecimal"), ("\"\u{1}\"", "control"), ("\"a", "too early"),
      (#""a\""#, "too early"),
    ] {
      #expect(fault(text) { $0.string() }?.reason.contains(reason) == true, "\(text)")
    }
    let bytes: [UInt8] = [0x22, 0xC3, 0x28, 0x22]
    let invalid = bytes.withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes)
      return (reader.string(), reader.fault)
    }
    #expect(invalid.0 == nil && invalid.1?.reason.contains("UTF-8") == true)
  }

  @Test(
    "a skipped value must be whole",
    arguments: [
      "{\"a\" 1}", "{\"a\":}", "{\"a\":1,}", "{1:2}", "[1 2]", "[1,]", "[,]", "[", "{", "[1}",
      "{\"a\":1]", "]", ",",
      "", "\"", "[1]]", "{}}", "[[[1,2],{}]",
    ])
  func damagedSkip(text: String) {
    #expect(fault(text) { $0.skip() } != nil)
    #expect(read(text, isLenient: true) { $0.skip() }.reader.isBroken)
  }

  @Test("nesting to the limit is read and skipped, deeper one is a fault")
  func nesting() {
    for (depth, isRead) in [(32, true), (33, false), (100_000, false)] {
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      #expect((fault(text) { $0.skip() } == nil) == isRead)
      let entered = fault(text) { json in
        while json.beginArray(), json.nextElement() {}
        for _ in 1..<depth { _ = json.nextElement() }
      }
      #expect((entered == nil) == isRead)
    }
  }

  @Test("a lenient reader skips and counts invalid values, and continues")
  func lenient() {
    let text = #"{"a":nan,"b":"x","c":[1,{"d":2}],"e":true,"f":1e999,"g":3}"#
    let (value, reader) = read(text, isLenient: true) { json in
      var last: Double?
      guard json.beginObject() else { return last }
      while let key = json.nextKey() {
        last = json.number()
        if key.is("g") { break }
      }
      _ = json.nextKey()
      return last
    }
    #expect(value == 3 && reader.unreadable == 5 && reader.fault == nil)
  }

  @Test("the first fault is reported, and nothing is read after it")
  func first() {
    let (_, reader) = read("{\"a\":x,\"b\":1}") { json in
      guard json.beginObject() else { return }
      while json.nextKey() != nil { _ = json.number() }
      #expect(json.nextKey() == nil && json.number() == nil && json.flag() == nil)
      #expect(json.text() == nil && json.int64() == nil && !json.beginObject())
      #expect(!json.beginArray() && !json.nextElement())
    }
    #expect(reader.fault == JSONFault(at: 5, expected: "a number"))
    #expect(reader.fault?.description == "byte 5: expected a number")
  }
}
