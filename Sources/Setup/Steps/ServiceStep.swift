import LinuxIO

/// Starts the daemon, now and at each start of the machine.
struct ServiceStep: SetupStep {
  let purpose = "Starts the daemon (lodestar.service), now and at each start of the machine."

  private static let unit = "lodestar"
  /// The group whose members may connect to the daemon.
  private static let group = "lodestar"

  func run(_ session: SetupSession) throws(SetupFault) {
    if session.answers?.isYes(.service) == false {
      session.hasNewConfiguration = false
      return session.say("The answers leave the daemon as it is.")
    }
    let machine = session.machine
    defer { session.hasNewConfiguration = false }
    try ensureFile(session)
    guard machine.host.isRunBySystemd else {
      session.say(
        "systemd does not run here (a container, or another init). Start the daemon as root by:")
      session.show(["lodestar serve --config \(DaemonFile.path)"])
      return
    }
    guard machine.unit != nil else { return try install(session) }
    var changes: [SetupChange] = []
    if !state("is-enabled", session) || !machine.host.isActive(Self.unit) {
      changes.append(.command(["systemctl", "enable", "--now", Self.unit]))
    }
    if machine.host.isActive(Self.unit), isOutdated(session) {
      session.say(
        "The configuration is newer than the running daemon. A restart takes some seconds.")
      changes.append(.command(["systemctl", "restart", Self.unit]))
    }
    let joins = membership(session)
    if let person = machine.host.person, !joins.isEmpty {
      session.say(
        "Only members of the group \(Self.group) may connect to the daemon: \(person.name) joins it."
      )
    }
    changes += joins
    guard !changes.isEmpty else {
      return session.say("The daemon runs, and starts with the machine. No change.")
    }
    guard try session.apply(changes) else { return }
    if changes.contains(where: Self.isMembership) {
      session.say("The new group counts after the next login.")
    }
  }

  /// The unit names the file, which the package installs; a source checkout may have none yet.
  private func ensureFile(_ session: SetupSession) throws(SetupFault) {
    guard try session.text(of: DaemonFile.path) == nil else { return }
    let new = try DaemonFile.initialText(session.machine)
    let change = SetupChange.file(path: DaemonFile.path, old: nil, new: new)
    _ = try session.apply([change], "Write this?")
  }

  /// Without a unit: from a source checkout by its script.
  private func install(_ session: SetupSession) throws(SetupFault) {
    guard let sources = session.machine.sources else {
      session.say(
        "The unit is not installed. Install the package, or in the folder of the sources run:")
      return session.show(["Scripts/install --daemon"])
    }
    session.say(
      "The unit is not installed. The script of the sources builds and installs the program and the unit."
    )
    var words = ["\(sources)/Scripts/install", "--daemon"]
    // The build's files stay the user's.
    if let user = session.machine.host.person {
      words = ["runuser", "-u", user.name, "--"] + words
    }
    _ = try session.apply([.command(words)] + membership(session))
  }

  private func state(_ verb: String, _ session: SetupSession) -> Bool {
    session.machine.host.system.run(["systemctl", verb, "--quiet", Self.unit])?.status == 0
  }

  /// True where a file that the daemon reads at its start is newer than its start.
  /// - Source: systemctl(1), `--timestamp=unix`: seconds since 1970 after an `@`.
  private func isOutdated(_ session: SetupSession) -> Bool {
    if session.hasNewConfiguration { return true }
    let words = [
      "systemctl", "show", Self.unit, "--property=ActiveEnterTimestamp", "--value",
      "--timestamp=unix",
    ]
    let answer = session.machine.host.system.run(words)?.output ?? ""
    guard let start = Int(answer.drop { $0 == "@" }.prefix { $0.isNumber }) else { return false }
    let files = [DaemonFile.path, BoardFile.usualPath, ServersStep.dropInPath]
    return files.contains { session.machine.files.timeOfChange($0).map { $0 > start } ?? false }
  }

  /// The command that permits the person to connect to the daemon; none where that is so already.
  private func membership(_ session: SetupSession) -> [SetupChange] {
    let host = session.machine.host
    guard let person = host.person, let group = host.accounts.group(Self.group),
      !host.accounts.groups(of: person).contains(group.gid)
    else { return [] }
    return [.command(["usermod", "-aG", Self.group, person.name])]
  }

  private static func isMembership(_ change: SetupChange) -> Bool {
    if case .command(let words) = change { words.first == "usermod" } else { false }
  }
}
