import Quantities

/// Judges whether a fix can follow the one before it. A vehicle's acceleration is limited, while a
/// reflected signal moves the position at once and later back.
///
/// A fix that no vehicle can have reached starts an alternative track beside the accepted one. It
/// ends when a fix continues the accepted track, or replaces that track once it has lasted for long
/// enough. After a gap of more than `leapGapSeconds` a fix is always accepted. A slow error cannot
/// be distinguished from a walk here; cushion and dwell limit its effect.
struct PlausibleTrack: Codable, Sendable {
  enum Verdict: Sendable {
    /// It continues the accepted track.
    case plausible
    /// Too far away for a reflection: a true place, or a gross error of few fixes.
    case leap
    /// A leap of a length that reflections cause.
    case suspect
    /// As `plausible`; the alternative track has just replaced the accepted one.
    case believed
  }

  private struct End: Codable {
    var point: EarthPoint
    var accuracy: Double
    var time: UTCTime
    /// Metres per second; nil where not known.
    var speed: Double?
  }

  /// The end of the accepted track.
  private var believed: End?
  /// The fix before it.
  private var before: End?
  /// The end of the alternative track.
  private var apart: End?
  private var apartSince: UTCTime?
  private var apartCount = 0
  private var leapMetres = 0.0

  mutating func verdict(
    _ fix: PlaceFix, _ point: EarthPoint, _ tuning: MonitoringConfiguration
  ) -> Verdict {
    var end = End(
      point: point, accuracy: fix.horizontalAccuracyMetres, time: fix.time,
      speed: fix.speedMetresPerSecond)
    guard let last = believed else {
      believed = end
      return .plausible
    }
    let newest = max(last.time, apart?.time ?? last.time)
    if fix.time.seconds(since: newest) > tuning.leapGapSeconds {
      _ = believe(end)
      return .plausible
    }
    guard let away = apart, let since = apartSince else {
      guard Self.follows(end, last, tuning, gains: true) else {
        return startAlternative(end, last, tuning)
      }
      return fix.speedMetresPerSecond == nil && cameByLeap(last, end, tuning)
        ? withdrawLast(last, &end, tuning) : follow(&end, last)
    }
    // Back on the accepted track, at its speed.
    if Self.follows(end, last, tuning, gains: false) { return follow(&end, last) }
    guard Self.follows(end, away, tuning, gains: true) else {
      return startAlternative(end, last, tuning)
    }
    Self.measureSpeed(&end, away)
    apart = end
    apartCount += 1
    let lasted = fix.time.seconds(since: since)
    let enough = isFar(tuning) ? tuning.dwellSeconds : tuning.leapDwellSeconds
    if lasted >= enough, apartCount >= tuning.dwellFixes { return believe(end) }
    return isFar(tuning) ? .leap : .suspect
  }

  private func isFar(_ tuning: MonitoringConfiguration) -> Bool {
    leapMetres >= tuning.longestReflectionMetres
  }

  private mutating func startAlternative(
    _ end: End, _ last: End, _ tuning: MonitoringConfiguration
  ) -> Verdict {
    leapMetres = end.point.distance(to: last.point)
    (apart, apartSince, apartCount) = (end, end.time, 1)
    return isFar(tuning) ? .leap : .suspect
  }

  /// Detects a leap one fix later, for receivers without speed: a step that looked like an
  /// acceleration is impossible where the next fix shows no movement.
  private func cameByLeap(_ last: End, _ end: End, _ tuning: MonitoringConfiguration) -> Bool {
    guard let before, last.time.seconds(since: before.time) <= tuning.leapGapSeconds else {
      return false
    }
    var (next, step) = (end, last)
    Self.measureSpeed(&next, last)
    step.speed = next.speed
    return !Self.follows(step, before, tuning, gains: true)
  }

  private mutating func withdrawLast(
    _ last: End, _ end: inout End, _ tuning: MonitoringConfiguration
  ) -> Verdict {
    guard let before else { return .plausible }
    if Self.follows(end, before, tuning, gains: false) { return follow(&end, before) }
    _ = startAlternative(last, before, tuning)
    Self.measureSpeed(&end, last)
    (believed, apart, apartCount) = (before, end, 2)
    self.before = nil
    return isFar(tuning) ? .leap : .suspect
  }

  private mutating func believe(_ end: End) -> Verdict {
    before = nil
    (believed, apart, apartSince, apartCount) = (end, nil, nil, 0)
    return .believed
  }

  private mutating func follow(_ end: inout End, _ last: End) -> Verdict {
    Self.measureSpeed(&end, last)
    (before, believed) = (last, end)
    (apart, apartSince, apartCount) = (nil, nil, 0)
    return .plausible
  }

  /// Computes the speed from two places where the receiver reports none.
  private static func measureSpeed(_ end: inout End, _ last: End) {
    let seconds = end.time.seconds(since: last.time)
    if end.speed == nil, seconds > 0 { end.speed = end.point.distance(to: last.point) / seconds }
  }

  private static func follows(
    _ end: End, _ last: End, _ tuning: MonitoringConfiguration, gains: Bool
  ) -> Bool {
    let seconds = max(0, end.time.seconds(since: last.time))
    var reach: Double
    if !gains {
      reach = (last.speed ?? 50) * seconds
    } else if let before = last.speed, let after = end.speed {
      // The greatest distance: acceleration for the first half of the time, then deceleration.
      reach = (before + after) / 2 * seconds
      reach += tuning.greatestAcceleration * seconds * seconds / 4
    } else {
      // Without a known speed: 50 m/s is assumed before the acceleration.
      reach = (last.speed ?? 50) * seconds
      reach += tuning.greatestAcceleration * seconds * seconds / 2
    }
    // Three times the 68 % radius holds nearly all fixes of a receiver with a correct accuracy.
    let error: Double = 3 * (end.accuracy + last.accuracy) + 15
    return end.point.distance(to: last.point) <= reach + error
  }
}
