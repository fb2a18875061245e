import ArgumentParser
import Board
import CalibrationFit
import Configuration
import FoundationEssentials
import HostClient
import HostProtocol
import LinuxIO
import LocationHost
import Observers
import Pipeline
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

      A car, a boat or a robot that cannot be tilted: give --level. The quality is then that of the level board, and \
      one level turn with a fair error completes the session.
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

  @OptionGroup var use: CalibrationUseOptions

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
    if let json { try OutputPath.check(json) }
    let namesSource = simulate || replay != nil || board.board != nil
    if !namesSource, let client = try HostClient.forCalibration() {
      defer { client.stop() }
      return try run(through: client)
    }
    let player = try openPlayer()
    defer { player.stop() }
    let file = player.boardFile
    let source = GuidedSource(
      player, mounting: file.mounting, fullScale: file.fullScale, prior: try place.prior(),
      hasPlace: place.location != nil, use: use.use,
      saving: CalibrationSaving(
        store: simulate || replay != nil ? nil : try archive(of: file), place: place, json: json)
    ) {
      switch player.end {
      case .complete: "The recording has ended."
      case .fault(let error): "\(error)"
      case nil: nil
      }
    }
    let text = CalibrationSessionText(
      sensor: Self.sensor(of: player, replay), board: file.name, isSimulated: player.isSimulated)
    player.start()
    try run(source, text)
    if case .fault(let error) = player.end { throw Failure.input("\(error)") }
  }

  /// Calibrates the daemon's board with its samples; the daemon stores the result and uses it at
  /// once.
  private func run(through client: HostClient) throws {
    try client.checkSamples()
    var store: DaemonCalibrations?
    // A daemon that stores none, such as one that plays a recording, still has samples for a file.
    if client.source.storesCalibrations != false || json == nil {
      store = try DaemonCalibrations(client)
    }
    if let fault = store?.changeFault { throw Failure.unavailable("\(client.place): \(fault)") }
    let publisher = client.publisher
    publisher.setDemand(EstimateDemand(fixes: true, headings: true, headingInterval: 1))
    let source = GuidedSource(
      publisher, mounting: board.mount?.mount.rotation ?? publisher.mounting,
      fullScale: SensorFullScale(), prior: try place.prior(), hasPlace: place.location != nil,
      use: use.use,
      saving: CalibrationSaving(
        store: store.map { .daemon($0) }, place: place, json: json)
    ) {
      client.isConnected
        ? nil : "The daemon at \(client.place) has ended: start it and calibrate again."
    }
    let text = CalibrationSessionText(
      sensor: store?.identity.sensor.part ?? "magnetometer",
      board: store?.identity.board ?? "the daemon's board", isSimulated: publisher.isSimulated)
    try run(source, text)
  }

  private func run(_ source: GuidedSource, _ text: CalibrationSessionText) throws {
    let capability = TerminalCapability.current
    if format == .text, TerminalSession.isInteractive, capability.addressesCursor {
      try draw(source, text, capability)
    } else {
      try printSession(source, text, isASCII: capability.glyphs == .ascii)
    }
  }

  private func openPlayer() throws -> EstimatePlayer {
    var configuration = PipelineConfiguration()
    try board.apply(to: &configuration)
    configuration.usesKeptCalibration = false
    if !simulate, replay == nil, board.board != nil {
      try HostClient.checkOwner(of: configuration.board)
    }
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

  private func archive(of board: Board) throws(Failure) -> CalibrationStore? {
    do { return try CalibrationArchive(board: board).map { .folder($0) } } catch {
      throw .output("\(error)")
    }
  }

  private static func sensor(of player: EstimatePlayer, _ replay: String?) -> String {
    if let replay { return replay }
    return player.boardFile.sensors.first { $0.measures(.field) }?.chip.rawValue
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
          MonotonicClock.sleep(seconds: 1)
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
          ?? "nothing was saved: the motion is not sufficient; \(use.use == .level ? "turn the level board slowly through a full circle" : "turn the board further, tilting it on the way")"
      )
    }
    StandardError.say(saved)
  }
}

/// Saves a guided calibration.
struct CalibrationSaving {
  let store: CalibrationStore?
  let place: PlaceOptions
  let json: String?

  func save(_ outcome: CalibrationOutcome) throws -> String {
    guard let result = CalibrationResult(outcome) else {
      throw Failure.input("\(CalibrationFitError.notSolvable)")
    }
    var paths: [String] = []
    let fit = StoredFit(outcome.estimate)
    if let store {
      var conditions = CalibrationConditions(origin: .guided, method: outcome.estimate.method)
      try place.describe(&conditions)
      paths.append(try store.keep(result, fit: fit, conditions: conditions))
    }
    if let json {
      try CalibrationFile(result: result, fit: fit).write(to: json)
      paths.append(json)
    }
    let summary = OutcomeText.lines(outcome).prefix(2).joined(separator: "\n")
    guard !paths.isEmpty else { return summary + "\nnot saved: give --json FILE to save it" }
    let use = if case .daemon? = store { "; the daemon uses it now" } else { "" }
    return summary + "\nsaved: " + paths.joined(separator: ", ") + use
  }
}

/// The daemon, a live board, a recording or a simulation as the source of a guided calibration.
struct GuidedSource: CalibrationSource {
  let calibration: GuidedCalibration
  private let saving: CalibrationSaving
  private let observations: [Observation]
  private let endReason: () -> String?
  private let publisher: any EstimatePublisher

  /// - Parameters:
  ///   - publisher: Gives samples and estimates.
  ///   - mounting: From the axes of the samples to the body's.
  ///   - fullScale: The ranges of the sensors.
  ///   - prior: The knowledge of the earth's field.
  ///   - hasPlace: Whether `prior` is that of the place.
  ///   - use: The attitudes for which the result is judged; nil to decide by the motion.
  ///   - saving: Saves the result.
  ///   - end: Why there are no more samples; nil while there are.
  init(
    _ publisher: any EstimatePublisher, mounting: Rotation<SensorFrame, BodyFrame>,
    fullScale: SensorFullScale, prior: FieldPrior, hasPlace: Bool, use: CalibrationUse?,
    saving: CalibrationSaving, end: @escaping () -> String?
  ) {
    let calibration = GuidedCalibration(
      prior: prior, mounting: mounting, fullScale: fullScale, use: use)
    (self.calibration, self.saving, endReason) = (calibration, saving, end)
    self.publisher = publisher
    observations = [
      publisher.observeRows { calibration.add($0) },
      // Without options for the place it comes from the receiver.
      publisher.observe { estimate in
        if !hasPlace, let field = estimate.modelField { calibration.expect(field) }
      },
    ]
  }

  /// Before the first sample the time of this machine: every object has a time.
  var time: UTCTime? { publisher.latest.map { $0.utc } ?? SystemClock.civilTime }

  func progress() -> CalibrationProgress { calibration.progress() }

  func findings() -> [CalibrationFinding] {
    calibration.fault.map { [CalibrationFinding("\($0)", weight: .warning)] } ?? []
  }

  func end() -> String? { endReason() }

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
