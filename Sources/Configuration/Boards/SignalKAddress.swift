/// The address of a Signal K server and of one of its sources: `signalk://HOST[:PORT][/SOURCE]` for
/// its stream of lines, `signalk-ws://…` for its WebSocket.
public struct SignalKAddress: Equatable, Sendable {
  /// How the deltas come.
  public enum Transport: String, CaseIterable, Sendable {
    /// Lines over TCP.
    case tcp = "signalk://"
    /// Messages of a WebSocket.
    case webSocket = "signalk-ws://"

    /// The port of signalk-server.
    /// - Source: signalk-server, `src/interfaces/tcp.ts` and its settings.
    public var usualPort: UInt16 { self == .tcp ? 8375 : 3000 }
  }

  /// How the deltas come.
  public var transport: Transport
  /// A host name, an IPv4 or an IPv6 address.
  public var host: String
  /// The server's port.
  public var port: UInt16
  /// The source to use, as in `$source`, such as `can0.43`; nil for the best one.
  public var source: String?

  /// The form of an address, for messages.
  public static var form: String {
    "signalk://HOST[:PORT][/SOURCE] or signalk-ws://HOST[:PORT][/SOURCE]"
  }

  /// Makes an address; by default of the transport's usual port and the best source.
  public init(
    _ transport: Transport = .tcp, host: String, port: UInt16? = nil, source: String? = nil
  ) {
    (self.transport, self.host, self.source) = (transport, host, source)
    self.port = port ?? transport.usualPort
  }

  /// Reads an address; nil for another text.
  public init?(_ text: String) {
    guard let transport = Transport.allCases.first(where: { text.hasPrefix($0.rawValue) }),
      let place = NetworkPlace(text.dropFirst(transport.rawValue.count)), let host = place.host,
      !host.contains(where: { $0.isWhitespace || $0.asciiValue == nil }),
      place.rest.isEmpty || place.rest.first == "/"
    else { return nil }
    let source = place.rest.dropFirst()
    self.init(
      transport, host: host, port: place.port, source: source.isEmpty ? nil : String(source))
  }

  /// Whether a text is meant as such an address.
  package static func isNamed(by text: String) -> Bool {
    Transport.allCases.contains { text.hasPrefix($0.rawValue) }
  }

  /// Host and port.
  package var place: String { NetworkPlace.text(host, port) }

  /// The complete text of the address.
  public var text: String { transport.rawValue + place + (source.map { "/\($0)" } ?? "") }
}

extension Board.Receiver {
  /// The Signal K server that provides the receiver; nil where `port` is another one.
  public var signalK: SignalKAddress? { SignalKAddress(port) }

  /// Whether commands can be sent to it: a server of gpsd, Signal K or sentences has set up its own,
  /// and so has a device of an NMEA 2000 bus.
  package var acceptsCommands: Bool {
    gpsd == nil && signalK == nil && feed == nil && can == nil
  }
}
