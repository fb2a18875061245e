/// Why something did not work over D-Bus. The description is one line that names the bus, who was asked for
/// what, and the remedy.
public struct DBusError: Error, Equatable, Sendable {
  /// What kind of fault it is.
  public var kind: Kind
  /// The bus, such as `system bus`.
  public var bus: String
  /// The service that was asked; nil where the bus itself is meant.
  public var service: String?
  /// The interface and method, such as `org.bluez.Adapter1.StartDiscovery`; nil where none was called.
  public var method: String?

  /// Makes an error.
  public init(_ kind: Kind, bus: String, service: String? = nil, method: String? = nil) {
    self.kind = kind
    self.bus = bus
    self.service = service
    self.method = method
  }

  /// The kinds of fault, as far as they have different remedies.
  public enum Kind: Equatable, Sendable {
    /// libdbus is not installed.
    case libraryMissing
    /// Nobody listens at the bus's address, or the address is not valid; what libdbus says.
    case busMissing(String)
    /// The connection ended before the answer came.
    case disconnected
    /// Nobody owns the service's name and the bus cannot start it.
    case serviceMissing
    /// The bus's policy or the service refuses; what it says.
    case accessDenied(String)
    /// No answer within so many seconds.
    case timedOut(seconds: Double)
    /// The service answers with an error of its own.
    case refused(name: String, message: String)
    /// The answer has other values than the interface promises, or more than are accepted.
    case unexpectedAnswer(String)
    /// A name, a path or a value that D-Bus cannot carry.
    case invalidMessage(String)
  }

  /// The fault that an error's D-Bus name stands for.
  /// - Source: D-Bus Specification 0.43, and the names of dbus-protocol.h that the reference daemon sends.
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
  /// One line for people.
  public var description: String {
    let place = [bus, service, method].compactMap { $0 }.joined(separator: " ")
    return "\(place): \(what)"
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
      "no answer within \(seconds) s; look at the service with systemctl status"
    case .refused(let name, let message): "refused with \(name): \(message)"
    case .unexpectedAnswer(let what): "unexpected answer, \(what); its version may be too old"
    case .invalidMessage(let what): "cannot be sent, \(what)"
    }
  }
}
