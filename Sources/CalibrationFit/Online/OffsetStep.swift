import Quantities
import RealModule

/// A change of the hard iron under a known calibration: somebody has put a thing of iron on the board, or
/// taken one away. Shape and field stay; three numbers are to be found, so seconds of turning do.
public struct OffsetStep: Equatable, Sendable {
  /// By how much the offset has changed, microtesla.
  public var change: SIMD3<Double>
  /// One sigma of each part of the change, microtesla.
  public var sigma: Double
  /// What is left without the change, root mean square of each part, microtesla.
  public var residualBefore: Double
  /// What is left with it.
  public var residualAfter: Double

  /// Looks for a change that explains the observations.
  ///
  /// It is nil where there are too few observations.
  /// - Parameters:
  ///   - estimate: The calibration that held before.
  ///   - observations: Those of some seconds of turning; their yaw may have any origin.
  public init?(_ estimate: DistortionEstimate, in observations: [FieldObservation]) {
    let axes = observations.compactMap { o in
      o.axes.flatMap { $0.isYawCarried ? (o.field, $0) : nil }
    }
    guard axes.count >= 15 else { return nil }
    // A board that lies in a bent field tells the same again and again: each attitude counts once.
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
    var before = Double.infinity
    var after: (square: Double, change: SIMD3<Double>) = (.infinity, .zero)
    for k in 0..<Self.yaws {
      let r = residuals(2 * Double.pi * Double(k) / Double(Self.yaws))
      var mean = SIMD3<Double>.zero
      var whole = 0.0
      for i in r.indices {
        mean += r[i] * shares[i]
        whole += r[i].lengthSquared * shares[i]
      }
      before = min(before, whole)
      let rest = whole - mean.lengthSquared
      if rest < after.square { after = (rest, mean) }
    }
    change = after.change
    residualBefore = (before / 3).squareRoot()
    residualAfter = (max(0, after.square) / 3).squareRoot()
    // Neighbouring attitudes say nearly the same: two count as one.
    sigma = max(1, residualAfter) / (Double(crowd.cells) / 2).squareRoot()
  }

  /// In fewer attitudes a bend of the room looks like iron on the board.
  private static var leastAttitudes: Int { 6 }
  /// Two degrees apart: the field moves by less than a microtesla between.
  private static var yaws: Int { 180 }
}
