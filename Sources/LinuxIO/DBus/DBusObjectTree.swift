import Synchronization

/// Objects of this process below one root, with properties, and with an ObjectManager at the root
/// that lists them and announces changes.
/// - Source: D-Bus Specification 0.43, Standard Interfaces.
public final class DBusObjectTree: Sendable {
  private static let objects = "org.freedesktop.DBus.ObjectManager"
  private static let properties = "org.freedesktop.DBus.Properties"

  /// Answers the methods of one interface.
  public typealias Methods = @Sendable (DBusIncomingCall) -> DBusAnswer

  private struct Interface {
    var properties: [String: DBusValue]
    var methodNames: [String]
    var methods: Methods
  }

  private let connection: DBusConnection
  private let root: String
  private let state = Mutex(State())

  private struct State {
    var interfaces: [String: [String: Interface]] = [:]
    var exports: [String: DBusRegistration] = [:]
  }

  /// Makes an empty tree and exports its root.
  public init(_ connection: DBusConnection, root: String) {
    self.connection = connection
    self.root = root
    export(root)
  }

  private func export(_ path: String) {
    let registration = connection.export(path) { [weak self] call in
      self?.answer(call) ?? .unknownMethod(call)
    }
    state.withLock { $0.exports[path] = registration }
  }

  /// Adds an interface to a new or existing object, and sends the signal.
  /// - Parameters:
  ///   - interface: The interface.
  ///   - path: The object's path.
  ///   - properties: Its properties.
  ///   - methodNames: Its methods without arguments, for its description.
  ///   - methods: Answers its methods.
  /// - Throws: `DBusError` if the signal cannot be sent.
  public func add(
    _ interface: String, at path: String, properties: [String: DBusValue] = [:],
    methodNames: [String] = [],
    methods: @escaping Methods = { .unknownMethod($0) }
  ) throws(DBusError) {
    let isNew = state.withLock { state in
      state.interfaces[path, default: [:]][interface] = Interface(
        properties: properties, methodNames: methodNames, methods: methods)
      return state.exports[path] == nil
    }
    if isNew { export(path) }
    let added = DBusValue.dictionary(
      key: "s", value: "a{sv}", [DBusValue.Entry(.string(interface), .properties(properties))])
    try connection.send(
      DBusSignal(root, Self.objects, "InterfacesAdded", [.objectPath(path), added]))
  }

  /// Changes properties, and sends the signal.
  /// - Parameters:
  ///   - changes: The properties' new values.
  ///   - interface: The interface.
  ///   - path: The object's path.
  ///   - clients: The unique names of the only receivers of the signal; nil for all that subscribe.
  /// - Throws: `DBusError` if the signal cannot be sent.
  public func change(
    _ changes: [String: DBusValue], of interface: String, at path: String,
    for clients: [String]? = nil
  ) throws(DBusError) {
    state.withLock { state in
      state.interfaces[path]?[interface]?.properties.merge(changes) { _, new in new }
    }
    let arguments: [DBusValue] = [.string(interface), .properties(changes), .array(of: "s", [])]
    for client in clients.map({ $0.map(Optional.some) }) ?? [nil] {
      try connection.send(
        DBusSignal(path, Self.properties, "PropertiesChanged", arguments, to: client))
    }
  }

  /// Removes an object, and sends the signal.
  /// - Throws: `DBusError` if the signal cannot be sent.
  public func remove(_ path: String) throws(DBusError) {
    let (gone, export) = state.withLock { state in
      (
        state.interfaces.removeValue(forKey: path),
        path == root ? nil : state.exports.removeValue(forKey: path)
      )
    }
    export?.cancel()
    guard let gone else { return }
    let names = gone.keys.sorted().map(DBusValue.string)
    let arguments: [DBusValue] = [.objectPath(path), .array(of: "s", names)]
    try connection.send(DBusSignal(root, Self.objects, "InterfacesRemoved", arguments))
  }

  /// Removes all objects without signals.
  public func close() {
    let ended = state.withLock { state in
      defer { state = State() }
      return Array(state.exports.values)
    }
    for registration in ended { registration.cancel() }
  }

  private func answer(_ call: DBusIncomingCall) -> DBusAnswer {
    if DBusIntrospection.isRequested(by: call) { return .values([.string(text(of: call.path))]) }
    switch (call.interface, call.method) {
    case (Self.objects, "GetManagedObjects") where call.path == root: return .values([list])
    case (Self.properties, "GetAll"):
      let name = call.arguments.first?.text ?? ""
      guard let found = state.withLock({ $0.interfaces[call.path]?[name] }) else {
        return .unknownMethod(call)
      }
      return .values([.properties(found.properties)])
    case (Self.properties, "Get"):
      let names = call.arguments.map { $0.text ?? "" }
      guard names.count == 2,
        let value = state.withLock({ $0.interfaces[call.path]?[names[0]]?.properties[names[1]] })
      else {
        return .fault(
          name: "org.freedesktop.DBus.Error.UnknownProperty", message: "no such property")
      }
      return .values([.variant(value)])
    default:
      guard let found = state.withLock({ $0.interfaces[call.path]?[call.interface] }) else {
        return .unknownMethod(call)
      }
      return found.methods(call)
    }
  }

  /// The description of an object.
  private func text(of path: String) -> String {
    let (interfaces, paths) = state.withLock { state in
      (state.interfaces[path] ?? [:], Array(state.exports.keys))
    }
    return DBusIntrospection.text(
      interfaces.sorted { $0.key < $1.key }.map { name, interface in
        DBusIntrospection.Interface(
          name: name, properties: interface.properties.mapValues(\.signature),
          methods: interface.methodNames)
      }, nodes: DBusIntrospection.children(of: path, among: paths))
  }

  private var list: DBusValue {
    let all = state.withLock { $0.interfaces }
    let entries = all.sorted { $0.key < $1.key }.map { path, interfaces in
      let each = interfaces.sorted { $0.key < $1.key }.map { name, interface in
        DBusValue.Entry(.string(name), .properties(interface.properties))
      }
      return DBusValue.Entry(.objectPath(path), .dictionary(key: "s", value: "a{sv}", each))
    }
    return .dictionary(key: "o", value: "a{sa{sv}}", entries)
  }
}
