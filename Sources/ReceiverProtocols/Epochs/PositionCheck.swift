import Quantities
import RealModule

/// Finds that a source of positions is frozen or contradicts itself, from its reports alone.
///
/// A receiver at rest may report the same digits for hours: two decimals of a minute are 18 m, and
/// receivers hold a position below a speed (static hold). A position that stays the same is a fault
/// only after a distance that the digits and the accuracy would have shown. The distance is that of
/// the source's own speed (Doppler) or of another source's. An inertial unit is no evidence, because
/// a boat rolls at anchor.
struct PositionCheck: Sendable {
  /// A source that reports the same instant for longer has a stopped clock, s: longer than any
  /// receiver's interval and shorter than a fix is used.
  private static let clockStandsAfter = 5.0
  /// A slower speed is not motion, m/s: noise at rest is below it.
  private static let leastSpeed = 2.0
  /// Sigmas by which a speed, or the place of two positions, differs for certain.
  private static let (speedSigmas, placeSigmas) = (3.0, 5.0)
  /// The shortest distance that a held position contradicts, m: receivers end a static hold before.
  static let leastDistance = 100.0
  /// Steps of the printed position that are passed for certain.
  private static let steps = 4.0
  /// Going back is more than the disorder of messages, s.
  private static let leastStepBack = 0.5
  /// A step is judged up to this interval, s: for longer ones speed and acceleration permit all.
  private static let longestStep = 5.0
  /// The speed of a source that states none, m/s: above the limit of civil receivers, 515 m/s.
  private static let anySpeed = 600.0
  /// An acceleration that no vehicle has for seconds, m/s².
  private static let acceleration = 20.0
  /// The accuracy of a source that states none, and an addition for the disorder of filters, m.
  private static let (usualAccuracy, tolerance) = (20.0, 10.0)
  /// Contradictions are counted, and each report without one takes a twentieth off: three within
  /// some twenty reports are a fault until about forty reports had none.
  private static let (most, faulty, sound, decay) = (3.0, 2.5, 1.0, 0.05)

  private var last: Fix?
  private var (stepsBack, jumps) = (Count(), Count())
  private var clockStands = false
  /// The distance by the source's own speed while its position was the same, m.
  private var distance = 0.0
  private var isContradictedByOther = false
  /// The distance by the source's own speed since the first report, m.
  private(set) var travelled = 0.0
  /// Whether the newest report repeats an instant that already had a position.
  private(set) var isRepetition = false
  /// Whether the newest position is that of the report before, to the last digit.
  private(set) var isHeld = false

  private struct Count {
    var value = 0.0
    var isFaulty = false

    mutating func add(_ isContradiction: Bool) {
      value =
        isContradiction
        ? min(value + 1, PositionCheck.most) : max(0, value - PositionCheck.decay)
      if value >= PositionCheck.faulty { isFaulty = true }
      if value < PositionCheck.sound { isFaulty = false }
    }
  }

  /// What is wrong with the source; nil for nothing.
  var fault: PositionFault? {
    if clockStands { return .clockStands }
    if isContradictedByOther { return .positionStands }
    if let last, distance > Self.leastDistance, distance > Self.shownDistance(last) {
      return .positionStands
    }
    if stepsBack.isFaulty { return .clockGoesBack }
    return jumps.isFaulty ? .positionJumps : nil
  }

  /// Adds a report.
  /// - Parameters:
  ///   - fix: The fix, perhaps without a position.
  ///   - arrival: When it was complete; its timestamp is when it began.
  mutating func add(_ fix: Fix, at arrival: Timestamp) {
    guard let last else {
      self.last = fix
      return
    }
    // Without a clock of the line, and without one of the source, each report is an instant.
    let isSameInstant =
      fix.timestamp == last.timestamp && fix.utc == last.utc
      && (fix.utc != nil || arrival > fix.timestamp)
    isRepetition = isSameInstant && last.position != nil
    clockStands =
      isRepetition && arrival.seconds(since: fix.timestamp) >= Self.clockStandsAfter
    guard !isSameInstant else {
      self.last = fix
      return
    }
    let elapsed = Self.elapsed(last, fix)
    if let utc = fix.utc, let before = last.utc {
      stepsBack.add(before.seconds(since: utc) >= Self.leastStepBack)
    }
    if let place = fix.position, let before = last.position {
      compare(place, before, fix, last, elapsed)
    } else {
      (isHeld, distance, isContradictedByOther) = (false, 0, false)
    }
    self.last = fix
  }

  private mutating func compare(
    _ place: GeodeticPosition, _ before: GeodeticPosition, _ fix: Fix, _ last: Fix,
    _ elapsed: Double
  ) {
    isHeld = place == before
    let speed = Self.certainSpeed(fix)
    let step = speed * min(max(elapsed, 0), Self.longestStep)
    travelled += step
    if isHeld {
      // A single slow report ends the doubt: the source may stop and start again.
      distance = speed > 0 ? distance + step : 0
    } else {
      (distance, isContradictedByOther) = (0, false)
    }
    guard elapsed > 0, elapsed <= Self.longestStep, fix.kind == last.kind else { return }
    jumps.add(!isHeld && Self.isJump(place, before, fix, last, elapsed))
  }

  /// Judges a held position by the motion of another source.
  /// - Parameters:
  ///   - travelled: The way of the other since the position is held, by its own speed, m.
  ///   - moved: The distance between the other's positions then and now, m.
  ///   - accuracy: The other's accuracy, m.
  mutating func compare(travelled: Double, moved: Double, accuracy: Double) {
    guard isHeld, let last else { return }
    // A position that wanders by errors has no such speed.
    let certain = min(travelled, moved)
    isContradictedByOther =
      certain > Self.leastDistance + Self.placeSigmas * accuracy
      && certain > Self.shownDistance(last)
  }

  private static func isJump(
    _ place: GeodeticPosition, _ before: GeodeticPosition, _ fix: Fix, _ last: Fix,
    _ elapsed: Double
  ) -> Bool {
    // Less than 10 m of latitude and of longitude: computed for few reports only.
    let near = 1.5e-6
    guard
      abs(place.latitude.radians - before.latitude.radians) > near
        || abs(place.longitude.radians - before.longitude.radians) > near
    else { return false }
    var reach = anySpeed * elapsed
    if let speed = fix.speedMetresPerSecond, let earlier = last.speedMetresPerSecond {
      reach = (max(speed, earlier) + acceleration * elapsed) * elapsed
    }
    let accuracy =
      (fix.horizontalAccuracyMetres ?? usualAccuracy)
      + (last.horizontalAccuracyMetres ?? usualAccuracy)
    let distance = WGS84.metres(from: before, to: place)
    guard distance > reach + placeSigmas * accuracy + tolerance else { return false }
    return distance > reach + placeSigmas * accuracy + tolerance + 2 * resolution(place)
  }

  /// The speed where it is certainly motion, m/s; else 0.
  private static func certainSpeed(_ fix: Fix) -> Double {
    guard let speed = fix.speedMetresPerSecond, speed > leastSpeed,
      speed > speedSigmas * (fix.speedAccuracyMetresPerSecond ?? 0)
    else { return 0 }
    return speed
  }

  /// Time between two fixes by the source's clock, else by their arrival, s.
  private static func elapsed(_ a: Fix, _ b: Fix) -> Double {
    if let utc = b.utc, let before = a.utc { return utc.seconds(since: before) }
    return b.timestamp.seconds(since: a.timestamp)
  }

  /// The distance after which the digits and the accuracy show that a source has moved, m.
  private static func shownDistance(_ fix: Fix) -> Double {
    let accuracy = fix.horizontalAccuracyMetres ?? usualAccuracy
    let step = fix.position.map { resolution($0) } ?? 0
    return max(steps * step, placeSigmas * accuracy)
  }

  /// The step of a printed position, m: of its minutes' last decimal that is not zero. A digit that
  /// is zero by chance makes it too large, never too small.
  static func resolution(_ position: GeodeticPosition) -> Double {
    let metresInMinute = 1852.0
    var step = metresInMinute
    let minutes = [position.latitude.degrees * 60, position.longitude.degrees * 60]
    let finest = 8
    for _ in 0..<finest {
      let scale = metresInMinute / step
      // Larger than the error of the conversion to radians and back.
      let error = 1e-10 * scale * 10_800
      if minutes.allSatisfy({ abs(($0 * scale).rounded() - $0 * scale) < max(error, 1e-6) }) {
        return step
      }
      step /= 10
    }
    return step
  }
}
