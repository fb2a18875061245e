import Quantities

extension ApplicationMonitor {
  /// How often a fix is needed now; may change with each input.
  public var demand: FixDemand {
    var demand = FixDemand.none
    for request in requests {
      if case .beacon = request.region.condition { continue }
      return .continuous
    }
    for one in watched where !one.isBeacon {
      demand = FixDemand.most(demand, need(of: one.area))
      if demand == .continuous { return demand }
    }
    if let now, significant?.needsFix(at: now, configuration) == true { return .continuous }
    if registrations.significantChanges {
      let seconds = lastFix == nil ? 0 : configuration.significantIntervalSeconds
      demand = FixDemand.most(demand, seconds > 0 ? .every(seconds: seconds) : .continuous)
    }
    if registrations.visits {
      demand = FixDemand.most(demand, .every(seconds: configuration.visitFixSeconds))
    }
    return demand
  }

  private func need(of area: AreaWatch) -> FixDemand {
    guard !area.isDeciding, let distance = area.distanceMetres else { return .continuous }
    // A vehicle that may cross the boundary before the shortest sleep ends.
    if let speed = motion.speed, speed >= configuration.travelSpeed,
      abs(distance) <= speed * configuration.shortestSleepSeconds
    {
      return .continuous
    }
    let reached = abs(distance) / max(1, configuration.assumedSpeed)
    let least = isResting ? configuration.restingSleepSeconds : configuration.shortestSleepSeconds
    // In steps of 5 s, so that the demand does not change with every fix.
    let seconds = (reached / 5).rounded(.down) * 5
    return .every(seconds: min(max(seconds, least), configuration.longestSleepSeconds))
  }

  private var isResting: Bool {
    guard let rest, let lastFix else { return false }
    return lastFix.time.seconds(since: rest.since) >= configuration.visitMinimumStaySeconds
  }

  /// True while a crossing or departure is being decided: the state should be stored soon.
  public var isDeciding: Bool {
    visits?.isLeaving == true || watched.contains { $0.area.isCrossing }
  }

  /// The beacon patterns to scan for.
  public var beaconPatterns: Set<BeaconPattern> {
    var patterns = Set(watched.compactMap { $0.pattern })
    for request in requests {
      if case .beacon(let pattern) = request.region.condition { patterns.insert(pattern) }
    }
    return patterns
  }
}
