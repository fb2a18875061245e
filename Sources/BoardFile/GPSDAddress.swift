/// Where a gpsd daemon is, and which of its devices is wanted: `gpsd://host:port/device`.
public struct GPSDAddress: Equatable, Sendable {
  /// A name or an address of either version.
  public var host: String
  /// The daemon's port.
  public var port: UInt16
  /// The path of the only device that is wanted, such as `/dev/ttyACM0`; nil for the best.
  public var device: String?

  /// The port that gpsd has of the IANA.
  public static var usualPort: UInt16 { 2947 }
  /// What an address begins with.
  public static var scheme: String { "gpsd://" }
  /// How an address is written, for messages.
  public static var form: String { "gpsd://HOST[:PORT][/DEVICE], such as gpsd://localhost:2947" }

  /// Makes an address of this machine's daemon, or of another's.
  public init(host: String = "localhost", port: UInt16 = usualPort, device: String? = nil) {
    self.host = host
    self.port = port
    self.device = device
  }

  /// Reads an address; what is left out is `localhost`, port 2947, the best device.
  ///
  /// The device follows a slash, which is the first of its path, or a colon: `gpsd://boat:2947/dev/ttyACM0`,
  /// `gpsd://boat:2947:/dev/ttyACM0`. An address of version 6 stands in brackets.
  /// - Returns: nil where the text is no such address.
  /// - Source: gpsd(8) of 3.22, "Remote gpsd feed", for the form with the second colon.
  public init?(_ text: String) {
    guard text.hasPrefix(Self.scheme) else { return nil }
    var rest = text.dropFirst(Self.scheme.count)
    guard !text.contains(where: { $0.isWhitespace || $0.asciiValue == nil }) else { return nil }
    self.init()
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      guard !host.isEmpty else { return nil }
      rest = rest[rest.index(after: end)...]
    } else {
      let name = rest.prefix { $0 != ":" && $0 != "/" }
      if !name.isEmpty { host = String(name) }
      rest = rest.dropFirst(name.count)
    }
    if rest.first == ":" {
      let digits = rest.dropFirst().prefix { $0 != ":" && $0 != "/" }
      guard let number = UInt16(digits), number > 0 else { return nil }
      port = number
      rest = rest.dropFirst(1 + digits.count)
    }
    if rest.first == ":" { rest = rest.dropFirst() }
    guard !rest.isEmpty, rest != "/" else { return }
    // A device may be an address itself, such as tcp://host:port: the slash before it is no part of it.
    let isAddress = rest.contains("://")
    guard rest.first == "/" || isAddress else { return nil }
    device = String(isAddress && rest.first == "/" ? rest.dropFirst() : rest)
  }

  /// The address as it is written, whole.
  public var text: String {
    let place = host.contains(":") ? "[\(host)]" : host
    let path = device.map { $0.hasPrefix("/") ? $0 : "/\($0)" } ?? ""
    return "\(Self.scheme)\(place):\(port)\(path)"
  }
}

extension Board.Receiver {
  /// The daemon that the receiver is to be read from; nil where `port` is a device of this machine.
  public var gpsd: GPSDAddress? { GPSDAddress(port) }
}
