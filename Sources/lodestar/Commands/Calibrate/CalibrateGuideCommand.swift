import ArgumentParser
import CalibrationFit
import Configuration
import Engine
import Foundation
import Quantities
import Storage
import Terminal

/// `lodestar calibrate guide`: a session at a terminal; lines elsewhere.
struct CalibrateGuideCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guide",
    abstract: "Calibrate while you turn the board as the screen shows. The default.",
    discussion: """
      At a terminal the session is drawn; elsewhere, or with --format json, it writes one line a second and \
      stores the calibration as soon as it is good. With --replay it writes only the file of --json.
      """)

  @Flag(
    help: "The simulated board, turned by a simulated hand; labelled SIMULATED, nothing is stored.")
  var simulate = false

  @Option(
    help: ArgumentHelp("A recording, played in real time.", valueName: "file"),
    completion: .file())
  var replay: String?

  @OptionGroup var board: BoardOptions

  @OptionGroup var place: PlaceOptions

  @Option(
    help: ArgumentHelp("Write the calibration to this file too.", valueName: "file"),
    completion: .file())
  var json: String?

  @Option(help: "Lines of text, or one JSON object a line.")
  var format: CalibrateFitCommand.SummaryFormat = .text

  func validate() throws {
    if simulate, replay != nil {
      throw ValidationError("give --simulate or --replay, not both")
    }
  }

  func run() throws {
    let player = try openPlayer()
    defer { player.stop() }
    let source = try GuidedSource(
      player: player, prior: try place.prior(), hasPlace: place.location != nil,
      saving: CalibrationSaving(
        archive: simulate || replay != nil ? nil : try archive(of: player.boardFile),
        place: place, json: json))
    let text = CalibrationSessionText(
      sensor: Self.sensor(of: player, replay), board: player.boardFile.name,
      isSimulated: player.isSimulated)
    player.start()
    let capability = TerminalCapability.current
    if format == .text, TerminalSession.isInteractive, capability.addressesCursor {
      try draw(source, text, capability)
    } else {
      try printSession(source, text, isASCII: capability.glyphs == .ascii)
    }
    if case .fault(let error) = player.end { throw Failure.input("\(error)") }
  }

  private func openPlayer() throws -> EstimatePlayer {
    var configuration = PipelineConfiguration()
    try board.apply(to: &configuration)
    configuration.usesKeptCalibration = false
    let choice: SourceChoice =
      simulate ? .calibrationSimulation : replay.map { .replay(path: $0) } ?? .attached
    do {
      let player = try choice.open(configuration)
      guard player.hasMagnetometer else {
        throw Failure.board(
          "cannot calibrate: this board has no magnetometer; name one under 'sensors' in its file")
      }
      return player
    } catch let error as SourceError {
      throw Failure(error)
    }
  }

  private func archive(of board: Board) throws(Failure) -> CalibrationArchive? {
    do { return try CalibrationArchive(board: board) } catch { throw .output("\(error)") }
  }

  private static func sensor(of player: EstimatePlayer, _ replay: String?) -> String {
    if let replay { return replay }
    return player.boardFile.sensors.first { $0.chip.quantity == .field }?.chip.rawValue
      ?? "magnetometer"
  }

  private func draw(
    _ source: GuidedSource, _ text: CalibrationSessionText, _ capability: TerminalCapability
  ) throws {
    var session = GuidedSession(
      source: source, screen: CalibrationScreen(capability: capability), text: text)
    let outcome: GuidedOutcome
    do {
      outcome = try CalibrationDisplay().run(&session)
    } catch {
      throw Failure.output("\(error)")
    }
    let out = OutputStream()
    switch outcome {
    case .saved(let line): try out.line(line)
    case .stopped: try out.line("stopped; nothing was saved")
    case .hungUp: break
    }
    try out.close()
  }

  private func printSession(
    _ source: GuidedSource, _ text: CalibrationSessionText, isASCII: Bool
  ) throws {
    let isJSON = format == .json
    let out = OutputStream()
    let interruption = Interruption {}
    defer { interruption.end() }
    var session = PlainSession(
      source: source, text: text, format: isJSON ? .json : .text, isASCII: isASCII)
    var failure: Failure?
    let saved: String?
    do {
      saved = try session.run(
        wait: {
          Thread.sleep(forTimeInterval: 1)
          return failure == nil
        },
        tell: { bytes in
          do throws(Failure) {
            try out.line(bytes)
            try out.flush()
          } catch {
            failure = error
          }
        })
    } catch {
      throw Failure.input("not saved: \(error)")
    }
    if let failure { throw failure }
    guard let saved else {
      let fault = source.calibration.fault.map { "\($0)" }
      throw Failure.input(
        fault
          ?? "nothing was saved: the motion is not sufficient; turn the board further, tilting it on the way"
      )
    }
    StandardError.say(saved)
  }
}

/// Saves a guided calibration.
struct CalibrationSaving {
  let archive: CalibrationArchive?
  let place: PlaceOptions
  let json: String?

  func save(_ outcome: CalibrationOutcome) throws -> String {
    guard let result = CalibrationResult(outcome) else {
      throw Failure.input("\(CalibrationFitError.notSolvable)")
    }
    var paths: [String] = []
    let fit = StoredFit(outcome.estimate)
    if let archive {
      var conditions = CalibrationConditions(origin: .guided, method: outcome.estimate.method)
      try place.describe(&conditions)
      do {
        paths.append(try archive.keep(result, fit: fit, conditions: conditions).path)
      } catch {
        throw Failure.output("\(error)")
      }
    }
    if let json {
      try CalibrationFile(result: result, fit: fit).write(to: json)
      paths.append(json)
    }
    let summary = OutcomeText.lines(outcome).prefix(2).joined(separator: "\n")
    guard !paths.isEmpty else { return summary + "\nnot saved: give --json FILE to save it" }
    return summary + "\nsaved: " + paths.joined(separator: ", ")
  }
}

/// A live board, a recording or a simulation as the source of a guided calibration.
struct GuidedSource: CalibrationSource {
  let calibration: GuidedCalibration
  private let player: EstimatePlayer
  private let saving: CalibrationSaving
  private let observation: Observation

  init(
    player: EstimatePlayer, prior: FieldPrior, hasPlace: Bool, saving: CalibrationSaving
  ) throws {
    let board = player.boardFile
    let calibration = GuidedCalibration(
      prior: prior, mounting: board.mounting, fullScale: board.fullScale)
    (self.calibration, self.player, self.saving) = (calibration, player, saving)
    player.onRow { calibration.add($0) }
    // Without options for the place it comes from the receiver.
    observation = player.observe { estimate in
      if !hasPlace, let field = estimate.modelField { calibration.expect(field) }
    }
  }

  var time: UTCTime? { player.latest?.utc }

  func progress() -> CalibrationProgress { calibration.progress() }

  func findings() -> [CalibrationFinding] {
    calibration.fault.map { [CalibrationFinding("\($0)", weight: .warning)] } ?? []
  }

  func end() -> String? {
    switch player.end {
    case .complete: "The recording has ended."
    case .fault(let error): "\(error)"
    case nil: nil
    }
  }

  func undo(seconds: Double) { calibration.undo(seconds: seconds) }
  func restart() { calibration.restart() }
  func pause(_ isPaused: Bool) { calibration.pause(isPaused) }

  func finish() throws(NotSaved) -> String {
    do {
      return try saving.save(try calibration.outcome())
    } catch {
      throw NotSaved(description: "\(error)")
    }
  }
}

/// The reason why a calibration was not saved, in one sentence.
struct NotSaved: Error, CustomStringConvertible {
  let description: String
}
