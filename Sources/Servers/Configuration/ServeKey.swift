import LinuxIO

/// An option of the daemon's file: how its text is read and written. `Documentation/Servers.md` and
/// `serve.yaml` describe each.
public struct ServeKey {
  /// The key in the file.
  public let name: String
  /// The allowed values, for messages.
  public let allowed: String
  /// The value of a configuration; nil for none.
  package let text: (ServeConfiguration) -> String?
  /// Sets the value; false for a text that is not allowed.
  package let set: (inout ServeConfiguration, String) -> Bool

  /// A key of any type.
  init<Value>(
    _ name: String, allowed: String, _ path: WritableKeyPath<ServeConfiguration, Value>,
    read: @escaping (String) -> Value?, text: @escaping (Value) -> String?
  ) {
    (self.name, self.allowed) = (name, allowed)
    self.text = { text($0[keyPath: path]) }
    set = { configuration, text in
      guard let value = read(text) else { return false }
      configuration[keyPath: path] = value
      return true
    }
  }

  /// A whole number; `unit` is the value of 1 in the property's unit.
  static func number(
    _ name: String, _ range: ClosedRange<Int>, unit: Int = 1,
    _ path: WritableKeyPath<ServeConfiguration, Int>
  ) -> ServeKey {
    ServeKey(name, allowed: "\(range.lowerBound) to \(range.upperBound)", path) {
      Int($0).flatMap { range.contains($0) ? $0 * unit : nil }
    } text: {
      "\($0 / unit)"
    }
  }

  /// A whole number of seconds.
  static func seconds(
    _ name: String, _ range: ClosedRange<Int>, _ path: WritableKeyPath<ServeConfiguration, Double>
  ) -> ServeKey {
    ServeKey(name, allowed: "\(range.lowerBound) to \(range.upperBound) s", path) {
      Int($0).flatMap { range.contains($0) ? Double($0) : nil }
    } text: {
      "\(Int(bounded: $0))"
    }
  }

  /// A port, 0 for none.
  static func port(
    _ name: String, _ path: WritableKeyPath<ServeConfiguration, Int?>
  ) -> ServeKey {
    ServeKey(name, allowed: "1 to 65535, or 0 for none", path) {
      Int($0).flatMap { (0...65_535).contains($0) ? .some($0 == 0 ? nil : $0) : nil }
    } text: {
      "\($0 ?? 0)"
    }
  }

  /// Where datagrams are sent, with an example; absent for nowhere.
  static func datagrams(
    _ name: String, example: String,
    _ path: WritableKeyPath<ServeConfiguration, DatagramAddress?>
  ) -> ServeKey {
    ServeKey(name, allowed: "ADDRESS:PORT, such as \(example)", path) {
      DatagramAddress($0).map(Optional.some)
    } text: {
      $0?.description
    }
  }

  /// A text.
  static func text(
    _ name: String, allowed: String, _ path: WritableKeyPath<ServeConfiguration, String>
  ) -> ServeKey {
    ServeKey(name, allowed: allowed, path, read: { $0 }, text: { $0 })
  }

  /// A text that may be absent.
  static func text(
    _ name: String, allowed: String, _ path: WritableKeyPath<ServeConfiguration, String?>
  ) -> ServeKey {
    ServeKey(name, allowed: allowed, path, read: { .some($0) }, text: { $0 })
  }

  /// An absolute path that may be absent.
  static func path(
    _ name: String, allowed: String = "an absolute path",
    _ path: WritableKeyPath<ServeConfiguration, String?>
  ) -> ServeKey {
    ServeKey(name, allowed: allowed, path) {
      $0.hasPrefix("/") ? .some($0) : nil
    } text: {
      $0
    }
  }

  /// The mode of a socket's file.
  static func mode(
    _ name: String, _ path: WritableKeyPath<ServeConfiguration, UInt32>
  ) -> ServeKey {
    ServeKey(name, allowed: "an octal mode of a socket, 0600 to 0666", path) {
      UInt32($0, radix: 8).flatMap { (0o600...0o666).contains($0) ? $0 : nil }
    } text: {
      "0" + String($0, radix: 8)
    }
  }

  /// True or false.
  static func flag(
    _ name: String, _ path: WritableKeyPath<ServeConfiguration, Bool>
  ) -> ServeKey {
    ServeKey(name, allowed: "true or false", path) {
      ["true": true, "false": false][$0]
    } text: {
      "\($0)"
    }
  }

  /// On or off.
  static func onOff(
    _ name: String, _ path: WritableKeyPath<ServeConfiguration, Bool>
  ) -> ServeKey {
    ServeKey(name, allowed: "on or off", path) {
      ["on": true, "off": false][$0]
    } text: {
      $0 ? "on" : "off"
    }
  }

  /// The keys of the socket, the limits and the start of applications.
  static var daemon: [ServeKey] {
    [
      .mode("mode", \.socketMode),
      .text("group", allowed: "the name of a group", \.socketGroup),
      .number("most-clients", 1...1024, \.mostClients),
      .number("most-requests", 1...4096, \.mostRequests),
      .number("most-queued-kib", 64...65_536, unit: 1024, \.mostQueuedBytes),
      .number("most-applications", 1...1024, \.mostApplications),
      .number("most-stored-kib", 64...65_536, unit: 1024, \.mostStoredBytes),
      .text("launcher", allowed: "the path of a program", \.launcher),
      .seconds("launch-interval", 1...86_400, \.launchInterval),
      .seconds("launch-grace", 0...3600, \.launchGrace),
    ]
  }

  /// The keys of the source's recording.
  static var recording: [ServeKey] {
    [
      .path("recording", allowed: "the absolute path of a folder", \.recording.folder),
      .number("recording-megabytes", 1...10_000, \.recording.megabytes),
      .number("recording-minutes", 1...10_080, \.recording.minutes),
      .number("recording-keep", 1...100_000, \.recording.mostFiles),
      .number("recording-reserve", 0...1_000_000, \.recording.reserveMegabytes),
      .onOff("recording-position", \.recording.hasPosition),
    ]
  }

  /// All keys except those of the source and the paths, which the command line reads.
  package static var all: [ServeKey] { daemon + recording + ServerCatalogue.kinds.flatMap(\.keys) }

  /// The allowed values of a key, if a text is none of them; nil for an allowed text.
  public static func fault(of text: String, for name: String) -> String? {
    var configuration = ServeConfiguration(socketPath: "", stateFolder: "")
    guard let key = all.first(where: { $0.name == name }) else { return "a known key" }
    return key.set(&configuration, text) ? nil : key.allowed
  }

  /// Sets allowed values.
  public static func apply(_ values: [String: String], to configuration: inout ServeConfiguration) {
    for key in all {
      if let text = values[key.name] { _ = key.set(&configuration, text) }
    }
  }
}
