import Quantities
import RealModule

/// Recognises the steps of an acceptance in the samples of a recording, in any order and without a
/// prompt.
///
/// A step that the samples do not contain has the reason; that is no fault of the board.
struct RecordedSteps {
  /// Time at rest of the step, s, as in a guided check; from the least time on offsets and noise
  /// are measured.
  private static let (stillSeconds, leastStillSeconds) = (15, 3)
  /// Longest window of rest: a longer one has a pause in it, s.
  private static let longestWindow = 2.0
  /// Change of the mean field and of gravity's direction within a rest. Small: disturbances by
  /// others end a rest; large: a slow turn looks like a gyroscope's offset. Microtesla, and the
  /// cosine of 3 degrees.
  private static let (restField, restLean) = (2.5, 0.9986)
  /// Change of the mean rate from one second of a rest to the next, rad/s: half a degree a second,
  /// as a warming gyroscope.
  private static let restRate = 0.5 * Double.pi / 180
  /// The turn, rad, and its longest time, s: the drift of a gyroscope's offset in it stays below a
  /// tenth.
  private static let (turn, longestTurn) = (350 * Double.pi / 180, 300.0)
  /// Longest gap in a turn, s: the rotation in a longer one is unknown.
  private static let longestGap = 0.5
  /// Cosine of the tilt that is no level turn any more, and is a tilt to a side: 25 degrees.
  private static let leastTilt = 0.906
  /// Time over which gravity is averaged, s: a hand's shaking cancels.
  private static let gravitySeconds = 0.5
  /// Largest difference from gravity of a mean force that shows a tilt, m/s².
  private static let gravityTolerance = 1.0
  /// Longest time between two tilts of one step, and the least time that is judged, s.
  private static let (tiltPause, leastTiltSeconds) = (20.0, 20.0)
  /// Fixes with a course: those of the step, and the most that are judged.
  private static let (walkFixes, mostWalkFixes) = (30, 60)
  /// Turn and tilt farther apart are not judged together, s.
  private static let farthest = 120.0

  typealias Span = (from: Timestamp, to: Timestamp)

  /// The steps, each with the reason where it is not shown.
  private(set) var steps: [CheckOutcome.Step] = []
  /// The times of the steps.
  private(set) var spans: [CheckStep: Span] = [:]
  /// The longest rest; nil where there is none.
  private(set) var rest: Span?
  /// The time in which axes and ranges are judged; nil where the board is not turned.
  private(set) var motion: Span?

  private var up = SIMD3(0.0, 0, 1)
  private var offset = SIMD3<Double>.zero

  init(_ rows: [SensorSamples]) {
    let hasForce = rows.contains { $0.inertial?.specificForce != nil }
    let hasRate = rows.contains { $0.inertial?.angularRate != nil }
    let hasField = rows.contains { $0.field != nil }
    findRest(rows, hasSensors: hasForce || hasRate || hasField)
    findTurn(rows, hasRate: hasRate, hasField: hasField)
    findTilt(rows, hasForce: hasForce)
    findWalk(rows)
    switch (spans[.turn], spans[.tilt]) {
    case (let turn?, let tilt?):
      let apart = max(
        tilt.from.seconds(since: turn.to), turn.from.seconds(since: tilt.to))
      motion =
        apart > Self.farthest ? tilt : (min(turn.from, tilt.from), max(turn.to, tilt.to))
    case (let one?, nil), (nil, let one?): motion = one
    case (nil, nil): motion = nil
    }
  }

  private mutating func add(_ step: CheckStep, _ span: Span?, missing reason: String?) {
    spans[step] = span
    steps.append(
      CheckOutcome.Step(
        step: step, isDone: reason == nil, reason: reason,
        seconds: span.map { $0.to.seconds(since: $0.from) } ?? 0, isRecorded: true))
  }

  // MARK: Rest

  private struct Rest {
    var from: Timestamp
    var to: Timestamp
    var seconds = 0
    /// The last second's rate, rad/s.
    var rate: SIMD3<Double>
    let field: SIMD3<Double>
    let up: SIMD3<Double>?
  }

  private mutating func findRest(_ rows: [SensorSamples], hasSensors: Bool) {
    guard let first = rows.first, hasSensors else {
      return add(.still, nil, missing: "it has no samples of an inertial unit or a magnetometer")
    }
    var window = MotionWindow()
    var begin = first.timestamp
    var (now, best): (Rest?, Rest?) = (nil, nil)
    for row in rows {
      let seconds = row.timestamp.seconds(since: begin)
      if seconds >= 1 {
        let isStill = !window.isEmpty && window.isStill && seconds < Self.longestWindow
        if isStill {
          let isSame = now.map { rest in
            let lean = rest.up.flatMap { up in window.up.map { $0.dot(up) } } ?? 1
            return (window.meanField - rest.field).length <= Self.restField
              && (window.meanRate - rest.rate).length <= Self.restRate && lean > Self.restLean
          }
          var rest =
            isSame == true
            ? now
            : Rest(
              from: begin, to: begin, rate: window.meanRate, field: window.meanField,
              up: window.up)
          rest?.seconds += 1
          rest?.to = row.timestamp
          rest?.rate = window.meanRate
          now = rest
          if (rest?.seconds ?? 0) > best?.seconds ?? 0 { best = rest }
        } else {
          now = nil
        }
        (window, begin) = (MotionWindow(), row.timestamp)
      }
      window.add(row)
    }
    let seconds = best?.seconds ?? 0
    if let best, seconds >= Self.leastStillSeconds { rest = (best.from, best.to) }
    add(
      .still, rest,
      missing: seconds >= Self.stillSeconds
        ? nil : "it lies still for \(seconds) s at most, \(Self.stillSeconds) are needed")
    let quiet = rest.map { span in
      rows.filter { $0.timestamp >= span.from && $0.timestamp <= span.to }
    }
    var (force, rate) = (Spread(), Spread())
    for row in quiet ?? rows {
      if let value = row.inertial?.specificForce?.components { force.add(value) }
      if quiet != nil, let value = row.inertial?.angularRate?.components { rate.add(value) }
    }
    (up, offset) = (force.mean.normalized ?? up, rate.mean)
  }

  // MARK: Turn

  private mutating func findTurn(_ rows: [SensorSamples], hasRate: Bool, hasField: Bool) {
    guard hasRate || hasField else {
      return add(.turn, nil, missing: "it has neither angular rates nor a magnetic field")
    }
    // Without a rest the gyroscope's offset is unknown: the field shows the turn.
    let usesRate = hasRate && (rest != nil || !hasField)
    var turn = LevelTurn(longest: Self.longestTurn)
    var circle = FieldCircle()
    var circleBegin: Timestamp?
    var gravity: SIMD3<Double>?
    var last: Timestamp?
    var largest = 0.0
    for row in rows {
      let now = row.timestamp
      let step = last.map { now.seconds(since: $0) } ?? 0
      if let force = row.inertial?.specificForce?.components {
        let share = min(1, step / Self.gravitySeconds)
        gravity = gravity.map { $0 + (force - $0) * share } ?? force
      }
      let isLevel = (gravity?.normalized ?? up).dot(up) > Self.leastTilt
      if !isLevel || step > Self.longestWindow {
        turn.restart()
        (circle, circleBegin) = (FieldCircle(), nil)
      }
      last = now
      guard isLevel else { continue }
      if usesRate {
        guard let sample = row.inertial, let rate = sample.angularRate?.components else { continue }
        let span = turn.add((rate - offset).dot(up), at: sample.timestamp, gap: Self.longestGap)
        largest = max(largest, turn.largest)
        if turn.largest >= Self.turn { return add(.turn, span, missing: nil) }
      } else if let field = row.field?.field.components {
        let begin = circleBegin ?? now
        circleBegin = begin
        circle.add(field, up: up)
        largest = max(largest, circle.share * 2 * .pi)
        if circle.share >= 1 { return add(.turn, (begin, now), missing: nil) }
        // A later circle is found too.
        if now.seconds(since: begin) > Self.longestTurn {
          (circle, circleBegin) = (FieldCircle(), nil)
        }
      }
    }
    add(
      .turn, nil,
      missing:
        "its largest level turn is \(CheckFigures.fixed(largest * 180 / .pi, 0)) degrees, 350 are needed"
    )
  }

  /// The largest change of the heading, and when it began.
  private struct LevelTurn {
    let longest: Double
    private(set) var largest = 0.0
    private var angle = 0.0
    private var last: Timestamp?
    private var low: (angle: Double, at: Timestamp)?
    private var high: (angle: Double, at: Timestamp)?

    init(longest: Double) { self.longest = longest }

    mutating func restart() { (last, low, high, largest) = (nil, nil, nil, 0) }

    /// Adds a rate about the vertical.
    /// - Returns: The time of the largest change up to now.
    mutating func add(_ rate: Double, at now: Timestamp, gap: Double) -> Span {
      if let last, now > last { angle += rate * min(now.seconds(since: last), gap) }
      last = now
      func isOld(_ one: (angle: Double, at: Timestamp)?) -> Bool {
        one.map { now.seconds(since: $0.at) > longest } ?? true
      }
      if isOld(low) || angle < low?.angle ?? .infinity { low = (angle, now) }
      if isOld(high) || angle > high?.angle ?? -.infinity { high = (angle, now) }
      let (up, down) = (angle - (low?.angle ?? angle), (high?.angle ?? angle) - angle)
      largest = max(up, down)
      return ((up >= down ? low?.at : high?.at) ?? now, now)
    }
  }

  // MARK: Tilt

  private mutating func findTilt(_ rows: [SensorSamples], hasForce: Bool) {
    guard hasForce else {
      return add(.tilt, nil, missing: "it has no samples of an accelerometer")
    }
    struct Tilts {
      var from: Timestamp
      var to: Timestamp
      var sides: Set<Int> = []
    }
    let (x, y) = up.levelAxes
    var force = Spread()
    var begin: Timestamp?
    var (now, best): (Tilts?, Tilts?) = (nil, nil)
    for row in rows {
      guard let sample = row.inertial, let value = sample.specificForce?.components else {
        continue
      }
      let start = begin ?? sample.timestamp
      begin = start
      force.add(value)
      guard sample.timestamp.seconds(since: start) >= Self.gravitySeconds else { continue }
      let mean = force.mean
      (force, begin) = (Spread(), nil)
      guard abs(mean.length - 9.806_65) < Self.gravityTolerance, let side = mean.normalized,
        side.dot(up) < Self.leastTilt
      else { continue }
      var tilts = now ?? Tilts(from: start, to: start)
      if sample.timestamp.seconds(since: tilts.to) > Self.tiltPause {
        tilts = Tilts(from: start, to: start)
      }
      tilts.to = sample.timestamp
      let quarter = Double.atan2(y: side.dot(y), x: side.dot(x)) / (Double.pi / 2)
      tilts.sides.insert((Int(bounded: quarter.rounded()) + 4) % 4)
      now = tilts
      if tilts.sides.count >= best?.sides.count ?? 0 { best = tilts }
      if tilts.sides.count == 4, tilts.to.seconds(since: tilts.from) >= Self.leastTiltSeconds {
        break
      }
    }
    let count = best?.sides.count ?? 0
    add(
      .tilt, best.map { ($0.from, $0.to) },
      missing: count == 4 ? nil : "it is tilted by 25 degrees to \(count) of 4 sides")
  }

  // MARK: Walk

  private mutating func findWalk(_ rows: [SensorSamples]) {
    var span: Span?
    var (fixes, count) = (0, 0)
    for row in rows where row.hasFix {
      fixes += 1
      guard let fix = row.fix, fix.course != nil,
        (fix.speedMetresPerSecond ?? 0) >= CheckGuide.leastSpeed
      else { continue }
      count += 1
      span = (span?.from ?? row.timestamp, row.timestamp)
      if count == Self.mostWalkFixes { break }
    }
    let reason: String? =
      if count >= Self.walkFixes {
        nil
      } else if fixes == 0 {
        "it has no fixes of a receiver"
      } else {
        "it has \(count) fixes with a course at 1 m/s or more, \(Self.walkFixes) are needed"
      }
    add(.walk, span, missing: reason)
  }
}
