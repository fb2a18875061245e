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

/// A signal, received or to be sent.
public struct DBusSignal: Equatable, Sendable {
  /// The sender's unique name; nil in one that is to be sent.
  public var sender: String?
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
    _ path: String, _ interface: String, _ name: String, _ arguments: [DBusValue] = []
  ) {
    self.path = path
    self.interface = interface
    self.name = name
    self.arguments = arguments
  }
}

/// Which signals are wanted.
public struct DBusMatch: Equatable, Hashable, Sendable {
  /// The service whose signals they are. A signal of anybody else is not delivered, whatever it looks like.
  public var service: String
  /// The interface.
  public var interface: String
  /// The signal's name.
  public var name: String
  /// The object at which the paths begin; nil for all.
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

  /// The rule as the bus wants it.
  var rule: String {
    var rule = "type='signal',sender='\(service)',interface='\(interface)',member='\(name)'"
    if let pathNamespace { rule += ",path_namespace='\(pathNamespace)'" }
    if let firstArgument { rule += ",arg0='\(firstArgument)'" }
    return rule
  }

  /// Whether a signal fits, its sender aside.
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
  /// The interface; empty where the caller names none.
  public var interface: String
  /// The method.
  public var method: String
  /// The arguments.
  public var arguments: [DBusValue]
}

/// What an object of this process answers.
public enum DBusAnswer: Equatable, Sendable {
  /// The method's results.
  case values([DBusValue])
  /// An error by its D-Bus name.
  case fault(name: String, message: String)

  /// There is no such method.
  public static func unknownMethod(_ call: DBusIncomingCall) -> DBusAnswer {
    .fault(
      name: "org.freedesktop.DBus.Error.UnknownMethod",
      message: "\(call.path) has no method \(call.interface).\(call.method)")
  }
}

/// Keeps a subscription or an exported object until it is cancelled or released.
public final class DBusRegistration: Sendable {
  private let end: @Sendable () -> Void

  init(onEnd end: @escaping @Sendable () -> Void) { self.end = end }

  /// Ends it; a second call does nothing that matters. A call that is under way may still arrive.
  public func cancel() { end() }

  deinit { end() }
}
