import CalibrationFit
import Dispatch
import Formats
import Observers
import Quantities
import Storage
import Synchronization

/// The calibrator of a player. Samples arrive on the player's thread, fits run on a queue. The
/// pipeline gets the result by `nextGiven()`; the keeper saves it.
package final class LiveCalibration: ProfileCalibrator, CalibrationHandOver {
  /// The target of a session, the limit of `good`: one sigma of the heading error for its use.
  private static let wantedError = Angle(degrees: 3)
  /// Seconds of samples between two checks of a session's progress.
  private static let checkInterval = 0.5

  let keeper: CalibrationKeeper?
  private let broadcast: Broadcast
  private let mounting: Rotation<SensorFrame, BodyFrame>
  private let fullScale: SensorFullScale
  private let notify: @Sendable (String) -> Void
  /// The use of sessions that state none; nil to decide by the motion.
  private let usualUse: CalibrationUse?
  private let queue: DispatchQueue
  private let observers = ObserverList<Void>()
  private let state: Mutex<State>

  /// The source of calibrations before this one: a recording's.
  private let earlier: (any CalibrationHandOver)?

  private struct State {
    var inUse: CalibrationInUse?
    var given: GivenCalibration?
    var session: GuidedCalibration?
    /// The observations that feed the session.
    var taps: [Observation] = []
    /// True while a session's calibration is being saved.
    var isKeeping = false
    var progress = 0.0
    var isChecking = false
    var nextCheck: Timestamp?

    /// - Returns: The observations, to be cancelled outside the lock.
    mutating func endSession() -> [Observation] {
      defer { (session, taps, nextCheck) = (nil, [], nil) }
      return taps
    }
  }

  /// Makes the calibrator of a pipeline and registers it in the configuration.
  /// - Parameters:
  ///   - configuration: The pipeline's; its calibration is in use at first.
  ///   - archive: Where calibrations are saved; nil to save none.
  ///   - fault: Why the stored calibrations cannot be read; nil where they can.
  ///   - broadcast: The source of samples and estimates.
  ///   - queue: Where a session's fits run.
  ///   - notify: Called with a sentence when a calibration could not be saved.
  package init(
    _ configuration: inout PipelineConfiguration, archive: CalibrationArchive?,
    fault: String? = nil, broadcast: Broadcast,
    queue: DispatchQueue = GuidedCalibration.makeQueue(),
    notify: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    keeper = archive.map { CalibrationKeeper($0, fault: fault, notify: notify) }
    (self.broadcast, self.queue, self.notify) = (broadcast, queue, notify)
    mounting = configuration.board.mounting
    fullScale = configuration.sensorLimits
    usualUse = configuration.activity.calibrationUse
    let inUse: CalibrationInUse? =
      switch configuration.calibration {
      case .none: nil
      case .assumed:
        CalibrationInUse(
          MagnetometerCalibration(
            softIron: .identity, hardIron: MagneticField(components: .zero), quality: .assumed))
      case .fitted(let calibration):
        CalibrationInUse(
          calibration, residualMicrotesla: configuration.calibrationEstimate?.residualMicrotesla)
      }
    state = Mutex(State(inUse: inUse))
    earlier = configuration.handOver
    configuration.handOver = self
    let observer = configuration.onCalibration
    configuration.onCalibration = { [weak self] event in
      observer?(event)
      self?.receive(event)
    }
    if let keeper { configuration.onDeviation = { keeper.save($0) } }
  }

  // MARK: State

  package var inUse: CalibrationInUse? { state.withLock { $0.inUse } }

  package var standing: CalibrationStanding {
    state.withLock { state in
      if state.session != nil || state.isKeeping { return .collecting(progress: state.progress) }
      return CalibrationStanding(state.inUse)
    }
  }

  package func observe(_ body: @escaping @Sendable () -> Void) -> Observation {
    observers.add(body)
  }

  // MARK: A session

  package var sessionUse: CalibrationUse {
    state.withLock { $0.session }.map { $0.use ?? .anyAttitude } ?? usualUse ?? .anyAttitude
  }

  package func begin(for use: CalibrationUse?) {
    let session = GuidedCalibration(
      prior: .unknown, mounting: mounting, fullScale: fullScale, use: use ?? usualUse,
      queue: queue)
    let isNew = state.withLock { state in
      guard state.session == nil, !state.isKeeping else { return false }
      (state.session, state.progress) = (session, 0)
      return true
    }
    guard isNew else { return }
    let taps = [
      broadcast.observeRows { [weak self] in self?.add($0, to: session) },
      broadcast.observe { if let field = $0.modelField { session.expect(field) } },
    ]
    // If the session was cancelled meanwhile, the observations end with this scope.
    state.withLock { if $0.session === session { $0.taps = taps } }
    observers.notify(())
  }

  package func cancel() {
    let taps = state.withLock { $0.endSession() }
    for tap in taps { tap.cancel() }
    observers.notify(())
  }

  private func add(_ row: SensorSamples, to session: GuidedCalibration) {
    session.add(row)
    let isDue = state.withLock { state in
      guard state.session === session, !state.isChecking,
        row.timestamp >= state.nextCheck ?? row.timestamp
      else { return false }
      state.nextCheck = row.timestamp.advanced(bySeconds: Self.checkInterval)
      state.isChecking = true
      return true
    }
    if isDue { queue.async { [weak self] in self?.checkProgress(of: session) } }
  }

  private func checkProgress(of session: GuidedCalibration) {
    defer { state.withLock { $0.isChecking = false } }
    let seen = session.progress()
    let error = seen.error(for: session.use ?? .anyAttitude)
    let share = error.map { min(1, Self.wantedError.radians / max($0.radians, .ulpOfOne)) } ?? 0
    let hasChanged = state.withLock { state in
      guard state.session === session, state.progress != share else { return false }
      state.progress = share
      return true
    }
    if hasChanged { observers.notify(()) }
    // Without a stated use the board may still be tilted.
    guard seen.quality == .good, seen.use == .anyAttitude || seen.isUseStated else { return }
    do throws(CalibrationFault) {
      try finish(session, accepting: [.good])
    } catch {
      // The fit to all samples may be less than good: then the session continues.
      if error.isNotKept { notify("\(error)") }
    }
  }

  package func finish() throws(CalibrationFault) {
    guard let session = state.withLock({ $0.session }) else {
      throw .insufficient("no calibration is running")
    }
    try finish(session, accepting: [.good, .fair])
  }

  /// Ends the session with its calibration, if that has one of these qualities.
  private func finish(
    _ session: GuidedCalibration, accepting qualities: Set<CalibrationState>
  ) throws(CalibrationFault) {
    let outcome: CalibrationOutcome
    do { outcome = try session.outcome() } catch { throw .insufficient("\(error)") }
    guard qualities.contains(outcome.quality), let calibration = outcome.calibration,
      let result = CalibrationResult(outcome)
    else {
      throw .insufficient("the measurements are not sufficient yet: \(outcome.remedy)")
    }
    let taps: [Observation]? = state.withLock { state in
      guard state.session === session else { return nil }
      state.isKeeping = true
      state.inUse = CalibrationInUse(
        calibration, residualMicrotesla: outcome.estimate.residualMicrotesla)
      state.given = GivenCalibration(.fitted(calibration), estimate: outcome.estimate)
      return state.endSession()
    }
    guard let taps else { throw .insufficient("the session has ended") }
    for tap in taps { tap.cancel() }
    var fault: CalibrationFault?
    do {
      try keeper?.keep(
        result, fit: StoredFit(outcome.estimate),
        conditions: CalibrationConditions(origin: .guided, method: outcome.estimate.method))
    } catch {
      fault = .notKept("\(error)")
    }
    // After the save: a program may end at this notification.
    state.withLock { $0.isKeeping = false }
    observers.notify(())
    if let fault { throw fault }
  }

  // MARK: Another calibration

  package func reset() {
    state.withLock { state in
      (state.inUse, state.given, state.progress) = (nil, GivenCalibration(.none), 0)
      state.session?.restart()
    }
    observers.notify(())
  }

  package func use(_ new: CalibrationInUse) throws(CalibrationFault) {
    let c = new.calibration
    let rows = [c.softIron.r0, c.softIron.r1, c.softIron.r2, c.hardIron.components]
    guard rows.allSatisfy({ $0.isFinite }) else {
      throw .unusable("a number of it is not finite")
    }
    guard c.softIron.inverse != nil else { throw .unusable("its soft iron has no inverse") }
    state.withLock { ($0.inUse, $0.given) = (new, GivenCalibration(.fitted(c))) }
    observers.notify(())
    guard let keeper else { return }
    var result = CalibrationResult(c)
    result.residualMicrotesla = new.residualMicrotesla
    do {
      try keeper.keep(
        result, fit: StoredFit(), conditions: CalibrationConditions(origin: .imported))
    } catch {
      throw .notKept("\(error)")
    }
  }

  // MARK: Stored calibrations

  package var archive: CalibrationArchive? { keeper?.archive }

  package var storageFault: String? { keeper?.fault }

  package func store(
    _ change: @Sendable (CalibrationArchive) throws(ProfileStoreError) -> SavedProfile
  ) throws(ProfileStoreError) -> SavedProfile? {
    guard let saved = try keeper?.change(change) else { return nil }
    use(saved.profile)
    return saved
  }

  private func use(_ profile: CalibrationProfile) {
    state.withLock { state in
      state.inUse = CalibrationInUse(
        profile.result.calibration, residualMicrotesla: profile.result.residualMicrotesla)
      state.given = GivenCalibration(profile)
    }
    observers.notify(())
  }

  package func storeAgain() {
    keeper?.saveAgain { [weak self] profile in
      // A calibration that was made meanwhile is newer.
      guard let self, inUse == nil else { return }
      use(profile)
      notify("calibration: generation \(profile.generation) can be read again and is used")
    }
  }

  // MARK: On the player's thread

  package func nextGiven() -> GivenCalibration? {
    let given = state.withLock { state in
      defer { state.given = nil }
      return state.given
    }
    // An earlier result of the online calibration must not replace the new one on the disk.
    if given != nil { keeper?.drop() }
    return given ?? earlier?.nextGiven()
  }

  private func receive(_ event: OnlineCalibrationEvent) {
    let isCurrent = state.withLock { state in
      // A given calibration that the pipeline has not taken yet has priority.
      guard state.given == nil, !state.isKeeping else { return false }
      state.inUse = event.calibration.flatMap { committed in
        AppliedCalibration(committed).map {
          CalibrationInUse(
            $0.calibration, residualMicrotesla: committed.estimate.residualMicrotesla)
        }
      }
      return true
    }
    guard isCurrent else { return }
    keeper?.schedule(event)
    observers.notify(())
  }
}
