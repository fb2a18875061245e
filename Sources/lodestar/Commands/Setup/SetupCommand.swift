import ArgumentParser
import Glibc
import LinuxIO
import Setup
import Terminal

/// `lodestar setup`: from an empty machine to a running daemon.
struct SetupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Set up sensors, receiver, servers and the daemon by questions.",
    discussion: """
      The steps are machine, sensors, mount, receiver, servers, service, calibration and check. Each says what it does, \
      shows every change (the difference of a file, or the command) before its question, and can be repeated. Enter \
      takes the default in brackets. Changes need root; without it they are only shown.

      \(statuses)
      """)

  private static let statuses = ExitStatus.help([
    .success: "all steps succeeded",
    .failure: "an invalid file of the configuration, or of answers",
    .usage: "an invalid command line, or no terminal without --yes",
    .unavailable: "the daemon gives no heading",
    .board: "a command failed, or the answers need what this machine does not have",
    .output: "a file cannot be written, or changes need root",
  ])

  @Flag(help: "Take the default of each question and make the changes.")
  var yes = false

  @Flag(help: "Take the defaults, and only show the changes.")
  var dryRun = false

  @Option(
    help: "Do one step only: \(SetupStepName.allCases.map(\.rawValue).joined(separator: ", ")).")
  var step: SetupStepName?

  @Flag(help: "In the step sensors choose the simulated board; everything is labelled SIMULATED.")
  var simulate = false

  @Option(
    help: "In the step sensors choose this board file, or installed board such as gy-91.",
    completion: .board)
  var board: String?

  @Option(
    help: ArgumentHelp(
      "Take all answers from this YAML file, and ask nothing; where one cannot be fulfilled nothing is changed.",
      valueName: "file"), completion: .file())
  var answers: String?

  @Option(
    help: ArgumentHelp(
      "Write the answers of the finished set-up to this file, for other boards, and change nothing.",
      valueName: "file"), completion: .file())
  var exportAnswers: String?

  @Option(help: ArgumentHelp(visibility: .hidden))
  var root: String?

  func validate() throws {
    if simulate, board != nil { throw ValidationError("give --simulate or --board, not both") }
    guard answers != nil || exportAnswers != nil else { return }
    if answers != nil, exportAnswers != nil {
      throw ValidationError("give --answers or --export-answers, not both")
    }
    if simulate || board != nil || yes {
      throw ValidationError(
        "--answers and --export-answers go without --simulate, --board and --yes")
    }
  }

  func run() throws {
    if let exportAnswers { return try export(to: exportAnswers) }
    guard yes || dryRun || answers != nil || StandardStream.input.isTerminal else {
      throw Failure.usage(
        "setup asks questions and standard input is no terminal; give --yes to take the defaults, or --dry-run to see "
          + "them")
    }
    // The daemon's user reads the files.
    umask(0o022)
    let isPermitted = geteuid() == 0 || root != nil
    let console = TerminalConsole()
    let interruption = Interruption { [console] in
      console.end()
      StandardError.put("")
      StandardError.say(
        "interrupted; no file is incomplete: run 'lodestar setup' again")
    }
    defer { interruption.end() }
    var request = SetupRequest()
    (request.simulates, request.board) = (simulate, board)
    var machine = LiveMachine.machine(root: root ?? "")
    if let answers { try check(answers, &machine, &request) }
    let session = SetupSession(
      machine, console,
      dryRun || !isPermitted ? .show : yes || answers != nil ? .defaults : .ask, request)
    session.title(Self.welcome)
    if !isPermitted { session.title("Without root the changes are only shown.") }
    let faults = session.run(only: step)
    session.title("")
    try end(faults, isComplete: isPermitted || dryRun || !session.hasShownChanges)
  }

  /// Reads the answers, and runs the steps once without a change: where an answer cannot be
  /// fulfilled nothing is changed.
  private func check(
    _ path: String, _ machine: inout SetupMachine, _ request: inout SetupRequest
  ) throws {
    do throws(SetupFault) { request.answers = try SetupAnswers(path: path) } catch {
      throw error.failure("\(error)")
    }
    machine.cacheSearches()
    let faults = SetupSession(machine, SilentConsole(), .show, request).run(only: step)
    guard let first = faults.first else { return }
    throw first.fault.failure("step \(first.step.rawValue): \(first.fault); nothing was changed")
  }

  /// Writes the answers of the finished set-up, and its board file beside them where that is none of
  /// the installed ones.
  private func export(to path: String) throws {
    let session = SetupSession(LiveMachine.machine(root: root ?? ""), SilentConsole(), .show)
    let stem = path.hasSuffix(".yaml") ? String(path.dropLast(".yaml".count)) : path
    let boardPath = stem + ".board.yaml"
    let boardName = String(boardPath.split(separator: "/").last ?? "")
    let files = LinuxFiles()
    do throws(SetupFault) {
      let export = try SetupExport(session, boardName: boardName)
      do throws(FileFault) {
        if let board = export.board {
          try files.replace(boardPath, with: Array(board.utf8), mode: 0o600)
          StandardError.say("wrote \(boardPath)")
        }
        try files.replace(path, with: Array(export.answers.utf8), mode: 0o600)
        StandardError.say("wrote \(path)")
        if let notice = export.notice { StandardError.say(notice) }
      } catch {
        throw .file(error)
      }
    } catch {
      throw error.failure("\(error)")
    }
  }

  private static let welcome =
    "Sets Lodestar up on this machine. Every change is shown before it is made. Enter takes the default in brackets, Ctrl-C "
    + "ends; finished steps remain in effect, and each step can be repeated."

  /// Reports the faults; the exit status is that of the last one.
  private func end(
    _ faults: [(step: SetupStepName, fault: SetupFault)], isComplete: Bool
  ) throws {
    if let last = faults.last {
      let steps = faults.map(\.step.rawValue)
      let text =
        steps.count == 1
        ? "step \(steps[0]): \(last.fault)"
        : "steps \(steps.joined(separator: ", ")) have failed; the last one: \(last.fault)"
      throw last.fault.failure(
        "\(text); repeat it by: sudo lodestar setup --step \(last.step.rawValue)")
    }
    guard isComplete else {
      let options = CommandLine.arguments.dropFirst(2).map { " \($0)" }.joined()
      throw Failure.output(
        "nothing was changed: run it as root: sudo lodestar setup\(options)")
    }
  }
}

extension SetupStepName: ExpressibleByArgument {}

extension SetupFault {
  /// The failure with a message and the status of this fault.
  fileprivate func failure(_ message: String) -> Failure {
    switch self {
    case .file: .output(message)
    case .refused, .answers: .input(message)
    case .unfulfilled: .board(message)
    case .command: .board(message)
    case .noHeading: .unavailable(message)
    case .endOfInput: .usage(message)
    }
  }
}
