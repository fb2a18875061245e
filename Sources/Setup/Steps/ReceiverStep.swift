import Board
import Configuration

/// Chooses where the fixes come from.
struct ReceiverStep: SetupStep {
  let purpose =
    "Listens at the serial ports for a GNSS receiver, some seconds each, and looks for gpsd on this machine. It sends nothing."

  /// The place of this machine's gpsd, as the daemon's file has it.
  static let gpsdHost = "localhost"

  /// An answer to where the fixes come from.
  private enum Choice {
    case keep
    case port(String, baud: Int?)
    /// Beside the present ones.
    case also(String, baud: Int?)
    case gpsd
    /// What a question for it returns.
    case address
    case none
  }

  func run(_ session: SetupSession) throws(SetupFault) {
    let daemon = try DaemonFile(session)
    guard daemon.unreal == nil else {
      return session.say(
        "The source is \(daemon.unreal == "replay" ? "a recording" : "simulated"), with its own receiver: nothing to do."
      )
    }
    let file = try BoardFile(daemon, session)
    let inventory = session.machine.inventory()
    // gpsd owns the ports of its receivers, and the daemon its own: both are refused below.
    let findings = session.machine.receivers(inventory.ports)
    show(findings, inventory.gpsdRelease, session)
    if let answers = session.answers {
      let choice = try choice(
        answers, daemon, file, findings, hasGPSD: inventory.gpsdRelease != nil)
      return try use(choice, daemon, file, session)
    }
    let options = options(daemon, file, findings, inventory.gpsdRelease, session)
    let usual = options.firstIndex(where: \.isUsual) ?? 0
    let answer = try session.choose(
      "Where do positions come from?", options.map(\.text), usual: usual)
    var choice = options[answer].choice
    if case .address = choice {
      let address = try session.enter(
        "Its address, such as udp://:10110, tcp://HOST:PORT or signalk://HOST", usual: "",
        fault: SourceAddress.fault)
      choice = address.isEmpty ? .keep : .port(address, baud: nil)
    }
    try use(choice, daemon, file, session)
  }

  private func use(
    _ choice: Choice, _ daemon: DaemonFile, _ file: BoardFile?, _ session: SetupSession
  ) throws(SetupFault) {
    let changes = try changes(choice, daemon, file, session)
    guard !changes.isEmpty else { return session.say("No change.") }
    if try session.apply(changes, "Write this?") { session.hasNewConfiguration = true }
  }

  /// The choice of the answers. The receiver must be there, unless the daemon has its port already.
  private func choice(
    _ answers: SetupAnswers, _ daemon: DaemonFile, _ file: BoardFile?,
    _ findings: [BoardFinder.PortFinding], hasGPSD: Bool
  ) throws(SetupFault) -> Choice {
    let answer = answers[.receiver] ?? "keep"
    let own = daemon["gpsd"] == nil ? file?.board.receiver : nil
    switch answer {
    case "keep": return .keep
    case SetupAnswers.none: return own == nil && daemon["gpsd"] == nil ? .keep : .none
    case "gpsd":
      guard daemon["gpsd"] == nil else { return .keep }
      guard hasGPSD else { throw answers.fault(.receiver, "no gpsd answers on this machine") }
      return .gpsd
    case "found":
      // A port that its daemon has open gives no finding.
      let present = findings.first { $0.path == own?.port }
      if let present, present.fault != nil || present.hasReceiver && present.baud == own?.baud {
        return .keep
      }
      let sending = findings.filter(\.hasReceiver)
      guard let found = sending.first(where: { $0.path == own?.port }) ?? sending.first else {
        let ports = findings.map(\.path).joined(separator: ", ")
        throw answers.fault(
          .receiver,
          ports.isEmpty
            ? "no receiver, as this machine has no serial port; plug the receiver in"
            : "no receiver sends at \(ports); check its cable"
        )
      }
      return .port(found.path, baud: found.baud)
    default:
      guard let wanted = SetupReceiver(answer) else { return .keep }
      if let own, own.port == wanted.port, wanted.baud == nil || own.baud == wanted.baud {
        return .keep
      }
      let finding = findings.first { $0.path == wanted.port }
      guard !wanted.isDevice || finding?.hasReceiver == true else {
        throw answers.fault(
          .receiver,
          finding?.fault.map { "\($0)" } ?? "no receiver sends at \(wanted.port); check its cable")
      }
      return .port(wanted.port, baud: wanted.baud ?? finding?.baud)
    }
  }

  private func show(
    _ findings: [BoardFinder.PortFinding], _ gpsd: String?, _ session: SetupSession
  ) {
    session.show(
      findings.map { finding in
        if finding.hasReceiver {
          return "\(finding.path)  a receiver" + (finding.baud.map { " at \($0) baud" } ?? "")
        }
        return finding.fault.map { "\($0)" } ?? "\(finding.path)  no receiver sends there"
      })
    if findings.isEmpty { session.say("There is no serial port that a receiver is usually at.") }
    if let gpsd { session.show(["gpsd \(gpsd) runs on this machine"]) }
  }

  private func options(
    _ daemon: DaemonFile, _ file: BoardFile?, _ findings: [BoardFinder.PortFinding],
    _ gpsd: String?,
    _ session: SetupSession
  ) -> [(choice: Choice, text: String, isUsual: Bool)] {
    var options: [(choice: Choice, text: String, isUsual: Bool)] = []
    let own = file?.board.receiver
    let present =
      daemon["gpsd"].map { "gpsd, as now (\($0))" }
      ?? own.map { _ in
        (file?.board.receivers ?? []).map(\.port).joined(separator: " and ") + ", as now"
      }
    let isGuess = isGuess(daemon, own, findings, gpsd, session)
    if let present {
      options.append((.keep, present, !isGuess))
    } else if file == nil {
      options.append(
        (.keep, "the daemon searches for a receiver itself, as now", gpsd == nil))
    }
    let hasDefault = options.contains(where: \.isUsual)
    if gpsd != nil, daemon["gpsd"] == nil {
      options.append((.gpsd, "gpsd of this machine, which has the receiver's port", !hasDefault))
    }
    let others = (file?.board.receivers ?? []).dropFirst().map(\.port)
    for finding in findings {
      guard finding.hasReceiver, !others.contains(finding.path) else { continue }
      let baud = finding.baud
      let isOwn = finding.path == own?.port && baud == own?.baud && daemon["gpsd"] == nil
      if isOwn { continue }
      options.append(
        (
          .port(finding.path, baud: baud),
          "the receiver at \(finding.path)" + (baud.map { ", \($0) baud" } ?? ""),
          !hasDefault
        ))
    }
    let isNone = present == nil && file != nil
    options.append(
      (isNone ? .keep : .none, "no receiver" + (isNone ? ", as now" : ""), !hasDefault))
    options += seconds(daemon, file, findings, isGuess: isGuess)
    options.append((.address, "a phone, a plotter, gpsd or Signal K on the network", false))
    return options
  }

  /// The receivers that may be kept beside the present ones: the better one is then used, and the
  /// others while it has no fix.
  private func seconds(
    _ daemon: DaemonFile, _ file: BoardFile?, _ findings: [BoardFinder.PortFinding], isGuess: Bool
  ) -> [(choice: Choice, text: String, isUsual: Bool)] {
    guard let present = file?.board.receivers, !present.isEmpty, daemon["gpsd"] == nil, !isGuess
    else { return [] }
    return findings.compactMap { finding in
      guard finding.hasReceiver, !present.contains(where: { $0.port == finding.path }) else {
        return nil
      }
      let ports = present.map(\.port).joined(separator: ", ")
      return (
        .also(finding.path, baud: finding.baud),
        "both: \(ports) and the receiver at \(finding.path)",
        false
      )
    }
  }

  /// True where the receiver of a board file that was written just now is not what was found.
  private func isGuess(
    _ daemon: DaemonFile, _ own: Board.Receiver?, _ findings: [BoardFinder.PortFinding],
    _ gpsd: String?, _ session: SetupSession
  ) -> Bool {
    guard session.hasNewBoard, daemon["gpsd"] == nil, let own else { return false }
    guard gpsd == nil, let found = findings.first(where: { $0.path == own.port }) else {
      return true
    }
    return found.fault == nil && (!found.hasReceiver || found.baud != own.baud)
  }

  private func changes(
    _ choice: Choice, _ daemon: DaemonFile, _ file: BoardFile?, _ session: SetupSession
  ) throws(SetupFault) -> [SetupChange] {
    switch choice {
    // The question for an address has been answered.
    case .keep, .address: return []
    case .gpsd: return try daemon.change([("gpsd", Self.gpsdHost)]).map { [$0] } ?? []
    case .none:
      guard let file else { return try daemon.change([("gpsd", nil)]).map { [$0] } ?? [] }
      var board = file.board
      board.receiver = nil
      return try file.changes(to: board, daemon, session, removing: ["gpsd"])
    case .port(let path, let baud):
      guard let file else {
        let board = Board(name: "a receiver", receiver: Board.Receiver(port: path, baud: baud))
        return try BoardFile.changes(
          to: "# Written by 'lodestar setup'.\n" + board.yaml, at: BoardFile.usualPath, daemon,
          session,
          removing: ["gpsd"])
      }
      var board = file.board
      // The set-up and the pulse's line are the board's; an address has none.
      let isAddress = SourceAddress.fault(path) == nil
      var receiver = (isAddress ? nil : board.receiver) ?? Board.Receiver(port: path)
      (receiver.port, receiver.baud) = (path, baud)
      board.receiver = receiver
      return try file.changes(to: board, daemon, session, removing: ["gpsd"])
    case .also(let path, let baud):
      guard let file else { return [] }
      var board = file.board
      board.receivers.append(Board.Receiver(port: path, baud: baud))
      return try file.changes(to: board, daemon, session, removing: ["gpsd"])
    }
  }
}
