import Quantities

extension MonitoringEvent.Kind {
  /// The kind and the region of an answer to a command, or of a state, which a newer one replaces;
  /// nil for an event that must not be lost.
  fileprivate var answeredRegion: String? {
    switch self {
    case .regionStarted(let region): "started \(region.identifier)"
    case .regionFailed(let region?, _): "failed \(region.identifier)"
    case .regionState(let region, _): "state \(region.identifier)"
    default: nil
    }
  }
}

extension ApplicationMonitor {
  /// The most pending answers of one kind for one region.
  private static let mostAnswers = 8

  mutating func emit(
    _ kind: MonitoringEvent.Kind, at time: UTCTime, since: UTCTime? = nil, fix: PlaceFix? = nil
  ) {
    sequence += 1
    revision += 1
    var event = MonitoringEvent(sequence: sequence, time: time, kind: kind)
    (event.since, event.fix) = (since, fix)
    pending.append(event)
    removeRepeated(kind)
    while pending.count > 1,
      pending.count > configuration.pendingLimit || pendingBytes > configuration.budget.pendingBytes
    {
      makeRoom()
    }
  }

  /// Makes the events of a region's or condition's change of state.
  mutating func reportChange(
    _ one: WatchedCondition, _ change: AreaWatch.Change, time: UTCTime, fix: PlaceFix?
  ) {
    if one.monitor != nil {
      return reportIfChanged(one, change.to, since: change.since, at: time, fix: fix)
    }
    guard let region = registrations.regions[one.identifier] else { return }
    answerRequests(for: region, change.to, at: time, fix: fix)
    guard change.isCrossing else { return }
    emit(.regionState(region, change.to), at: time, since: change.since, fix: fix)
    if change.to == .satisfied, region.notifiesOnEntry {
      emit(.entered(region), at: time, since: change.since, fix: fix)
    } else if change.to == .unsatisfied, region.notifiesOnExit {
      emit(.exited(region), at: time, since: change.since, fix: fix)
    }
  }

  /// Makes an event of a condition's present state; see below.
  mutating func reportIfChanged(_ one: WatchedCondition, at time: UTCTime, fix: PlaceFix?) {
    reportIfChanged(one, one.state, since: one.since ?? time, at: time, fix: fix)
  }

  /// Makes an event where a condition's state is known, differs from the last acknowledged one, and
  /// no event of the condition is pending.
  private mutating func reportIfChanged(
    _ one: WatchedCondition, _ state: ConditionState, since: UTCTime, at time: UTCTime,
    fix: PlaceFix?
  ) {
    guard let monitor = one.monitor,
      let record = registrations.monitors[monitor]?[one.identifier], record.fault == nil,
      state != .unknown, state != record.lastEvent.state, !hasPending(monitor, one.identifier)
    else { return }
    var event = ConditionEvent(
      monitor: monitor, identifier: one.identifier, state: state, time: since)
    event.refinement = one.refinement
    // A watch is suspended only because a sensor is missing.
    if state == .unmonitored { event.fault = .unsupportedCondition }
    emit(.condition(event), at: time, since: since, fix: fix)
  }

  func hasPending(_ monitor: String, _ identifier: String) -> Bool {
    pending.contains {
      if case .condition(let event) = $0.kind {
        event.monitor == monitor && event.identifier == identifier
      } else {
        false
      }
    }
  }

  mutating func acknowledge(_ sequence: UInt64, at time: UTCTime) {
    guard let index = pending.firstIndex(where: { $0.sequence == sequence }) else { return }
    let event = pending.remove(at: index)
    guard case .condition(let reported) = event.kind else { return }
    registrations.monitors[reported.monitor]?[reported.identifier]?.lastEvent = reported
    if let one = watched.first(where: {
      $0.monitor == reported.monitor && $0.identifier == reported.identifier
    }) {
      reportIfChanged(one, at: time, fix: nil)
    }
  }

  /// Removes the oldest of more than `mostAnswers` pending answers of one kind for one region, for
  /// an application that registers again and again without reading its events.
  private mutating func removeRepeated(_ kind: MonitoringEvent.Kind) {
    guard let answer = kind.answeredRegion else { return }
    let same = pending.indices.filter { pending[$0].kind.answeredRegion == answer }
    if same.count > Self.mostAnswers, let oldest = same.first { pending.remove(at: oldest) }
  }

  /// Removes one pending event; see `pending` for the order.
  private mutating func makeRoom() {
    func isSuperseded(_ index: Int) -> Bool {
      let later = pending[(index + 1)...]
      switch pending[index].kind {
      case .significantChange:
        return later.contains { if case .significantChange = $0.kind { true } else { false } }
      case .visit(let visit) where visit.departure == nil:
        return later.contains {
          if case .visit(let v) = $0.kind { v.arrival == visit.arrival } else { false }
        }
      case .regionState(let region, _):
        return later.contains {
          if case .regionState(let r, _) = $0.kind {
            r.identifier == region.identifier
          } else {
            false
          }
        }
      default: return false
      }
    }
    if let index = pending.indices.first(where: isSuperseded) {
      pending.remove(at: index)
    } else {
      pending.removeFirst()
      droppedEvents += 1
    }
  }
}
