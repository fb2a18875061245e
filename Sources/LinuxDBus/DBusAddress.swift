import Foundation

/// Where a message bus listens.
public struct DBusAddress: Equatable, Sendable {
  /// D-Bus's notation, such as `unix:path=/run/dbus/system_bus_socket`.
  public var text: String
  /// What messages to people call it.
  public var name: String

  /// An address of one's own, for tests and containers.
  public init(_ text: String) {
    self.text = text
    name = "bus at \(text)"
  }

  /// The system's bus: what `DBUS_SYSTEM_BUS_ADDRESS` says, else the specification's place.
  /// - Source: D-Bus Specification 0.43, System message bus.
  public static var system: DBusAddress {
    let named = ProcessInfo.processInfo.environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? ""
    var address = DBusAddress(
      named.isEmpty ? "unix:path=/var/run/dbus/system_bus_socket" : named)
    address.name = named.isEmpty ? "system bus" : "system bus at \(named)"
    return address
  }
}
