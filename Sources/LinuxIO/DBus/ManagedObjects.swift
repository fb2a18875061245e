/// A service's objects with their interfaces and properties, from its ObjectManager.
public struct ManagedObjects: Equatable, Sendable {
  /// Properties by name, by interface, by path.
  public var objects: [String: [String: [String: DBusValue]]]

  /// Reads the answer of `GetManagedObjects`; nil for an invalid one.
  public init?(_ answer: [DBusValue]) {
    guard let entries = answer.first?.entries else { return nil }
    objects = [:]
    for entry in entries {
      guard let path = entry.key.text, let interfaces = entry.value.members else { return nil }
      objects[path] = interfaces.compactMapValues(\.members)
    }
  }
}

extension DBusConnection {
  /// Requests the objects of a service's ObjectManager.
  /// - Parameters:
  ///   - service: The service.
  ///   - path: Its ObjectManager's path.
  /// - Returns: The objects.
  /// - Throws: `DBusError` without a valid answer.
  public func managedObjects(
    of service: String, at path: String = "/"
  ) throws(DBusError) -> ManagedObjects {
    let interface = "org.freedesktop.DBus.ObjectManager"
    let answer = try call(DBusCall(service, path, interface, "GetManagedObjects"))
    guard let objects = ManagedObjects(answer) else {
      throw DBusError(
        .unexpectedAnswer("no list of objects"), bus: address.name, service: service,
        method: interface + ".GetManagedObjects")
    }
    return objects
  }
}
