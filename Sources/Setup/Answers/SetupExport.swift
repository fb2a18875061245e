import Board
import Configuration
import LinuxIO
import Quantities

/// The answers with which a finished set-up would be made again on another machine.
package struct SetupExport: Equatable, Sendable {
  /// The file of the answers.
  package let answers: String
  /// The board file beside it, where the board is none of the installed ones.
  package let board: String?

  /// Reads the set-up of a machine.
  /// - Parameters:
  ///   - session: A session of the machine.
  ///   - boardName: The name of the board file that is written beside the answers.
  /// - Throws: `SetupFault` where a file of the set-up cannot be read.
  package init(_ session: SetupSession, boardName: String) throws(SetupFault) {
    let daemon = try DaemonFile(session)
    let file = daemon.unreal == nil ? try BoardFile(daemon, session) : nil
    guard daemon.unreal != "replay" else {
      throw .refused("\(DaemonFile.path): replay: a recording is no set-up for other boards")
    }
    let installed = file.flatMap { Self.installedName(of: $0.board) }
    board = installed == nil ? file?.text : nil
    var lines = [
      "# Answers for 'lodestar setup --answers', written by 'lodestar setup --export-answers'.",
      "# The password is in the named file: copy it too.",
    ]
    func add(_ key: SetupAnswers.Key, _ value: String) {
      lines.append("\(key.rawValue): \(DaemonFile.written(value))")
    }
    func port(_ key: SetupAnswers.Key, usual: String) {
      let port = daemon[key.rawValue] ?? usual
      add(key, port == "0" ? SetupAnswers.off : port)
    }
    let receiver = file?.board.receiver
    add(.repair, SetupAnswers.yes)
    add(.pins, Self.word(receiver?.port == session.machine.host.headerPort))
    add(
      .board,
      daemon.unreal ?? file.map { _ in installed ?? boardName } ?? "search")
    add(.mount, file.map { Self.mount($0.board.mount) } ?? "keep")
    add(
      .receiver,
      daemon["gpsd"] != nil
        ? "gpsd"
        : (file?.board.receivers.count ?? 0) > 1 || file == nil
          ? "keep"
          : receiver.map { SetupReceiver(port: $0.port, baud: $0.baud).text }
            ?? SetupAnswers.none)
    port(.gpsdPort, usual: "\(GPSDAddress.usualPort)")
    port(.nmeaPort, usual: "0")
    port(.signalKPort, usual: "0")
    add(.broker, daemon["mqtt-broker"] ?? SetupAnswers.none)
    if daemon["mqtt-broker"] != nil {
      add(.username, daemon["mqtt-username"] ?? SetupAnswers.none)
      if daemon["mqtt-username"] != nil {
        add(.passwordFile, daemon["mqtt-password-file"] ?? SetupAnswers.none)
      }
    }
    let isOpen = ["http", "nmea", "signalk"].contains(where: daemon.isOpen)
    add(.network, Self.word(isOpen))
    if isOpen { add(.readers, daemon["http-read"] ?? "token") }
    add(.calibration, daemon["online-calibration"] == "off" ? "keep" : "learn")
    add(.service, SetupAnswers.yes)
    add(.check, SetupAnswers.yes)
    answers = lines.map { $0 + "\n" }.joined()
  }

  private static func word(_ isYes: Bool) -> String { isYes ? SetupAnswers.yes : SetupAnswers.no }

  /// A mount by angles is in the board file.
  private static func mount(_ mount: Mounting) -> String {
    switch mount {
    case .axes(let axes) where !axes.isMirrored:
      [axes.x, axes.y, axes.z].map(\.rawValue).joined(separator: ",")
    case .automatic: "auto"
    case .axes, .rotation: "keep"
    }
  }

  /// The name of the installed board of which this is one, with another mount or receiver.
  private static func installedName(of board: Board) -> String? {
    BoardLibrary().boards.first { entry in
      entry.board.isSame(as: board) && entry.path != BoardFile.usualPath
    }.map { entry in
      String(entry.path.split(separator: "/").last ?? "").replacing(".yaml", with: "")
    }
  }
}

extension Board {
  /// Whether it is the same board, perhaps with another mount and other receivers.
  func isSame(as other: Board) -> Bool {
    var other = other
    (other.mount, other.receivers) = (mount, receivers)
    return self == other
  }
}
