import Configuration
import LinuxIO

/// The daemon's configuration file: YAML whose keys are the names of the command line's options.
public struct ServeFile: Sendable, Equatable {
  /// The keys of the source and of the paths. `ServeOptions` reads them.
  private static let startKeys = [
    "activity", "board", "calibration", "date", "gpsd", "load-file", "load-gain", "mount",
    "online-calibration", "pace", "qnh", "replay", "simulate", "socket", "state",
  ]
  /// The allowed keys.
  public static var keys: [String] { (startKeys + ServeKey.all.map(\.name)).sorted() }

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
      text = try LinuxFiles.ofDaemon.text(of: path)
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

  /// Sets the options of the daemon and its servers from the file.
  /// - Throws: `ServeFileError` with the line.
  public func apply(to configuration: inout ServeConfiguration) throws(ServeFileError) {
    for key in ServeKey.all {
      guard let found = values[key.name] else { continue }
      guard key.set(&configuration, found.text) else {
        throw .refused(
          path: path, line: found.line, found: "\(key.name): '\(found.text)'", allowed: key.allowed)
      }
    }
  }

  /// The keys that differ from an earlier file and that only the start of the daemon reads, in
  /// alphabetical order.
  public func keysForRestart(since earlier: ServeFile) -> [String] {
    let ofServers = Set(ServerCatalogue.kinds.flatMap(\.keys).map(\.name))
    return Set(values.keys).union(earlier.values.keys).subtracting(ofServers)
      .filter { self[$0] != earlier[$0] }
      .sorted()
  }
}

/// What a file that was read again changes.
public struct ServeChange: Sendable {
  /// The configuration, whose servers' options are used at once.
  public let configuration: ServeConfiguration
  /// The changed keys that are used after a restart.
  public let pending: [String]

  /// Makes a change.
  public init(configuration: ServeConfiguration, pending: [String]) {
    (self.configuration, self.pending) = (configuration, pending)
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
