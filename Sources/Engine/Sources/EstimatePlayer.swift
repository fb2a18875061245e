import BoardFile
import Foundation
import Quantities
import Recording
import Simulation

/// Plays rows at their own pace on a thread of its own and publishes what the pipeline makes of them:
/// the live face of a recording and of the simulated board. It plays until it is stopped or released.
public final class EstimatePlayer: EstimatePublisher {
  /// True where a magnetometer stands behind the estimates.
  public let hasMagnetometer: Bool
  /// True where a receiver stands behind the estimates.
  public let hasReceiver: Bool
  /// True where no sensor stands behind the estimates.
  public let isSimulated: Bool
  /// The board, as its file or the finder describes it.
  public let boardFile: Board

  /// Where positions come from; nil without a receiver.
  public let positionSource: PositionSource?
  /// From the board's axes to the body's. A mount that is found by gravity is not known here: then as if x
  /// pointed forward, y left, z up.
  public var mounting: Rotation<SensorFrame, BodyFrame> { boardFile.mounting }

  /// What really is the case at an instant of a simulation; nil for anything else.
  public let truth: (@Sendable (Timestamp) -> Truth)?

  // The thread holds only these, so that releasing the player ends the thread.
  private let broadcast = Broadcast()
  private let performance: Performance
  private let board: AttachedBoard?
  private let calibration: LiveCalibration
  let rest = SharedReceiverRest()

  /// How the playing ended.
  public enum Outcome: Equatable, Sendable {
    /// Every row was played.
    case complete
    /// The recording has a fault; what came before it was played.
    case fault(RecordingError)
  }

  /// Makes a player of rows, which belong to it from now on; nothing is played before `start`.
  public init(
    rows: any RowSource, pipeline: PipelineConfiguration, hasMagnetometer: Bool, hasReceiver: Bool,
    positionSource: PositionSource? = nil, truth: (@Sendable (Timestamp) -> Truth)? = nil
  ) {
    self.truth = truth
    self.positionSource = hasReceiver ? positionSource : nil
    self.hasMagnetometer = hasMagnetometer
    self.hasReceiver = hasReceiver
    isSimulated = pipeline.isSimulated
    boardFile = pipeline.board
    var pipeline = pipeline
    calibration = LiveCalibration(&pipeline, archive: nil, broadcast: broadcast)
    performance = Performance(rows: rows, pipeline: pipeline, isLive: false)
    board = nil
  }

  /// Makes the player of an attached board, whose samples are played as they come.
  /// - Throws: `SourceError` where a bus or line cannot be opened or no chip answers.
  package init(
    attached pipeline: PipelineConfiguration, hardware: any BoardHardware
  ) throws(SourceError) {
    let file = pipeline.board
    var pipeline = pipeline
    // Fits are too long for the way of live samples.
    if pipeline.onlineCalibration { pipeline.refitRunner = BackgroundRefits() }
    let kept = KeptCalibration(of: &pipeline)
    let board = try AttachedBoard(
      file, activity: pipeline.activity, hardware: hardware, rest: rest)
    hasMagnetometer = file.sensors.contains { $0.chip.quantity == .field }
    hasReceiver = file.receiver != nil
    isSimulated = false
    boardFile = file
    positionSource = file.receiver.map { .receiver($0.port) }
    truth = nil
    calibration = LiveCalibration(
      &pipeline, archive: kept.archive, broadcast: broadcast,
      complain: { [monitor = board.monitor] in monitor.notice($0) })
    performance = Performance(rows: board.rows(), pipeline: pipeline, isLive: true)
    self.board = board
    for notice in kept.notices { board.monitor.notice(notice) }
  }

  deinit {
    broadcast.stop()
    board?.stop()
    calibration.keeper?.flush()
  }

  /// The calibration of the magnetometer; nil where there is none.
  public var calibrator: (any FieldCalibrator)? { hasMagnetometer ? calibration : nil }

  /// How the attached board is doing; nil for a recording and for the simulated board.
  public var boardStatus: BoardStatus? { board?.monitor.status }

  /// Hands each notice about the attached board (a chip lost, a chip back) to `body`, from any thread.
  public func onNotice(_ body: @escaping @Sendable (String) -> Void) {
    board?.monitor.listen(body)
  }

  /// Hands every instant's samples, as the sensors told them, to `body` from now on, on the player's thread.
  public func onRow(_ body: @escaping @Sendable (SensorRow) -> Void) { broadcast.onRow(body) }

  /// The same, until the observation ends.
  public func observeRows(_ body: @escaping @Sendable (SensorRow) -> Void) -> Observation {
    broadcast.observeRows(body)
  }

  /// Something about the attached board that people are to be told once.
  func notice(_ text: String) { board?.monitor.notice(text) }

  /// The newest estimate; nil before the first.
  public var latest: Estimate? { broadcast.latest }

  /// How the playing ended; nil while it goes on.
  public var end: Outcome? { broadcast.end }

  /// Calls `body` for every estimate from now on, on the player's thread.
  public func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    let key = broadcast.add(body)
    return Observation { [weak broadcast] in broadcast?.remove(key) }
  }

  /// Starts to play; a second call does nothing. Who observes before misses nothing.
  public func start() {
    guard let part = performance.take() else { return }
    let thread = Thread { [broadcast, rest] in
      var playback = Playback(
        rows: part.rows, pipeline: Pipeline(configuration: part.pipeline), broadcast: broadcast,
        isLive: part.isLive, rest: rest)
      broadcast.finish(playback.run())
    }
    thread.name = "lodestar-player"
    thread.start()
  }

  /// Ends the thread at its next row.
  public func stop() {
    broadcast.stop()
    board?.stop()
    // What was found last is kept before the program ends.
    calibration.keeper?.flush()
  }
}

/// What is to be played, until a thread takes it: nobody else holds the rows then.
private final class Performance: @unchecked Sendable {
  private let lock = NSLock()
  private var part: Part?

  struct Part: @unchecked Sendable {
    let rows: any RowSource
    let pipeline: PipelineConfiguration
    let isLive: Bool
  }

  init(rows: any RowSource, pipeline: PipelineConfiguration, isLive: Bool) {
    part = Part(rows: rows, pipeline: pipeline, isLive: isLive)
  }

  /// The part, once.
  func take() -> Part? {
    lock.withLock {
      defer { part = nil }
      return part
    }
  }
}
