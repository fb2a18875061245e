#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A user in a policy file.
public enum PolicyUser: Sendable, Hashable, CustomStringConvertible {
  /// A user's number.
  case number(UInt32)
  /// A user's name, as in the user database.
  case name(String)

  /// Reads a number or a name.
  /// - Returns: nil for a text that is neither.
  public init?(_ text: String) {
    guard let first = text.utf8.first, text.utf8.count <= 256, first != UInt8(ascii: "-") else {
      return nil
    }
    if text.utf8.allSatisfy(Self.digits.contains) {
      // The greatest number stands for no user in chown(2) and setreuid(2).
      guard let number = UInt32(text), number != .max else { return nil }
      self = .number(number)
    } else {
      guard text.utf8.allSatisfy(Self.isOfName) else { return nil }
      self = .name(text)
    }
  }

  /// The user's number; nil for a name that the user database does not have.
  public var number: UInt32? {
    switch self {
    case .number(let number): return number
    case .name(let name):
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      var text = [CChar](repeating: 0, count: 16_384)
      guard getpwnam_r(name, &entry, &text, text.count, &found) == 0, found != nil else {
        return nil
      }
      return entry.pw_uid
    }
  }

  /// As in the file.
  public var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .name(let name): name
    }
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
