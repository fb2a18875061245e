/// Why a YAML file was refused. The description is one line without the path.
package struct YAMLFault: Error, Equatable, Sendable {
  /// The place, from 1.
  package var line: Int, column: Int
  /// The full key, such as `regions.dwell`.
  package var key: String
  package var kind: Kind

  package enum Kind: Equatable, Sendable {
    /// The file is not YAML.
    case syntax(String)
    /// A key that is not allowed there.
    case unknownKey(name: String, allowed: [String])
    /// A value that is not as expected.
    case value(found: String, expected: String)
    /// Another problem, with its own message.
    case other(String, expected: String)
  }

  init(line: Int, column: Int, key: String, _ kind: Kind) {
    (self.line, self.column, self.key, self.kind) = (line, column, key, kind)
  }

  /// What is wrong.
  package var problem: String {
    switch kind {
    case .syntax(let problem): "not YAML: \(problem)"
    case .unknownKey(let name, _): "unknown key '\(name)'"
    case .value(let found, _): "\(key): '\(found)'"
    case .other(let problem, _): problem
    }
  }

  /// The allowed values.
  package var allowed: String {
    switch kind {
    case .syntax(let problem) where problem.hasPrefix("duplicate key"): "each key once"
    case .syntax: "YAML, indented by blanks"
    case .unknownKey(_, let names): names.joined(separator: ", ")
    case .value(_, let expected), .other(_, let expected): expected
    }
  }
}
