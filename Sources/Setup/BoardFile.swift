import Board
import Configuration
import LinuxIO
import Quantities

/// The board file that the daemon's file names, of which only the lines of some keys are changed.
struct BoardFile {
  /// The file that the set-up writes.
  static let usualPath = "/etc/lodestar/board.yaml"

  /// The file, in a folder of boards or elsewhere.
  let path: String
  let text: String
  let board: Board

  /// Reads the board file of the daemon's file.
  /// - Returns: nil where none is named: the daemon then searches for chips.
  init?(_ daemon: DaemonFile, _ session: SetupSession) throws(SetupFault) {
    guard let name = daemon["board"] else { return nil }
    if name.contains("/"), let text = try session.text(of: name) {
      (path, self.text) = (name, text)
    } else {
      path = BoardLibrary.path(of: name)
      do throws(FileFault) { text = try LinuxFiles().text(of: path) } catch {
        throw .refused(
          "\(DaemonFile.path): board: '\(name)': \(error.reason); name another one, or remove the line"
        )
      }
    }
    board = try Self.board(text, path)
  }

  /// The changes that make the daemon use a text as its board file.
  static func changes(
    to text: String, at path: String, _ daemon: DaemonFile, _ session: SetupSession,
    removing keys: [String] = []
  ) throws(SetupFault) -> [SetupChange] {
    _ = try board(text, path)
    var changes: [SetupChange] = []
    let old = try session.text(of: path)
    if old != text { changes.append(.file(path: path, old: old, new: text)) }
    let values = [(key: "board", value: String?.some(path))] + keys.map { ($0, nil) }
    if let change = try daemon.change(values) { changes.append(change) }
    return changes
  }

  /// The changes that give the board another mount or receiver. A board of the installed ones is
  /// copied first.
  func changes(
    to new: Board, _ daemon: DaemonFile, _ session: SetupSession, removing keys: [String] = []
  ) throws(SetupFault) -> [SetupChange] {
    var lines = YAMLKeyLines(text)
    if new.mount != board.mount { lines.set("mount", to: [new.mountLine]) }
    if new.receivers != board.receivers {
      if new.receivers.isEmpty {
        lines.remove("receiver")
      } else {
        lines.set("receiver", to: new.receiverLines)
      }
    }
    let place = path.parentFolder == Self.usualPath.parentFolder ? path : Self.usualPath
    let changed = new == board ? text : lines.text
    guard try Self.board(changed, place) == new else {
      throw .refused(
        "\(path): not changed: its keys cannot be changed by themselves; write each key from the left margin on"
      )
    }
    guard new != board else {
      return try daemon.change(keys.map { ($0, nil) }).map { [$0] } ?? []
    }
    return try Self.changes(to: changed, at: place, daemon, session, removing: keys)
  }

  private static func board(_ text: String, _ path: String) throws(SetupFault) -> Board {
    do throws(BoardFileError) {
      return try Board(yaml: text, path: path)
    } catch {
      throw .refused("\(error); correct the line, and start this step again")
    }
  }
}
