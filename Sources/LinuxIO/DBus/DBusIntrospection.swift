/// The description of objects for tools such as `busctl` and for clients that ask for it before
/// they call.
/// - Source: D-Bus Specification 0.43, Introspection Data Format.
enum DBusIntrospection {
  /// An interface of an object: its name, the types of its readable properties, and its methods
  /// without arguments.
  struct Interface {
    var name: String
    var properties: [String: String]
    var methods: [String]
  }

  private static let head = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>

    """

  /// Whether a call requests the description.
  static func isRequested(by call: DBusIncomingCall) -> Bool {
    call.interface == "org.freedesktop.DBus.Introspectable" && call.method == "Introspect"
  }

  /// The names of the next parts of paths below a path, in alphabetical order.
  static func children(of path: String, among paths: some Sequence<String>) -> [String] {
    let start = path == "/" ? path : path + "/"
    let names = paths.compactMap { each -> String? in
      guard each.hasPrefix(start), each != start else { return nil }
      return each.dropFirst(start.count).split(separator: "/").first.map(String.init)
    }
    return Set(names).sorted()
  }

  /// The description of an object. Names and types of D-Bus need no escapes.
  static func text(_ interfaces: [Interface], nodes: [String]) -> String {
    var text = head
    for interface in interfaces {
      text += " <interface name=\"\(interface.name)\">\n"
      for method in interface.methods { text += "  <method name=\"\(method)\"/>\n" }
      for (name, type) in interface.properties.sorted(by: { $0.key < $1.key }) {
        text += "  <property name=\"\(name)\" type=\"\(type)\" access=\"read\"/>\n"
      }
      text += " </interface>\n"
    }
    for node in nodes { text += " <node name=\"\(node)\"/>\n" }
    return text + "</node>\n"
  }
}
