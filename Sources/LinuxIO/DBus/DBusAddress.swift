import FoundationEssentials

/// The address of a message bus.
public struct DBusAddress: Equatable, Sendable {
  /// D-Bus's notation, such as `unix:path=/run/dbus/system_bus_socket`.
  public var text: String
  /// The name for messages.
  public var name: String

  /// A custom address, for tests and containers.
  public init(_ text: String) {
    self.text = text
    name = "bus at \(text)"
  }

  /// The system bus: `DBUS_SYSTEM_BUS_ADDRESS`, else the specification's address.
  /// - Source: D-Bus Specification 0.43, System message bus.
  public static var system: DBusAddress {
    let named = ProcessInfo.processInfo.environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? ""
    var address = DBusAddress(
      named.isEmpty ? "unix:path=/var/run/dbus/system_bus_socket" : named)
    address.name = named.isEmpty ? "system bus" : "system bus at \(named)"
    return address
  }
}
