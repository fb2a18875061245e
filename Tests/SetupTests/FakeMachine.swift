import Board
import Chips
import Configuration
import Doctor
import Foundation
import LinuxIO
import Quantities
import Setup
import TestSupport

/// A machine below a temporary folder. Commands are recorded, and answered by the test.
final class FakeMachine: Sendable {
  private struct State {
    var commands: [[String]] = []
    var answers: [String: CommandOutcome] = [:]
    var failures: [String: Int32] = [:]
    var inventory = BoardFinder.Inventory()
    var receivers: [BoardFinder.PortFinding] = []
    var owners: [Int: String] = [:]
    var heading = SetupMachine.DaemonAnswer.none("no daemon")
    var caller = Caller(uid: 0, groups: [0])
    var isSynchronised = true
    var effect: (@Sendable () -> Void)?
  }

  static let program = "/usr/bin/lodestar"
  let folder: TemporaryFolder
  private let state = Locked(State())

  init() throws {
    folder = try TemporaryFolder()
    try write("root:x:0:0::/root:/bin/sh\n", to: "/etc/passwd")
    try write("root:x:0:\n", to: "/etc/group")
  }

  var machine: SetupMachine {
    SetupMachine(
      host: Machine(root: folder.path, system: FakeSystem(self)), program: Self.program,
      converse: { [self] words in
        let (status, effect) = state.withLock { state in
          state.commands.append(words)
          return (state.failures[words.joined(separator: " ")] ?? 0, state.effect)
        }
        effect?()
        return status
      },
      inventory: { [self] in state.withLock { $0.inventory } },
      receivers: { [self] ports in
        state.withLock { $0.receivers.filter { ports.contains($0.path) } }
      },
      portOwner: { [self] port in state.withLock { $0.owners[port] } },
      heading: { [self] _ in state.withLock { $0.heading } })
  }

  // MARK: What the machine has

  func write(_ text: String, to path: String) throws { try folder.write(text, path) }

  func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: folder.path + path).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The names below `/etc/lodestar`.
  var names: [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path + "/etc/lodestar")
        .sorted()
    } catch {
      return []
    }
  }

  /// systemd runs, the unit is installed, and the daemon has a state.
  func installService(isActive: Bool = false, since start: Int = 0) throws {
    try write("", to: "/run/systemd/system/mark")
    try write("[Service]\n", to: "/usr/lib/systemd/system/lodestar.service")
    let status: Int32 = isActive ? 0 : 3
    answer("systemctl is-enabled --quiet lodestar", status: status)
    answer("systemctl is-active --quiet lodestar", status: status)
    answer(
      "systemctl show lodestar --property=ActiveEnterTimestamp --value --timestamp=unix",
      status: 0, output: "@\(start)\n")
  }

  func answer(_ command: String, status: Int32, output: String = "") {
    state.withLock { $0.answers[command] = CommandOutcome(status: status, output: output) }
  }

  func fail(_ command: String, status: Int32) { state.withLock { $0.failures[command] = status } }

  /// Chips on a bus, and the boards of the repository that have them.
  func place(
    _ chips: [(ChipModel, UInt8)], ports: [String] = [], on bus: String = "/dev/i2c-1"
  ) {
    let boards = SharedData.repository.appendingPathComponent("Boards").path
    let findings = chips.map {
      Finding(bus: bus, address: $0.1, device: .chip($0.0))
    }
    state.withLock {
      $0.inventory.buses = [(bus, nil)]
      $0.inventory.findings = findings
      $0.inventory.matches = BoardLibrary(folders: [boards]).matches(findings)
      $0.inventory.ports = ports
    }
  }

  func setGPSD(_ release: String?) { state.withLock { $0.inventory.gpsdRelease = release } }
  func setReceivers(_ findings: [BoardFinder.PortFinding]) {
    state.withLock {
      $0.inventory.ports = findings.map(\.path)
      $0.receivers = findings
    }
  }
  func setOwner(_ owner: String, of port: Int) { state.withLock { $0.owners[port] = owner } }
  func setHeading(_ answer: SetupMachine.DaemonAnswer) { state.withLock { $0.heading = answer } }
  func setSynchronised(_ isSo: Bool) { state.withLock { $0.isSynchronised = isSo } }
  /// What a command at the terminal does.
  func onCommand(_ effect: @escaping @Sendable () -> Void) { state.withLock { $0.effect = effect } }
  func setSudoUser(_ name: String) { state.withLock { $0.caller.sudoUser = name } }

  /// The commands that were run at the terminal, since the last call.
  func removeCommands() -> [String] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands.map { $0.joined(separator: " ") }
    }
  }

  private struct FakeSystem: MachineSystem {
    let machine: FakeMachine
    init(_ machine: FakeMachine) { self.machine = machine }

    func run(_ command: [String]) -> CommandOutcome? {
      let text = command.joined(separator: " ")
      if let answer = machine.state.withLock({ $0.answers[text] }) { return answer }
      // The program itself accepts its file, unless the test has another answer.
      guard text.hasSuffix(" --check-config") else { return nil }
      return machine.state.withLock { $0.answers["check"] } ?? CommandOutcome(status: 0, output: "")
    }
    func attributes(of path: String) -> FileAttributes? { nil }
    func freeBytes(of path: String) -> UInt64? { 1 << 40 }
    func loads(_ library: String) -> Bool { true }
    var caller: Caller { machine.state.withLock { $0.caller } }
    var clock: (utc: UTCTime, errorSeconds: Double?) {
      let error: Double? = machine.state.withLock { $0.isSynchronised } ? 0 : nil
      return (UTCTime(nanosecondsSince1970: 1_790_000_000_000_000_000), error)
    }
  }
}

/// Answers from a list; what was written is kept.
final class ScriptedConsole: SetupConsole {
  private let content: Locked<(answers: [String], text: String)>
  let isTerminal: Bool
  let width = 80

  init(_ answers: [String] = [], isTerminal: Bool = false) {
    content = Locked((answers, ""))
    self.isTerminal = isTerminal
  }

  func write(_ line: String) { content.withLock { $0.text += line + "\n" } }

  func answer(to prompt: String, isSecret: Bool) -> String? {
    content.withLock { content in
      guard !content.answers.isEmpty else { return nil }
      let answer = content.answers.removeFirst()
      content.text += prompt + (isSecret ? "" : answer) + "\n"
      return answer
    }
  }

  var text: String { content.withLock { $0.text } }
  /// The text without the line breaks of paragraphs.
  var words: String {
    text.split { $0.isWhitespace }.joined(separator: " ")
  }
  var isUsedUp: Bool { content.withLock { $0.answers.isEmpty } }
}

/// The result of a run of the set-up.
struct SetupRun {
  let console: ScriptedConsole
  let faults: [(step: SetupStepName, fault: SetupFault)]
  /// What was written.
  var words: String { console.words }

  /// Runs one step, or all.
  init(
    _ machine: FakeMachine, _ step: SetupStepName?, _ answers: [String]? = nil,
    shows: Bool = false, isTerminal: Bool = false, request: SetupRequest = SetupRequest()
  ) {
    console = ScriptedConsole(answers ?? [], isTerminal: isTerminal)
    let manner: SetupManner = shows ? .show : answers == nil ? .defaults : .ask
    faults = SetupSession(machine.machine, console, manner, request).run(only: step)
  }
}
