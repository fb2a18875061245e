internal import Monitoring

/// An event for a delegate.
enum DelegateEvent {
  case authorization
  case locations([CLLocation])
  case failure(CLError)
  case heading(CLHeading)
  case calibrationQuestion
  case paused
  case resumed
  case deferralFinished(CLError?)
  case monitoring(MonitoringEvent)
  case monitoringFailed(CLRegion?, CLError)
  case ranged(RangedBeacons)
  case rangingFailed(CLBeaconIdentityConstraint, CLError)

  var isLocation: Bool { if case .locations = self { true } else { false } }
}

/// The events that wait for a delegate, in the order of their occurrence.
///
/// The queue is bounded: a newer event replaces those it supersedes, and the oldest fixes
/// are dropped beyond a limit. Failures of regions are not merged; the program's requests bound
/// them. The host bounds the crossings.
struct DelegateQueue {
  /// The maximum number of waiting fixes: about a quarter of an hour at one fix a second, 200 kB.
  static let fixLimit = 1000

  private var events: [DelegateEvent] = []
  /// Events that are delivered later, because the same ones were delivered just now.
  private var postponed: [DelegateEvent] = []
  private(set) var count = 0
  private var first = 0

  /// Adds an event. Locations are merged with locations at the end of the queue.
  mutating func post(_ event: DelegateEvent) {
    if first < events.count, let joined = events[events.count - 1].joined(with: event) {
      events[events.count - 1] = joined
      return
    }
    dropSuperseded(of: event)
    events.append(event)
    count = events.count - first
  }

  /// Adds the authorization before all other events: the first event of a delegate.
  mutating func postFirst(_ event: DelegateEvent) {
    events = [event] + Array(events[first...])
    (first, count) = (0, events.count)
  }

  /// Holds an event back until `resumePostponed`.
  mutating func postpone(_ event: DelegateEvent) { postponed.append(event) }

  /// Adds the postponed events again.
  mutating func resumePostponed() {
    let due = postponed
    postponed = []
    for event in due { post(event) }
  }

  /// Removes and returns the oldest event.
  mutating func next() -> DelegateEvent? {
    guard first < events.count else { return nil }
    defer {
      first += 1
      if first == events.count { (events, first) = ([], 0) }
      count = events.count - first
    }
    return events[first]
  }

  /// Removes the waiting fixes.
  mutating func dropLocations() { filter { !$0.isLocation } }

  /// Removes the events of monitoring. The host sends them again to the next listener.
  mutating func dropMonitoring() {
    filter { if case .monitoring = $0 { false } else { true } }
  }

  /// Removes the ranging results of a constraint.
  mutating func dropRanging(_ constraint: CLBeaconIdentityConstraint) {
    filter {
      if case .ranged(let ranged) = $0 { return ranged.constraint != constraint }
      return true
    }
  }

  /// Removes the events that a newer event supersedes.
  private mutating func dropSuperseded(of event: DelegateEvent) {
    switch event {
    case .authorization:
      filter { if case .authorization = $0 { false } else { true } }
    case .failure(let new):
      filter { if case .failure(let old) = $0 { old.code != new.code } else { true } }
    case .ranged(let new):
      dropRanging(new.constraint)
    case .calibrationQuestion:
      filter { if case .calibrationQuestion = $0 { false } else { true } }
    case .resumed:
      filter { if case .resumed = $0 { false } else { true } }
    case .paused:
      filter { event in
        switch event {
        case .paused, .resumed: false
        default: true
        }
      }
    case .locations(let new):
      // Other events lie between the fixes: drop the oldest fixes beyond the limit.
      var excess = fixCount + new.count - Self.fixLimit
      while excess > 0, let oldest = events[first...].firstIndex(where: \.isLocation) {
        guard case .locations(let fixes) = events[oldest] else { break }
        let rest = fixes.dropFirst(excess)
        excess -= fixes.count - rest.count
        if rest.isEmpty {
          events.remove(at: oldest)
        } else {
          events[oldest] = .locations(Array(rest))
        }
      }
      count = events.count - first
    case .monitoring(let new):
      // Only the newest state of a region is delivered.
      guard case .regionState(let region, _) = new.kind else { return }
      filter { event in
        guard case .monitoring(let old) = event, case .regionState(let other, _) = old.kind else {
          return true
        }
        return other.identifier != region.identifier
      }
    case .monitoringFailed, .rangingFailed:
      let key = event.paceKey
      filter { $0.paceKey != key }
    case .heading, .deferralFinished: break
    }
  }

  private var fixCount: Int {
    events[first...].reduce(0) { sum, event in
      if case .locations(let fixes) = event { sum + fixes.count } else { sum }
    }
  }

  private mutating func filter(_ isKept: (DelegateEvent) -> Bool) {
    events = events[first...].filter(isKept)
    postponed = postponed.filter(isKept)
    (first, count) = (0, events.count)
  }
}

extension DelegateEvent {
  /// This event merged with the next one; nil where they cannot be merged.
  fileprivate func joined(with next: DelegateEvent) -> DelegateEvent? {
    switch (self, next) {
    case (.locations(let waiting), .locations(let new)):
      let all = (waiting + new).sorted { $0.timestamp < $1.timestamp }
      return .locations(Array(all.suffix(DelegateQueue.fixLimit)))
    default: return nil
    }
  }
}
