/// Which fixes one manager's standard service and one-shot request hand out.
///
/// The rules, all of which Apple documents in words and leaves without numbers:
/// - The fix that was known before the start comes first, with its own time.
/// - A later fix comes once it lies more than the distance filter from the last one that came, or
///   once it is markedly more accurate.
/// - A fix that is too old to count as fresh does not hold back the first fresh one.
/// - A request gives one fix or one error, and prefers a coarse fix to an error.
///
/// Time comes from outside; nothing here waits.
package struct LocationDelivery {
  /// How many times smaller the accuracy radius must be to come in spite of the distance filter.
  package static let markedImprovement = 2.0
  /// Seconds that a fix counts as fresh; Apple's location guide lets clients use 15.
  package static let freshness: TimeInterval = 15
  /// Seconds by which a receiver's time may be ahead of the machine's.
  package static let clockSkew: TimeInterval = 5
  /// Seconds that a request waits for a fix; Apple names no figure, about 10 are observed.
  package static let requestPatience: TimeInterval = 10
  /// Seconds without a fix until `locationUnknown`; a receiver's cold start takes about this long.
  package static let updatePatience: TimeInterval = 30
  /// The radius in metres that satisfies a request for the best accuracy without waiting longer.
  package static let bestAccuracy: CLLocationAccuracy = 10

  /// What a request or a wait ends with.
  package enum Outcome: Equatable, Sendable {
    /// This fix.
    case fix(CLLocation)
    /// No fix for now.
    case unknown
    /// Nothing yet; ask again at this time.
    case wait(until: Date)
  }

  /// Metres; negative: every fix comes.
  package var distanceFilter: CLLocationDistance = kCLDistanceFilterNone
  /// Metres, or one of the negative constants.
  package var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
  /// True from start to stop.
  package private(set) var isUpdating = false

  private var owesInitial = false
  private var reference: CLLocation?
  private var lastSeen: CLLocation?
  private var isDry = false
  private var driestSince = Date.distantPast
  private var request: Request?

  private struct Request {
    var deadline: Date
    var best: CLLocation?
  }

  /// Makes the delivery of a manager that has started nothing.
  package init() {}

  /// True while a request waits.
  package var isRequesting: Bool { request != nil }
  /// True while anything here wants fixes.
  package var isActive: Bool { isUpdating || isRequesting }

  /// True where the best accuracy is wanted, which deferral needs.
  package var wantsBest: Bool {
    desiredAccuracy == kCLLocationAccuracyBest
      || desiredAccuracy == kCLLocationAccuracyBestForNavigation
  }

  // MARK: Standard service

  /// Starts updates and drops a waiting request.
  /// - Returns: False where updates were already running: nothing new comes of that.
  package mutating func start(at now: Date) -> Bool {
    guard !isUpdating else { return false }
    request = nil
    isUpdating = true
    owesInitial = true
    isDry = false
    driestSince = now
    (reference, lastSeen) = (nil, nil)
    return true
  }

  /// Ends updates and a waiting request.
  package mutating func stop() {
    isUpdating = false
    owesInitial = false
    request = nil
  }

  /// The source is open: the fix known before comes first, unless a fresh one was faster.
  package mutating func sourceReady(known: CLLocation?, at now: Date) -> CLLocation? {
    if var request, let known, isFresh(known, at: now) {
      request.best = better(request.best, known)
      self.request = request
      if satisfies(known) {
        self.request = nil
        return known
      }
    }
    guard owesInitial else { return nil }
    owesInitial = false
    guard let known, known.horizontalAccuracy >= 0 else { return nil }
    lastSeen = known
    if isFresh(known, at: now) { reference = known }
    return known
  }

  // MARK: Fixes

  /// Takes a new fix; returns it where it is to be delivered.
  /// - Parameters:
  ///   - fix: The fix.
  ///   - now: When it came.
  ///   - isOfArea: True where the program may know the area only: updates then come with a new area.
  /// - Returns: nil where it is not to be delivered.
  package mutating func receive(
    _ fix: CLLocation, at now: Date, isOfArea: Bool = false
  ) -> CLLocation? {
    if var pending = request {
      pending.best = better(pending.best, fix)
      request = satisfies(fix) ? nil : pending
      return request == nil ? fix : nil
    }
    // The fix that came as the known one may come again from the source's own thread.
    guard isUpdating, fix !== lastSeen else { return nil }
    lastSeen = fix
    owesInitial = false
    isDry = false
    driestSince = now
    if let reference, !isDue(fix, after: reference) { return nil }
    if isOfArea, let reference, reference.isSamePlace(as: fix) { return nil }
    reference = fix
    return fix
  }

  // MARK: Waiting

  /// Starts a request; it does nothing while updates run or another request waits.
  /// - Returns: When to ask `requestOutcome` unless a fix came before; nil where nothing started.
  package mutating func beginRequest(at now: Date) -> Date? {
    guard !isActive else { return nil }
    let deadline = now.addingTimeInterval(Self.requestPatience)
    request = Request(deadline: deadline)
    return deadline
  }

  /// What the request has come to; nil where none waits any more.
  package mutating func requestOutcome(at now: Date) -> Outcome? {
    guard let request else { return nil }
    guard now >= request.deadline else { return .wait(until: request.deadline) }
    self.request = nil
    return request.best.map(Outcome.fix) ?? .unknown
  }

  /// Whether updates have gone too long without a fix; said once for each such stretch.
  /// - Returns: nil where no updates run.
  package mutating func updateOutcome(at now: Date) -> Outcome? {
    guard isUpdating else { return nil }
    let deadline = driestSince.addingTimeInterval(Self.updatePatience)
    if now < deadline { return .wait(until: deadline) }
    // After the error nothing is due before a fix has come again.
    guard !isDry else { return .wait(until: now.addingTimeInterval(Self.updatePatience)) }
    isDry = true
    return .unknown
  }

  /// No receiver stands behind the source: waiting would be in vain.
  /// - Returns: What the program is to be told; nil for nothing.
  package mutating func receiverIsMissing() -> Outcome? {
    if let request {
      self.request = nil
      return request.best.map(Outcome.fix) ?? .unknown
    }
    defer { isDry = true }
    return isUpdating && !isDry ? .unknown : nil
  }

  /// Ends a waiting request without an answer.
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
    // A clock that was behind when the fix was taken makes it one of the future, and says nothing of its age.
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
  fileprivate func isSamePlace(as other: CLLocation) -> Bool {
    coordinate.latitude == other.coordinate.latitude
      && coordinate.longitude == other.coordinate.longitude
  }
}
