import Engine
import Formats
import Foundation
import LinuxIO
import Quantities
import Radio

/// A source of estimates with coarse fixes of Wi-Fi in it where it has no receiver, or no source at all but
/// Wi-Fi. Access points are looked for, and the service asked, only while somebody observes and fixes are
/// wanted of the receiver.
public final class CoarseFixes: EstimatePublisher {
  /// How long a fix waits for an estimate of the source to bear it, seconds.
  package static let timeout = 3.0

  private let base: (any EstimatePublisher)?
  private let find: @Sendable () throws(WiFiError) -> CoarsePlace
  private let seconds: Double
  private let timeout: Double
  private let state = Waitable(State())

  private struct State: Sendable {
    var observers: [Int: @Sendable (Estimate) -> Void] = [:]
    var nextKey = 0
    var newest: Estimate?
    /// When the newest came, on the monotonic clock.
    var newestArrival: Timestamp?
    var fix: Estimate?
    /// False from when a fix is found until an estimate that bears it was published.
    var isBorne = true
    var demand = ReceiverDemand.continuous
    var lastSearch: Timestamp?
    var isRunning = false
    var baseObservation: Observation?
    /// The fault that was reported last.
    var fault: WiFiError.Kind?
    var noticeReceiver: (@Sendable (String) -> Void)?
  }

  /// Adds coarse fixes to a source.
  /// - Parameters:
  ///   - base: The source; nil where there is no sensor.
  ///   - locator: Whom to ask.
  public convenience init(_ base: (any EstimatePublisher)?, locator: WiFiLocator) {
    self.init(base, every: locator.configuration.minimumIntervalSeconds) {
      () throws(WiFiError) in CoarsePlace(try locator.position())
    }
  }

  /// Adds fixes that `find` finds.
  package init(
    _ base: (any EstimatePublisher)?, every seconds: Double,
    timeout: Double = CoarseFixes.timeout,
    find: @escaping @Sendable () throws(WiFiError) -> CoarsePlace
  ) {
    (self.base, self.seconds, self.timeout, self.find) = (base, seconds, timeout, find)
  }

  /// What the source has.
  public var hasMagnetometer: Bool { base?.hasMagnetometer ?? false }
  /// True: a place can be told.
  public var hasReceiver: Bool { true }
  /// What the source says.
  public var isSimulated: Bool { base?.isSimulated ?? false }
  /// The newest estimate; nil before the first.
  public var latest: Estimate? { state.read { $0.newest } }
  /// The source's; nil where there is nothing to calibrate.
  public var calibrator: (any FieldCalibrator)? { base?.calibrator }

  /// The source's.
  public var mounting: Rotation<SensorFrame, BodyFrame> {
    base?.mounting ?? AxisMount.standard.rotation
  }

  /// Hands the source's samples on.
  public func observeRows(_ body: @escaping @Sendable (SensorSamples) -> Void) -> Observation {
    base?.observeRows(body) ?? Observation {}
  }

  /// Searches as often as fixes are wanted, at most as often as the service may be asked; never for `none`.
  /// The source's receiver, where it has one, may rest.
  public func setReceiverDemand(_ demand: ReceiverDemand) {
    state.withLock { $0.demand = demand }
    base?.setReceiverDemand(demand)
  }

  /// Calls `body` with the reason why there is no fix, in one line, once until another reason or a fix comes.
  public func onNotice(_ body: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.noticeReceiver = body }
  }

  /// Calls `body` for every estimate from now on, on a thread of the source's or of its own.
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
    let observation = base?.observe { [weak self] in self?.take($0) }
    let mustRun = state.withLock { state in
      state.baseObservation = observation
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard mustRun else { return }
    let thread = Thread { [weak self] in
      while let self, self.search() {}
    }
    thread.name = "lodestar-wifi"
    thread.start()
  }

  /// Waits for its turn and searches once.
  /// - Returns: False where nobody observes any more.
  private func search() -> Bool {
    guard waitForTurn() else { return false }
    do throws(WiFiError) {
      take(try find())
    } catch {
      // Out of range of known networks, or the service rests: the next turn tries again.
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

  /// Seconds to the next search; infinite where no fix is wanted.
  private func pause(_ state: borrowing State) -> Double {
    let interval: Double
    switch state.demand {
    case .none: return .infinity
    case .continuous: interval = seconds
    case .every(let wanted): interval = max(seconds, wanted)
    }
    return state.lastSearch.map { interval - MonotonicClock.now.seconds(since: $0) } ?? 0
  }

  private func report(_ error: WiFiError) {
    // Not a fault: somebody else has asked meanwhile.
    if case .tooSoon = error.kind { return }
    let receiver = state.withLock { state in
      defer { state.fault = error.kind.withoutFigures }
      return state.fault == error.kind.withoutFigures ? nil : state.noticeReceiver
    }
    receiver?("\(error)")
  }

  // MARK: What comes

  /// An estimate of the source carries the last coarse fix on.
  private func take(_ estimate: Estimate) {
    var estimate = estimate
    state.withLock { state in
      if let found = state.fix?.fixTimestamp {
        // Found between the estimate's measurement and its coming here.
        state.fix?.fixTimestamp = min(found, estimate.timestamp)
      }
      if let fix = state.fix { estimate.takePlace(of: fix) }
      (state.newest, state.newestArrival, state.isBorne) = (estimate, MonotonicClock.now, true)
    }
    publish(estimate)
  }

  private func take(_ place: CoarsePlace) {
    let foundAt = MonotonicClock.now
    state.withLock { state in
      state.fault = nil
      state.fix = estimate(of: place, at: foundAt, state)
      state.isBorne = false
    }
    // The source's next estimate bears the fix, where there is one soon.
    if base != nil {
      state.wait(atMost: timeout) { $0.isBorne || $0.observers.isEmpty ? () : nil }
    }
    let alone: Estimate? = state.withLock { state in
      guard !state.isBorne, !state.observers.isEmpty else { return nil }
      state.isBorne = true
      state.newest = state.fix
      state.newestArrival = foundAt
      return state.fix
    }
    if let alone { publish(alone) }
  }

  /// The fix as an estimate of now, by the clock of the source's estimates.
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
    // What holds 95 % holds 68 %; by how much more no service says.
    estimate.horizontalAccuracyMetres = place.radius95Metres
    return estimate
  }

  private func publish(_ estimate: Estimate) {
    for body in state.read({ Array($0.observers.values) }) { body(estimate) }
  }
}

extension Estimate {
  /// Takes over where a coarse fix found the board to be.
  fileprivate mutating func takePlace(of fix: Estimate) {
    fixKind = fix.fixKind
    fixTimestamp = fix.fixTimestamp
    position = fix.position
    horizontalAccuracyMetres = fix.horizontalAccuracyMetres
  }
}

extension WiFiError.Kind {
  /// The same for two faults that differ in a figure alone.
  fileprivate var withoutFigures: WiFiError.Kind {
    switch self {
    case .tooFew: .tooFew(0)
    case .tooMany: .tooMany(seconds: 0)
    default: self
    }
  }
}
