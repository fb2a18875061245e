internal import Monitoring

/// Limits how often the same event is delivered.
///
/// A program that repeats a call inside the delegate's call that answers it would otherwise occupy
/// its thread for ever: `requestState(for:)` in `didDetermineState`, or a start in
/// `didFailWithError`.
struct DeliveryPace {
  /// The most deliveries of one event in an interval. Smaller: a program that repeats a call on
  /// purpose waits for the answer. Larger: a needless load.
  static let limit = 10
  /// Seconds.
  static let interval: TimeInterval = 1

  /// What an event reports, without what makes each one unique.
  enum Key: Hashable {
    case location(Date, monotonicNanoseconds: UInt64?)
    case heading(monotonicNanoseconds: UInt64)
    case failure(CLError.Code)
    case deferral(CLError.Code?)
    case region(String?, CLError.Code)
    case ranging(CLBeaconIdentityConstraint, CLError.Code)
    case monitoring(String)
  }

  private var recent: [Key: (count: Int, since: Date)] = [:]

  /// Counts a delivery.
  /// - Parameters:
  ///   - key: What the event reports.
  ///   - now: The steady time.
  /// - Returns: False where it is one too many and has to wait.
  mutating func admits(_ key: Key, at now: Date) -> Bool {
    let count = recent[key].flatMap { now < $0.since + Self.interval ? $0.count : nil } ?? 0
    guard count < Self.limit else { return false }
    if count == 0 { recent = recent.filter { now < $0.value.since + Self.interval } }
    recent[key] = (count + 1, recent[key]?.since ?? now)
    return true
  }
}

extension DelegateEvent {
  /// nil for an event that is not limited here; `SessionState.nextEvent` limits headings.
  var paceKey: DeliveryPace.Key? {
    switch self {
    case .authorization, .calibrationQuestion, .paused, .resumed, .ranged, .heading: nil
    case .locations(let locations):
      locations.last.map {
        .location($0.timestamp, monotonicNanoseconds: $0.storedValues.monotonicNanoseconds)
      }
    case .failure(let error): .failure(error.code)
    case .deferralFinished(let error): .deferral(error?.code)
    case .monitoring(let event): .monitoring("\(event.kind)")
    case .monitoringFailed(let region, let error): .region(region?.identifier, error.code)
    case .rangingFailed(let constraint, let error): .ranging(constraint, error.code)
    }
  }
}
