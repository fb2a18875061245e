/// Why a policy, or what was decided under it, cannot be used. The description is one line that names the
/// place, what is wrong and the remedy.
public enum PolicyError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A file or folder cannot be read.
  case unreadable(path: String, reason: String)
  /// A file is no YAML.
  case notYAML(path: String, line: Int, column: Int, problem: String)
  /// A key that no policy has, with those that it may have there.
  case unknownKey(path: String, line: Int, key: String, allowed: [String])
  /// A value that the key cannot have. `key` has the keys above it, with dots.
  case wrongValue(path: String, line: Int, key: String, found: String, expected: String)
  /// The group that the policy names is not one of this machine's.
  case unknownGroup(name: String)
  /// A text that cannot name an application.
  case noApplicationID(text: String)
  /// A decision cannot be kept or removed.
  case notKept(path: String, reason: String)
  /// The folder of the decisions cannot be listed.
  case decisionsUnreadable(folder: String, reason: String)
  /// A kept decision cannot be read, or is none.
  case damagedDecision(path: String, reason: String)

  /// One line for people.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path): cannot be read: \(reason); \(Self.meanwhile)"
    case .notYAML(let path, let line, let column, let problem):
      "\(path):\(line):\(column): not YAML: \(problem); \(Self.meanwhile)"
    case .unknownKey(let path, let line, let key, let allowed):
      "\(path):\(line): unknown key '\(key)'; allowed: \(allowed.joined(separator: ", ")); "
        + Self.meanwhile
    case .wrongValue(let path, let line, let key, let found, let expected):
      "\(path):\(line): \(key): '\(found)'; expected: \(expected); \(Self.meanwhile)"
    case .unknownGroup(let name):
      "the policy's group '\(name)' is not on this machine: make it with 'groupadd \(name)', or "
        + "take 'group' out of the policy; until then nobody but root is admitted"
    case .noApplicationID(let text):
      "'\(text)' cannot name an application: letters, digits, '.', '-' and '_', a letter or digit first"
    case .notKept(let path, let reason):
      "\(path): the decision cannot be kept: \(reason)"
    case .decisionsUnreadable(let folder, let reason):
      "\(folder): the decisions cannot be listed: \(reason)"
    case .damagedDecision(let path, let reason):
      "\(path): no decision: \(reason); remove the file to be asked again"
    }
  }

  private static let meanwhile = "until that is mended every application is restricted"
}
