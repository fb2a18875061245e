public import LinuxIO

/// The output of GDL 90.
public struct GDL90Settings: Sendable, Equatable {
  /// Where datagrams are sent; nil for nowhere.
  public var destination: DatagramAddress?

  static var keys: [ServeKey] {
    [
      .datagrams("gdl90-udp", example: "192.168.10.20:4000", \.gdl90.destination)
    ]
  }
}
