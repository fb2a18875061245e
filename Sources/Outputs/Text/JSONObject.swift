import Quantities

/// One JSON object under construction; keys stand in the order in which they are added.
struct JSONObject {
  private var line = TextLine()
  private var needsComma = false

  /// - Parameter capacity: bytes to make room for, so that a usual object is allocated once.
  init(capacity: Int = 512) {
    line.reserve(capacity)
    line.append(UInt8(ascii: "{"))
  }

  /// Ends the object.
  consuming func closed() -> [UInt8] {
    line.append(UInt8(ascii: "}"))
    return line.bytes
  }

  /// Adds a number with fixed decimals; nothing where it is nil or not finite.
  mutating func add(_ key: StaticString, _ value: Double?, decimals: Int) {
    guard let value, value.isFinite, abs(value) < 1e9 else { return }
    self.key(key)
    line.append(value, decimals: decimals)
  }

  /// Adds seconds with nine decimals: every nanosecond is kept.
  mutating func add(_ key: StaticString, nanoseconds: UInt64) {
    self.key(key)
    line.append(integer: Int64(nanoseconds / 1_000_000_000))
    line.append(".")
    line.append(integer: Int64(nanoseconds % 1_000_000_000), width: 9)
  }

  /// Adds a whole number.
  mutating func add(_ key: StaticString, _ value: Int?) {
    guard let value else { return }
    self.key(key)
    line.append(integer: Int64(value))
  }

  /// Adds a whole number that may need 64 bits on any machine.
  mutating func add(_ key: StaticString, integer value: Int64) {
    self.key(key)
    line.append(integer: value)
  }

  /// Adds a word; quotation marks, backslashes and control characters are escaped.
  mutating func add(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    self.key(key)
    line.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        line.append(UInt8(ascii: "\\"))
        line.append(byte)
      case ..<0x20:
        line.append("\\u00")
        line.append(Self.hexDigits[Int(byte >> 4)])
        line.append(Self.hexDigits[Int(byte & 15)])
      default: line.append(byte)
      }
    }
    line.append(UInt8(ascii: "\""))
  }

  /// Adds true or false.
  mutating func add(_ key: StaticString, _ value: Bool) {
    self.key(key)
    line.append(value ? "true" : "false")
  }

  /// Adds an instant as ISO 8601 with milliseconds.
  mutating func add(_ key: StaticString, _ utc: UTCTime?) {
    guard let utc else { return }
    self.key(key)
    line.append(UInt8(ascii: "\""))
    // To the nearest millisecond, carried into the date where need be.
    let rounded = UTCTime(nanosecondsSince1970: utc.nanosecondsSince1970 &+ 500_000)
    let (date, ms) = (rounded.date, rounded.nanosecondsOfDay / 1_000_000)
    line.append(integer: Int64(date.year), width: 4)
    line.append("-")
    line.append(integer: Int64(date.month), width: 2)
    line.append("-")
    line.append(integer: Int64(date.day), width: 2)
    line.append("T")
    line.append(integer: ms / 3_600_000, width: 2)
    line.append(":")
    line.append(integer: ms / 60_000 % 60, width: 2)
    line.append(":")
    line.append(integer: ms / 1000 % 60, width: 2)
    line.append(".")
    line.append(integer: ms % 1000, width: 3)
    line.append("Z\"")
  }

  /// Adds an array of objects.
  mutating func add<S: Sequence>(
    _ key: StaticString, _ elements: S, _ fill: (S.Element, inout JSONObject) -> Void
  ) {
    self.key(key)
    line.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { line.append(UInt8(ascii: ",")) }
      isFirst = false
      line.append(UInt8(ascii: "{"))
      needsComma = false
      fill(element, &self)
      line.append(UInt8(ascii: "}"))
    }
    line.append(UInt8(ascii: "]"))
    needsComma = true
  }

  private static var hexDigits: [UInt8] { Array("0123456789abcdef".utf8) }

  private mutating func key(_ key: StaticString) {
    if needsComma { line.append(UInt8(ascii: ",")) }
    needsComma = true
    line.append(UInt8(ascii: "\""))
    line.append(key)
    line.append("\":")
  }
}
