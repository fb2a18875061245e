import Quantities

/// Finds stays in a stream of fixes and reports arrival and departure.
///
/// A stay begins as a candidate: fixes within the radius around their own middle. It becomes a
/// visit once it has lasted for `visitMinimumStaySeconds` without the approach; arrival is the
/// first fix near its middle. A body that certainly drives, cycles or runs makes no visit, not even
/// in a long jam. A visit ends once fixes were outside for `visitDepartureSeconds`, or far
/// outside for a dwell; departure is the last fix near the middle. A gap without fixes ends no
/// visit: a fix at the same place hours later belongs to the same visit.
struct VisitDetector: Codable, Sendable {
  private var visit: Stay?
  private var candidate: Stay?
  /// A fix outside the candidate; a second one starts a new candidate.
  private var stray: Stay?
  private var outside: Dwell?
  private var farOutside: Dwell?
  private var firstOutsideMetres = 0.0
  private var firstOutsideSpeed: Double?
  private var hasBegun = false

  /// True while a departure is in progress.
  var isLeaving: Bool { outside != nil }

  mutating func process(_ fix: MonitoredFix, _ tuning: MonitoringConfiguration) -> [Visit] {
    guard fix.isOnTrack, fix.accuracy <= tuning.visitAccuracyMetres else { return [] }
    let radius = max(tuning.visitRadiusMetres, 2 * fix.accuracy)
    guard var stay = visit else {
      gather(fix, radius, tuning)
      return arrived(fix, tuning)
    }
    let distance = stay.distance(of: fix)
    if distance <= max(radius, min(2 * radius, 3 * stay.scatterMetres)) {
      stay.add(fix)
      visit = stay
      (candidate, stray, outside, farOutside) = (nil, nil, nil, nil)
      return []
    }
    gather(fix, radius, tuning)
    if outside == nil {
      (firstOutsideMetres, firstOutsideSpeed) = (distance, fix.fix.speedMetresPerSecond)
    }
    outside?.add(fix, tuning)
    let dwell = outside ?? Dwell(fix)
    outside = dwell
    if distance > tuning.visitFarMetres + fix.accuracy {
      farOutside?.add(fix, tuning)
      farOutside = farOutside ?? Dwell(fix)
    } else {
      farOutside = nil
    }
    guard
      dwell.isLong(tuning.visitDepartureSeconds, tuning)
        || farOutside?.isLong(tuning.dwellSeconds, tuning) == true
    else { return [] }
    return [depart(stay, dwell)] + arrived(fix, tuning)
  }

  /// Discards pending decisions: their durations are not known after a clock step. A visit
  /// continues.
  mutating func clockWasSet(to time: UTCTime) {
    (candidate, stray, outside, farOutside) = (nil, nil, nil, nil)
    hasBegun = false
    visit?.clockWasSet(to: time)
  }

  private mutating func gather(
    _ fix: MonitoredFix, _ radius: Double, _ tuning: MonitoringConfiguration
  ) {
    defer { hasBegun = true }
    guard var stay = candidate else {
      candidate = Stay(fix, isFromStart: !hasBegun)
      return
    }
    if stay.distance(of: fix) <= radius {
      stay.add(fix)
      (candidate, stray) = (stay, nil)
      return
    }
    guard var other = stray else {
      stray = Stay(fix, isFromStart: false)
      return
    }
    if other.distance(of: fix) <= radius {
      other.add(fix)
    } else {
      other = Stay(fix, isFromStart: false)
    }
    (candidate, stray) = (other, nil)
  }

  private mutating func arrived(
    _ fix: MonitoredFix, _ tuning: MonitoringConfiguration
  ) -> [Visit] {
    guard fix.fix.motion?.isTravel != true, visit == nil, let way = candidate,
      way.seconds >= tuning.visitMinimumStaySeconds
    else { return [] }
    let stay = way.settled(within: tuning.visitDriftMetres)
    guard stay.seconds >= tuning.visitMinimumStaySeconds else { return [] }
    (visit, candidate, stray) = (stay, nil, nil)
    return [Self.visit(stay, departure: nil)]
  }

  private mutating func depart(_ stay: Stay, _ dwell: Dwell) -> Visit {
    // After a gap the departure is the first fix outside minus the travel time; else the last fix
    // near.
    var departure = stay.lastClose
    if dwell.first.seconds(since: stay.last) > 120 {
      let speed = max(firstOutsideSpeed ?? 0, firstOutsideMetres < 1000 ? 1.4 : 13.9)
      departure = max(stay.last, dwell.first.advanced(bySeconds: -firstOutsideMetres / speed))
    }
    (visit, outside, farOutside) = (nil, nil, nil)
    return Self.visit(stay, departure: departure)
  }

  private static func visit(_ stay: Stay, departure: UTCTime?) -> Visit {
    // After a clock step the arrival may lie after the departure.
    var arrival = stay.isFromStart ? nil : stay.arrival
    if let began = arrival, let departure { arrival = min(began, departure) }
    return Visit(
      position: stay.middle.place, horizontalAccuracyMetres: stay.accuracyMetres,
      arrival: arrival, departure: departure)
  }
}
