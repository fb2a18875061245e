import Configuration
import LinuxIO

/// The daemon's configuration file: YAML whose keys are the names of the command line's options.
public struct ServeFile: Sendable, Equatable {
  /// The allowed keys.
  public static let keys =
    [
      "activity", "board", "calibration", "date", "gpsd", "gpsd-address", "gpsd-port", "group",
      "launch-grace",
      "launch-interval", "launcher", "load-file", "load-gain", "mode", "mount", "nmea-address",
      "nmea-port", "online-calibration", "pace", "qnh", "replay", "simulate", "socket", "state",
    ] + ServeBudget.all.map(\.key)

  /// The path of the file.
  public let path: String
  private var values: [String: Value] = [:]

  private struct Value: Equatable {
    var text: String
    var line: Int
  }

  /// Reads a file.
  public init(path: String) throws(ServeFileError) {
    let text: String
    do {
      text = try LinuxFiles().text(of: path)
    } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
    try self.init(text, path: path)
  }

  /// Reads a text.
  package init(_ text: String, path: String) throws(ServeFileError) {
    self.path = path
    do throws(YAMLFault) {
      // A file with only comments sets nothing.
      guard let root = try YAMLNode.root(of: text) else { return }
      for (name, node) in try root.values(of: Self.keys) {
        guard let text = node.text, !text.isEmpty else {
          throw node.fault("'\(name)' has no value", expected: "\(name): VALUE")
        }
        values[name] = Value(text: text, line: node.line)
      }
    } catch {
      throw .refused(
        path: path, line: error.line, found: error.problem, allowed: error.allowed)
    }
  }

  /// The text of a key's value; nil if the key is absent.
  public subscript(key: String) -> String? { values[key]?.text }

  /// The converted value of a key.
  /// - Parameters:
  ///   - key: The key.
  ///   - allowed: The allowed values, for the error.
  ///   - read: The conversion; nil for an invalid value.
  /// - Returns: nil if the key is absent.
  /// - Throws: `ServeFileError` with the line.
  public func value<Read>(
    _ key: String, allowed: String, _ read: (String) -> Read?
  ) throws(ServeFileError) -> Read? {
    guard let found = values[key] else { return nil }
    guard let value = read(found.text) else {
      throw .refused(
        path: path, line: found.line, found: "\(key): '\(found.text)'", allowed: allowed)
    }
    return value
  }

  /// Sets the server's options from the file.
  /// - Throws: `ServeFileError` with the line.
  public func apply(to configuration: inout ServeConfiguration) throws(ServeFileError) {
    func number(_ key: String, _ range: ClosedRange<Int>) throws(ServeFileError) -> Int? {
      try value(key, allowed: "\(range.lowerBound) to \(range.upperBound)") { text in
        Int(text).flatMap { range.contains($0) ? $0 : nil }
      }
    }
    let mode = try value("mode", allowed: "an octal mode of a socket, 0600 to 0666") { text in
      UInt32(text, radix: 8).flatMap { (0o600...0o666).contains($0) ? $0 : nil }
    }
    configuration.socketMode = mode ?? configuration.socketMode
    configuration.socketGroup = self["group"] ?? configuration.socketGroup
    for budget in ServeBudget.all {
      guard let value = try number(budget.key, budget.allowed) else { continue }
      configuration[keyPath: budget.path] = value * budget.unit
    }
    configuration.gpsd.set(port: try number("gpsd-port", StreamAddress.allowedPorts))
    configuration.gpsd.host = self["gpsd-address"] ?? configuration.gpsd.host
    configuration.nmea.set(port: try number("nmea-port", StreamAddress.allowedPorts))
    configuration.nmea.host = self["nmea-address"] ?? configuration.nmea.host
    configuration.launcher = self["launcher"] ?? configuration.launcher
    configuration.launchInterval =
      try number("launch-interval", 1...86_400).map(Double.init) ?? configuration.launchInterval
    configuration.launchGrace =
      try number("launch-grace", 0...3600).map(Double.init) ?? configuration.launchGrace
  }
}

/// Why a configuration file was refused. The description is one line that names the line and the
/// allowed values.
public enum ServeFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be opened or read.
  case unreadable(path: String, reason: String)
  /// An entry at a line, from 1, is invalid.
  case refused(path: String, line: Int, found: String, allowed: String)

  /// One line for the user.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .refused(let path, let line, let found, let allowed):
      "\(path):\(line): \(found); allowed: \(allowed)"
    }
  }
}
