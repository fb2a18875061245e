import CalibrationFit
import CalibrationStore
import Foundation
import Quantities
import Recording

/// The calibrator of a player: samples come on the player's thread, fits run on threads of their own, and
/// what comes of them goes to the pipeline by the hand-over and to the disk by the keeper.
package final class LiveCalibration: FieldCalibrator, CalibrationHandOver, @unchecked Sendable {
  /// One sigma of the heading error at the worst attitude tilted below 45 degrees that a session works
  /// towards: the limit of `good`.
  private static let wantedError = Angle(degrees: 3)
  /// Seconds of samples between two looks at a session's progress.
  private static let lookInterval = 0.5

  let keeper: CalibrationKeeper?
  private let broadcast: Broadcast
  private let mounting: Rotation<SensorFrame, BodyFrame>
  private let fullScale: SensorFullScale
  private let complain: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "lodestar-calibration", qos: .utility)
  private let lock = NSLock()
  private var state = State()

  private struct State {
    var inUse: CalibrationInUse?
    var given: GivenCalibration?
    var session: GuidedCalibration?
    /// What brings the session its samples.
    var taps: [Observation] = []
    /// True while a session's calibration is on its way to the disk.
    var isKeeping = false
    var progress = 0.0
    var isLooking = false
    var nextLook: Timestamp?
    var listeners: [Int: @Sendable () -> Void] = [:]
    var nextKey = 0

    /// - Returns: What brought the samples: it is let go outside the lock.
    mutating func endSession() -> [Observation] {
      defer { (session, taps, nextLook) = (nil, [], nil) }
      return taps
    }
  }

  /// Makes the calibrator of a pipeline, and itself heard in its configuration.
  /// - Parameters:
  ///   - configuration: The pipeline's; what it says of a calibration is what is in use at first.
  ///   - archive: Where calibrations are kept; nil where nowhere.
  ///   - broadcast: Where samples and estimates are heard.
  ///   - complain: Hears, in a sentence, of what was not kept.
  package init(
    _ configuration: inout PipelineConfiguration, archive: CalibrationArchive?,
    broadcast: Broadcast, complain: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    keeper = archive.map { CalibrationKeeper($0, complain: complain) }
    (self.broadcast, self.complain) = (broadcast, complain)
    mounting = configuration.board.mounting
    fullScale = configuration.sensorLimits
    switch configuration.calibration {
    case .none: break
    case .assumed:
      state.inUse = CalibrationInUse(
        MagnetometerCalibration(
          softIron: .identity, hardIron: MagneticField(components: .zero), quality: .assumed))
    case .fitted(let calibration):
      state.inUse = CalibrationInUse(
        calibration, residualMicrotesla: configuration.calibrationEstimate?.residualMicrotesla)
    }
    configuration.handOver = self
    let earlier = configuration.onCalibration
    configuration.onCalibration = { [weak self] event in
      earlier?(event)
      self?.take(event)
    }
    if let keeper { configuration.onDeviation = { keeper.take($0) } }
  }

  // MARK: What there is

  package var inUse: CalibrationInUse? { lock.withLock { state.inUse } }

  package var standing: CalibrationStanding {
    lock.withLock {
      if state.session != nil || state.isKeeping { return .collecting(progress: state.progress) }
      return CalibrationStanding(state.inUse)
    }
  }

  package func observe(_ body: @escaping @Sendable () -> Void) -> Observation {
    let key = lock.withLock {
      state.nextKey += 1
      state.listeners[state.nextKey] = body
      return state.nextKey
    }
    return Observation { [weak self] in
      guard let self else { return }
      lock.withLock { _ = state.listeners.removeValue(forKey: key) }
    }
  }

  private func tell() {
    for body in lock.withLock({ Array(state.listeners.values) }) { body() }
  }

  // MARK: A session

  package func begin() {
    let session = GuidedCalibration(
      prior: .unknown, mounting: mounting, fullScale: fullScale)
    let isNew = lock.withLock {
      guard state.session == nil, !state.isKeeping else { return false }
      (state.session, state.progress) = (session, 0)
      return true
    }
    guard isNew else { return }
    let taps = [
      broadcast.observeRows { [weak self] in self?.add($0, to: session) },
      broadcast.observe { if let field = $0.modelField { session.expect(field) } },
    ]
    // It may have been cancelled meanwhile: then nobody keeps the taps.
    lock.withLock { if state.session === session { state.taps = taps } }
    tell()
  }

  package func cancel() {
    let taps = lock.withLock { state.endSession() }
    for tap in taps { tap.cancel() }
    tell()
  }

  private func add(_ row: SensorRow, to session: GuidedCalibration) {
    session.add(row)
    let isDue = lock.withLock {
      guard state.session === session, !state.isLooking,
        row.timestamp >= state.nextLook ?? row.timestamp
      else { return false }
      state.nextLook = row.timestamp.advanced(byNanoseconds: UInt64(Self.lookInterval * 1e9))
      state.isLooking = true
      return true
    }
    if isDue { queue.async { [weak self] in self?.look(at: session) } }
  }

  private func look(at session: GuidedCalibration) {
    defer { lock.withLock { state.isLooking = false } }
    let seen = session.progress()
    let share =
      seen.worstError.map { min(1, Self.wantedError.radians / max($0.radians, .ulpOfOne)) } ?? 0
    let hasChanged = lock.withLock {
      guard state.session === session, state.progress != share else { return false }
      state.progress = share
      return true
    }
    if hasChanged { tell() }
    if seen.quality == .good { finish(session) }
  }

  /// Ends the session with its calibration; where all samples together give none that is good, it goes on.
  private func finish(_ session: GuidedCalibration) {
    let outcome: CalibrationOutcome
    do { outcome = try session.outcome() } catch { return }
    guard outcome.quality == .good, let calibration = outcome.calibration,
      let result = CalibrationResult(outcome)
    else { return }
    let taps: [Observation]? = lock.withLock {
      guard state.session === session else { return nil }
      state.isKeeping = true
      state.inUse = CalibrationInUse(
        calibration, residualMicrotesla: outcome.estimate.residualMicrotesla)
      state.given = GivenCalibration(.fitted(calibration), estimate: outcome.estimate)
      return state.endSession()
    }
    guard let taps else { return }
    for tap in taps { tap.cancel() }
    do {
      try keeper?.keep(
        result, fit: StoredFit(outcome.estimate),
        conditions: CalibrationConditions(origin: .guided, method: outcome.estimate.method))
    } catch {
      complain("the calibration is in use and was not kept: \(error)")
    }
    // Said when it is on the disk: a program may end then.
    lock.withLock { state.isKeeping = false }
    tell()
  }

  // MARK: Another calibration

  package func reset() {
    lock.withLock {
      (state.inUse, state.given, state.progress) = (nil, GivenCalibration(.none), 0)
      state.session?.restart()
    }
    tell()
  }

  package func use(_ new: CalibrationInUse) throws(CalibrationFault) {
    let c = new.calibration
    let rows = [c.softIron.r0, c.softIron.r1, c.softIron.r2, c.hardIron.components]
    guard rows.allSatisfy({ $0.isFinite }) else {
      throw .unusable("a number of it is not finite")
    }
    guard c.softIron.inverse != nil else { throw .unusable("its soft iron has no inverse") }
    lock.withLock { (state.inUse, state.given) = (new, GivenCalibration(.fitted(c))) }
    tell()
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

  // MARK: On the player's thread

  package func take() -> GivenCalibration? {
    let given = lock.withLock {
      defer { state.given = nil }
      return state.given
    }
    // What the online calibration had found before is not to be kept after it.
    if given != nil { keeper?.drop() }
    return given
  }

  private func take(_ event: OnlineCalibrationEvent) {
    let isNews = lock.withLock {
      // What was handed in is not taken up yet, and holds.
      guard state.given == nil, !state.isKeeping else { return false }
      state.inUse = event.calibration.flatMap { committed in
        AppliedCalibration(committed).map {
          CalibrationInUse(
            $0.calibration, residualMicrotesla: committed.estimate.residualMicrotesla)
        }
      }
      return true
    }
    guard isNews else { return }
    keeper?.take(event)
    tell()
  }
}
