import Configuration
import LinuxIO
import Servers

/// The daemon's file, `/etc/lodestar/serve.yaml`, of which only the lines of some keys are changed.
struct DaemonFile {
  /// The file of the unit.
  static let path = "/etc/lodestar/serve.yaml"

  /// The content; nil where the file does not exist.
  private let text: String?
  /// The content that is edited.
  private let base: String
  private let file: ServeFile

  /// Reads the file as the session has left it.
  init(_ session: SetupSession) throws(SetupFault) {
    text = try session.text(of: Self.path)
    if let text { base = text } else { base = try Self.initialText(session.machine) }
    do throws(ServeFileError) {
      file = try ServeFile(base, path: Self.path)
    } catch {
      throw .refused("\(error); correct the line, and start this step again")
    }
  }

  /// The content of a file that does not exist yet: the installed one, with all keys, else a
  /// comment.
  static func initialText(_ machine: SetupMachine) throws(SetupFault) -> String {
    let model = try machine.installedText("serve.yaml")
    return model
      ?? "# The options of 'lodestar serve'; written by 'lodestar setup'.\n"
  }

  /// The value of a key; nil where it is absent.
  subscript(key: String) -> String? { file[key] }

  /// What an output has that is off without its key; nil where it is off.
  subscript(output: SetupAnswers.Key) -> String? {
    self[output.rawValue].flatMap { $0 == "0" ? nil : $0 }
  }

  /// The key of a source without sensors; nil where sensors are used.
  var unreal: String? {
    self["simulate"] == "true" ? "simulate" : self["replay"].map { _ in "replay" }
  }

  /// True where other machines reach a server that has a port; the unit's drop-in has to permit it
  /// too.
  func isOpen(_ server: NetworkServer) -> Bool {
    self[server.addressKey].map { !["localhost", "127.0.0.1", "::1"].contains($0) } ?? false
  }

  /// The port of a server; 0 for none.
  func port(of server: NetworkServer) -> String { self[server.portKey] ?? server.usualPort }

  /// The keys whose values differ from those of the packaged file, in alphabetical order.
  func changedKeys(_ session: SetupSession) throws(SetupFault) -> [String] {
    let text = try Self.initialText(session.machine)
    let packaged: ServeFile
    do throws(ServeFileError) { packaged = try ServeFile(text, path: Self.path) } catch {
      throw .refused("the packaged \(error); install lodestar again")
    }
    return ServeFile.keys.filter { self[$0] != packaged[$0] }
  }

  /// The file with new values; nil for a value removes its key.
  /// - Returns: The change; nil where the values are the present ones.
  /// - Throws: Where the result would be refused, or another value would change with it.
  func change(_ values: [(key: String, value: String?)]) throws(SetupFault) -> SetupChange? {
    var lines = YAMLKeyLines(base)
    var wanted: [String: String?] = [:]
    for (key, value) in values {
      wanted[key] = .some(value)
      guard self[key] != value else { continue }
      if let value {
        lines.set(key, to: ["\(key): \(Self.written(value))"])
      } else {
        lines.remove(key)
      }
    }
    let new = lines.text
    guard values.contains(where: { self[$0.key] != $0.value }) else { return nil }
    do throws(ServeFileError) {
      let result = try ServeFile(new, path: Self.path)
      for key in ServeFile.keys where result[key] != wanted[key, default: self[key]] {
        throw .refused(
          path: Self.path, line: 1, found: "'\(key)' cannot be changed by itself",
          allowed: "one key a line, from the left margin on")
      }
      var configuration = ServeConfiguration(socketPath: "", stateFolder: "")
      try result.apply(to: &configuration)
    } catch {
      throw .refused("not changed: \(error)")
    }
    return .file(path: Self.path, old: text, new: new)
  }

  /// A value as YAML, quoted where it has more than the usual characters.
  static func written(_ value: String) -> String {
    let isPlain =
      value.first.map { $0.isLetter || $0.isNumber || $0 == "/" } == true
      && value.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:,@[]".contains($0)) }
      && value.last != ":"
    return isPlain ? value : Board.quoted(value)
  }
}
