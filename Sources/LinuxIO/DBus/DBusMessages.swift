/// A method call to a service.
public struct DBusCall: Equatable, Sendable {
  /// The service's name, such as `org.bluez`.
  public var service: String
  /// The object's path.
  public var path: String
  /// The interface.
  public var interface: String
  /// The method.
  public var method: String
  /// The arguments.
  public var arguments: [DBusValue]

  /// Makes a call.
  public init(
    _ service: String, _ path: String, _ interface: String, _ method: String,
    _ arguments: [DBusValue] = []
  ) {
    self.service = service
    self.path = path
    self.interface = interface
    self.method = method
    self.arguments = arguments
  }
}

/// A received signal, or one to send.
public struct DBusSignal: Equatable, Sendable {
  /// The sender's unique name; nil in a signal to send.
  public var sender: String?
  /// The unique name of the only receiver of a signal to send; nil for all that subscribe.
  public var destination: String?
  /// The object's path.
  public var path: String
  /// The interface.
  public var interface: String
  /// The signal's name.
  public var name: String
  /// The arguments.
  public var arguments: [DBusValue]

  /// Makes a signal.
  public init(
    _ path: String, _ interface: String, _ name: String, _ arguments: [DBusValue] = [],
    to destination: String? = nil
  ) {
    self.path = path
    self.interface = interface
    self.name = name
    self.arguments = arguments
    self.destination = destination
  }
}

/// A rule that selects signals.
public struct DBusMatch: Equatable, Hashable, Sendable {
  /// The sending service. Signals of other senders are not delivered.
  public var service: String
  /// The interface.
  public var interface: String
  /// The signal's name.
  public var name: String
  /// The object path and its descendants; nil for all.
  public var pathNamespace: String?
  /// The first argument, a string; nil for any.
  public var firstArgument: String?

  /// Makes a rule.
  public init(
    service: String, interface: String, name: String, pathNamespace: String? = nil,
    firstArgument: String? = nil
  ) {
    self.service = service
    self.interface = interface
    self.name = name
    self.pathNamespace = pathNamespace
    self.firstArgument = firstArgument
  }

  /// The rule in the bus's syntax.
  var rule: String {
    var rule = "type='signal',sender='\(service)',interface='\(interface)',member='\(name)'"
    if let pathNamespace { rule += ",path_namespace='\(pathNamespace)'" }
    if let firstArgument { rule += ",arg0='\(firstArgument)'" }
    return rule
  }

  /// Whether a signal matches; does not check the sender.
  func accepts(_ signal: DBusSignal) -> Bool {
    guard signal.interface == interface, signal.name == name else { return false }
    if let pathNamespace, pathNamespace != "/", signal.path != pathNamespace,
      !signal.path.hasPrefix(pathNamespace + "/")
    {
      return false
    }
    guard let firstArgument else { return true }
    return signal.arguments.first?.text == firstArgument
  }
}

/// A method call to an object of this process.
public struct DBusIncomingCall: Equatable, Sendable {
  /// The caller's unique name.
  public var sender: String
  /// The object's path.
  public var path: String
  /// The interface; empty if the caller sent none.
  public var interface: String
  /// The method.
  public var method: String
  /// The arguments.
  public var arguments: [DBusValue]
}

/// The answer of an object of this process.
public enum DBusAnswer: Equatable, Sendable {
  /// The method's results.
  case values([DBusValue])
  /// An error by its D-Bus name.
  case fault(name: String, message: String)

  /// The error for an unknown method.
  public static func unknownMethod(_ call: DBusIncomingCall) -> DBusAnswer {
    .fault(
      name: "org.freedesktop.DBus.Error.UnknownMethod",
      message: "\(call.path) has no method \(call.interface).\(call.method)")
  }
}

extension DBusCall {
  /// A call to the bus itself.
  package static func bus(_ method: String, _ arguments: [DBusValue] = []) -> DBusCall {
    DBusCall(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, arguments)
  }
}

/// The registration of a subscription or an exported object; ends when cancelled or released.
public final class DBusRegistration: Sendable {
  private let end: @Sendable () -> Void

  init(onEnd end: @escaping @Sendable () -> Void) { self.end = end }

  /// Ends the registration. A callback in progress may still run.
  public func cancel() { end() }

  deinit { end() }
}
