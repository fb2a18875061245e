import Configuration
import Doctor

/// Finds what the machine lacks, and offers the safe changes of `lodestar doctor`.
struct MachineStep: SetupStep {
  let purpose =
    "Examines the machine as 'lodestar doctor' does: buses, serial ports, groups, time, disk, other programs."

  func run(_ session: SetupSession) throws(SetupFault) {
    var host = session.machine.host
    do throws(SetupFault) {
      if let file = try BoardFile(try DaemonFile(session), session) {
        host.board = Machine.BoardFile(path: file.path, board: file.board)
      }
    } catch {
      host.configurationFault = "\(error)"
    }
    let wired = try withReceiver(host, session)
    func examine() -> [MachineFinding] {
      CheckTopic.allCases.flatMap {
        CheckCatalogue.findings($0, on: $0 == .serial ? wired : host)
      }
    }
    let findings = examine()
    for finding in findings where finding.severity == .ok {
      session.show(["ok  \(finding.identifier): \(finding.what)"])
    }
    let problems = findings.filter { $0.severity != .ok }.sorted { $0.severity > $1.severity }
    if problems.isEmpty { session.say("No problem was found.") }
    var mended: [MachineFinding] = []
    for problem in problems where try offer(problem, host, session) { mended.append(problem) }
    let completions = mended.compactMap { $0.remedy?.completion }
    checkAgain(mended, examine, session)
    if completions.contains(.login) { session.say("New groups count after the next login.") }
    guard completions.contains(.restart), session.manner != .show else { return }
    session.say("Buses and ports that were switched on appear after a restart of the machine.")
    if try session.confirm("Restart now, and start the set-up again after it?", usual: false) {
      try session.run(["systemctl", "reboot"])
      session.isOver = true
    }
  }

  /// The machine with a receiver on its pins, where the user has one there that no file names yet
  /// and something on the machine is in its way; else the machine itself.
  private func withReceiver(
    _ host: Machine, _ session: SetupSession
  ) throws(SetupFault) -> Machine {
    guard host.isRaspberryPi, host.board?.board.receiver == nil else { return host }
    var wired = host
    var board = host.board?.board ?? Board(name: "receiver")
    board.receiver = Board.Receiver(port: host.headerPort)
    wired.board = Machine.BoardFile(path: host.board?.path ?? BoardFile.usualPath, board: board)
    let isPrepared = !CheckCatalogue.findings(.serial, on: wired).contains {
      $0.remedy?.isAutomatic == true
    }
    if isPrepared { return host }
    return try session.confirm(
      "Is a GNSS receiver wired to the pins 8 and 10 (UART)?",
      usual: session.answers?.isYes(.pins) ?? false) ? wired : host
  }

  /// Reports problems that their remedies have not removed.
  private func checkAgain(
    _ mended: [MachineFinding], _ examine: () -> [MachineFinding], _ session: SetupSession
  ) {
    let atOnce = mended.filter { $0.remedy?.completion == Remedy.Completion.none }
    guard !atOnce.isEmpty else { return }
    let present = examine()
    for problem in atOnce where present.contains(where: { $0.what == problem.what }) {
      session.say("Not repaired: \(problem.what).")
    }
  }

  /// Shows a problem, and applies its remedy where that is safe.
  /// - Returns: True where it was applied.
  private func offer(
    _ problem: MachineFinding, _ host: Machine, _ session: SetupSession
  ) throws(SetupFault) -> Bool {
    session.say("\(problem.severity.word): \(problem.what)\(problem.why.map { "; \($0)" } ?? "").")
    guard let remedy = problem.remedy else { return false }
    guard remedy.isAutomatic else {
      if !remedy.commands.isEmpty { session.say("To do by hand:") }
      session.show(commands: remedy.commands)
      return false
    }
    session.show(commands: remedy.commands)
    guard session.manner != .show else {
      session.recordPreview()
      return false
    }
    // A note is no obstacle, and its remedy is a matter of taste.
    let usual = problem.severity > .note && session.answers?.isYes(.repair) ?? true
    guard try session.confirm("Do this?", usual: usual) else {
      session.say("Not done.")
      return false
    }
    let repair = Repair(host)
    for step in remedy.steps {
      do throws(Repair.Fault) {
        if let done = try repair.apply(step) { session.say("done: \(done)") }
      } catch {
        session.say("failed: \(error)")
        return false
      }
    }
    return true
  }
}
