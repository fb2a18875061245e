import Quantities

/// Decides for each segment of the accepted track whether a vehicle's movement explains it.
///
/// Errors make a body at rest seem to move; a reflection moves it away and back. So two independent
/// measurements must show a movement. The receiver measures speed apart from position: a segment is
/// travelled if both ends have a speed of at least `travelSpeed` that agrees with the distance.
/// Without speeds two legs of the track, each longer than errors can make it, must follow each
/// other forwards at that speed.
struct TrackMotion: Codable, Sendable {
  private var before: SegmentPoint?
  private var last: SegmentPoint?
  /// The start of the leg in progress, and the leg before it where it was travelled.
  private var anchor: SegmentPoint?
  private var leg: SIMD3<Double>?
  private var isForward = false

  /// A movement of at most this many sigmas may come from errors alone. Small: noise is a movement.
  /// Large: a slow vehicle is noticed late.
  private static let legSigmas = 3.0

  /// The receiver's speed at the newest fix of the track, or that since the fix before it where it
  /// reports none, metres per second; nil where neither is known.
  var speed: Double? {
    guard let last else { return nil }
    if let speed = last.speed { return speed }
    guard let before else { return nil }
    let seconds = last.time.seconds(since: before.time)
    return seconds > 0 ? before.point.chord(to: last.point) / seconds : nil
  }

  /// The segment from the previous fix of the accepted track; nil for a fix apart from it, and for
  /// its first one.
  mutating func segment(
    to fix: PlaceFix, _ point: EarthPoint, _ verdict: PlausibleTrack.Verdict,
    _ tuning: MonitoringConfiguration
  ) -> TrackSegment? {
    let next = SegmentPoint(fix, point)
    switch verdict {
    case .leap, .suspect: return nil
    case .believed:
      self = TrackMotion()
      (last, anchor) = (next, next)
      return nil
    case .plausible: break
    }
    defer { (before, last) = (last, next) }
    guard let last, var segment = TrackSegment(from: last, to: next, tuning),
      segment.seconds <= tuning.longestSegmentSeconds
    else {
      (anchor, leg, isForward) = (next, nil, false)
      return last.flatMap { TrackSegment(from: $0, to: next, tuning) }
    }
    extendLeg(to: next, tuning)
    segment.isTravel = isTravelled(segment, tuning)
    let way = before.flatMap { TrackSegment(from: $0, to: next, tuning) }
    segment.isSmooth = way.map { Self.contains(last, $0) } ?? false
    return segment
  }

  private func isTravelled(_ segment: TrackSegment, _ tuning: MonitoringConfiguration) -> Bool {
    let (start, end) = (segment.start, segment.end)
    guard let first = start.speed, let second = end.speed else { return isForward }
    guard min(first, second) >= tuning.travelSpeed else { return false }
    let expected = (first + second) / 2 * segment.seconds
    let variance = TrackSegment.meanVariance(tuning.trackDensity, segment.seconds)
    let slack = TrackSegment.gate * variance.squareRoot() + 2 * (start.sigma + end.sigma)
    let chord = segment.chordMetres
    // A bend shortens the chord: an arc of three quarters of a circle has 0.3 of its length.
    return chord <= expected + slack && chord >= 0.3 * expected - slack
  }

  /// For receivers without speed.
  private mutating func extendLeg(to next: SegmentPoint, _ tuning: MonitoringConfiguration) {
    guard let start = anchor else { return anchor = next }
    let way = next.point.vector - start.point.vector
    let error = (start.sigma * start.sigma + next.sigma * next.sigma).squareRoot()
    let least = Self.legSigmas * error
    let seconds = next.time.seconds(since: start.time)
    let isTravel = way.length >= max(least, tuning.travelSpeed * seconds)
    if isTravel {
      isForward = leg.map { ($0 * way).sum() > 0 } ?? false
      (anchor, leg) = (next, way)
    } else if way.length >= least || seconds * tuning.travelSpeed > least {
      // Slower than a vehicle.
      (anchor, leg, isForward) = (next, nil, false)
    }
  }

  /// True where a fix lies on the path between its neighbours.
  private static func contains(_ fix: SegmentPoint, _ way: TrackSegment) -> Bool {
    let share = fix.time.seconds(since: way.start.time) / way.seconds
    let sigma = way.sigma(at: share)
    let both = (sigma * sigma + fix.sigma * fix.sigma).squareRoot()
    return way.point(at: share).chord(to: fix.point) <= TrackSegment.gate * both
  }
}
