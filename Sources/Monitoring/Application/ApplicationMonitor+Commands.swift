public import Quantities

extension ApplicationMonitor {
  /// Does what the application asks.
  /// - Parameters:
  ///   - command: What it asks.
  ///   - time: When.
  public mutating func perform(_ command: MonitoringCommand, at time: UTCTime) {
    advance(to: time)
    revision += 1
    switch command {
    case .startRegion(let region): start(region, at: time)
    case .stopRegion(let identifier): stop(region: identifier)
    case .requestState(let region): request(region, at: time)
    case .startVisits:
      guard !registrations.visits else { return }
      registrations.visits = true
      visits = VisitDetector()
    case .stopVisits:
      (registrations.visits, visits) = (false, nil)
      forget { if case .visit = $0 { true } else { false } }
    case .startSignificantChanges: startSignificantChanges(at: time)
    case .stopSignificantChanges:
      (registrations.significantChanges, significant) = (false, nil)
      forget { if case .significantChange = $0 { true } else { false } }
    case .openMonitor(let name):
      if registrations.monitors[name] == nil { registrations.monitors[name] = [:] }
    case .closeMonitor(let name):
      // The conditions stay, and their events wait.
      if registrations.monitors[name]?.isEmpty == true { registrations.monitors[name] = nil }
    case .addCondition(let monitor, let identifier, let condition, let assumed):
      add(monitor, identifier, condition, assuming: assumed, at: time)
    case .removeCondition(let monitor, let identifier):
      remove(monitor, identifier)
      takeUpWaiting(at: time)
    case .acknowledge(let sequence): acknowledge(sequence, at: time)
    }
  }

  // MARK: Regions

  private mutating func start(_ region: MonitoredRegion, at time: UTCTime) {
    let before = registrations.regions[region.identifier]
    let fault: MonitoringFault?
    do throws(MonitoringFault) {
      try check(region.condition)
      let isFull = registrations.conditionCount >= configuration.conditionLimit
      fault = before == nil && isFull ? .limitExceeded : nil
    } catch {
      fault = error
    }
    if let fault { return emit(.regionFailed(region, fault), at: time) }
    registrations.regions[region.identifier] = region
    // The same area again, as at every launch of an application: what is known of it stays known.
    if before?.condition != region.condition {
      watch(fresh(nil, region.identifier, region.condition))
    }
    emit(.regionStarted(region), at: time)
  }

  private mutating func stop(region identifier: String) {
    guard registrations.regions.removeValue(forKey: identifier) != nil else { return }
    watched.removeAll { $0.monitor == nil && $0.identifier == identifier }
    forget {
      switch $0 {
      case .regionState(let region, _), .entered(let region), .exited(let region),
        .regionStarted(let region):
        region.identifier == identifier
      default: false
      }
    }
    takeUpWaiting(at: now)
  }

  // MARK: Significant changes

  private mutating func startSignificantChanges(at time: UTCTime) {
    guard !registrations.significantChanges else { return }
    registrations.significantChanges = true
    var changes = SignificantChanges()
    if let told = changes.begin(known: lastFix, at: time) {
      emit(.significantChange(told), at: time, fix: told)
    }
    significant = changes
  }

  // MARK: Conditions

  private mutating func add(
    _ monitor: String, _ identifier: String, _ condition: MonitoredCondition,
    assuming state: ConditionState, at time: UTCTime
  ) {
    let before = watched.first { $0.monitor == monitor && $0.identifier == identifier }
    remove(monitor, identifier)
    var record = ConditionRecord(
      condition: condition,
      lastEvent: ConditionEvent(monitor: monitor, identifier: identifier, state: state, time: time))
    do throws(MonitoringFault) {
      try check(condition)
      if registrations.conditionCount >= configuration.conditionLimit {
        record.fault = .limitExceeded
      }
    } catch {
      record.fault = error
    }
    if let fault = record.fault {
      var event = record.lastEvent
      (event.state, event.fault) = (.unmonitored, fault)
      // What is not watched is remembered only up to another such number of conditions.
      let records = registrations.monitors.values.reduce(0) { $0 + $1.count }
      if records < 2 * configuration.conditionLimit {
        registrations.monitors[monitor, default: [:]][identifier] = record
      }
      return emit(.condition(event), at: time)
    }
    registrations.monitors[monitor, default: [:]][identifier] = record
    var one = fresh(monitor, identifier, condition)
    if let before, before.condition == condition { one = before }
    watch(one)
    settle(one, at: time, fix: lastFix)
  }

  private mutating func remove(_ monitor: String, _ identifier: String) {
    registrations.monitors[monitor]?[identifier] = nil
    watched.removeAll { $0.monitor == monitor && $0.identifier == identifier }
    forget {
      if case .condition(let event) = $0 {
        event.monitor == monitor && event.identifier == identifier
      } else {
        false
      }
    }
  }

  /// Watches what found no place before, oldest names first, now that there is one.
  private mutating func takeUpWaiting(at time: UTCTime?) {
    for monitor in registrations.monitors.keys.sorted() {
      for identifier in (registrations.monitors[monitor] ?? [:]).keys.sorted() {
        guard registrations.conditionCount < configuration.conditionLimit,
          let record = registrations.monitors[monitor]?[identifier],
          record.fault == .limitExceeded
        else { continue }
        registrations.monitors[monitor]?[identifier]?.fault = nil
        watch(fresh(monitor, identifier, record.condition))
      }
    }
  }

  // MARK: What both share

  func check(_ condition: MonitoredCondition) throws(MonitoringFault) {
    if case .beacon(let pattern) = condition {
      guard !pattern.uuid.isEmpty, pattern.minor == nil || pattern.major != nil else {
        throw .unsupportedRegion
      }
      return
    }
    _ = try AreaShape(
      condition, largestRadiusMetres: configuration.maximumRegionRadiusMetres)
  }

  /// A watch that begins: what is known already of beacons of the same pattern it knows too, as a scanner
  /// tells only changes.
  func fresh(
    _ monitor: String?, _ identifier: String, _ condition: MonitoredCondition
  ) -> WatchedCondition {
    var one = WatchedCondition(monitor: monitor, identifier: identifier, condition: condition)
    if let pattern = one.pattern, let other = watch(of: pattern) {
      (one.beacon, one.since) = (other.beacon, other.since)
    }
    return one
  }

  /// A watch that knows something of the beacons of a pattern.
  func watch(of pattern: BeaconPattern) -> WatchedCondition? {
    watched.first { $0.pattern?.isSame(as: pattern) == true && $0.state != .unknown }
  }

  mutating func watch(_ one: WatchedCondition) {
    watched.removeAll { $0.monitor == one.monitor && $0.identifier == one.identifier }
    watched.append(one)
    watched.sort(by: WatchedCondition.precedes)
  }

  private mutating func forget(_ isMeant: (MonitoringEvent.Kind) -> Bool) {
    pending.removeAll { isMeant($0.kind) }
  }
}
