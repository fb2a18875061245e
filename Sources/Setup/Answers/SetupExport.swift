import Board
import Configuration
import LinuxIO
import Quantities

/// The answers with which a finished set-up would be made again on another machine.
package struct SetupExport: Equatable, Sendable {
  /// The file of the answers; it has no secret.
  package let answers: String
  /// The board file beside it, where the board is none of the installed ones with what the answers
  /// decide.
  package let board: String?
  /// The keys of the daemon's file that the answers do not have, in alphabetical order.
  package let omitted: [String]

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
    var exported = Exported()
    let mount = file.map { Self.mount($0.board, daemon, &exported) } ?? Self.keep
    let receiver = Self.receiver(file?.board, daemon, &exported)
    let installed = file.flatMap { file in
      Self.installedName(of: file.board, mount: mount, receiver: receiver)
    }
    board = installed == nil ? file?.text : nil
    exported.add(.repair, SetupAnswers.yes)
    exported.add(.pins, Self.word(file?.board.receiver?.port == session.machine.host.headerPort))
    exported.add(.board, daemon.unreal ?? file.map { _ in installed ?? boardName } ?? "search")
    exported.keys.formUnion(daemon.unreal == nil ? ["board", "simulate"] : ["simulate"])
    exported.add(.mount, mount)
    exported.add(.receiver, receiver)
    Self.addServers(daemon, &exported)
    let isOff = daemon["online-calibration"] == "off"
    exported.add(.calibration, isOff ? SetupAnswers.off : "learn")
    exported.keys.insert("online-calibration")
    exported.add(.service, SetupAnswers.yes)
    exported.add(.check, SetupAnswers.yes)
    omitted = try daemon.changedKeys(session).filter { !exported.keys.contains($0) }
    var lines = [
      "# Answers for 'lodestar setup --answers', written by 'lodestar setup --export-answers'.",
      "# The password is in the named file: copy it too.",
    ]
    if let notice = Self.notice(omitted) { lines.append("# \(notice)") }
    answers = (lines + exported.lines).map { $0 + "\n" }.joined()
  }

  /// What another board does not get by the answers, a sentence; nil where they have all.
  package var notice: String? { Self.notice(omitted) }

  private static func notice(_ omitted: [String]) -> String? {
    guard !omitted.isEmpty else { return nil }
    return "not in the answers, set these keys on each board in \(DaemonFile.path): "
      + omitted.joined(separator: ", ")
  }

  /// The lines of the answers, and the keys of the daemon's file whose values they have.
  private struct Exported {
    var lines: [String] = []
    var keys: Set<String> = []

    mutating func add(_ key: SetupAnswers.Key, _ value: String) {
      lines.append("\(key.rawValue): \(DaemonFile.written(value))")
    }

    /// Adds an answer that has the name and the value of a key of the daemon's file.
    mutating func add(same key: SetupAnswers.Key, _ value: String) {
      add(key, value)
      keys.insert(key.rawValue)
    }
  }

  private static let keep = "keep"

  private static func word(_ isYes: Bool) -> String { isYes ? SetupAnswers.yes : SetupAnswers.no }

  // MARK: The board

  /// The answer for the mount in use; `keep` where only the board file can have it, as by angles.
  private static func mount(
    _ board: Board, _ daemon: DaemonFile, _ exported: inout Exported
  ) -> String {
    let findsVertical = board.sensors.contains { $0.measures(.inertia) }
    // The key of the daemon's file has priority over the board file.
    if let key = daemon["mount"], SetupAnswers.axes(key) != nil || key == "auto" && findsVertical {
      exported.keys.insert("mount")
      return key
    }
    return switch board.mount {
    case .axes(let axes) where !axes.isMirrored:
      [axes.x, axes.y, axes.z].map(\.rawValue).joined(separator: ",")
    case .automatic where findsVertical: "auto"
    case .axes, .rotation, .automatic: keep
    }
  }

  /// The answer for the receiver; `keep` where only the board file can have it.
  private static func receiver(
    _ board: Board?, _ daemon: DaemonFile, _ exported: inout Exported
  ) -> String {
    if let host = daemon["gpsd"] {
      // The answers have no other machine's gpsd.
      if host == ReceiverStep.gpsdHost { exported.keys.insert("gpsd") }
      return "gpsd"
    }
    guard let board, board.receivers.count < 2 else { return keep }
    guard let receiver = board.receiver else { return SetupAnswers.none }
    let text = SetupReceiver(port: receiver.port, baud: receiver.baud).text
    return SetupReceiver(text) == nil ? keep : text
  }

  /// The name of the installed board of which the answers make this one; nil for none.
  private static func installedName(
    of board: Board, mount: String, receiver: String
  ) -> String? {
    BoardLibrary().boards.first { entry in
      entry.path != BoardFile.usualPath
        && entry.board.decided(like: board, mount: mount, receiver: receiver) == board
    }.map { entry in
      entry.path.fileName.replacing(".yaml", with: "")
    }
  }

  // MARK: The servers

  private static func addServers(_ daemon: DaemonFile, _ exported: inout Exported) {
    let ports: [(SetupAnswers.Key, NetworkServer)] = [
      (.gpsdPort, .gpsd), (.nmeaPort, .nmea), (.signalKPort, .signalK),
    ]
    for (key, server) in ports {
      let port = daemon.port(of: server)
      exported.add(same: key, port == "0" ? SetupAnswers.off : port)
    }
    for key in SetupAnswers.Key.allCases where key.isRare {
      if let value = daemon[key] { exported.add(same: key, value) }
    }
    exported.add(same: .broker, daemon["mqtt-broker"] ?? SetupAnswers.none)
    if daemon["mqtt-broker"] != nil {
      exported.add(same: .username, daemon["mqtt-username"] ?? SetupAnswers.none)
      if daemon["mqtt-username"] != nil {
        exported.add(same: .passwordFile, daemon["mqtt-password-file"] ?? SetupAnswers.none)
      }
    }
    var open: [NetworkServer] = []
    for server in NetworkServer.allCases {
      let isOpen = daemon.isOpen(server)
      if isOpen, daemon.port(of: server) != "0" { open.append(server) }
      // The address of one network of this machine is not that of another.
      if !isOpen || open.last == server && daemon[server.addressKey] == NetworkServer.everywhere {
        exported.keys.insert(server.addressKey)
      }
    }
    let names = open.map(\.rawValue).joined(separator: ",")
    exported.add(.network, open.isEmpty ? SetupAnswers.no : names)
    if open.contains(.http) { exported.add(same: .readers, daemon["http-read"] ?? "token") }
  }
}
