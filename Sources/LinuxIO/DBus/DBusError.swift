import Quantities

/// A fault of D-Bus. The description is one line with the bus, the service, the method and the
/// remedy.
public struct DBusError: Error, Equatable, Sendable {
  /// What kind of fault it is.
  public var kind: Kind
  /// The bus, such as `system bus`.
  public var bus: String
  /// The called service; nil for the bus itself.
  public var service: String?
  /// The interface and method, such as `org.bluez.Adapter1.StartDiscovery`; nil without a call.
  public var method: String?

  /// Makes an error.
  public init(_ kind: Kind, bus: String, service: String? = nil, method: String? = nil) {
    self.kind = kind
    self.bus = bus
    self.service = service
    self.method = method
  }

  /// The kinds of fault, one for each remedy.
  public enum Kind: Equatable, Sendable {
    /// libdbus is not installed.
    case libraryMissing
    /// No bus listens at the address, or the address is invalid; with libdbus's message.
    case busMissing(String)
    /// The connection ended before the answer.
    case disconnected
    /// The service's name has no owner and the bus cannot start the service.
    case serviceMissing
    /// The bus's policy or the service refuses; with its message.
    case accessDenied(String)
    /// No answer before the timeout.
    case timedOut(seconds: Double)
    /// The service answered with its own error.
    case refused(name: String, message: String)
    /// The answer's values differ from the interface, or exceed the limits.
    case unexpectedAnswer(String)
    /// A name, a path or a value that D-Bus cannot encode.
    case invalidMessage(String)
  }

  /// The fault for an error's D-Bus name.
  /// - Source: D-Bus Specification 0.43, and the names of dbus-protocol.h that the reference daemon
  ///   sends.
  static func kind(named name: String, message: String) -> Kind {
    switch name {
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
      "org.freedesktop.systemd1.NoSuchUnit":
      .serviceMissing
    case "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.AuthFailed",
      "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired":
      .accessDenied(message)
    default:
      name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
        ? .serviceMissing : .refused(name: name, message: message)
    }
  }
}

extension DBusError: CustomStringConvertible {
  /// One line to display.
  public var description: String {
    let place = [bus, service, method].compactMap { $0 }.joined(separator: " ")
    // The service's message is remote text.
    return String(printable: "\(place): \(what)", atMost: String.longestMessage)
  }

  private var what: String {
    switch kind {
    case .libraryMissing: "libdbus-1.so.3 is not installed; sudo apt install libdbus-1-3"
    case .busMissing(let says):
      "cannot connect (\(says)); start it with sudo systemctl start dbus, or sudo apt install dbus"
    case .disconnected: "the connection ended; try again once the bus is back"
    case .serviceMissing: "the service does not run; install its package and start its unit"
    case .accessDenied(let says):
      "access denied (\(says)); the service's policy file in /usr/share/dbus-1/system.d names the "
        + "users and groups that may"
    case .timedOut(let seconds):
      "no answer within \(seconds) s; check the service with systemctl status"
    case .refused(let name, let message): "refused with \(name): \(message)"
    case .unexpectedAnswer(let what): "unexpected answer, \(what); its version may be too old"
    case .invalidMessage(let what): "cannot be sent, \(what)"
    }
  }
}
