import Quantities
import RealModule

/// How well a calibration explains observations that no fit has used. The calibrated field, rotated
/// by the gyroscope's orientation, should be a constant vector apart from a slow yaw drift.
public struct ValidationScore: Equatable, Sendable {
  /// Root mean square residual over the field's horizontal strength, as a heading error.
  public var error: Angle
  /// Attitude spread of the observations, radians: the mean angle from their mean.
  public var spread: Angle
  /// The number of observations used.
  public var count: Int

  /// Computes the score of a calibration.
  /// - Returns: nil with too few observations or if the equations are not solvable.
  public init?(_ estimate: DistortionEstimate, on observations: [FieldObservation]) {
    let carried = observations.compactMap { o in
      o.axes.flatMap { $0.isYawCarried ? (o, $0) : nil }
    }
    guard let inverse = estimate.distortion.shape.inverse, let first = carried.first?.0,
      carried.count >= Self.fewest
    else { return nil }
    let latency = estimate.latencySeconds ?? 0
    let shares = AttitudeCrowd(carried.map { $0.1 }).shares
    // The calibrated field in the gyroscope's reference axes at each time.
    var level: [SIMD2<Double>] = []
    var depth: [Double] = []
    var times: [Double] = []
    var mean = (
      level: SIMD2<Double>.zero, depth: 0.0, x: SIMD3<Double>.zero, down: SIMD3<Double>.zero
    )
    for (i, (o, a)) in carried.enumerated() {
      let c = inverse * (o.field - estimate.distortion.offset)
      level.append(SIMD2(c.dot(a.x - a.xRate * latency), c.dot(a.y - a.yRate * latency)))
      depth.append(c.dot(a.down - a.downRate * latency))
      times.append(o.timestamp.seconds(since: first.timestamp))
      mean.level += level[i] * shares[i]
      mean.depth += depth[i] * shares[i]
      mean.x += a.x * shares[i]
      mean.down += a.down * shares[i]
    }
    let horizontal = mean.level.length
    guard horizontal > 0.5 else { return nil }
    // Along the mean direction and across it; the yaw drift, linear in time, is across.
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
    // The worst tenth may be a passing disturbance.
    var (sum, weight) = (0.0, 0.0)
    for part in parts where weight < 0.9 {
      sum += part.square * part.share
      weight += part.share
    }
    let rms = (sum / weight / 3).squareRoot()
    error = Angle(radians: Double.atan2(y: rms, x: horizontal))
    // The mean of directions spread over a half sphere has half the length.
    spread = Angle(radians: Double.acos(min(1, (mean.x.length + mean.down.length) / 2)))
    count = carried.count
  }

  private static var fewest: Int { 8 }

  /// Values without their linear trend in time.
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
