/// Reads JSON strictly and reports the line and column of the first fault.
///
/// A profile's checksum is computed from the parsed values, so each text must have one meaning: a duplicate name
/// in an object, a number beyond a double's range and text that is not UTF-8 are faults.
/// - Source: RFC 8259.
struct JSONReader {
  /// Deeper nesting is refused: no calibration has it, and it would overflow the stack.
  static let deepest = 16

  private let bytes: [UInt8]
  private var at = 0

  /// Reads a whole text.
  static func value(of bytes: [UInt8]) throws(ProfileFault) -> JSONValue {
    var reader = JSONReader(bytes: bytes)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.at == bytes.count else { throw reader.fault("something follows the end") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func fault(_ reason: String) -> ProfileFault {
    var (line, start) = (1, 0)
    for index in 0..<at where bytes[index] == 0x0A { (line, start) = (line + 1, index + 1) }
    return .notJSON(line: line, column: at - start + 1, reason: reason)
  }

  private func expected(_ what: String) -> ProfileFault {
    fault(next == nil ? "it ends too early" : "expected \(what)")
  }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  private mutating func value(depth: Int) throws(ProfileFault) -> JSONValue {
    guard depth <= Self.deepest else { throw fault("it is nested too deeply") }
    skipSpace()
    switch next {
    case nil: throw fault("it ends too early")
    case UInt8(ascii: "{")?: return try object(depth: depth)
    case UInt8(ascii: "[")?: return try array(depth: depth)
    case UInt8(ascii: "\"")?: return .text(try text())
    case UInt8(ascii: "t")?: return try word("true", .boolean(true))
    case UInt8(ascii: "f")?: return try word("false", .boolean(false))
    case UInt8(ascii: "n")?: return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(ProfileFault) -> JSONValue {
    guard bytes[at...].starts(with: word.utf8) else { throw fault("an unknown word") }
    at += word.utf8.count
    return value
  }

  private mutating func array(depth: Int) throws(ProfileFault) -> JSONValue {
    at += 1
    var values: [JSONValue] = []
    skipSpace()
    if take("]") { return .array([]) }
    while true {
      values.append(try value(depth: depth + 1))
      skipSpace()
      if take("]") { return .array(values) }
      guard take(",") else { throw expected("',' or ']'") }
    }
  }

  private mutating func object(depth: Int) throws(ProfileFault) -> JSONValue {
    at += 1
    var object = JSONObject()
    skipSpace()
    if take("}") { return .object(object) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw expected("a name in quotes") }
      let key = try text()
      guard object[key] == nil else { throw fault("duplicate name '\(key)'") }
      skipSpace()
      guard take(":") else { throw expected("':'") }
      object[key] = try value(depth: depth + 1)
      skipSpace()
      if take("}") { return .object(object) }
      guard take(",") else { throw expected("',' or '}'") }
    }
  }

  private mutating func number() throws(ProfileFault) -> Double {
    let start = at
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    guard let value = Double(String(decoding: bytes[start..<at], as: UTF8.self)), value.isFinite
    else { throw fault("a number beyond all range") }
    return value
  }

  private mutating func digits() throws(ProfileFault) {
    let start = at
    while let byte = next, (0x30...0x39).contains(byte) { at += 1 }
    guard at > start else {
      throw expected("a value or a digit")
    }
  }

  private mutating func text() throws(ProfileFault) -> String {
    at += 1
    var content: [UInt8] = []
    while let byte = next {
      at += 1
      switch byte {
      case UInt8(ascii: "\""):
        let text = String(decoding: content, as: UTF8.self)
        // Invalid UTF-8 is replaced in the text, so that the bytes differ.
        guard text.utf8.elementsEqual(content) else { throw fault("text that is not UTF-8") }
        return text
      case UInt8(ascii: "\\"): content += try escaped()
      case 0..<0x20: throw fault("a control character in a text")
      default: content.append(byte)
      }
    }
    throw fault("it ends too early")
  }

  private mutating func escaped() throws(ProfileFault) -> [UInt8] {
    guard let byte = next else { throw fault("it ends too early") }
    at += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "u"): return try codePoint()
    default: throw fault("an unknown escape")
    }
  }

  private mutating func codePoint() throws(ProfileFault) -> [UInt8] {
    var code = try fourHex()
    if (0xD800...0xDBFF).contains(code) {
      guard take("\\"), take("u") else { throw fault("half a surrogate pair") }
      let low = try fourHex()
      guard (0xDC00...0xDFFF).contains(low) else { throw fault("half a surrogate pair") }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw fault("half a surrogate pair") }
    return Array(String(Character(scalar)).utf8)
  }

  private mutating func fourHex() throws(ProfileFault) -> UInt32 {
    guard at + 4 <= bytes.count else { throw fault("it ends too early") }
    var code: UInt32 = 0
    for byte in bytes[at..<at + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw expected("four hexadecimal digits")
      }
      code = code << 4 | UInt32(digit)
    }
    at += 4
    return code
  }
}
