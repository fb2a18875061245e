import Quantities
import RealModule

/// Leads through the steps, and recognises by the samples when one is done.
package struct CheckGuide: Sendable {
  /// Time at rest in a row, s: long enough for offsets, for noise and for the jitter of rates.
  private static let stillSeconds = 15
  /// The turn: a whole one less the 3 % by which the scale of consumer gyroscopes may be off
  /// (PS-MPU-9250A-01, table 1).
  private static let turn = 350 * Double.pi / 180
  /// Cosine of the least tilt: 25 degrees.
  private static let leastTilt = 0.906
  /// Fixes with a course in the walk: one a second.
  private static let walkFixes = 30
  /// Least speed for a course, m/s: the velocity's error of 0.05 m/s (UBX-15031086, table 2) is
  /// then 3 degrees.
  static let leastSpeed = 1.0
  /// How long a first position is waited for, s.
  private static let fixSeconds = 20.0

  /// What the board has.
  package struct Equipment: Sendable {
    /// A chip that measures a force.
    package var hasInertia: Bool
    /// A magnetometer.
    package var hasField: Bool
    /// A receiver.
    package var hasReceiver: Bool

    package init(hasInertia: Bool, hasField: Bool, hasReceiver: Bool) {
      (self.hasInertia, self.hasField) = (hasInertia, hasField)
      self.hasReceiver = hasReceiver
    }
  }

  /// The steps so far.
  package private(set) var finished: [CheckOutcome.Step] = []
  /// The present step; nil after the last.
  package private(set) var step: CheckStep? = .still
  /// When the present step began; nil before the first sample.
  private(set) var begin: Timestamp?
  /// The time at rest of the first step.
  private(set) var rest: (from: Timestamp, to: Timestamp)?
  /// The time of each step.
  private(set) var spans: [CheckStep: (from: Timestamp, to: Timestamp)] = [:]

  private let equipment: Equipment
  private var now = Timestamp(nanoseconds: 0)
  // Still
  private var window: (begin: Timestamp, motion: MotionWindow)?
  private var stillWindows = 0
  private var restForce = Spread()
  private var restRate = Spread()
  // Turn
  private var lastRate: Timestamp?
  private var turned = 0.0
  private var circle = FieldCircle()
  // Tilt
  private var tilted: Set<Int> = []
  // Walk
  private var courses = 0
  private var hasPosition = false

  package init(_ equipment: Equipment) { self.equipment = equipment }

  /// The progress of the present step, 0 to 1, and in words.
  package var progress: (share: Double, text: String) {
    switch step {
    case .still:
      let left = max(0, Self.stillSeconds - stillWindows)
      return (1 - Double(left) / Double(Self.stillSeconds), "still for \(stillWindows) s of 15 s")
    case .turn:
      let share = turnShare
      return (share, "\(CheckFigures.fixed(share * 360, 0)) of 360 degrees")
    case .tilt: return (Double(tilted.count) / 4, "\(tilted.count) of 4 sides")
    case .walk:
      guard hasPosition else { return (0, "waiting for a position") }
      return (Double(courses) / Double(Self.walkFixes), "\(courses) of 30 fixes with a course")
    case nil: return (1, "done")
    }
  }

  /// Adds all samples of a row.
  package mutating func add(_ row: SensorSamples) {
    now = max(now, row.timestamp)
    guard let step else { return }
    begin = begin ?? now
    if row.fix?.position != nil { hasPosition = true }
    switch step {
    case .still: addAtRest(row)
    case .turn: addInTurn(row)
    case .tilt: addInTilt(row)
    case .walk: addInWalk(row)
    }
  }

  /// Ends the guide: what is not done stays so.
  package mutating func stop() {
    while step != nil { end(isDone: false) }
  }

  // MARK: Steps

  private mutating func end(isDone: Bool, reason: String? = nil) {
    guard let step else { return }
    let from = begin ?? now
    spans[step] = (from, now)
    finished.append(
      CheckOutcome.Step(
        step: step, isDone: isDone, reason: reason, seconds: now.seconds(since: from)))
    begin = now
    let all = CheckStep.allCases
    self.step = all.firstIndex(of: step).flatMap { $0 + 1 < all.count ? all[$0 + 1] : nil }
    leaveOut()
  }

  /// Leaves out the steps that the board has no sensors for.
  private mutating func leaveOut() {
    switch step {
    case .turn where !equipment.hasInertia && !equipment.hasField:
      end(isDone: false, reason: "the board has neither an inertial unit nor a magnetometer")
    case .tilt where !equipment.hasInertia:
      end(isDone: false, reason: "the board has no accelerometer")
    case .walk where !equipment.hasReceiver:
      end(isDone: false, reason: "the board has no receiver")
    case .walk where !equipment.hasInertia:
      end(isDone: false, reason: "without an inertial unit the mount is not judged by the course")
    case .walk where !equipment.hasField:
      end(isDone: false, reason: "the board has no magnetometer to compare with the course")
    default: break
    }
  }

  private var isOverdue: Bool {
    guard let step, let begin else { return false }
    return now.seconds(since: begin) >= step.limitSeconds
  }

  private mutating func addAtRest(_ row: SensorSamples) {
    var current = window ?? (now, MotionWindow())
    if now.seconds(since: current.begin) >= 1 {
      if current.motion.isStill {
        if stillWindows == 0 {
          rest = (current.begin, now)
          (restForce, restRate) = (Spread(), Spread())
        }
        stillWindows += 1
        rest?.to = now
      } else {
        stillWindows = 0
      }
      current = (now, MotionWindow())
    }
    current.motion.add(row)
    window = current
    if let force = row.inertial?.specificForce?.components { restForce.add(force) }
    if let rate = row.inertial?.angularRate?.components { restRate.add(rate) }
    if stillWindows >= Self.stillSeconds {
      end(isDone: true)
    } else if isOverdue {
      if stillWindows == 0 { rest = nil }
      end(isDone: false)
    }
  }

  /// The upward direction along the board's axes; its z axis without an accelerometer, as
  /// everywhere else.
  private var up: SIMD3<Double> { restForce.mean.normalized ?? SIMD3(0, 0, 1) }

  private var turnShare: Double {
    min(1, max(abs(turned) / Self.turn, restRate.count > 0 ? 0 : circle.share))
  }

  private mutating func addInTurn(_ row: SensorSamples) {
    if let sample = row.inertial, let rate = sample.angularRate?.components {
      if let lastRate, sample.timestamp > lastRate {
        // A longer gap is a loss: the rotation in it is unknown.
        let seconds = min(sample.timestamp.seconds(since: lastRate), 0.5)
        turned += (rate - restRate.mean).dot(up) * seconds
      }
      lastRate = sample.timestamp
    }
    if let field = row.field?.field.components { circle.add(field, up: up) }
    if turnShare >= 1 { end(isDone: true) } else if isOverdue { end(isDone: false) }
  }

  private mutating func addInTilt(_ row: SensorSamples) {
    if let force = row.inertial?.specificForce?.components.normalized,
      force.dot(up) < Self.leastTilt
    {
      let (x, y) = up.levelAxes
      let quarter = Double.atan2(y: force.dot(y), x: force.dot(x)) / (Double.pi / 2)
      tilted.insert((Int(bounded: quarter.rounded()) + 4) % 4)
    }
    if tilted.count == 4 { end(isDone: true) } else if isOverdue { end(isDone: false) }
  }

  private mutating func addInWalk(_ row: SensorSamples) {
    if let fix = row.fix, fix.course != nil, (fix.speedMetresPerSecond ?? 0) >= Self.leastSpeed {
      courses += 1
    }
    let waited = begin.map { now.seconds(since: $0) } ?? 0
    if courses >= Self.walkFixes {
      end(isDone: true)
    } else if !hasPosition, waited >= Self.fixSeconds {
      end(isDone: false, reason: "the receiver has no position here; repeat it under open sky")
    } else if isOverdue {
      end(
        isDone: false,
        reason: courses == 0 ? "the board was not moved at 1 m/s or more" : nil)
    }
  }
}

/// The level part of the field in a turn: the share of its circle that was passed.
struct FieldCircle: Sendable {
  /// Least radius of a circle of the earth's field, microtesla: near the magnetic poles there is
  /// none.
  private static let leastRadius = 4.0
  private static let sectors = 12
  /// Points between two counts.
  private static let stride = 50

  private var points: [SIMD2<Double>] = []
  private var low = SIMD2<Double>(repeating: .infinity)
  private var high = SIMD2<Double>(repeating: -.infinity)
  private(set) var share = 0.0

  mutating func add(_ field: SIMD3<Double>, up: SIMD3<Double>) {
    let (x, y) = up.levelAxes
    let point = SIMD2(field.dot(x), field.dot(y))
    points.append(point)
    low = pointwiseMin(low, point)
    high = pointwiseMax(high, point)
    if points.count % Self.stride == 0 { count() }
  }

  private mutating func count() {
    guard (high - low).min() > 2 * Self.leastRadius else { return }
    let centre = (low + high) / 2
    var seen = Set<Int>()
    for point in points {
      let angle = Double.atan2(y: point.y - centre.y, x: point.x - centre.x)
      seen.insert(Int(bounded: (angle / (2 * .pi) * Double(Self.sectors)).rounded(.down)))
    }
    share = Double(seen.count) / Double(Self.sectors)
  }
}

extension SIMD3<Double> {
  /// Two level axes, perpendicular to this upward direction and to each other.
  var levelAxes: (SIMD3<Double>, SIMD3<Double>) {
    let start = abs(x) < 0.7 ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)
    let first = (start - self * start.dot(self)).normalized ?? SIMD3(0, 0, 1)
    return (first, cross(first))
  }
}
