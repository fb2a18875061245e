/// A receiver's answer to a command.
public enum UBXAnswer: Equatable, Sendable {
  /// ACK-ACK: the command was taken.
  case acknowledged(UBXMessageName)
  /// ACK-NAK: the command was refused.
  case refused(UBXMessageName)
  /// MON-VER.
  case version(UBXVersion)
  /// A CFG message with its payload: the answer to a poll.
  case configuration(UBXMessageName, payload: [UInt8])

  /// Reads a frame's payload; nil for a message that is not an answer or is too short.
  init?(_ name: UBXMessageName, payload: [UInt8]) {
    switch name {
    case .acknowledged where payload.count >= 2:
      self = .acknowledged(UBXMessageName(payload[0], payload[1]))
    case .notAcknowledged where payload.count >= 2:
      self = .refused(UBXMessageName(payload[0], payload[1]))
    case .version:
      guard let version = UBXVersion(payload: payload) else { return nil }
      self = .version(version)
    case _ where name.messageClass == UBXMessageName.rate.messageClass:
      self = .configuration(name, payload: payload)
    default: return nil
    }
  }
}

/// The identification of a receiver.
/// - Source: ZED-F9P interface description, UBX-18010854 R04, MON-VER on page 140 and section 2.2,
///   "How to Determine the Supported Protocol Version": `PROTVER=27.00`. Receivers before protocol
///   version 18 have a blank there: `PROTVER 14.00`.
public struct UBXVersion: Equatable, Sendable {
  /// The firmware, such as `EXT CORE 1.00 (61ce84)`.
  public var software: String
  /// The module, such as `ZED-F9P`; nil where the receiver does not report it.
  public var module: String?
  /// Integer part of the protocol version; nil where the receiver does not report it.
  public var protocolMajor: Int?

  /// The first version that has CFG-VALSET.
  static var firstWithValues: Int { 27 }

  /// True where the receiver is configured by keys and values.
  public var hasValues: Bool { (protocolMajor ?? 0) >= Self.firstWithValues }

  private static var softwareBytes: Int { 30 }
  private static var hardwareBytes: Int { 10 }

  init?(payload: [UInt8]) {
    guard payload.count >= Self.softwareBytes + Self.hardwareBytes else { return nil }
    software = Self.text(payload[..<Self.softwareBytes])
    var start = Self.softwareBytes + Self.hardwareBytes
    while start + Self.softwareBytes <= payload.count {
      let entry = payload[start..<start + Self.softwareBytes]
      if let rest = Self.rest(of: entry, after: "PROTVER") {
        protocolMajor = Self.whole(rest)
      } else if let rest = Self.rest(of: entry, after: "MOD") {
        module = Self.text(rest)
      }
      start += Self.softwareBytes
    }
  }

  /// The text after a word and the following blank or equals sign.
  private static func rest(
    of entry: ArraySlice<UInt8>, after word: StaticString
  ) -> ArraySlice<UInt8>? {
    let count = word.utf8CodeUnitCount
    guard entry.count > count else { return nil }
    for place in 0..<count
    where entry[entry.startIndex + place] != word.utf8Start[place] { return nil }
    let separator = entry[entry.startIndex + count]
    guard separator == UInt8(ascii: "=") || separator == UInt8(ascii: " ") else { return nil }
    return entry[(entry.startIndex + count + 1)...]
  }

  private static func whole(_ digits: ArraySlice<UInt8>) -> Int? {
    var value: Int?
    // No version has more than three digits before its point.
    for byte in digits.prefix(3) {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { break }
      value = (value ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// The printable characters before the first zero byte.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      guard byte != 0 else { break }
      if byte >= 0x20, byte < 0x7F { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    }
    return text
  }
}
