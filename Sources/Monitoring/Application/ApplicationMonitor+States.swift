import Quantities

// Requests for a region's state. Each one is answered exactly once.
extension ApplicationMonitor {
  mutating func request(_ region: MonitoredRegion, at time: UTCTime) {
    let known = watched.first {
      $0.monitor == nil && $0.identifier == region.identifier && $0.condition == region.condition
    }
    if let known, known.beacon.isUnavailable {
      return emit(.regionState(region, .unknown), at: time)
    }
    if let known, known.state != .unknown {
      return emit(.regionState(region, known.state), at: time, since: known.since, fix: lastFix)
    }
    do throws(MonitoringFault) {
      try check(region.condition)
    } catch {
      return emit(.regionFailed(region, error), at: time)
    }
    if case .beacon(let pattern) = region.condition, let other = watch(of: pattern) {
      return emit(.regionState(region, other.state), at: time, since: other.since)
    }
    // An old fix does not answer, nor, where only the receiver's time is known, a fix from a clock
    // that is ahead of the machine's.
    if let last = lastFix,
      abs(time.seconds(since: lastFixArrival ?? last.time)) <= configuration.knownFixSeconds
    {
      let state = state(of: region, by: judged(last))
      if state != .unknown { return emit(.regionState(region, state), at: time, fix: last) }
    }
    // Room for every monitored region, and for regions that are not monitored.
    guard requests.count < max(64, 2 * configuration.conditionLimit),
      requestBytes < configuration.budget.pendingBytes
    else {
      return emit(.regionState(region, .unknown), at: time)
    }
    requests.append(
      StateRequest(
        region: region, deadline: time.advanced(bySeconds: configuration.stateRequestSeconds)))
  }

  mutating func answerRequests(_ fix: MonitoredFix) {
    for request in requests {
      let state = state(of: request.region, by: fix)
      if state != .unknown { answer(request, state, at: fix.fix.time, fix: fix.fix) }
    }
  }

  mutating func answerRequests(
    for region: MonitoredRegion, _ state: ConditionState, at time: UTCTime, fix: PlaceFix?
  ) {
    for request in requests where request.region.identifier == region.identifier {
      if request.region.condition == region.condition {
        answer(request, state, at: time, fix: fix)
      }
    }
  }

  mutating func answer(
    _ request: StateRequest, _ state: ConditionState, at time: UTCTime, fix: PlaceFix?
  ) {
    guard
      let index = requests.firstIndex(where: {
        $0.region == request.region && $0.deadline == request.deadline
      })
    else { return }
    requests.remove(at: index)
    emit(.regionState(request.region, state), at: time, fix: fix)
  }

  private func judged(_ fix: PlaceFix) -> MonitoredFix {
    MonitoredFix(
      fix: fix, point: EarthPoint(fix.position), accuracy: fix.horizontalAccuracyMetres,
      verdict: .plausible)
  }

  private func state(of region: MonitoredRegion, by fix: MonitoredFix) -> ConditionState {
    do throws(MonitoringFault) {
      let shape = try AreaShape(
        region.condition, largestRadiusMetres: configuration.maximumRegionRadiusMetres)
      return AreaWatch.state(fix, shape, configuration)
    } catch {
      return .unknown
    }
  }
}
