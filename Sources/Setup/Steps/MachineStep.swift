import Doctor

/// Finds what the machine lacks, and offers the safe changes of `lodestar doctor`.
struct MachineStep: SetupStep {
  let purpose =
    "Examines the machine as 'lodestar doctor' does: buses, serial ports, groups, time, disk, other programs."

  func run(_ session: SetupSession) throws(SetupFault) {
    var host = session.machine.host
    // A fault of the daemon's file is reported by the next step, which needs it.
    if let file = try BoardFile(try DaemonFile(session), session) {
      host.board = Machine.BoardFile(path: file.path, board: file.board)
    }
    let findings = CheckCatalogue.findings(on: host)
    for finding in findings where finding.severity == .ok {
      session.show(["ok  \(finding.identifier): \(finding.what)"])
    }
    let problems = findings.filter { $0.severity != .ok }.sorted { $0.severity > $1.severity }
    if problems.isEmpty { session.say("No problem was found.") }
    var mended: [MachineFinding] = []
    for problem in problems where try offer(problem, host, session) { mended.append(problem) }
    let completions = mended.compactMap { $0.remedy?.completion }
    checkAgain(mended, host, session)
    if completions.contains(.login) { session.say("New groups count after the next login.") }
    guard completions.contains(.restart), session.manner != .show else { return }
    session.say("Buses and ports that were switched on appear after a restart of the machine.")
    if try session.confirm("Restart now, and start the set-up again after it?", usual: false) {
      try session.run(["systemctl", "reboot"])
      session.isOver = true
    }
  }

  /// Reports problems that their remedies have not removed.
  private func checkAgain(_ mended: [MachineFinding], _ host: Machine, _ session: SetupSession) {
    let atOnce = mended.filter { $0.remedy?.completion == Remedy.Completion.none }
    guard !atOnce.isEmpty else { return }
    let present = CheckCatalogue.findings(on: host)
    for problem in atOnce where present.contains(where: { $0.what == problem.what }) {
      session.say("Not mended by that: \(problem.what).")
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
      session.noteShown()
      return false
    }
    // A note is no obstacle, and its remedy is a matter of taste.
    guard try session.confirm("Do this?", usual: problem.severity > .note) else {
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
