/// The address of a gpsd daemon and of one of its devices: `gpsd://host:port/device`.
public struct GPSDAddress: Equatable, Sendable {
  /// A host name, an IPv4 or an IPv6 address.
  public var host: String
  /// The daemon's port.
  public var port: UInt16
  /// The path of the device to use, such as `/dev/ttyACM0`; nil for the best one.
  public var device: String?

  /// gpsd's port, assigned by IANA.
  public static var usualPort: UInt16 { 2947 }
  /// The prefix of an address.
  public static var scheme: String { "gpsd://" }
  /// The form of an address, for messages.
  public static var form: String { "gpsd://HOST[:PORT][/DEVICE], such as gpsd://localhost:2947" }

  /// Makes an address; by default of this machine's daemon.
  public init(host: String = "localhost", port: UInt16 = usualPort, device: String? = nil) {
    self.host = host
    self.port = port
    self.device = device
  }

  /// Reads an address; the defaults are `localhost`, port 2947 and the best device.
  ///
  /// The device follows a slash, which is the first of its path, or a colon:
  /// `gpsd://boat:2947/dev/ttyACM0`, `gpsd://boat:2947:/dev/ttyACM0`. An IPv6 address is in
  /// brackets.
  /// - Returns: nil for an invalid address.
  /// - Source: gpsd(8) of 3.22, "Remote gpsd feed", for the form with the second colon.
  public init?(_ text: String) {
    guard text.hasPrefix(Self.scheme) else { return nil }
    guard !text.contains(where: { $0.isWhitespace || $0.asciiValue == nil }),
      let place = NetworkPlace(text.dropFirst(Self.scheme.count))
    else { return nil }
    self.init(host: place.host ?? "localhost", port: place.port ?? Self.usualPort)
    var rest = place.rest
    if rest.first == ":" { rest = rest.dropFirst() }
    guard !rest.isEmpty, rest != "/" else { return }
    // A device may be an address itself, such as tcp://host:port: the slash before it does not
    // belong to it.
    let isAddress = rest.contains("://")
    guard rest.first == "/" || isAddress else { return nil }
    device = String(isAddress && rest.first == "/" ? rest.dropFirst() : rest)
  }

  /// The complete text of the address.
  public var text: String {
    let path = device.map { $0.hasPrefix("/") ? $0 : "/\($0)" } ?? ""
    return "\(Self.scheme)\(NetworkPlace.text(host, port))\(path)"
  }
}

extension Board.Receiver {
  /// The daemon that provides the receiver; nil where `port` is a device of this machine.
  public var gpsd: GPSDAddress? { GPSDAddress(port) }
}
