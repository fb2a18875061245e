import ArgumentParser
import Configuration
import Formats
import HostClient
import HostProtocol
import LinuxIO
import LocationHost
import Pipeline
import Quantities
import Synchronization

/// The samples of a whole recording, or of a board for some seconds: the daemon's where one runs,
/// else the attached one.
struct RowFeed: ParsableArguments {
  @Argument(
    help: "A recording; the daemon's or the attached board by default.", completion: .file())
  var input: String?

  @Flag(help: "The simulated board, turned by a simulated hand; labelled SIMULATED.")
  var simulate = false

  @Option(help: "How long a board is read, 1 to 600 s.")
  var seconds = 60.0

  @OptionGroup var board: BoardOptions
  @OptionGroup var reading: RecordingOptions

  func validate() throws {
    if simulate, let input {
      throw ValidationError(
        "give a recording or --simulate, not both: '\(input)' is read as a recording's path; options begin with --"
      )
    }
    guard (1...600).contains(seconds) else {
      throw ValidationError("--seconds \(seconds): expected 1 to 600")
    }
  }

  /// What the samples came from.
  struct Origin {
    /// The board; nil for the daemon's, and for a recording without a named board.
    var board: Board?
    /// The daemon's calibrations; nil without a daemon.
    var daemon: CalibrationStore?
  }

  /// The daemon that gives the samples; nil where a source is named, or none runs.
  func daemon() throws(Failure) -> HostClient? {
    guard input == nil, !simulate, board.board == nil else { return nil }
    return try HostClient.forCalibration()
  }

  /// Calls `body` with each row, of the daemon of `daemon()` if there is one. `isKept` is true
  /// where the result will be stored, so that a refusal is reported before the reading.
  func run(
    _ client: HostClient?, isKept: Bool = false, _ body: (SensorSamples) -> Void
  ) throws(Failure) -> Origin {
    if let input {
      var recording = try reading.open(input)
      do {
        var progress = ReadingProgress(of: input, "rows")
        while let row = try recording.next() {
          body(row)
          progress.update(recording.fractionRead)
        }
        progress.clear()
      } catch {
        throw .input("\(error)")
      }
      return Origin(board: try board.named())
    }
    if let client { return try readDaemon(client, isKept, body) }
    return Origin(board: try readBoard(body))
  }

  private func readBoard(_ body: (SensorSamples) -> Void) throws(Failure) -> Board {
    var configuration = PipelineConfiguration()
    try board.apply(to: &configuration)
    configuration.usesKeptCalibration = false
    if !simulate, board.board != nil { try HostClient.checkOwner(of: configuration.board) }
    let player: EstimatePlayer
    do {
      player = try (simulate ? SourceChoice.calibrationSimulation : .attached).open(configuration)
    } catch {
      throw Failure(error)
    }
    defer { player.stop() }
    let waiting = RowBuffer()
    player.onRow { waiting.put($0) }
    player.start()
    read(waiting, isSimulated: player.isSimulated, isOver: { player.end != nil }, body)
    player.stop()
    for row in waiting.removeAll() { body(row) }
    return player.boardFile
  }

  private func readDaemon(
    _ client: HostClient, _ isKept: Bool, _ body: (SensorSamples) -> Void
  ) throws(Failure) -> Origin {
    defer { client.stop() }
    try client.checkSamples()
    var store: CalibrationStore?
    if isKept {
      let daemon = try DaemonCalibrations(client)
      if let fault = daemon.changeFault { throw .unavailable("\(client.place): \(fault)") }
      store = .daemon(daemon)
    }
    let waiting = RowBuffer()
    let publisher = client.publisher
    let rows = publisher.observeRows { waiting.put($0) }
    // The daemon's samples have no fixes.
    publisher.setDemand(EstimateDemand(fixes: true))
    let fixes = publisher.observe { if let row = SensorSamples(fixOf: $0) { waiting.put(row) } }
    let isLost = Locked(false)
    let connection = client.observeConnection { fault in
      if fault != nil { isLost.withLock { $0 = true } }
    }
    defer { for one in [rows, fixes, connection] { one.cancel() } }
    read(
      waiting, isSimulated: publisher.isSimulated, isOver: { isLost.withLock { $0 } }, body)
    guard !isLost.withLock({ $0 }) else {
      throw .unavailable(
        "\(client.place): the daemon there has ended; start it and repeat the command")
    }
    return Origin(daemon: store)
  }

  private func read(
    _ waiting: RowBuffer, isSimulated: Bool, isOver: () -> Bool, _ body: (SensorSamples) -> Void
  ) {
    let progress = ProgressLine(name: "calibrate")
    let label = isSimulated ? "SIMULATED  " : ""
    let start = MonotonicClock.now
    while !isOver() {
      let elapsed = MonotonicClock.now.seconds(since: start)
      guard elapsed < seconds else { break }
      progress.show("\(label)reading, \(Int(bounded: seconds - elapsed)) s left; Ctrl-C stops")
      MonotonicClock.sleep(seconds: 0.2)
      for row in waiting.removeAll() { body(row) }
    }
    progress.clear()
  }
}

extension SensorSamples {
  /// A row with the fix of an estimate; nil for an estimate without one.
  fileprivate init?(fixOf estimate: Estimate) {
    guard let instant = estimate.fixTimestamp, let kind = estimate.fixKind,
      estimate.position != nil
    else { return nil }
    var fix = Fix(timestamp: instant, kind: kind)
    (fix.utc, fix.position) = (estimate.utc, estimate.position)
    fix.horizontalAccuracyMetres = estimate.horizontalAccuracyMetres
    fix.altitudeMetres = estimate.altitudeMetres
    fix.ellipsoidalAltitudeMetres = estimate.ellipsoidalAltitudeMetres
    (fix.speedMetresPerSecond, fix.course) = (estimate.speedMetresPerSecond, estimate.course)
    fix.speedAccuracyMetresPerSecond = estimate.speedAccuracyMetresPerSecond
    fix.courseAccuracy = estimate.courseAccuracy
    self.init(timestamp: estimate.timestamp)
    self.fix = fix
  }
}

/// Passes rows from the player's or connection's thread.
private final class RowBuffer: Sendable {
  private let rows = Mutex<[SensorSamples]>([])

  func put(_ row: SensorSamples) { rows.withLock { $0.append(row) } }

  func removeAll() -> [SensorSamples] {
    rows.withLock { rows in
      defer { rows.removeAll(keepingCapacity: true) }
      return rows
    }
  }
}
