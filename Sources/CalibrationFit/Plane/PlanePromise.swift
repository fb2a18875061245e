import Quantities
import RealModule

/// What a magnetometer that feels no gravity can promise: a heading that is good as long as it is level.
///
/// A tilt of one degree lets the vertical field leak into the level plane: the heading errs by up to the
/// tangent of the dip in degrees, 2.1 at a dip of 65. No calibration helps against that.
/// - Accuracy: about 5 degrees root mean square within 2 degrees of level, after a full turn. Source: the
///   research's section 5, measured at a dip of 69 degrees.
public struct PlanePromise: Equatable, Sendable, CustomStringConvertible {
  /// What the calibration leaves on a level board, one sigma, in the mean over all headings; the turn of
  /// the sensor in its case has its share in it.
  public var levelError: Angle
  /// The dip that it is reckoned with.
  public var dip: Angle
  /// True where the place is not known and the dip is an assumption.
  public var isDipAssumed: Bool

  /// Reckons with a posterior.
  init(_ estimate: DistortionEstimate, vertical down: SIMD3<Double>, dip: Angle?) {
    isDipAssumed = dip == nil
    self.dip = dip ?? Angle(radians: EllipsoidPrior.unknownDip.mean)
    levelError = Angle(radians: Self.levelVariance(estimate, down).squareRoot())
  }

  /// By how much a degree of tilt turns the heading at most, degrees.
  public var degreesPerDegreeOfTilt: Double { abs(Double.tan(dip.radians)) }

  /// The error with a tilt in the worst direction.
  public func headingError(tilt: Angle) -> Angle { combined(degreesPerDegreeOfTilt * tilt.radians) }

  /// The root mean square error while the tilt stays anywhere within a limit: a tilt is half as large as
  /// the limit, root mean square in one direction.
  public func headingError(within tilt: Angle) -> Angle {
    combined(degreesPerDegreeOfTilt * tilt.radians / 2)
  }

  /// Two sentences for people.
  public var description: String {
    let within = headingError(within: Angle(degrees: 2))
    let factor = (degreesPerDegreeOfTilt * 10).rounded() / 10
    let place = isDipAssumed ? "assumed, since the place is not known" : "the place's"
    return
      "Within 2 degrees of level the heading is good to about \(Int(within.degrees.rounded())) "
      + "degrees. Each degree of tilt turns it by up to \(factor) degrees (dip "
      + "\(Int(dip.degrees.rounded())), \(place))."
  }

  private func combined(_ tiltError: Double) -> Angle {
    let level = levelError.radians
    return Angle(radians: (level * level + tiltError * tiltError).squareRoot())
  }

  /// The mean over all headings of the heading's variance, radians squared.
  private static func levelVariance(_ estimate: DistortionEstimate, _ down: SIMD3<Double>) -> Double
  {
    guard let inverse = estimate.distortion.shape.inverse else { return .pi * .pi }
    // Any level axis will do to count headings from.
    let beside = abs(down.x) < 0.5 ? SIMD3<Double>(1, 0, 0) : SIMD3<Double>(0, 1, 0)
    let right = down.cross(beside)
    let field = estimate.earthField
    var sum = 0.0
    for i in 0..<HeadingCells.count {
      let angle = 2 * Double.pi * Double(i) / Double(HeadingCells.count)
      let north = beside * Double.cos(angle) + right * Double.sin(angle)
      let east = down.cross(north)
      let v = north * field.horizontal + down * field.down
      let q = inverse.transposed * east / field.horizontal
      var factors: [Double] = []
      for a in 0..<3 { for b in 0..<3 { factors.append(q[a] * v[b]) } }
      for a in 0..<3 { factors.append(q[a]) }
      sum += estimate.covariance.variance(along: factors)
    }
    return sum / Double(HeadingCells.count)
  }
}
