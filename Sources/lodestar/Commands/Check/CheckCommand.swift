import ArgumentParser
import Board
import BoardCheck
import Configuration
import Doctor
import Glibc
import HostClient
import LinuxIO
import LocationHost
import Pipeline
import Quantities
import Recording
import Report
import Servers
import Simulation

/// `lodestar check`: the guided acceptance of one's own board.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check one's own board in three minutes: lay it down, turn it, tilt it, walk.",
    discussion: """
      Measures noise, rates, lost samples, axes and mount against gravity and course, deviation, the receiver's line and \
      the buses, and says pass, or what is wrong and what to do. Each step is recognised when it is done; steps that the \
      board has no sensor for are left out and named. Writes check.mcap, its page report.html, and board-report.txt for an \
      issue, without position and serial numbers. The board is read by this program: stop the daemon first. Nothing is calibrated, and a \
      receiver is not set up.

      --replay judges a recording instead: a sensor CSV, a recording of lodestar record or of ROS 2. The steps are sought in its \
      samples, in any order; what it does not contain is named as not shown, and is no finding. Nothing is written. \
      --board and --mount state how its board is mounted; without them the mount is judged only where the recording states it.

      \(statuses)
      """)

  private static let statuses = ExitStatus.help([
    .success: "the board passes, or the recording has no finding",
    .failure: "something is wrong, or the recording cannot be read",
    .unavailable: "there is no board, or a daemon reads it",
  ])

  /// The folder's files.
  private static let recordingName = "check.mcap"
  private static let reportName = "board-report.txt"
  private static let pageName = "report.html"
  /// How much faster than real time the simulated board is.
  private static let simulationSpeed = 20.0

  @Flag(
    help:
      "The simulated board, which does the steps by itself and faster; everything is labelled SIMULATED."
  )
  var simulate = false

  @Option(
    help: ArgumentHelp(
      "With --simulate: the board has this fault, to see how it is found.",
      valueName: "fault"))
  var inject: BoardFault?

  @Option(
    help: ArgumentHelp("Judge this recording instead of a board.", valueName: "file"),
    completion: .file())
  var replay: String?

  @OptionGroup var reading: RecordingOptions

  @OptionGroup var board: BoardOptions

  @Option(
    help: ArgumentHelp(
      "End after this time of the board's clock; what is not done then is named.",
      valueName: "seconds"))
  var duration = 240.0

  @Option(
    help: ArgumentHelp("The folder for the files.", valueName: "folder"), completion: .directory)
  var folder = "."

  @Flag(help: "Leave out places, altitudes and the receiver's bytes of the recording.")
  var noPosition = false

  @Flag(help: "Replace existing files.")
  var force = false

  @Option(help: "Lines of text, or JSON: one object for each step, then one for the result.")
  var format: Format = .text

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  func validate() throws {
    guard duration > 0, duration <= 3600 else {
      throw ValidationError("--duration \(duration): expected seconds above 0, at most 3600")
    }
    if replay != nil, simulate {
      throw ValidationError("give --simulate or --replay, not both")
    }
    if inject != nil, !simulate {
      throw ValidationError("--inject needs the simulated board; give --simulate")
    }
  }

  mutating func run() throws {
    if let replay { return try judge(replay) }
    try makeFolder()
    let recording = path(Self.recordingName)
    try checkFiles()
    try checkDaemon()
    var options = Recorder.Options(path: recording, program: "lodestar \(Version.text)")
    options.hasPosition = !noPosition
    options.replaces = force
    let recorder = Recorder(options)
    recorder.onNote { StandardError.say($0) }
    let player = try openPlayer(recorder)
    let steps = CheckProgress(
      player: player, duration: duration, isSimulated: player.isSimulated, format: format)
    do throws(FileFault) {
      try recorder.attach(to: player, board: player.boardFile, isLive: !simulate)
    } catch {
      throw Failure.output("\(error)")
    }
    let outcome: CheckOutcome?
    do {
      defer { recorder.stop() }
      outcome = try steps.run(recorder)
    }
    if let end = recorder.end { throw Failure.output("\(end)") }
    guard let outcome else {
      StandardError.say("stopped: nothing is judged; \(recording) has the samples so far")
      throw ExitCode(ExitStatus.interrupted.rawValue)
    }
    var files = [recording, path(Self.reportName)]
    try writeReport(outcome, player.boardFile, to: files[1])
    // A board without a sample has no page.
    if recorder.progress.rows > 0 {
      try writePage(of: recording, to: path(Self.pageName))
      files.append(path(Self.pageName))
    }
    let out = OutputStream()
    let text = CheckText(width: DoctorText.width)
    switch format {
    case .text: for line in text.lines(outcome, files: files) { try out.line(line) }
    case .json: try out.line(CheckJSON.result(outcome, files: files))
    }
    try out.close()
    guard outcome.isPassed else { throw ExitCode(ExitStatus.failure.rawValue) }
  }

  /// Judges a recording.
  private func judge(_ path: String) throws {
    let outcome = try RecordingJudgement(path: path, reading: reading, board: board).outcome()
    let out = OutputStream()
    switch format {
    case .text:
      let text = CheckText(width: DoctorText.width)
      for step in outcome.steps { try out.line("        \(BoardReport.step(step))") }
      for line in text.lines(outcome, files: []) { try out.line(line) }
    case .json:
      for step in outcome.steps {
        try out.line(CheckJSON.step(step, isSimulated: outcome.isSimulated))
      }
      try out.line(CheckJSON.result(outcome, files: []))
    }
    try out.close()
    guard outcome.isPassed else { throw ExitCode(ExitStatus.failure.rawValue) }
  }

  private func makeFolder() throws(Failure) {
    do { try LinuxFiles().makeFolders(folder) } catch {
      throw .output("\(error)")
    }
  }

  private func path(_ name: String) -> String { folder == "." ? name : "\(folder)/\(name)" }

  private func checkFiles() throws(Failure) {
    guard !force else { return }
    for name in [Self.recordingName, Self.pageName, Self.reportName]
    where access(path(name), F_OK) == 0 {
      throw .output(
        "\(path(name)): the file exists; give another --folder, or --force to replace it")
    }
  }

  /// The counters of drivers and buses are those of the program that reads them.
  private func checkDaemon() throws(Failure) {
    guard !simulate else { return }
    guard let client = try HostClient.served(without: "the board is read without the daemon")
    else { return }
    defer { client.stop() }
    guard client.source.isLive else { return }
    throw .unavailable(
      "the daemon reads the board, whose drivers and buses are to be checked; stop it first: sudo systemctl stop lodestar"
    )
  }

  private func openPlayer(_ recorder: Recorder) throws -> EstimatePlayer {
    var configuration = PipelineConfiguration()
    try board.apply(to: &configuration)
    // An examination changes nothing in the receiver.
    for index in configuration.board.receivers.indices {
      configuration.board.receivers[index].setUp.manner = .no
    }
    configuration.tap = recorder
    let choice: SourceChoice =
      simulate ? .acceptanceSimulation(inject, speed: Self.simulationSpeed) : .attached
    let player: EstimatePlayer
    do throws(SourceError) {
      player = try choice.open(configuration)
    } catch {
      guard case .noSensors = error else { throw Failure(error) }
      throw Failure.unavailable(
        "\(error); see 'lodestar doctor', or give --simulate to see what the check does")
    }
    player.onNotice { recorder.addNotice($0) }
    return player
  }

  /// Writes the page of `lodestar report` of the recording.
  private func writePage(of recording: String, to path: String) throws {
    let target = try ReportTarget(input: recording, output: path, plot: nil, format: .html)
    let (report, fault) = try RecordingReport(
      path: recording, reading: try .parse([]), pipeline: try .parse([]), onlineCalibration: nil
    ).report()
    try target.write(ReportPage.html(report))
    if let fault { throw Failure.input("\(fault)") }
  }

  private func writeReport(
    _ outcome: CheckOutcome, _ board: Board, to path: String
  ) throws(Failure) {
    let machine = Machine.attached
    let lines = BoardReport.lines(
      outcome, board: board, file: self.board.board.flatMap { $0.contains("/") ? nil : $0 },
      program: "lodestar \(Version.text)",
      machine: outcome.isSimulated ? [] : MachineReport.facts(machine))
    let file = try OutputStream(path: path)
    for line in MachineReport.filtered(lines, of: machine) { try file.line(line) }
    try file.close()
  }
}

extension BoardFault: ExpressibleByArgument {}
