public import Quantities

extension ApplicationMonitor {
  /// Executes a command of the application.
  /// - Parameters:
  ///   - command: The command.
  ///   - time: The time of the command.
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
      removePending { if case .visit = $0 { true } else { false } }
    case .startSignificantChanges: startSignificantChanges(at: time)
    case .stopSignificantChanges:
      (registrations.significantChanges, significant) = (false, nil)
      removePending { if case .significantChange = $0 { true } else { false } }
    case .openMonitor(let name):
      if registrations.monitors[name] == nil { registrations.monitors[name] = [:] }
    case .closeMonitor(let name):
      // The conditions stay registered and their events stay pending.
      if registrations.monitors[name]?.isEmpty == true { registrations.monitors[name] = nil }
    case .addCondition(let monitor, let identifier, let condition, let assumed):
      add(monitor, identifier, condition, assuming: assumed, at: time)
    case .removeCondition(let monitor, let identifier):
      remove(monitor, identifier)
      watchDeferredConditions(at: time)
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
    // An application registers the same area at every launch: its known state is kept.
    if before?.condition != region.condition {
      watch(newWatch(nil, region.identifier, region.condition))
    }
    emit(.regionStarted(region), at: time)
  }

  private mutating func stop(region identifier: String) {
    guard registrations.regions.removeValue(forKey: identifier) != nil else { return }
    watched.removeAll { $0.monitor == nil && $0.identifier == identifier }
    removePending {
      switch $0 {
      case .regionState(let region, _), .entered(let region), .exited(let region),
        .regionStarted(let region):
        region.identifier == identifier
      default: false
      }
    }
    watchDeferredConditions(at: now)
  }

  // MARK: Significant changes

  private mutating func startSignificantChanges(at time: UTCTime) {
    guard !registrations.significantChanges else { return }
    registrations.significantChanges = true
    var changes = SignificantChanges()
    if let reported = changes.begin(known: lastFix, at: time) {
      emit(.significantChange(reported), at: time, fix: reported)
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
      // Conditions that are not watched are stored too, up to twice the limit in total.
      let records = registrations.monitors.values.reduce(0) { $0 + $1.count }
      if records < 2 * configuration.conditionLimit {
        registrations.monitors[monitor, default: [:]][identifier] = record
      }
      return emit(.condition(event), at: time)
    }
    registrations.monitors[monitor, default: [:]][identifier] = record
    var one = newWatch(monitor, identifier, condition)
    if let before, before.condition == condition { one = before }
    watch(one)
    reportIfChanged(one, at: time, fix: lastFix)
  }

  private mutating func remove(_ monitor: String, _ identifier: String) {
    registrations.monitors[monitor]?[identifier] = nil
    watched.removeAll { $0.monitor == monitor && $0.identifier == identifier }
    removePending {
      if case .condition(let event) = $0 {
        event.monitor == monitor && event.identifier == identifier
      } else {
        false
      }
    }
  }

  /// Watches conditions that were refused for the limit, in the order of their names, while there
  /// is room.
  private mutating func watchDeferredConditions(at time: UTCTime?) {
    for monitor in registrations.monitors.keys.sorted() {
      for identifier in (registrations.monitors[monitor] ?? [:]).keys.sorted() {
        guard registrations.conditionCount < configuration.conditionLimit,
          let record = registrations.monitors[monitor]?[identifier],
          record.fault == .limitExceeded
        else { continue }
        registrations.monitors[monitor]?[identifier]?.fault = nil
        watch(newWatch(monitor, identifier, record.condition))
      }
    }
  }

  // MARK: Shared by regions and conditions

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

  /// A new watch. It copies the known state of another watch of the same beacon pattern, because a
  /// scanner reports only changes.
  func newWatch(
    _ monitor: String?, _ identifier: String, _ condition: MonitoredCondition
  ) -> WatchedCondition {
    var one = WatchedCondition(monitor: monitor, identifier: identifier, condition: condition)
    if let pattern = one.pattern, let other = watch(of: pattern) {
      (one.beacon, one.since) = (other.beacon, other.since)
    }
    return one
  }

  /// A watch of this beacon pattern whose state is known; nil while beacons cannot be received.
  func watch(of pattern: BeaconPattern) -> WatchedCondition? {
    let same = watched.filter { $0.pattern?.isSame(as: pattern) == true }
    guard !same.contains(where: { $0.beacon.isUnavailable }) else { return nil }
    return same.first { $0.state != .unknown }
  }

  mutating func watch(_ one: WatchedCondition) {
    watched.removeAll { $0.monitor == one.monitor && $0.identifier == one.identifier }
    watched.append(one)
    watched.sort(by: WatchedCondition.precedes)
  }

  private mutating func removePending(where matches: (MonitoringEvent.Kind) -> Bool) {
    pending.removeAll { matches($0.kind) }
  }
}
