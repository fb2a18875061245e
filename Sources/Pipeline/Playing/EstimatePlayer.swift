import Board
import Chips
import Configuration
import Formats
import LinuxIO
import Observers
import Quantities
import Simulation
import Synchronization

/// Plays rows in real time on its own thread, runs the pipeline and publishes the estimates: of a
/// recording, of the simulated board or of the attached board. It plays until it is stopped or
/// released.
public final class EstimatePlayer: EstimatePublisher {
  /// The usual mean interval between estimates without a new fix, seconds: fifty a second are enough
  /// for a display or a control loop.
  public static let publishInterval = 0.02

  /// True if the source has a magnetometer.
  public let hasMagnetometer: Bool
  /// True if the source has a receiver.
  public let hasReceiver: Bool
  /// True if the samples are simulated.
  public let isSimulated: Bool
  /// True if the attached board has another compass.
  public var hasCompass: Bool {
    board != nil && (boardFile.compass != nil || boardFile.hasModuleAttitude)
  }
  /// The board by its file or by the scan.
  public let boardFile: Board

  /// The source of positions; nil without a receiver.
  public let positionOrigin: PositionOrigin?
  /// From the board's axes to the body's. For a mount found by gravity: x forward, y left, z up.
  public var mounting: Rotation<SensorFrame, BodyFrame> { boardFile.mounting }

  /// The buses and ports of the attached board; none for other sources.
  public var devices: [String] {
    board == nil ? [] : boardFile.devices
  }

  /// The quantities of the board file's chips; nil for a recording.
  public var sensors: [String]? {
    guard board != nil || isSimulated else { return nil }
    let quantities: [ChipModel.Quantity] = [.field, .inertia, .pressure]
    return quantities.filter { quantity in boardFile.sensors.contains { $0.measures(quantity) } }
      .map(\.rawValue)
  }

  /// The true state at an instant of a simulation; nil for other sources.
  public let truth: (@Sendable (Timestamp) -> Truth)?

  // The thread retains these two, not the player, so that releasing the player ends the thread.
  private let broadcast = Broadcast()
  /// Locked by the thread from its start to its end.
  private let playback: Locked<Playback>
  private let isStarted = Atomic(false)
  private let board: AttachedBoard?
  private let simulatedStatus: (@Sendable () -> BoardStatus)?
  /// The state and notices of the attached board, or only the notices of another source.
  private let monitor: BoardMonitor
  private let calibration: LiveCalibration
  private let rest = SharedReceiverRest()
  /// Whether `setActivity` has an effect.
  private let followsActivity: Bool

  /// How the playback ended.
  public enum Outcome: Equatable, Sendable {
    /// Every row was played.
    case complete
    /// The recording has a fault; all rows before it were played.
    case fault(RecordingError)
  }

  /// Makes a player that owns the rows; `start` starts the playback.
  /// - Parameters:
  ///   - rows: The rows.
  ///   - pipeline: The pipeline's configuration.
  ///   - hasMagnetometer: Whether the rows have fields.
  ///   - hasReceiver: Whether the rows have fixes.
  ///   - positionOrigin: The source of the fixes.
  ///   - usualCalibration: Used where none is configured or stored.
  ///   - truth: The true state at an instant of a simulation.
  ///   - driverStatus: The state of the drivers of a simulated board.
  ///   - speed: Times of real time; 0 for no delays.
  ///   - publishInterval: The mean interval between estimates without a new fix, seconds of the
  ///     rows' clock.
  public init(
    rows: sending any SampleSource, pipeline: PipelineConfiguration, hasMagnetometer: Bool,
    hasReceiver: Bool, positionOrigin: PositionOrigin? = nil,
    usualCalibration: CalibrationChoice = .none,
    truth: (@Sendable (Timestamp) -> Truth)? = nil,
    driverStatus: (@Sendable () -> BoardStatus)? = nil, speed: Double = 1,
    publishInterval: Double = EstimatePlayer.publishInterval
  ) {
    self.truth = truth
    followsActivity = false
    simulatedStatus = driverStatus
    self.positionOrigin = hasReceiver ? positionOrigin : nil
    self.hasMagnetometer = hasMagnetometer
    self.hasReceiver = hasReceiver
    isSimulated = pipeline.isSimulated
    boardFile = pipeline.board
    var pipeline = pipeline
    let monitor = BoardMonitor(chips: []) { MonotonicClock.now }
    self.monitor = monitor
    // Only the daemon stores calibrations of a simulation or recording, in a folder of their own.
    let kept = pipeline.calibrationFolder.map { _ in StoredCalibration(of: &pipeline) }
    if pipeline.calibration == .none { pipeline.calibration = usualCalibration }
    calibration = LiveCalibration(
      &pipeline, archive: kept?.archive, fault: kept?.fault, broadcast: broadcast,
      notify: { monitor.notice($0) })
    // The time of a simulated world begins at zero; its first row comes after the start-up of the
    // chips.
    let begin = isSimulated ? Timestamp(nanoseconds: 0) : nil
    playback = Locked(
      Playback(
        rows: rows, pipeline: Pipeline(configuration: pipeline), broadcast: broadcast,
        isLive: false, rest: rest, hasHeading: hasMagnetometer, hasReceiver: hasReceiver,
        beginsAt: begin, speed: speed, publishInterval: publishInterval))
    board = nil
    for notice in kept?.notices ?? [] { monitor.notice(notice) }
  }

  /// Makes the player of an attached board, whose samples are played as they arrive.
  /// - Throws: `SourceError` where a bus or line cannot be opened or no chip answers.
  package init(
    attached pipeline: PipelineConfiguration, hardware: any BoardHardware
  ) throws(SourceError) {
    let file = pipeline.board
    followsActivity =
      pipeline.activity == .other && file.receivers.allSatisfy { $0.setUp.model == nil }
    var pipeline = pipeline
    // Fits take too long for the thread of live samples.
    if pipeline.onlineCalibration { pipeline.refitRunner = BackgroundRefits() }
    // A kernel driver may have other ranges than ours.
    let limits = file.fullScale { hardware.fullScale(of: $0) }
    if limits != file.fullScale { pipeline.fullScale = pipeline.fullScale ?? limits }
    let kept = StoredCalibration(of: &pipeline)
    let board = try AttachedBoard(
      file, activity: pipeline.activity, hardware: hardware, rest: rest,
      receiverOutput: broadcast.receiverOutput, aid: pipeline.receiverAid)
    hasMagnetometer = file.sensors.contains { $0.measures(.field) }
    hasReceiver = file.receiver != nil
    isSimulated = false
    boardFile = file
    positionOrigin = file.receiver.map { .receiver($0.port) }
    truth = nil
    simulatedStatus = nil
    monitor = board.monitor
    calibration = LiveCalibration(
      &pipeline, archive: kept.archive, fault: kept.fault, broadcast: broadcast,
      notify: { [monitor = board.monitor] in monitor.notice($0) })
    playback = Locked(
      Playback(
        rows: board.rows(), pipeline: Pipeline(configuration: pipeline), broadcast: broadcast,
        isLive: true, rest: rest,
        hasHeading: hasMagnetometer || file.compass != nil || file.hasModuleAttitude,
        hasReceiver: hasReceiver))
    self.board = board
    for notice in kept.notices { board.monitor.notice(notice) }
    if let notice = file.guessedMountNotice { board.monitor.notice(notice) }
    // A folder that cannot be written is reported before the first calibration is lost.
    calibration.storeAgain()
  }

  deinit {
    broadcast.stop()
    board?.stop()
    calibration.keeper?.flush()
  }

  /// The calibration of the magnetometer; nil without one.
  public var calibrator: (any FieldCalibrator)? { hasMagnetometer ? calibration : nil }

  /// The state of the attached board; nil for a recording and for the simulated board.
  public var boardStatus: BoardStatus? {
    guard var status = board?.monitor.status else { return nil }
    status.calibrationFault = calibration.storageFault
    return status
  }

  /// The state of the drivers of the attached or of the simulated board; nil for a recording.
  package var driverStatus: BoardStatus? { boardStatus ?? simulatedStatus?() }

  /// Calls `body` with each notice, such as a lost chip of the attached board, from any thread.
  public func onNotice(_ body: @escaping @Sendable (String) -> Void) { monitor.listen(body) }

  /// Calls `body` with every row of raw samples from now on, on the player's thread.
  public func onRow(_ body: @escaping @Sendable (SensorSamples) -> Void) { broadcast.onRow(body) }

  /// Calls `body` as `onRow` does, until the observation ends.
  public func observeRows(_ body: @escaping @Sendable (SensorSamples) -> Void) -> Observation {
    broadcast.observeRows(body)
  }

  /// Calls `body` with what the receiver sends beyond fixes, on the player's or the receiver's
  /// thread.
  public func observeReceiver(
    _ body: @escaping @Sendable (ReceiverOutput) -> Void
  ) -> Observation { broadcast.receiverOutput.add(body) }

  /// Sends a notice about the attached board to the user.
  package func notice(_ text: String) { monitor.notice(text) }

  /// The newest estimate; nil before the first.
  public var latest: Estimate? { broadcast.latest }

  /// How the playback ended; nil before the end.
  public var end: Outcome? { broadcast.end }

  /// Calls `body` with every estimate from now on, on the player's thread.
  public func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    broadcast.observe(body)
  }

  /// Starts the playback; a second call does nothing. Observers added before receive all estimates.
  public func start() {
    guard !isStarted.exchange(true, ordering: .relaxed) else { return }
    WorkerThread.start("lodestar-player") { [broadcast, playback] in
      broadcast.finish(playback.withLock { $0.run() })
      playback.withLock { $0.publishEnd() }
    }
  }

  /// Ends the thread at its next row.
  public func stop() {
    broadcast.stop()
    // Saves the last calibration before the program ends: a receiver takes seconds to be restored.
    calibration.keeper?.flush()
    board?.stop()
  }

  /// How long `stop` may wait for a receiver that is restored, seconds.
  package var undoSeconds: Double { board?.undoSeconds ?? 0 }

  /// Sets how many fixes are needed from the receiver; at the start every fix.
  ///
  /// While the receiver rests, no fix is delivered; after ten seconds estimates have no position. A
  /// u-blox receiver on a serial line sleeps (UBX-RXM-PMREQ in the format of its protocol version)
  /// and is woken by a byte. Its set-up is then sent again, because the sleep discards settings
  /// that are not saved. To choose the command, a receiver without a requested set-up is asked for
  /// its version; set-up `no` forbids that. No command is sent to a receiver that cannot sleep
  /// (NMEA only, on its own USB, or forbidden), of a gpsd daemon, of a recording or of the
  /// simulated board: its fixes are withheld only. An interval below five seconds counts as
  /// continuous.
  ///
  /// The receiver stays awake until a fix is accurate to 50 m or has no accuracy, at most a minute.
  /// `stop` wakes it; after a crash of the program it sleeps for an hour at most.
  /// - Parameter demand: The demand from now on.
  public func setReceiverDemand(_ demand: ReceiverDemand) { rest.want(demand) }

  /// Sets the kind of motion, which selects the motion model of a receiver that the board file has
  /// set up. A model in the board file and an activity of the configuration have priority.
  /// - Parameter activity: The activity from now on; `other` is the receiver's usual model.
  public func setActivity(_ activity: Activity) {
    guard followsActivity else { return }
    // If no application has changed the receiver's model, the receiver keeps its own.
    if activity == .other, rest.activity == nil { return }
    rest.activity = activity
  }

  /// True while fixes are withheld by `setReceiverDemand`.
  public var isReceiverResting: Bool { rest.isAsleep }
}
