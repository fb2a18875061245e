#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A user in a policy file.
public struct PolicyUser: Sendable, Hashable, CustomStringConvertible {
  /// As in the file.
  public let description: String
  /// The user's number; nil for a name that the user database did not have when the policy was
  /// read. A lookup may ask a directory server, for which no client has to wait.
  public let number: UInt32?

  /// Reads a number or a name, and looks the name up in the user database.
  /// - Returns: nil for a text that is neither.
  public init?(_ text: String) {
    guard let first = text.utf8.first, text.utf8.count <= 256, first != UInt8(ascii: "-") else {
      return nil
    }
    description = text
    if text.utf8.allSatisfy(Self.digits.contains) {
      // The greatest number stands for no user in chown(2) and setreuid(2).
      guard let number = UInt32(text), number != .max else { return nil }
      self.number = number
    } else {
      guard text.utf8.allSatisfy(Self.isOfName) else { return nil }
      number = Self.number(of: text)
    }
  }

  private static func number(of name: String) -> UInt32? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var text = [CChar](repeating: 0, count: 16_384)
    guard getpwnam_r(name, &entry, &text, text.count, &found) == 0, found != nil else { return nil }
    return entry.pw_uid
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  /// The characters that useradd(8) allows, with those of the names of a domain.
  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case digits, UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: Array("_.-$@\\+".utf8).contains(byte)
    }
  }
}
