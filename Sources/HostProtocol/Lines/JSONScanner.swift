/// Reads JSON from left to right without building anything: estimates come fifty times a second, and
/// Foundation's decoder takes more than four times as long for one.
struct JSONScanner {
  /// Deeper than anything that is sent.
  private static let deepest = 32

  private let bytes: UnsafeRawBufferPointer
  private(set) var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A {
      offset += 1
    }
  }

  func fault(_ expected: String) -> JSONFault { JSONFault(at: offset, expected: expected) }

  /// Whether the byte comes next; it is taken then.
  mutating func takes(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard next == byte else { return false }
    offset += 1
    return true
  }

  mutating func expect(_ byte: UInt8) throws(JSONFault) {
    guard takes(byte) else { throw fault("'\(Character(UnicodeScalar(byte)))'") }
  }

  mutating func expectEnd() throws(JSONFault) {
    skipBlanks()
    if offset < bytes.count { throw fault("the line's end") }
  }

  /// Whether exactly this key with its colon comes next; it is taken then.
  mutating func takes(key: [UInt8]) -> Bool {
    skipBlanks()
    let end = offset + key.count
    guard end <= bytes.count,
      key.withUnsafeBytes({ $0.elementsEqual(bytes[offset..<end]) })
    else { return false }
    offset = end
    return true
  }

  /// A text without its quotation marks.
  mutating func string() throws(JSONFault) -> String {
    try expect(UInt8(ascii: "\""))
    let start = offset
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { offset += 1 }
    guard let byte = next else { throw fault("a closing quotation mark") }
    // What is read by this scanner has no need of escapes: words and numbers.
    guard byte == UInt8(ascii: "\"") else { throw fault("a text without escapes") }
    defer { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func token(_ what: String) throws(JSONFault) -> String {
    skipBlanks()
    let start = offset
    while let byte = next, byte > 0x20, byte != UInt8(ascii: ","), byte != UInt8(ascii: "}"),
      byte != UInt8(ascii: "]")
    {
      offset += 1
    }
    guard offset > start else { throw fault(what) }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// A number to its last bit; one that is not finite is told by its bits, `"0x7ff0000000000000"`.
  mutating func double() throws(JSONFault) -> Double {
    skipBlanks()
    let start = offset
    if next == UInt8(ascii: "\"") {
      let text = try string()
      if text.hasPrefix("0x"), let bits = UInt64(text.dropFirst(2), radix: 16) {
        return Double(bitPattern: bits)
      }
    } else if let value = Double(try token("a number")), value.isFinite {
      return value
    }
    throw JSONFault(at: start, expected: "a number")
  }

  mutating func integer<Value: FixedWidthInteger>(_: Value.Type) throws(JSONFault) -> Value {
    skipBlanks()
    let start = offset
    guard let value = Value(try token("a whole number")) else {
      throw JSONFault(at: start, expected: "a whole number")
    }
    return value
  }

  mutating func bool() throws(JSONFault) -> Bool {
    skipBlanks()
    let start = offset
    switch try token("true or false") {
    case "true": return true
    case "false": return false
    default: throw JSONFault(at: start, expected: "true or false")
    }
  }

  /// So many numbers in brackets.
  mutating func doubles(_ count: Int) throws(JSONFault) -> [Double] {
    var values: [Double] = []
    values.reserveCapacity(count)
    try expect(UInt8(ascii: "["))
    for index in 0..<count {
      if index > 0 { try expect(UInt8(ascii: ",")) }
      values.append(try double())
    }
    try expect(UInt8(ascii: "]"))
    return values
  }

  /// Passes over a value of any kind.
  mutating func skipValue(depth: Int = 0) throws(JSONFault) {
    guard depth < Self.deepest else { throw fault("no more than \(Self.deepest) levels") }
    skipBlanks()
    switch next {
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "{"): try skipList(UInt8(ascii: "}"), depth, hasKeys: true)
    case UInt8(ascii: "["): try skipList(UInt8(ascii: "]"), depth, hasKeys: false)
    default: _ = try token("a value")
    }
  }

  private mutating func skipList(
    _ end: UInt8, _ depth: Int, hasKeys: Bool
  ) throws(JSONFault) {
    offset += 1
    if takes(end) { return }
    repeat {
      if hasKeys {
        skipBlanks()
        guard next == UInt8(ascii: "\"") else { throw fault("a key") }
        try skipString()
        try expect(UInt8(ascii: ":"))
      }
      try skipValue(depth: depth + 1)
    } while takes(UInt8(ascii: ","))
    try expect(end)
  }

  private mutating func skipString() throws(JSONFault) {
    offset += 1
    while let byte = next, byte != UInt8(ascii: "\"") {
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard next != nil else { throw fault("a closing quotation mark") }
    offset += 1
  }
}
