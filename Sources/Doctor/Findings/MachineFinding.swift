/// What a check found.
package struct MachineFinding: Equatable, Sendable {
  /// How serious a finding is.
  package enum Severity: Int, CaseIterable, Comparable, Sendable {
    /// As it should be.
    case ok
    /// Worth knowing; everything works.
    case note
    /// Works, but worse than it could, or not after the next start.
    case warning
    /// Something does not work.
    case fault

    /// The word for people and for JSON.
    package var word: String {
      switch self {
      case .ok: "ok"
      case .note: "note"
      case .warning: "warning"
      case .fault: "fault"
      }
    }

    package static func < (one: Severity, other: Severity) -> Bool {
      one.rawValue < other.rawValue
    }
  }

  /// The name of the finding, such as `i2c-disabled`; of the topic where all is well.
  package var identifier: String
  /// How serious it is.
  package var severity: Severity
  /// What was found, one sentence.
  package var what: String
  /// Why it matters; nil where all is well.
  package var why: String?
  /// What mends it; nil where nothing has to be done.
  package var remedy: Remedy?

  /// All is well.
  static func ok(_ topic: CheckTopic, _ what: String) -> MachineFinding {
    MachineFinding(identifier: topic.rawValue, severity: .ok, what: what)
  }

  init(identifier: String, severity: Severity, what: String) {
    (self.identifier, self.severity, self.what) = (identifier, severity, what)
  }

  /// A problem.
  init(
    _ problem: Problem, _ severity: Severity, _ what: String, why: String, remedy: Remedy
  ) {
    self.init(identifier: problem.rawValue, severity: severity, what: what)
    (self.why, self.remedy) = (why, remedy)
  }
}

/// What mends a finding.
package struct Remedy: Equatable, Sendable {
  /// What has to be done after the steps for them to take effect.
  package enum Completion: Equatable, Sendable {
    /// Nothing.
    case none
    /// A restart of the machine.
    case restart
    /// A new login.
    case login
  }

  /// The steps that `--fix` applies, in order; empty where the user has to decide.
  package var steps: [RepairStep] = []
  /// The commands for a person, in order.
  package var commands: [String]
  /// What remains to be done after them.
  package var completion = Completion.none

  /// Steps that lose no data and switch off nothing that is in use: `--fix` may apply them.
  static func fix(_ steps: RepairStep..., then completion: Completion = .none) -> Remedy {
    Remedy(steps: steps, commands: steps.map(\.command), completion: completion)
  }

  /// Commands that need the user's decision, and advice without a command.
  static func manual(_ commands: String..., then completion: Completion = .none) -> Remedy {
    Remedy(commands: commands, completion: completion)
  }

  /// The remedy, which the user decides on where the condition is false.
  func automatic(if condition: Bool) -> Remedy {
    condition ? self : Remedy(commands: commands, completion: completion)
  }

  /// Debian's packages of the programs of steps that are named otherwise.
  private static let packages = [
    "chown": "coreutils", "groupadd": "passwd", "modprobe": "kmod", "systemctl": "systemd",
    "timedatectl": "systemd", "udevadm": "udev", "useradd": "passwd", "usermod": "passwd",
  ]

  /// The remedy as commands for the user where a program of its steps is missing, beginning with
  /// its installation. For the files of another machine the commands name these files.
  func applicable(on machine: Machine) -> Remedy {
    guard machine.system.runsPrograms else {
      var stored = self
      stored.commands =
        steps.isEmpty
        ? ["# on the machine itself:"] + commands : steps.map { $0.command(below: machine.root) }
      return stored
    }
    var obstacles: [String] = []
    for program in steps.compactMap(\.program) {
      if !machine.system.hasProgram(program) {
        let package = Self.packages[program] ?? program
        obstacles.append("sudo apt install \(package)    # \(program) is not installed")
      } else if ["systemctl", "timedatectl"].contains(program), !machine.isRunBySystemd {
        obstacles.append("# \(program) needs systemd, which does not run here")
      }
    }
    let missing = obstacles.enumerated().filter { obstacles.firstIndex(of: $1) == $0 }.map(\.1)
    guard !missing.isEmpty else { return self }
    // Without systemd its programs do nothing, installed or not.
    let rest =
      machine.isRunBySystemd
      ? commands
      : commands.filter { !$0.hasPrefix("sudo systemctl ") && !$0.hasPrefix("sudo timedatectl ") }
    return Remedy(commands: missing + rest, completion: completion)
  }

  /// True where `--fix` applies it.
  package var isAutomatic: Bool { !steps.isEmpty }
}
