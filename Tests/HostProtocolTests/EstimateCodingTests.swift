import Foundation
import HostProtocol
import JSON
import Quantities
import TestSupport
import Testing

@Suite("Estimate coding", .timeLimit(.minutes(30)))
struct EstimateCodingTests {
  private func text(_ estimate: Estimate) -> String {
    var line: [UInt8] = []
    EstimateCoding.append(estimate, to: &line)
    return String(decoding: line, as: UTF8.self)
  }

  @Test("every stored property of an estimate is coded under its own name")
  func everyProperty() {
    let stored = Mirror(reflecting: Estimate.filled).children.compactMap(\.label)
    #expect(Set(stored) == Set(EstimateCoding.fields.map(\.name)))
    #expect(stored.count == EstimateCoding.fields.count)
  }

  @Test("the Python client reads only keys that are coded")
  func pythonKeys() throws {
    let file = SharedData.repository.appendingPathComponent("Clients/python/lodestar/decoding.py")
    let text = try String(contentsOf: file, encoding: .utf8)
    let begin = try #require(text.range(of: "\ndef estimate("))
    let end = try #require(text.range(of: "\ndef samples("))
    let read = text[begin.upperBound..<end.lowerBound].matches(of: /read\.\w+\("(\w+)"/)
      .map { "\($0.1)" }
    #expect(read.count > 30 && Set(read).isSubset(of: EstimateCoding.fields.map(\.name)))
  }

  @Test("the test estimate has a value for every property")
  func filled() {
    for child in Mirror(reflecting: Estimate.filled).children {
      let mirror = Mirror(reflecting: child.value)
      #expect(
        mirror.displayStyle != .optional || mirror.children.count == 1,
        "give \(child.label ?? "?") a value in FilledEstimate.swift")
    }
  }

  @Test("known values are decoded exactly, and unknown ones stay nil")
  func exact() throws {
    let filled = Estimate.filled
    let back = try EstimateCoding.estimate(text: text(filled))
    #expect(back == filled)
    #expect(back.deviation?.radians.sign == .minus)
    let empty = Estimate(timestamp: Timestamp(nanoseconds: 0))
    #expect(try EstimateCoding.estimate(text: text(empty)) == empty)
  }

  @Test("a single property is decoded without any other")
  func alone() throws {
    for field in EstimateCoding.fields {
      var line: [UInt8] = []
      var json = JSONWriter(appendingTo: &line)
      json.add("timestamp", 5)
      field.write(.filled, &json)
      json.close(into: &line)
      let text = String(decoding: line, as: UTF8.self)
      #expect(text.contains("\"\(field.name)\":"))
      let back = try EstimateCoding.estimate(text: text)
      let known = Mirror(reflecting: back).children.filter {
        let mirror = Mirror(reflecting: $0.value)
        return mirror.displayStyle == .optional && !mirror.children.isEmpty
      }
      #expect(known.allSatisfy { $0.label == field.name })
    }
  }

  @Test("a number that is not finite is decoded with the same bits")
  func notFinite() throws {
    for value in [Double.nan, .infinity, -.infinity, Double(bitPattern: 0x7FF8_0000_0000_0001)] {
      var e = Estimate(timestamp: Timestamp(nanoseconds: 1))
      e.heaveMetres = value
      let back = try EstimateCoding.estimate(text: text(e))
      #expect(back.heaveMetres?.bitPattern == value.bitPattern)
    }
  }

  @Test("ten thousand random numbers are decoded exactly")
  func random() throws {
    var state: UInt64 = 7
    for _ in 0..<10_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = Double(bitPattern: state)
      var e = Estimate(timestamp: Timestamp(nanoseconds: state))
      e.altitudeMetres = value
      let back = try EstimateCoding.estimate(text: text(e))
      #expect(back.altitudeMetres?.bitPattern == value.bitPattern)
      #expect(back.timestamp.nanoseconds == state)
    }
  }

  @Test("unknown keys are ignored, also with lists and objects as values")
  func unknownKeys() throws {
    let line =
      " { \"wind\" : {\"a\":[1,{\"b\":\"}\\\"\"}],\"c\":null} , \"timestamp\":7,\"new\":[],\"heaveMetres\":2.5, \"x\":{} } "
    let e = try EstimateCoding.estimate(text: line)
    #expect(e.timestamp.nanoseconds == 7 && e.heaveMetres == 2.5)
  }

  @Test("keys may have any order")
  func order() throws {
    let e = try EstimateCoding.estimate(
      text: "{\"satellitesUsed\":9,\"heaveMetres\":1,\"timestamp\":3}")
    #expect(e.satellitesUsed == 9 && e.heaveMetres == 1 && e.timestamp.nanoseconds == 3)
  }

  @Test("an unknown word is read as nil")
  func unknownWord() throws {
    let e = try EstimateCoding.estimate(text: "{\"timestamp\":1,\"fixKind\":\"teleported\"}")
    #expect(e.fixKind == nil)
  }

  @Test("every truncated estimate is refused")
  func truncated() {
    let whole = Array(text(.filled).utf8)
    for count in 0..<whole.count {
      #expect(throws: JSONFault.self) {
        try EstimateCoding.estimate(text: String(decoding: whole[..<count], as: UTF8.self))
      }
    }
  }

  @Test("damaged bytes are refused or decoded, without a crash")
  func damaged() {
    let whole = Array(text(.filled).utf8)
    var state: UInt64 = 3
    var refused = 0
    for _ in 0..<3000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      var bytes = whole
      bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
      do {
        _ = try EstimateCoding.estimate(text: String(decoding: bytes, as: UTF8.self))
      } catch {
        refused += 1
      }
    }
    #expect(refused > 1000)
  }

  @Test("deep nesting is refused before the stack overflows")
  func deep() {
    let line = "{\"x\":" + String(repeating: "[", count: 100_000)
    #expect(throws: JSONFault.self) { try EstimateCoding.estimate(text: line) }
  }

  @Test("a fault names the place and the expected value")
  func faults() {
    #expect(throws: JSONFault(at: 29, expected: "a number")) {
      try EstimateCoding.estimate(text: "{\"timestamp\":1,\"heaveMetres\":true}")
    }
    #expect(throws: JSONFault.self) { try EstimateCoding.estimate(text: "{\"heaveMetres\":1}") }
    #expect(throws: JSONFault.self) { try EstimateCoding.estimate(text: "{\"timestamp\":-1}") }
    #expect(throws: JSONFault.self) { try EstimateCoding.estimate(text: "{\"timestamp\":1}x") }
  }
}
