import Formats
import LinuxIO

/// The Signal K server.
public struct SignalKSettings: Sendable, Equatable {
  /// The port of HTTP and WebSockets.
  public var address = StreamAddress()
  /// Where deltas are sent as datagrams; nil for nowhere.
  public var destination: DatagramAddress?
  /// The vessel's Maritime Mobile Service Identity; nil for a generated UUID.
  public var mmsi: String?
  /// Names by which browsers may address the server: those of `http-names`.
  var names: [String] = []

  /// Makes the default settings: no output.
  public init() {}

  static var keys: [ServeKey] {
    [
      .port("signalk-port", \.signalK.address.port),
      .text("signalk-address", allowed: HTTPService.allowedHosts, \.signalK.address.host),
      .datagrams("signalk-udp", example: "192.168.1.20:8375", \.signalK.destination),
      ServeKey(
        "signalk-mmsi", allowed: "nine digits, the first 2 to 7", \.signalK.mmsi,
        read: { SignalKVessel(mmsi: $0) == nil ? nil : .some($0) }, text: { $0 }),
    ]
  }
}
