import Quantities

/// Whether a fix can follow the one before it: a vehicle gains only so much speed in a second, while a
/// reflected signal moves the place at once and moves it back.
///
/// A fix that nothing could have come to is kept apart, and those that follow it there with it, until they
/// come back to the track before or have lasted for long enough to be believed. Fixes more than
/// `leapGapSeconds` apart are always believed: anything may have happened in between. A slow error cannot
/// be told from a walk here; cushions and dwells are for that.
struct PlausibleTrack: Codable, Sendable {
  enum Verdict: Sendable {
    /// It follows from what came before.
    case plausible
    /// A new place, farther away than reflections err: true, or a gross error of few fixes.
    case leap
    /// A new place, as far away as reflections err.
    case suspect
    /// As `plausible`, after a leap: the place before was the wrong one.
    case believed
  }

  private struct End: Codable {
    var point: EarthPoint
    var accuracy: Double
    var time: UTCTime
    /// Metres per second; nil where nothing tells.
    var speed: Double?
  }

  private var believed: End?
  /// What came before it.
  private var before: End?
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
        return keepApart(end, last, tuning)
      }
      return fix.speedMetresPerSecond == nil && cameByLeap(last, end, tuning)
        ? takeBack(last, &end, tuning) : follow(&end, last)
    }
    // Back on the track before, at the speed it had.
    if Self.follows(end, last, tuning, gains: false) { return follow(&end, last) }
    guard Self.follows(end, away, tuning, gains: true) else {
      return keepApart(end, last, tuning)
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

  private mutating func keepApart(
    _ end: End, _ last: End, _ tuning: MonitoringConfiguration
  ) -> Verdict {
    leapMetres = end.point.distance(to: last.point)
    (apart, apartSince, apartCount) = (end, end.time, 1)
    return isFar(tuning) ? .leap : .suspect
  }

  /// Where the receiver tells no speed a step looks possible until the next shows how it went on: nobody
  /// is at rest at once.
  private func cameByLeap(_ last: End, _ end: End, _ tuning: MonitoringConfiguration) -> Bool {
    guard let before, last.time.seconds(since: before.time) <= tuning.leapGapSeconds else {
      return false
    }
    var (next, step) = (end, last)
    Self.measureSpeed(&next, last)
    step.speed = next.speed
    return !Self.follows(step, before, tuning, gains: true)
  }

  private mutating func takeBack(
    _ last: End, _ end: inout End, _ tuning: MonitoringConfiguration
  ) -> Verdict {
    guard let before else { return .plausible }
    if Self.follows(end, before, tuning, gains: false) { return follow(&end, before) }
    _ = keepApart(last, before, tuning)
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

  /// Where the receiver does not tell a speed, the way tells one.
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
      // Faster and faster to the middle, then slower again.
      reach = (before + after) / 2 * seconds
      reach += tuning.greatestAcceleration * seconds * seconds / 4
    } else {
      // A speed that nobody told: anything that drives or flies.
      reach = (last.speed ?? 50) * seconds
      reach += tuning.greatestAcceleration * seconds * seconds / 2
    }
    // Three times what holds 68 % holds nearly all of an honest receiver's fixes.
    let error: Double = 3 * (end.accuracy + last.accuracy) + 15
    return end.point.distance(to: last.point) <= reach + error
  }
}
