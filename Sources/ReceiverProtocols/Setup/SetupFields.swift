import Quantities

/// A field of an answer in ASCII.
struct SetupField: Equatable, Sendable {
  let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// True where the field is this text, in either case.
  func matches(_ text: StaticString) -> Bool {
    bytes.count == text.utf8CodeUnitCount && starts(with: text)
  }

  /// True where the field begins with this text, in either case.
  func starts(with text: StaticString) -> Bool {
    guard bytes.count >= text.utf8CodeUnitCount else { return false }
    for (offset, byte) in bytes.prefix(text.utf8CodeUnitCount).enumerated()
    where Self.upper(byte) != Self.upper(text.utf8Start[offset]) {
      return false
    }
    return true
  }

  private static func upper(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte
  }

  /// The number that the whole field is.
  var number: Double? {
    guard let first = bytes.first(where: { $0 != UInt8(ascii: "-") }),
      first >= UInt8(ascii: "0") && first <= UInt8(ascii: "9") || first == UInt8(ascii: "."),
      bytes.allSatisfy({
        $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || $0 == UInt8(ascii: ".")
          || $0 == UInt8(ascii: "-")
      })
    else { return nil }
    return Array(bytes).withUnsafeBufferPointer { DecimalText(startOf: $0, isJSON: false)?.value }
  }

  /// The whole number that the field is.
  var integer: Int? {
    guard let number, number == number.rounded(), abs(number) < 1e9 else { return nil }
    return Int(bounded: number)
  }

  /// The time of day that the field is, `hhmmss.sss`.
  var timeOfDay: TimeOfDay? {
    Array(bytes).withUnsafeBufferPointer { DecimalNumber($0) }.flatMap { TimeOfDay($0) }
  }

  /// The printable characters.
  var text: String {
    String(
      decoding: bytes.filter { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }.prefix(80),
      as: UTF8.self)
  }
}

extension ArraySlice<UInt8> {
  /// The fields between these separators.
  func fields(by separator: UInt8 = UInt8(ascii: ",")) -> [SetupField] {
    var fields: [SetupField] = []
    var start = startIndex
    for index in indices where self[index] == separator {
      fields.append(SetupField(self[start..<index]))
      start = index + 1
    }
    fields.append(SetupField(self[start...]))
    return fields
  }
}

/// A line of a receiver's answer in ASCII, with the checksum that it has.
struct SetupLine: Equatable, Sendable {
  /// The bytes from the first character to before the checksum.
  let body: ArraySlice<UInt8>
  /// True for `$…`, false for `#…`.
  let isSentence: Bool

  /// The name and the parameters, without the first character.
  var fields: [SetupField] { body.dropFirst().fields() }

  /// Nil where the line begins otherwise, or its checksum is wrong or absent.
  ///
  /// Unicore counts the first character into the exclusive or of its answers; its logs `#…` may have
  /// eight digits of CRC-32 instead. Only its `<LOGLIST …` has none.
  init?(_ line: [UInt8]) {
    if line.first == UInt8(ascii: "<"), SetupField(line[...]).starts(with: "<LOGLIST ") {
      (body, isSentence) = (line[...], false)
      return
    }
    guard let first = line.first, let star = line.lastIndex(of: UInt8(ascii: "*")) else {
      return nil
    }
    isSentence = first == UInt8(ascii: "$")
    guard isSentence || first == UInt8(ascii: "#") else { return nil }
    body = line[..<star]
    var sum: UInt32 = 0
    let digits = line[(star + 1)...]
    for byte in digits {
      guard let digit = byte.hexadecimalDigit else { return nil }
      sum = sum << 4 | UInt32(digit)
    }
    let exclusive = body.dropFirst().reduce(UInt8(0)) { $0 ^ $1 }
    switch digits.count {
    case 2:
      let name = body.dropFirst().fields()[0]
      let countsFirst = !isSentence || name.matches("command") || name.matches("CONFIG")
      guard sum == UInt32(countsFirst ? exclusive ^ first : exclusive) else { return nil }
    case 8:
      let crc = Array(body.dropFirst()).withUnsafeBufferPointer { NovAtelCRC32.checksum($0) }
      guard sum == crc else { return nil }
    default: return nil
    }
  }
}

/// Divides a receiver's bytes into the lines and binary frames in which it answers commands.
struct SetupFrameReader: Sendable {
  /// A complete frame.
  enum Frame: Equatable, Sendable {
    /// A line in ASCII with a valid checksum.
    case line(SetupLine)
    /// A binary frame with its synchronisation bytes and checksum.
    case binary(ReceiverFrame.Kind, [UInt8])
  }

  /// The longest line of an answer, bytes; a version of Unicore has about 200.
  private static var longestLine: Int { 1023 }

  private var framer = ReceiverFramer()
  private var line: [UInt8] = []

  init() {}

  /// Reads the next bytes and calls `body` with each frame that they complete, in the order of their
  /// last bytes, however the bytes are split.
  mutating func push(_ bytes: UnsafeRawBufferPointer, _ body: (Frame) -> Void) {
    for index in bytes.indices {
      push(bytes[index], body)
      _ = framer.fill(from: UnsafeRawBufferPointer(rebasing: bytes[index...index]))
      while let frame = framer.next() {
        guard frame.kind.isBinary else { continue }
        body(.binary(frame.kind, framer.withBytes(of: frame) { Array($0) }))
      }
    }
  }

  private mutating func push(_ byte: UInt8, _ body: (Frame) -> Void) {
    switch byte {
    case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
      if let line = SetupLine(line) { body(.line(line)) }
      line.removeAll(keepingCapacity: true)
    case UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "<"):
      line.removeAll(keepingCapacity: true)
      line.append(byte)
    case 0x20..<0x7F where !line.isEmpty && line.count < Self.longestLine: line.append(byte)
    default: line.removeAll(keepingCapacity: true)
    }
  }
}
