import LinuxIO
import ReceiverProtocols

/// The CAN interface at which Lodestar is a device of NMEA 2000.
public struct NMEA2000Settings: Sendable, Equatable {
  /// The name of the interface, or the absolute path of a Unix socket; nil for none.
  public var interface: String?
  /// The address that is claimed first.
  public var address = 35

  /// Makes the default settings: no interface.
  public init() {}

  static var keys: [ServeKey] {
    [
      ServeKey(
        "nmea2000-interface",
        allowed: "the name of a CAN interface, such as can0, or the absolute path of a socket",
        \.nmea2000.interface,
        read: { CANInterface.isName($0) ? .some($0) : nil }, text: { $0 }),
      .number("nmea2000-address", 0...Int(AddressClaim.greatestAddress), \.nmea2000.address),
    ]
  }
}
