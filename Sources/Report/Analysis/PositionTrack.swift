import EarthModel
import Quantities
import RealModule

/// The way over ground from the first place on, and how well the place was known.
package struct PositionTrack: Sendable {
  /// The greatest number of points of the way: beyond it every second one is left out.
  private static let capacity = 2000
  /// Distance between places above which no line is drawn, m: the clock or the receiver's place was
  /// wrong.
  private static let longestStep = 2000.0

  /// A place of the way.
  private struct Place: Sendable {
    var point: PlotPoint
    var isReckoned: Bool
    var startsLine: Bool
  }

  /// The end of a span without fixes.
  package struct Return: Sendable {
    /// The length of the span, s.
    package var seconds: Double
    /// The distance from the last position by dead reckoning to the first fix, m, and the stated
    /// radius of 68 %, m.
    package var metres: Double
    package var stated: Double
  }

  /// The radius of 68 %, m.
  package private(set) var accuracy = DecimatedSeries()
  package private(set) var radius = WeightedHistogram(0...10_000, width: 0.1)
  /// The spans of dead reckoning.
  package private(set) var reckoned = SpanList()
  /// The return from the longest of them; nil without any.
  package private(set) var longestReturn: Return?
  /// The length of the way, m, and the greatest speed, m/s.
  package private(set) var metres = 0.0
  package private(set) var fastest: Double?
  private var plane: LocalPlane?
  private var places: [Place] = []
  private var stride = 1
  private var skipped = 0
  private var last: (metres: SIMD2<Double>, estimate: Estimate)?
  private var begin: Double?

  /// Adds an estimate with a new fix, or with a new place by dead reckoning.
  mutating func add(_ estimate: Estimate, at time: Double) {
    guard let position = estimate.position, let fix = estimate.fixTimestamp else { return }
    let plane = plane ?? LocalPlane(origin: position)
    self.plane = plane
    let metres = plane.metres(to: position)
    let isReckoned = estimate.fixKind == .deadReckoning
    let step = last.map { (metres - $0.metres).length } ?? 0
    let isJump = step > Self.longestStep
    if last != nil, !isJump { self.metres += step }
    reckoned.add(isReckoned, at: time)
    if isReckoned {
      begin = begin ?? time
    } else if let begin, let last {
      self.begin = nil
      let missed = (metres - last.metres - Self.way(of: last.estimate, until: fix)).length
      let back = Return(
        seconds: time - begin, metres: missed,
        stated: last.estimate.horizontalAccuracyMetres ?? .nan)
      if back.seconds > longestReturn?.seconds ?? 0 { longestReturn = back }
    }
    if let speed = estimate.speedMetresPerSecond { fastest = max(fastest ?? 0, speed) }
    if let error = estimate.horizontalAccuracyMetres {
      accuracy.add(error, at: time)
      radius.add(error)
    } else {
      accuracy.interrupt()
    }
    let changes = places.last.map { $0.isReckoned != isReckoned } ?? true
    last = (metres, estimate)
    skipped += 1
    guard changes || isJump || skipped >= stride else { return }
    skipped = 0
    places.append(
      Place(
        point: PlotPoint(x: metres.y, y: metres.x), isReckoned: isReckoned, startsLine: isJump))
    if places.count >= Self.capacity { thin() }
  }

  /// The end of the recording.
  mutating func end(at time: Double) { reckoned.end(at: time) }

  /// The way from an estimate's fix to an instant, by its speed and course, metres north and east.
  private static func way(of estimate: Estimate, until t: Timestamp) -> SIMD2<Double> {
    guard let fix = estimate.fixTimestamp, let speed = estimate.speedMetresPerSecond,
      let course = estimate.course?.radians
    else { return .zero }
    let metres = speed * t.seconds(since: fix)
    return SIMD2(metres * Double.cos(course), metres * Double.sin(course))
  }

  /// Leaves out every second place.
  private mutating func thin() {
    stride *= 2
    var kept: [Place] = []
    var isCut = false
    for (index, place) in places.enumerated() {
      guard index % 2 == 0 else {
        isCut = place.startsLine
        continue
      }
      kept.append(place)
      kept[kept.count - 1].startsLine = isCut || place.startsLine
      isCut = false
    }
    places = kept
  }

  /// The lines of the way by fixes, or by dead reckoning, with the point that both share.
  package func lines(reckoned isReckoned: Bool) -> [[PlotPoint]] {
    var lines: [[PlotPoint]] = []
    var before: Place?
    for place in places {
      defer { before = place }
      guard place.isReckoned == isReckoned else { continue }
      if before?.isReckoned != isReckoned || place.startsLine {
        lines.append([])
        // Dead reckoning begins at the last fix.
        if isReckoned, let before { lines[lines.count - 1].append(before.point) }
      }
      lines[lines.count - 1].append(place.point)
    }
    return lines
  }

  /// The ranges of the way to the east and to the north; nil without a place.
  package var ranges: (east: ClosedRange<Double>, north: ClosedRange<Double>)? {
    let (x, y) = (places.map(\.point.x), places.map(\.point.y))
    guard let a = x.min(), let b = x.max(), let c = y.min(), let d = y.max() else { return nil }
    return (a...b, c...d)
  }
}
