/// The reason why a policy, or a recorded decision, cannot be used.
public enum PolicyError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A file or folder cannot be read.
  case unreadable(path: String, reason: String)
  /// A file is not valid YAML.
  case notYAML(path: String, line: Int, column: Int, problem: String)
  /// An unknown key, with the keys that are allowed in its place.
  case unknownKey(path: String, line: Int, key: String, allowed: [String])
  /// An invalid value. `key` includes the keys above it, separated by dots.
  case wrongValue(path: String, line: Int, key: String, found: String, expected: String)
  /// The group that the policy names does not exist on this machine.
  case unknownGroup(name: String)
  /// An invalid application identifier.
  case noApplicationID(text: String)
  /// A decision cannot be stored or removed.
  case notKept(path: String, reason: String)
  /// The folder of the decisions cannot be listed.
  case decisionsUnreadable(folder: String, reason: String)
  /// A recorded decision cannot be read or decoded.
  case damagedDecision(path: String, reason: String)

  /// One line: the place, what is wrong, and the effect or the remedy.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path): cannot be read: \(reason); \(Self.effect)"
    case .notYAML(let path, let line, let column, let problem):
      "\(path):\(line):\(column): not YAML: \(problem); \(Self.effect)"
    case .unknownKey(let path, let line, let key, let allowed):
      "\(path):\(line): unknown key '\(key)'; allowed: \(allowed.joined(separator: ", ")); "
        + Self.effect
    case .wrongValue(let path, let line, let key, let found, let expected):
      "\(path):\(line): \(key): '\(found)'; expected: \(expected); \(Self.effect)"
    case .unknownGroup(let name):
      "the policy's group '\(name)' does not exist: create it with 'groupadd \(name)', or remove "
        + "'group' from the policy; until then only root is admitted"
    case .noApplicationID(let text):
      "'\(text)': invalid application identifier; expected letters, digits, '.', '-' and '_', a letter or "
        + "digit first"
    case .notKept(let path, let reason):
      "\(path): the decision cannot be stored: \(reason)"
    case .decisionsUnreadable(let folder, let reason):
      "\(folder): the decisions cannot be listed: \(reason)"
    case .damagedDecision(let path, let reason):
      "\(path): the decision cannot be used: \(reason); remove the file so that the application may ask again"
    }
  }

  private static let effect = "every application is restricted until this is corrected"
}
