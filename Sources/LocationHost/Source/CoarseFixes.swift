import Board
import Formats
import LinuxIO
import Observers
import Pipeline
import Quantities
import Radio

/// Adds coarse fixes of Wi-Fi to a source without a receiver, or is a source of Wi-Fi fixes only.
/// It scans and sends requests to the service only while it has observers and the demand includes
/// fixes.
public final class CoarseFixes: EstimatePublisher {
  /// Seconds that a fix waits for the source's next estimate before it is published alone.
  package static let timeout = 3.0

  private let base: (any EstimatePublisher)?
  private let find: @Sendable () throws(WiFiError) -> CoarsePlace
  /// Age up to which a place is used, seconds; twice the interval of searches where that is more.
  private static let leastValidity = 120.0

  private let seconds: Double
  private let timeout: Double
  private let state = Waitable(State())

  private struct State: Sendable {
    var observers: [Int: @Sendable (Estimate) -> Void] = [:]
    var nextKey = 0
    var newest: Estimate?
    /// The arrival time of the newest estimate, on the monotonic clock.
    var newestArrival: Timestamp?
    var fix: Estimate?
    /// Whether an estimate with the newest fix was published.
    var isPublished = true
    var demand = ReceiverDemand.continuous
    var lastSearch: Timestamp?
    var isRunning = false
    var baseObservation: Observation?
    /// The last reported fault.
    var fault: WiFiError.Kind?
    var noticeReceiver: (@Sendable (String) -> Void)?
  }

  /// Adds coarse fixes to a source.
  /// - Parameters:
  ///   - base: The source; nil without a sensor.
  ///   - locator: Finds the positions.
  public convenience init(_ base: (any EstimatePublisher)?, locator: WiFiLocator) {
    self.init(base, every: locator.configuration.minimumIntervalSeconds) {
      () throws(WiFiError) in CoarsePlace(try locator.position())
    }
  }

  /// Adds fixes that `find` returns, at most one in `seconds`.
  package init(
    _ base: (any EstimatePublisher)?, every seconds: Double,
    timeout: Double = CoarseFixes.timeout,
    find: @escaping @Sendable () throws(WiFiError) -> CoarsePlace
  ) {
    (self.base, self.seconds, self.timeout, self.find) = (base, seconds, timeout, find)
  }

  /// Whether the source has a magnetometer.
  public var hasMagnetometer: Bool { base?.hasMagnetometer ?? false }
  /// Whether the source has another compass.
  public var hasCompass: Bool { base?.hasCompass ?? false }
  /// True: positions are available.
  public var hasReceiver: Bool { true }
  /// Whether the source is simulated.
  public var isSimulated: Bool { base?.isSimulated ?? false }
  /// The source's devices.
  public var devices: [String] { base?.devices ?? [] }
  /// The quantities of the source's sensors; none without one.
  public var sensors: [String]? { base.map { $0.sensors } ?? [] }
  /// The newest estimate; nil before the first.
  public var latest: Estimate? { state.read { $0.newest } }
  /// The source's calibrator; nil if it has none.
  public var calibrator: (any FieldCalibrator)? { base?.calibrator }

  /// The source's mounting.
  public var mounting: Rotation<SensorFrame, BodyFrame> {
    base?.mounting ?? AxisMount.standard.rotation
  }

  /// Delivers the source's samples.
  public func observeRows(_ body: @escaping @Sendable (SensorSamples) -> Void) -> Observation {
    base?.observeRows(body) ?? Observation {}
  }

  /// Searches at the demand's interval, at most as often as the service allows; never for `none`.
  /// The demand is also passed to the source.
  public func setReceiverDemand(_ demand: ReceiverDemand) {
    state.withLock { $0.demand = demand }
    base?.setReceiverDemand(demand)
  }

  /// Calls `body` with a one-line reason when no fix is found. A reason is repeated only after
  /// another reason or a fix.
  public func onNotice(_ body: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.noticeReceiver = body }
  }

  /// Calls `body` for every new estimate, on the source's thread or the search thread.
  public func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    let (key, isFirst) = state.withLock { state in
      state.nextKey += 1
      state.observers[state.nextKey] = body
      return (state.nextKey, state.observers.count == 1)
    }
    if isFirst { begin() }
    return Observation { [self] in
      let ended: Observation? = state.withLock { state in
        state.observers[key] = nil
        guard state.observers.isEmpty else { return nil }
        defer { state.baseObservation = nil }
        return state.baseObservation
      }
      ended?.cancel()
    }
  }

  // MARK: Searching

  private func begin() {
    let observation = base?.observe { [weak self] in self?.publishWithPlace($0) }
    let mustRun = state.withLock { state in
      state.baseObservation = observation
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard mustRun else { return }
    WorkerThread.start("lodestar-wifi") { [weak self] in
      while let self, self.search() {}
    }
  }

  /// Waits until the next search is due and searches once.
  /// - Returns: False without observers.
  private func search() -> Bool {
    guard waitForTurn() else { return false }
    do throws(WiFiError) {
      adopt(try find())
    } catch {
      // No known network is in range, or the service does not respond: the next search tries again.
      report(error)
    }
    return true
  }

  private func waitForTurn() -> Bool {
    enum Outcome { case search, end, otherDemand }
    while true {
      let (pause, demand) = state.read { (self.pause($0), $0.demand) }
      let outcome: Outcome? = state.wait(atMost: pause) { state in
        guard !state.observers.isEmpty else {
          state.isRunning = false
          return .end
        }
        if state.demand != demand { return .otherDemand }
        guard self.pause(state) <= 0 else { return nil }
        state.lastSearch = MonotonicClock.now
        return .search
      }
      switch outcome {
      case .search: return true
      case .end: return false
      case .otherDemand, nil: continue
      }
    }
  }

  /// Seconds until the next search; infinite without a demand for fixes.
  private func pause(_ state: borrowing State) -> Double {
    if case .none = state.demand { return .infinity }
    let interval = interval(state)
    return state.lastSearch.map { interval - MonotonicClock.now.seconds(since: $0) } ?? 0
  }

  /// Seconds between two searches.
  private func interval(_ state: borrowing State) -> Double {
    if case .every(let wanted) = state.demand { max(seconds, wanted) } else { seconds }
  }

  private func report(_ error: WiFiError) {
    // Not a fault: another caller used the service meanwhile.
    if case .tooSoon = error.kind { return }
    let receiver = state.withLock { state in
      defer { state.fault = error.kind.withoutValues }
      return state.fault == error.kind.withoutValues ? nil : state.noticeReceiver
    }
    receiver?("\(error)")
  }

  // MARK: Estimates

  /// Publishes the source's estimate with the newest coarse fix.
  private func publishWithPlace(_ estimate: Estimate) {
    var estimate = estimate
    state.withLock { state in
      if let found = state.fix?.fixTimestamp {
        // The fix may be newer than the estimate's measurement.
        state.fix?.fixTimestamp = min(found, estimate.timestamp)
        // The next searches have found nothing: the board may be elsewhere.
        let age = estimate.timestamp.seconds(since: found)
        if age > max(Self.leastValidity, 2 * interval(state)) { state.fix = nil }
      }
      if let fix = state.fix { estimate.copyPosition(of: fix) }
      (state.newest, state.newestArrival, state.isPublished) = (estimate, MonotonicClock.now, true)
    }
    publish(estimate)
  }

  private func adopt(_ place: CoarsePlace) {
    let foundAt = state.withLock { state in
      // Read under the lock: no estimate that has arrived is newer.
      let foundAt = MonotonicClock.now
      state.fault = nil
      state.fix = estimate(of: place, at: foundAt, state)
      state.isPublished = false
      return foundAt
    }
    // Waits for the source's next estimate, which includes the fix.
    if base != nil {
      state.wait(atMost: timeout) { $0.isPublished || $0.observers.isEmpty ? () : nil }
    }
    let alone: Estimate? = state.withLock { state in
      guard !state.isPublished, !state.observers.isEmpty else { return nil }
      state.isPublished = true
      state.newest = state.fix
      state.newestArrival = foundAt
      return state.fix
    }
    if let alone { publish(alone) }
  }

  /// The fix as an estimate, with a timestamp in the clock of the source's estimates.
  private func estimate(
    of place: CoarsePlace, at now: Timestamp, _ state: borrowing State
  ) -> Estimate {
    var instant = now
    if base != nil, let newest = state.newest, let newestArrival = state.newestArrival {
      let passed = now.nanoseconds - newestArrival.nanoseconds
      instant = newest.timestamp.advanced(byNanoseconds: passed)
    }
    var estimate = Estimate(timestamp: instant)
    estimate.utc = place.time
    estimate.fixKind = .network
    estimate.fixTimestamp = instant
    estimate.position = place.position
    // The 95 % radius is an upper bound of the 68 % radius, which the service does not report.
    estimate.horizontalAccuracyMetres = place.radius95Metres
    return estimate
  }

  private func publish(_ estimate: Estimate) {
    for body in state.read({ Array($0.observers.values) }) { body(estimate) }
  }
}

extension Estimate {
  /// Copies the position of a coarse fix.
  fileprivate mutating func copyPosition(of fix: Estimate) {
    fixKind = fix.fixKind
    fixTimestamp = fix.fixTimestamp
    position = fix.position
    horizontalAccuracyMetres = fix.horizontalAccuracyMetres
  }
}

extension WiFiError.Kind {
  /// The fault without its values, to compare kinds only.
  fileprivate var withoutValues: WiFiError.Kind {
    switch self {
    case .tooFew: .tooFew(0)
    case .tooMany: .tooMany(seconds: 0)
    default: self
    }
  }
}
