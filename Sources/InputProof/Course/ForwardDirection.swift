import Quantities
import RealModule

/// The direction along which a vehicle on wheels drives, in body axes: along and across it the
/// accelerometer measures the accelerations that a receiver's speed and course show.
///
/// Model: horizontal force = R(a) (dv/dt, v dψ/dt) + c, with the angle a of the way from body x
/// towards y. By least squares over intervals between fixes; a craft that moves to any side, or
/// banks in turns, does not fit, and gives no answer.
struct ForwardDirection: Sendable {
  /// The time between two fixes that are compared, s.
  private static let interval = 0.8...2.5
  /// Least speed with a course, m/s, and largest change of course in an interval, rad.
  private static let (leastSpeed, largestTurn) = (2.0, 1.5)
  /// Least usable acceleration, m/s²; fewest intervals with it for an answer; number of intervals
  /// at which the weight of the older ones is halved.
  private static let (leastAcceleration, fewest, most) = (0.4, 30, 200)
  /// Largest sigma of the angle, rad.
  private static let largestSigma = 0.1
  /// Least share of the force that is explained, and the ratio of force and acceleration.
  private static let (leastShare, gain) = (0.35, 0.5...1.6)
  /// Largest sideways force, as a share of gravity, of a body that is nearly level.
  private static let largestTilt = 0.5
  /// Number of intervals in a row that must give an answer.
  private static let wanted = 10

  /// The angle, rad, clockwise from body x seen from above; nil while it is unknown.
  private(set) var angle: Double?
  private var answers = 0

  private var force = (sum: SIMD3<Double>.zero, count: 0.0)
  private var last: (speed: Double, course: Double, at: Timestamp)?
  /// Sums of forces, of accelerations, their squares, and force times conjugate acceleration.
  private var sums = Sums()

  private struct Sums: Sendable {
    var (force, acceleration, product) = (
      SIMD2<Double>.zero, SIMD2<Double>.zero, SIMD2<Double>.zero
    )
    var (forceSquare, accelerationSquare, all, informative) = (0.0, 0.0, 0.0, 0.0)

    mutating func halve() {
      (force, acceleration, product) = (force / 2, acceleration / 2, product / 2)
      (forceSquare, accelerationSquare) = (forceSquare / 2, accelerationSquare / 2)
      (all, informative) = (all / 2, informative / 2)
    }
  }

  /// Adds a specific force, body frame, m/s².
  mutating func add(force f: SIMD3<Double>) {
    force.sum += f
    force.count += 1
  }

  /// Adds a receiver's speed, m/s, and course, rad.
  mutating func add(speed: Double, course: Double, at t: Timestamp) {
    guard let last else { return begin(speed, course, t) }
    let seconds = t.seconds(since: last.at)
    guard seconds >= Self.interval.lowerBound else { return }
    defer { begin(speed, course, t) }
    guard seconds <= Self.interval.upperBound, min(speed, last.speed) > Self.leastSpeed,
      force.count > 0
    else { return }
    let turn = Angle(radians: course - last.course).wrappedToHalfTurn.radians
    let mean = force.sum / force.count
    let f = SIMD2(mean.x, mean.y)
    guard abs(turn) < Self.largestTurn, f.length < Self.largestTilt * abs(mean.z) else { return }
    let u = SIMD2((speed - last.speed) / seconds, (speed + last.speed) / 2 * turn / seconds)
    sums.force += f
    sums.acceleration += u
    sums.product += Self.timesConjugate(f, u)
    sums.forceSquare += f.lengthSquared
    sums.accelerationSquare += u.lengthSquared
    sums.all += 1
    if u.length > Self.leastAcceleration { sums.informative += 1 }
    judge()
    if sums.informative > Double(Self.most) { sums.halve() }
  }

  private mutating func begin(_ speed: Double, _ course: Double, _ t: Timestamp) {
    (last, force) = ((speed, course, t), (.zero, 0))
  }

  private mutating func judge() {
    guard let found = estimate else {
      (angle, answers) = (nil, 0)
      return
    }
    answers += 1
    if answers >= Self.wanted { angle = found }
  }

  private var estimate: Double? {
    let n = sums.all
    guard sums.informative >= Double(Self.fewest) else { return nil }
    let product = sums.product - Self.timesConjugate(sums.force, sums.acceleration) / n
    let force = sums.forceSquare - sums.force.lengthSquared / n
    let acceleration = sums.accelerationSquare - sums.acceleration.lengthSquared / n
    guard force > 0, acceleration > 0 else { return nil }
    let share = product.lengthSquared / (force * acceleration)
    let variance = (1 - share) / (2 * share * n)
    guard share > Self.leastShare, variance < Self.largestSigma * Self.largestSigma,
      Self.gain.contains(product.length / acceleration)
    else { return nil }
    return Double.atan2(y: product.y, x: product.x)
  }

  /// The product of a complex number with the conjugate of another.
  private static func timesConjugate(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y)
  }
}
