import LinuxIO
import Quantities

/// The protocols for telescopes and antennas.
public struct PointingSettings: Sendable, Equatable {
  /// Who may align by a star.
  public enum Aligners: String, CaseIterable, Sendable {
    /// No client.
    case off
    /// Clients of this machine.
    case local
    /// Every client.
    case network
  }

  /// The port of Hamlib's `rotctld`.
  public var rotctl: Int?
  /// The port of the LX200 protocol.
  public var lx200: Int?
  /// The port of Stellarium's protocol.
  public var stellarium: Int?
  /// Their address.
  public var host = StreamAddress().host
  /// The axis of the body that points.
  public var axis = AxisDirection.forward
  /// Whether right ascension and declination are those of the star that is seen.
  public var hasRefraction = false
  /// Who may align by a star.
  public var aligners = Aligners.off

  static var keys: [ServeKey] {
    [
      .port("rotctl-port", \.pointing.rotctl),
      .port("lx200-port", \.pointing.lx200),
      .port("stellarium-port", \.pointing.stellarium),
      .text("pointing-address", allowed: StreamAddress.allowedHosts, \.pointing.host),
      ServeKey(
        "pointing-axis",
        allowed: AxisDirection.allCases.map(\.rawValue).joined(separator: ", "), \.pointing.axis,
        read: AxisDirection.init, text: \.rawValue),
      .onOff("pointing-refraction", \.pointing.hasRefraction),
      ServeKey(
        "pointing-align",
        allowed: Aligners.allCases.map(\.rawValue).joined(separator: ", "), \.pointing.aligners,
        read: Aligners.init, text: \.rawValue),
    ]
  }
}
