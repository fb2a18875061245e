/// A stream of an NTRIP caster: `ntrip://HOST[:PORT]/MOUNT`, or with TLS `ntrips://HOST:PORT/MOUNT`.
public struct NTRIPSource: Equatable, Sendable {
  /// Which stream of the caster.
  public enum MountPoint: Equatable, Sendable {
    /// The stream of a name.
    case named(String)
    /// The one whose station is nearest to the receiver.
    case nearest

    /// The longest name.
    /// - Source: the NTRIP source table, record STR: at most 100 characters.
    private static let longestName = 100

    /// Reads a name, or `nearest`; nil for what cannot be a name.
    public init?(_ text: String) {
      if text == "nearest" {
        self = .nearest
        return
      }
      guard Self.isName(text) else { return nil }
      self = .named(text)
    }

    fileprivate static func isName(_ text: String) -> Bool {
      !text.isEmpty && text.utf8.count <= longestName
        && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"/;?#%\"<>\\".utf8.contains($0) }
    }
  }

  /// The revisions of the protocol.
  public enum Version: String, CaseIterable, Sendable {
    /// `ICY 200 OK`.
    case one = "1"
    /// HTTP/1.1.
    case two = "2"
  }

  /// A name or an address, without brackets.
  public var host: String
  /// The caster's port.
  public var port: Int
  /// Whether the connection uses TLS.
  public var isEncrypted: Bool
  /// The stream; nil for the source table alone.
  public var mountPoint: MountPoint?
  /// A file whose first line is `USER:PASSWORD`; nil for a caster that requires none.
  public var credentialsPath: String?
  /// A file with the certificates to trust; nil for the system's.
  public var certificatesPath: String?
  /// The revision; nil for 2, and then 1 where the caster does not answer it.
  public var version: Version?
  /// The interval at which the receiver's position is sent to the caster, seconds; nil: never.
  /// Longer than a caster's limit, a virtual reference station ends; shorter than 1 s has no use.
  public var positionIntervalSeconds: Double?

  /// The port of NTRIP, assigned by IANA as rtcm-sc104.
  public static var usualPort: Int { 2101 }
  /// The permitted intervals of positions, seconds.
  public static var positionIntervals: ClosedRange<Double> { 1...3600 }
  /// The form of a source, for messages.
  public static var form: String { "ntrip://HOST[:PORT]/MOUNT or ntrips://HOST:PORT/MOUNT" }

  /// Makes a source.
  public init(
    host: String, port: Int = usualPort, isEncrypted: Bool = false, mountPoint: MountPoint? = nil
  ) {
    (self.host, self.port, self.isEncrypted) = (host, port, isEncrypted)
    self.mountPoint = mountPoint
  }

  /// Reads a source; nil for another text. Without a path it has no mount point.
  public init?(_ text: String) {
    guard let scheme = text.firstRange(of: "://"), Self.isNamed(by: text) else { return nil }
    isEncrypted = text.hasPrefix("ntrips")
    let rest = text[scheme.upperBound...]
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    var authority = rest[..<end]
    let path = rest[end...].dropFirst()
    if !path.isEmpty {
      guard MountPoint.isName(String(path)) else { return nil }
      mountPoint = .named(String(path))
    }
    if authority.hasPrefix("[") {
      // An IPv6 address is in brackets.
      guard let bracket = authority.firstIndex(of: "]") else { return nil }
      host = String(authority[authority.index(after: authority.startIndex)..<bracket])
      authority = authority[authority.index(after: bracket)...]
      guard host.utf8.allSatisfy({ "0123456789abcdefABCDEF:.%".utf8.contains($0) }) else {
        return nil
      }
    } else {
      let name = authority.prefix { $0 != ":" }
      host = String(name)
      authority = authority[name.endIndex...]
      let isName = host.utf8.allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
          || "-._".utf8.contains($0)
      }
      guard isName else { return nil }
    }
    // 253: the longest name of the domain name system (RFC 1035).
    guard !host.isEmpty, host.utf8.count <= 253 else { return nil }
    if authority.isEmpty {
      // TLS has no usual port.
      guard !isEncrypted else { return nil }
      port = Self.usualPort
    } else {
      guard authority.first == ":", let number = Int(authority.dropFirst()),
        (1...65_535).contains(number)
      else { return nil }
      port = number
    }
  }

  /// Whether a text is meant as such a source.
  package static func isNamed(by text: String) -> Bool {
    text.hasPrefix("ntrip://") || text.hasPrefix("ntrips://")
  }

  /// Whether an address may have a user and a password before its host: it has an @ that is not of
  /// a mount point's name. Such a text is not repeated in messages.
  package static func hasCredentials(_ text: String) -> Bool {
    guard let scheme = text.firstRange(of: "://") else { return false }
    return text[scheme.upperBound...].contains("@") && NTRIPSource(text) == nil
  }

  /// Whether the name of a file is rather user and password themselves.
  package static func isPassword(_ path: String) -> Bool {
    path.contains(":") && !path.contains("/")
  }

  /// A host and a port; an IPv6 address is in brackets.
  package static func authority(_ host: String, _ port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

extension NTRIPSource: CustomStringConvertible {
  /// The address, with the name of the mount point if it has one.
  public var description: String {
    let path = if case .named(let name) = mountPoint { "/\(name)" } else { "" }
    return "\(isEncrypted ? "ntrips" : "ntrip")://\(Self.authority(host, port))\(path)"
  }
}
