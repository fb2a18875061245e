import Quantities
import RealModule

/// How well a calibration explains observations that no fit has seen: the field through it, turned by the
/// carried orientation, should be one and the same vector but for a slow drift of yaw.
public struct ValidationScore: Equatable, Sendable {
  /// Root mean square of what is left across the field's horizontal part, as a heading error.
  public var error: Angle
  /// How far the observations reach in attitude, radians: the mean angle from their mean.
  public var spread: Angle
  /// How many observations took part.
  public var count: Int

  /// Scores a calibration.
  /// - Returns: nil where there are too few observations or the arithmetic breaks down.
  public init?(_ estimate: DistortionEstimate, on observations: [FieldObservation]) {
    let told = observations.compactMap { o in
      o.axes.flatMap { $0.isYawCarried ? (o, $0) : nil }
    }
    guard let inverse = estimate.distortion.shape.inverse, let first = told.first?.0,
      told.count >= Self.fewest
    else { return nil }
    let latency = estimate.latencySeconds ?? 0
    let shares = AttitudeCrowd(told.map { $0.1 }).shares
    // The calibrated field along the carried axes at each instant.
    var level: [SIMD2<Double>] = []
    var depth: [Double] = []
    var times: [Double] = []
    var mean = (
      level: SIMD2<Double>.zero, depth: 0.0, x: SIMD3<Double>.zero, down: SIMD3<Double>.zero
    )
    for (i, (o, a)) in told.enumerated() {
      let c = inverse * (o.field - estimate.distortion.offset)
      level.append(SIMD2(c.dot(a.x - a.xRate * latency), c.dot(a.y - a.yRate * latency)))
      depth.append(c.dot(a.down - a.downRate * latency))
      times.append(o.timestamp.seconds(since: first.timestamp))
      mean.level += level[i] * shares[i]
      mean.depth += depth[i] * shares[i]
      mean.x += a.x * shares[i]
      mean.down += a.down * shares[i]
    }
    let horizontal = (mean.level * mean.level).sum().squareRoot()
    guard horizontal > 0.5 else { return nil }
    // Along the mean direction and across it; yaw's drift shows across, linear in time.
    let north = mean.level / horizontal
    let across = Self.detrended(
      level.map { $0.y * north.x - $0.x * north.y }, times, shares)
    var parts: [(square: Double, share: Double)] = []
    for i in across.indices {
      let along = (level[i] * north).sum() - horizontal
      let deep = depth[i] - mean.depth
      parts.append((across[i] * across[i] + along * along + deep * deep, shares[i]))
    }
    parts.sort { $0.square < $1.square }
    // The worst tenth may be a door of iron that was passed.
    var (sum, weight) = (0.0, 0.0)
    for part in parts where weight < 0.9 {
      sum += part.square * part.share
      weight += part.share
    }
    let rms = (sum / weight / 3).squareRoot()
    error = Angle(radians: Double.atan2(y: rms, x: horizontal))
    // Of directions spread over a half sphere the mean is half as long.
    spread = Angle(radians: Double.acos(min(1, (mean.x.length + mean.down.length) / 2)))
    count = told.count
  }

  private static var fewest: Int { 8 }

  /// Values without their straight line in time.
  private static func detrended(
    _ values: [Double], _ times: [Double], _ shares: [Double]
  ) -> [Double] {
    var (v, t) = (0.0, 0.0)
    for i in values.indices {
      v += values[i] * shares[i]
      t += times[i] * shares[i]
    }
    var (tt, tv) = (0.0, 0.0)
    for i in values.indices {
      tt += (times[i] - t) * (times[i] - t) * shares[i]
      tv += (times[i] - t) * (values[i] - v) * shares[i]
    }
    let slope = tt > 0 ? tv / tt : 0
    return zip(values, times).map { $0 - v - slope * ($1 - t) }
  }
}
