internal import HostProtocol

/// Selects the fixes that one manager's standard service and one-shot request deliver.
///
/// The rules, which Apple documents without numbers:
/// - The fix that was known before the start is delivered first, with its own time.
/// - A later fix is delivered if it lies more than the distance filter from the last delivered one,
///   or is markedly more accurate.
/// - A known fix that is not fresh does not suppress the first fresh one.
/// - The known fix is not delivered again inside its own delivery, nor within `repeatInterval`: a
///   program that stops and starts updates for each location would not return otherwise.
/// - A request ends with one fix, taken after it began, or one error, and prefers a coarse fix to
///   an error. The known fix is for updates only.
///
/// The caller passes the time; nothing here waits. No step of civil time may change it, except for
/// `sourceReady`, which takes civil time for the age of the known fix.
package struct LocationDelivery {
  /// The factor by which the accuracy radius must be smaller to pass the distance filter.
  package static let markedImprovement = 2.0
  /// Seconds for which a fix is fresh. Apple's location guide uses 15.
  package static let freshness: TimeInterval = 15
  /// The least seconds between two deliveries of one fix: a receiver's period.
  package static let repeatInterval: TimeInterval = 1
  /// Seconds by which a receiver's time may be ahead of the machine's clock.
  package static let clockSkew: TimeInterval = 5
  /// Seconds until a request times out. Apple names no number; about 10 are observed.
  package static let requestTimeout: TimeInterval = 10
  /// Seconds without a fix until `locationUnknown`, beyond the interval of fixes that the desired
  /// accuracy asks for: about the cold start of a receiver.
  package static let updateTimeout: TimeInterval = 30
  /// The accuracy radius in metres that satisfies a request for the best accuracy.
  package static let bestAccuracy: CLLocationAccuracy = 10

  /// The outcome of a request or of a wait for fixes.
  package enum Outcome: Equatable, Sendable {
    /// Deliver this fix.
    case fix(CLLocation)
    /// No fix; report `locationUnknown`.
    case unknown
    /// Nothing yet; call again at this time.
    case wait(until: Date)
  }

  /// Metres; negative: every fix is delivered.
  package var distanceFilter: CLLocationDistance = kCLDistanceFilterNone
  /// Metres, or one of the negative constants.
  package var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
  /// True from start to stop.
  package private(set) var isUpdating = false

  private var initialIsPending = false
  private var reference: CLLocation?
  private var lastSeen: CLLocation?
  /// The fix that the delegate received last, and when.
  private var delivered: (fix: CLLocation, at: Date)?
  private var hasStartedInsideDelivery = false
  private var hasReportedTimeout = false
  /// Whether a fix has come since the start: only then may the receiver rest.
  private var hasFix = false
  private var timeoutStart = Date.distantPast
  private var request: Request?

  private struct Request {
    var begun: Date
    var deadline: Date
    var best: CLLocation?
  }

  /// Makes a delivery without updates and without a request.
  package init() {}

  /// True where the program wants locations as if it had reduced accuracy.
  package var wantsCoarse: Bool { desiredAccuracy >= kCLLocationAccuracyReduced }
  /// True while a request waits.
  package var isRequesting: Bool { request != nil }
  /// True while updates run or a request waits.
  package var isActive: Bool { isUpdating || isRequesting }

  /// True where the desired accuracy is one of the best two, which deferral needs.
  package var wantsBest: Bool {
    desiredAccuracy == kCLLocationAccuracyBest
      || desiredAccuracy == kCLLocationAccuracyBestForNavigation
  }

  // MARK: Standard service

  /// Starts updates and cancels a waiting request.
  /// - Parameters:
  ///   - now: The steady time.
  ///   - isInsideDelivery: True where the delegate starts them while it receives a location.
  /// - Returns: False where updates were already running.
  package mutating func start(at now: Date, isInsideDelivery: Bool = false) -> Bool {
    guard !isUpdating else { return false }
    hasStartedInsideDelivery = isInsideDelivery
    request = nil
    isUpdating = true
    initialIsPending = true
    (hasReportedTimeout, hasFix) = (false, false)
    timeoutStart = now
    (reference, lastSeen) = (nil, nil)
    return true
  }

  /// Stops updates and cancels a waiting request.
  package mutating func stop() {
    isUpdating = false
    initialIsPending = false
    request = nil
  }

  /// Returns the known fix for delivery when the source is open, unless a new fix was delivered
  /// before.
  /// - Parameters:
  ///   - known: The known fix.
  ///   - now: The civil time, for the age of the known fix.
  ///   - steadyNow: The steady time; nil where the known fix was not delivered before.
  /// - Returns: nil where it is not to be delivered.
  package mutating func sourceReady(
    known: CLLocation?, at now: Date, steadyNow: Date? = nil
  ) -> CLLocation? {
    guard initialIsPending else { return nil }
    initialIsPending = false
    guard let known, known.horizontalAccuracy >= 0 else { return nil }
    lastSeen = known
    if isFresh(known, at: now) { reference = known }
    if let delivered, delivered.fix.isSameFix(as: known) {
      let isSoon = steadyNow.map { $0 < delivered.at + Self.repeatInterval } ?? false
      if hasStartedInsideDelivery || isSoon { return nil }
    }
    return known
  }

  /// The delegate receives a fix.
  package mutating func recordDelivery(of fix: CLLocation, at now: Date) { delivered = (fix, now) }

  /// Nothing was delivered yet: the distance filter begins at the next fix.
  package mutating func forgetReference() { reference = nil }

  // MARK: Fixes

  /// Processes a new fix; returns it if it is to be delivered.
  /// - Parameters:
  ///   - fix: The fix.
  ///   - now: The time of reception.
  ///   - age: Seconds since the fix was taken.
  ///   - isOfArea: True under reduced accuracy: a fix is then delivered only if its area is a new
  ///     one.
  /// - Returns: nil if it is not to be delivered.
  package mutating func receive(
    _ fix: CLLocation, at now: Date, age: TimeInterval = 0, isOfArea: Bool = false
  ) -> CLLocation? {
    if var pending = request {
      // Estimates of a receiver that rests carry its last fix.
      guard now.addingTimeInterval(-age) >= pending.begun else { return nil }
      pending.best = better(pending.best, fix)
      request = satisfies(fix) ? nil : pending
      return request == nil ? fix : nil
    }
    // The source's thread may deliver the known fix a second time.
    guard isUpdating, fix !== lastSeen else { return nil }
    lastSeen = fix
    initialIsPending = false
    (hasReportedTimeout, hasFix) = (false, true)
    timeoutStart = now
    if let reference, !isDue(fix, after: reference) { return nil }
    if isOfArea, let reference, reference.isSamePlace(as: fix) { return nil }
    reference = fix
    return fix
  }

  // MARK: Waiting

  /// Starts a request; does nothing while updates run or another request waits.
  /// - Returns: When to call `requestOutcome`, unless a fix ends the request before; nil where no
  ///   request was started.
  package mutating func beginRequest(at now: Date) -> Date? {
    guard !isActive else { return nil }
    let deadline = now.addingTimeInterval(Self.requestTimeout)
    request = Request(begun: now, deadline: deadline)
    return deadline
  }

  /// The outcome of the request; nil without a waiting request.
  package mutating func requestOutcome(at now: Date) -> Outcome? {
    guard let request else { return nil }
    guard now >= request.deadline else { return .wait(until: request.deadline) }
    self.request = nil
    return request.best.map(Outcome.fix) ?? .unknown
  }

  /// The outcome of the wait for fixes: `unknown` once for each timeout.
  /// - Returns: nil while no updates run.
  package mutating func updateOutcome(at now: Date) -> Outcome? {
    guard isUpdating else { return nil }
    let timeout = Self.updateTimeout + (hasFix ? demand.secondsBetweenFixes : 0)
    let deadline = timeoutStart.addingTimeInterval(timeout)
    if now < deadline { return .wait(until: deadline) }
    // The next error needs a fix first.
    guard !hasReportedTimeout else {
      return .wait(until: now.addingTimeInterval(timeout))
    }
    hasReportedTimeout = true
    return .unknown
  }

  /// Ends the wait for fixes: the source has no receiver.
  /// - Returns: The outcome to report; nil for none.
  package mutating func receiverIsMissing() -> Outcome? {
    if let request {
      self.request = nil
      return request.best.map(Outcome.fix) ?? .unknown
    }
    defer { hasReportedTimeout = true }
    return isUpdating && !hasReportedTimeout ? .unknown : nil
  }

  /// Cancels a waiting request without an outcome.
  package mutating func cancelRequest() { request = nil }

  // MARK: Rules

  private func isDue(_ fix: CLLocation, after reference: CLLocation) -> Bool {
    if distanceFilter < 0 { return true }
    if fix.distance(from: reference) > distanceFilter { return true }
    guard fix.horizontalAccuracy >= 0 else { return false }
    return reference.horizontalAccuracy < 0
      || fix.horizontalAccuracy * Self.markedImprovement <= reference.horizontalAccuracy
        && fix.horizontalAccuracy < reference.horizontalAccuracy
  }

  private func isFresh(_ fix: CLLocation, at now: Date) -> Bool {
    // A machine clock that is behind gives fixes in the future, whose age is not known.
    (-Self.clockSkew...Self.freshness).contains(now.timeIntervalSince(fix.timestamp))
  }

  private func satisfies(_ fix: CLLocation) -> Bool {
    let wanted = desiredAccuracy > 0 ? desiredAccuracy : Self.bestAccuracy
    return fix.horizontalAccuracy >= 0 && fix.horizontalAccuracy <= wanted
  }

  private func better(_ a: CLLocation?, _ b: CLLocation) -> CLLocation? {
    guard b.horizontalAccuracy >= 0 else { return a }
    guard let a else { return b }
    return b.horizontalAccuracy <= a.horizontalAccuracy ? b : a
  }
}

extension CLLocation {
  /// True for one fix, also in two objects.
  func isSameFix(as other: CLLocation) -> Bool {
    self === other || timestamp == other.timestamp && isSamePlace(as: other)
  }

  /// True where the coordinates are equal: two fixes of one area under reduced accuracy.
  func isSamePlace(as other: CLLocation) -> Bool {
    coordinate.latitude == other.coordinate.latitude
      && coordinate.longitude == other.coordinate.longitude
  }
}

extension LocationDelivery {
  /// The estimates that the standard service and a request need.
  var demand: EstimateDemand {
    guard isActive else { return .none }
    // A request needs the first good fix, whatever its interval.
    guard isUpdating else { return EstimateDemand(fixes: true) }
    return EstimateDemand(
      fixes: true, desiredAccuracyMetres: desiredAccuracy > 0 ? desiredAccuracy : nil)
  }
}
