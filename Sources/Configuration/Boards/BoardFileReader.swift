import Yams

/// Reads the YAML nodes of a board file; errors have the line and column of the node.
struct BoardFileReader {
  let path: String

  static func document(_ text: String, _ path: String) throws(BoardFileError) -> Node {
    do {
      if let node = try compose(yaml: text) { return node }
    } catch let error as YamlError {
      throw refusal(of: error, path)
    } catch {
      throw .refused(path: path, line: 1, column: 1, found: "\(error)", allowed: "YAML")
    }
    throw .refused(
      path: path, line: 1, column: 1, found: "the file is empty", allowed: "board: NAME, mount, …")
  }

  private static func refusal(of error: YamlError, _ path: String) -> BoardFileError {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      .refused(
        path: path, line: mark.line, column: mark.column, found: "not YAML: \(problem)",
        allowed: "YAML, indented by blanks")
    default:
      .refused(path: path, line: 1, column: 1, found: "not YAML: \(error)", allowed: "YAML")
    }
  }

  func refusal(_ node: Node, _ found: String, _ allowed: String) -> BoardFileError {
    let mark = node.mark
    return .refused(
      path: path, line: mark?.line ?? 1, column: mark?.column ?? 1, found: found, allowed: allowed)
  }

  func mapping(
    _ node: Node, allowed: [String], called what: String
  ) throws(BoardFileError) -> [String: Node] {
    guard let mapping = node.mapping else {
      throw refusal(node, "\(what) needs a list of keys", allowed.joined(separator: ", "))
    }
    var result: [String: Node] = [:]
    for (key, value) in mapping {
      guard let name = key.string, allowed.contains(name) else {
        throw refusal(
          key, "unknown key '\(key.string ?? "?")'", allowed.joined(separator: ", "))
      }
      guard result.updateValue(value, forKey: name) == nil else {
        throw refusal(key, "duplicate key '\(name)'", "each key once")
      }
    }
    return result
  }

  func string(_ node: Node, called what: String) throws(BoardFileError) -> String {
    guard let text = node.scalar?.string, !text.isEmpty else {
      throw refusal(node, "this is not \(what)", "a text")
    }
    return text
  }

  func number(
    _ node: Node, _ name: String, _ unit: String, in range: ClosedRange<Double>
  ) throws(BoardFileError) -> Double {
    guard let value = node.float, range.contains(value) else {
      throw refusal(
        node, "'\(node.string ?? "?")' is not a valid \(name)",
        "\(unit) from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }
}
