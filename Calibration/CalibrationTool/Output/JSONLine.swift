import Quantities

/// One flat JSON object under construction; keys stand in the order in which they are added.
struct JSONLine {
  private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

  /// The object with its end.
  var closed: [UInt8] { bytes + [UInt8(ascii: "}")] }

  /// Adds a number with fixed decimals; nothing where it is nil or not finite.
  mutating func add(_ key: StaticString, _ value: Double?, decimals: Int) {
    guard let value, value.isFinite, abs(value) < 1e9 else { return }
    self.key(key)
    bytes.append(value, decimals: decimals)
  }

  /// Adds a whole number; nothing where it is nil.
  mutating func add(_ key: StaticString, _ value: Int?) {
    guard let value else { return }
    self.key(key)
    bytes.append(integer: Int64(value))
  }

  /// Adds a text; nothing where it is nil.
  mutating func add(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    self.key(key)
    append(quoted: value)
  }

  /// Adds true; nothing where it is false.
  mutating func add(_ key: StaticString, ifTrue value: Bool) {
    guard value else { return }
    self.key(key)
    bytes.append(ascii: "true")
  }

  /// Adds an array of numbers; null where one is nil or not finite.
  mutating func add(_ key: StaticString, _ values: [Double?], decimals: Int) {
    list(key, values) { value, bytes in
      guard let value, value.isFinite, abs(value) < 1e9 else { return bytes.append(ascii: "null") }
      bytes.append(value, decimals: decimals)
    }
  }

  /// Adds an array of whole numbers.
  mutating func add(_ key: StaticString, _ values: [Int]) {
    list(key, values) { $1.append(integer: Int64($0)) }
  }

  /// Adds an array of texts; nothing where it is empty.
  mutating func add(_ key: StaticString, _ values: [String]) {
    guard !values.isEmpty else { return }
    self.key(key)
    for (index, value) in values.enumerated() {
      bytes.append(UInt8(ascii: index == 0 ? "[" : ","))
      append(quoted: value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func list<Value>(
    _ key: StaticString, _ values: [Value], _ append: (Value, inout [UInt8]) -> Void
  ) {
    self.key(key)
    bytes.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(value, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func key(_ key: StaticString) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(ascii: key)
    bytes.append(ascii: "\":")
  }

  /// - Source: RFC 8259, section 7.
  private mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case ..<0x20:
        bytes.append(ascii: "\\u00")
        bytes += [Self.hexDigit(byte >> 4), Self.hexDigit(byte & 15)]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
