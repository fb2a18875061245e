import LinuxIO

/// The WebSocket of Foxglove.
public struct FoxgloveSettings: Sendable, Equatable {
  /// The port.
  public var address = StreamAddress()
  /// Names by which browsers may address the server: those of `http-names`.
  var names: [String] = []

  static var keys: [ServeKey] {
    [
      .port("foxglove-port", \.foxglove.address.port),
      .text("foxglove-address", allowed: HTTPService.allowedHosts, \.foxglove.address.host),
    ]
  }
}
