public import LinuxIO

/// The output of GDL 90.
public struct GDL90Settings: Sendable, Equatable {
  /// Where datagrams are sent; nil for nowhere.
  public var destination: DatagramAddress?

  static var keys: [ServeKey] {
    [
      ServeKey(
        "gdl90-udp", allowed: "ADDRESS:PORT, such as 192.168.10.20:4000", \.gdl90.destination,
        read: { DatagramAddress($0).map(Optional.some) }, text: { $0?.description })
    ]
  }
}
