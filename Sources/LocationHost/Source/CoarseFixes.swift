import Engine
import Formats
import Foundation
import Quantities
import Radio

/// A source of estimates with coarse fixes of Wi-Fi in it where it has no receiver, or no source at all but
/// Wi-Fi. Access points are looked for, and the service asked, only while somebody observes and fixes are
/// wanted of the receiver.
public final class CoarseFixes: EstimatePublisher, @unchecked Sendable {
  /// How long a fix waits for an estimate of the source to bear it, seconds.
  package static let patienceSeconds = 3.0

  private let base: (any EstimatePublisher)?
  private let find: @Sendable () throws(WiFiError) -> CoarsePlace
  private let seconds: Double
  private let patience: Double
  private let lock = NSCondition()

  // Under the lock.
  private var observers: [Int: @Sendable (Estimate) -> Void] = [:]
  private var nextKey = 0
  private var newest: Estimate?
  /// When the newest came, on the monotonic clock.
  private var newestArrival: Timestamp?
  private var fix: Estimate?
  /// False from when a fix is found until an estimate that bears it was told.
  private var isBorne = true
  private var demand = ReceiverDemand.continuous
  private var lastSearch: Timestamp?
  private var isRunning = false
  private var baseObservation: Observation?
  private var toldFault: WiFiError.Kind?
  private var noticeReceiver: (@Sendable (String) -> Void)?

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
    patience: Double = CoarseFixes.patienceSeconds,
    find: @escaping @Sendable () throws(WiFiError) -> CoarsePlace
  ) {
    (self.base, self.seconds, self.patience, self.find) = (base, seconds, patience, find)
  }

  /// What the source has.
  public var hasMagnetometer: Bool { base?.hasMagnetometer ?? false }
  /// True: a place can be told.
  public var hasReceiver: Bool { true }
  /// What the source says.
  public var isSimulated: Bool { base?.isSimulated ?? false }
  /// The newest estimate; nil before the first.
  public var latest: Estimate? { lock.withLock { newest } }
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
    lock.withLock {
      self.demand = demand
      lock.broadcast()
    }
    base?.setReceiverDemand(demand)
  }

  /// Hears why there is no fix, in one line, once until another reason comes or a fix is found.
  public func onNotice(_ body: @escaping @Sendable (String) -> Void) {
    lock.withLock { noticeReceiver = body }
  }

  /// Calls `body` for every estimate from now on, on a thread of the source's or of its own.
  public func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    let (key, isFirst) = lock.withLock {
      nextKey += 1
      observers[nextKey] = body
      return (nextKey, observers.count == 1)
    }
    if isFirst { begin() }
    return Observation { [self] in
      let ended: Observation? = lock.withLock {
        observers[key] = nil
        defer { lock.broadcast() }
        guard observers.isEmpty else { return nil }
        defer { baseObservation = nil }
        return baseObservation
      }
      ended?.cancel()
    }
  }

  // MARK: Searching

  private func begin() {
    let observation = base?.observe { [weak self] in self?.take($0) }
    let mustRun = lock.withLock {
      baseObservation = observation
      defer { isRunning = true }
      return !isRunning
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
    guard awaitTurn() else { return false }
    do throws(WiFiError) {
      take(try find())
    } catch {
      // Out of range of known networks, or the service rests: the next turn tries again.
      tell(error)
    }
    return true
  }

  private func awaitTurn() -> Bool {
    lock.withLock {
      while !observers.isEmpty {
        guard let pause = pauseSeconds else {
          lock.wait()
          continue
        }
        guard pause > 0 else {
          lastSearch = Self.now
          return true
        }
        // The condition waits by the civil clock, which may be set meanwhile.
        _ = lock.wait(until: Date(timeIntervalSinceNow: min(pause, 10)))
      }
      isRunning = false
      return false
    }
  }

  /// Seconds to the next search; nil where no fix is wanted.
  private var pauseSeconds: Double? {
    let interval: Double
    switch demand {
    case .none: return nil
    case .continuous: interval = seconds
    case .every(let wanted): interval = max(seconds, wanted)
    }
    return lastSearch.map { interval - Self.now.seconds(since: $0) } ?? 0
  }

  private func tell(_ error: WiFiError) {
    // Not a fault: somebody else has asked meanwhile.
    if case .tooSoon = error.kind { return }
    let receiver = lock.withLock {
      defer { toldFault = error.kind.withoutFigures }
      return toldFault == error.kind.withoutFigures ? nil : noticeReceiver
    }
    receiver?("\(error)")
  }

  // MARK: What comes

  private static var now: Timestamp {
    Timestamp(nanoseconds: DispatchTime.now().uptimeNanoseconds)
  }

  /// An estimate of the source carries the last coarse fix on.
  private func take(_ estimate: Estimate) {
    var estimate = estimate
    lock.withLock {
      if let found = fix?.fixTimestamp {
        // Found between the estimate's measurement and its coming here.
        fix?.fixTimestamp = min(found, estimate.timestamp)
      }
      if let fix { estimate.takePlace(of: fix) }
      (newest, newestArrival, isBorne) = (estimate, Self.now, true)
      lock.broadcast()
    }
    publish(estimate)
  }

  private func take(_ place: CoarsePlace) {
    let foundAt = lock.withLock {
      toldFault = nil
      let now = Self.now
      fix = estimate(of: place, at: now)
      isBorne = false
      // The source's next estimate bears the fix, where there is one soon.
      let end = Date(timeIntervalSinceNow: patience)
      while base != nil, !isBorne, !observers.isEmpty, lock.wait(until: end) {}
      return now
    }
    let alone: Estimate? = lock.withLock {
      guard !isBorne, !observers.isEmpty else { return nil }
      isBorne = true
      newest = fix
      newestArrival = foundAt
      return fix
    }
    if let alone { publish(alone) }
  }

  /// The fix as an estimate of now, by the clock of the source's estimates.
  private func estimate(of place: CoarsePlace, at now: Timestamp) -> Estimate {
    var instant = now
    if base != nil, let newest, let newestArrival {
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
    for body in lock.withLock({ Array(observers.values) }) { body(estimate) }
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
