import Quantities
import RealModule

/// The expected heading error of a magnetometer without an accelerometer: it is valid while the
/// board is level.
///
/// A tilt of one degree projects the vertical field into the level plane: the heading error is up
/// to the tangent of the dip in degrees, 2.1 at a dip of 65. No calibration corrects that.
/// - Accuracy: about 5 degrees root mean square within 2 degrees of level, after a full turn,
///   measured at a dip of 69 degrees.
public struct PlanePromise: Equatable, Sendable, CustomStringConvertible {
  /// Remaining error on a level board, one sigma, mean over all headings, including the rotation of
  /// the sensor in its case.
  public var levelError: Angle
  /// The dip used.
  public var dip: Angle
  /// True for an unknown place with an assumed dip.
  public var isDipAssumed: Bool

  /// Makes the expected error from a posterior.
  init(_ estimate: DistortionEstimate, vertical down: SIMD3<Double>, dip: Angle?) {
    isDipAssumed = dip == nil
    self.dip = dip ?? Angle(radians: EllipsoidPrior.unknownDip.mean)
    levelError = Angle(radians: Self.levelVariance(estimate, down).squareRoot())
  }

  /// Maximum heading change per degree of tilt, degrees.
  public var degreesPerDegreeOfTilt: Double { abs(Double.tan(dip.radians)) }

  /// The error with a tilt in the worst direction.
  public func headingError(tilt: Angle) -> Angle { combined(degreesPerDegreeOfTilt * tilt.radians) }

  /// The root mean square error for any tilt within a limit: the tilt in one direction is half of
  /// the limit, root mean square.
  public func headingError(within tilt: Angle) -> Angle {
    combined(degreesPerDegreeOfTilt * tilt.radians / 2)
  }

  /// The message for the user.
  public var description: String {
    let within = headingError(within: Angle(degrees: 2))
    let factor = (degreesPerDegreeOfTilt * 10).rounded() / 10
    let place = isDipAssumed ? "assumed, since the place is unknown" : "the place's"
    return
      "Within 2 degrees of level the heading error is about \(Int(bounded: within.degrees.rounded())) "
      + "degrees. Each degree of tilt turns it by up to \(factor) degrees (dip "
      + "\(Int(bounded: dip.degrees.rounded())), \(place))."
  }

  private func combined(_ tiltError: Double) -> Angle {
    let level = levelError.radians
    return Angle(radians: (level * level + tiltError * tiltError).squareRoot())
  }

  /// The mean over all headings of the heading's variance, radians squared.
  private static func levelVariance(_ estimate: DistortionEstimate, _ down: SIMD3<Double>) -> Double
  {
    guard let inverse = estimate.distortion.shape.inverse else { return .pi * .pi }
    // Headings are counted from an arbitrary level axis.
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
