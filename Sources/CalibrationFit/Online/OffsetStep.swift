import Quantities
import RealModule

/// A change of the hard iron with a known calibration: an iron object was put on the board or
/// removed. Shape and field remain, so only three numbers are estimated and seconds of turning are
/// sufficient.
public struct OffsetStep: Sendable {
  /// The change of the offset, microtesla.
  public var change: SIMD3<Double>
  /// One sigma of each component of the change, microtesla.
  public var sigma: Double
  /// Residual without the change, root mean square of each component, microtesla.
  public var residualBefore: Double
  /// Residual with the change, root mean square of each component, microtesla.
  public var residualAfter: Double
  /// North in the gyroscope's reference without the change, and with it.
  public var north: (before: Angle, after: Angle)

  /// Estimates a change from the observations.
  ///
  /// The result is nil with too few observations or attitudes.
  /// - Parameters:
  ///   - estimate: The calibration before the change.
  ///   - observations: Observations of some seconds of turning; the yaw origin is arbitrary.
  public init?(_ estimate: DistortionEstimate, in observations: [FieldObservation]) {
    let axes = observations.compactMap { o in
      o.axes.flatMap { $0.isYawCarried ? (o.field, $0) : nil }
    }
    guard axes.count >= 15 else { return nil }
    // Repeated observations at rest have the same local distortion, so each attitude has the same
    // weight.
    let crowd = AttitudeCrowd(axes.map { $0.1 })
    guard crowd.cells >= Self.leastAttitudes else { return nil }
    let shape = estimate.distortion.shape
    let latency = estimate.latencySeconds ?? 0
    let field = estimate.earthField
    func residuals(_ yaw: Double) -> [SIMD3<Double>] {
      let (c, s) = (Double.cos(yaw), Double.sin(yaw))
      return axes.map { m, a in
        let x: SIMD3<Double> = a.x - a.xRate * latency
        let y: SIMD3<Double> = a.y - a.yRate * latency
        let down: SIMD3<Double> = a.down - a.downRate * latency
        let level: SIMD3<Double> = (x * c + y * s) * field.horizontal
        let v: SIMD3<Double> = level + down * field.down
        return m - shape * v - estimate.distortion.offset
      }
    }
    let shares = crowd.shares
    var before = (square: Double.infinity, yaw: 0.0)
    var after = (square: Double.infinity, yaw: 0.0, change: SIMD3<Double>.zero)
    for k in 0..<Self.yaws {
      let yaw = 2 * Double.pi * Double(k) / Double(Self.yaws)
      let r = residuals(yaw)
      var mean = SIMD3<Double>.zero
      var whole = 0.0
      for i in r.indices {
        mean += r[i] * shares[i]
        whole += r[i].lengthSquared * shares[i]
      }
      if whole < before.square { before = (whole, yaw) }
      let rest = whole - mean.lengthSquared
      if rest < after.square { after = (rest, yaw, mean) }
    }
    north = (Angle(radians: before.yaw), Angle(radians: after.yaw))
    change = after.change
    residualBefore = (before.square / 3).squareRoot()
    residualAfter = (max(0, after.square) / 3).squareRoot()
    // Neighbouring attitudes are correlated: two count as one.
    sigma = max(1, residualAfter) / (Double(crowd.cells) / 2).squareRoot()
  }

  /// With fewer attitudes, local field distortion looks like iron on the board.
  private static var leastAttitudes: Int { 6 }
  /// Two degrees apart: the field moves by less than a microtesla between them.
  private static var yaws: Int { 180 }
}
