import Foundation
import Quantities
import Yams

extension Board {
  /// Reads a board file.
  /// - Throws: `BoardFileError` that names the line, the column and what is allowed there.
  public init(path: String) throws(BoardFileError) {
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      let reason =
        FileManager.default.fileExists(atPath: path)
        ? "it is not a UTF-8 text file" : "no such file"
      throw .unreadable(path: path, reason: reason)
    }
    try self.init(yaml: text, path: path)
  }

  /// Reads a board file's text; `path` is for messages.
  public init(yaml text: String, path: String) throws(BoardFileError) {
    let root = try BoardFileReader.document(text, path)
    let reader = BoardFileReader(path: path)
    let keys = try reader.mapping(
      root, allowed: ["board", "mount", "trim", "receiver"], called: "a board file")
    guard let name = keys["board"] else {
      throw reader.refusal(root, "the key 'board' is missing", "board: NAME")
    }
    self.init(name: try reader.string(name, called: "a name"))
    if let node = keys["mount"] { mount = try reader.mount(node) }
    if let node = keys["trim"] { trim = try reader.trim(node) }
    if let node = keys["receiver"] { receiver = try reader.receiver(node) }
  }
}

/// Walks the YAML nodes, which know their place in the file.
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
      throw refusal(node, "\(what) is a list of keys", allowed.joined(separator: ", "))
    }
    var result: [String: Node] = [:]
    for (key, value) in mapping {
      guard let name = key.string, allowed.contains(name) else {
        throw refusal(
          key, "unknown key '\(key.string ?? "?")'", allowed.joined(separator: ", "))
      }
      guard result.updateValue(value, forKey: name) == nil else {
        throw refusal(key, "'\(name)' stands twice", "each key once")
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

  func mount(_ node: Node) throws(BoardFileError) -> AxisMount {
    let keys = try mapping(node, allowed: ["x", "y", "z"], called: "a mount")
    func axis(_ name: String) throws(BoardFileError) -> AxisDirection {
      let words = AxisDirection.allCases.map(\.rawValue).joined(separator: ", ")
      guard let value = keys[name] else {
        throw refusal(node, "the mount lacks '\(name)'", "x, y and z, each one of \(words)")
      }
      guard let direction = AxisDirection(rawValue: value.string ?? "") else {
        throw refusal(value, "unknown direction '\(value.string ?? "?")'", words)
      }
      return direction
    }
    let (x, y, z) = (try axis("x"), try axis("y"), try axis("z"))
    guard let mount = AxisMount(x: x, y: y, z: z) else {
      throw refusal(
        node, "x \(x), y \(y), z \(z) is not a right-handed set of axes",
        "perpendicular directions with z the cross product of x and y")
    }
    return mount
  }

  func trim(_ node: Node) throws(BoardFileError) -> AttitudeAngles {
    let keys = try mapping(node, allowed: ["heading", "pitch", "roll"], called: "a trim")
    func angle(_ name: String) throws(BoardFileError) -> Angle {
      guard let value = keys[name] else { return .zero }
      guard let degrees = value.float, abs(degrees) <= 180 else {
        throw refusal(value, "'\(value.string ?? "?")' is no trim", "degrees from -180 to 180")
      }
      return Angle(degrees: degrees)
    }
    return AttitudeAngles(
      heading: try angle("heading"), pitch: try angle("pitch"), roll: try angle("roll"))
  }

  func receiver(_ node: Node) throws(BoardFileError) -> Board.Receiver {
    let keys = try mapping(node, allowed: ["port", "baud"], called: "a receiver")
    guard let port = keys["port"] else {
      throw refusal(node, "the receiver lacks 'port'", "port: /dev/…")
    }
    var receiver = Board.Receiver(port: try string(port, called: "a device"), baud: nil)
    if let baud = keys["baud"] {
      let rates = [4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]
      guard let value = baud.int, rates.contains(value) else {
        throw refusal(
          baud, "'\(baud.string ?? "?")' is no baud rate",
          rates.map(String.init).joined(separator: ", "))
      }
      receiver.baud = value
    }
    return receiver
  }
}
