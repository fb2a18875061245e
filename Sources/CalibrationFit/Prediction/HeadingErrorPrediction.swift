import Quantities
import RealModule

/// The heading error after a calibration, by attitude: one sigma from its covariance.
///
/// An error of shape and offset turns the calibrated field; its eastward part over the horizontal
/// field is the heading error. `sigma² = j P jᵀ + floor²` with `j = [q ⊗ v, q]`, `q = eastᵀ S⁻¹ /
/// H`.
public struct HeadingErrorPrediction: Sendable {
  /// Minimum error, one sigma, rad, that no fit can detect: fields of rooms differ, and sensors
  /// have noise.
  public static var floor: Angle { Angle(degrees: 1) }
  /// Maximum tilt for the evaluation of a calibration.
  public static var usualTilt: Angle { Angle(degrees: 45) }

  private let inverse: Matrix3
  private let field: EarthField
  private let covariance: DistortionCovariance

  /// Makes a prediction.
  /// - Returns: nil if the shape has no inverse or the field has no horizontal part.
  public init?(_ estimate: DistortionEstimate) {
    guard let inverse = estimate.distortion.shape.inverse, estimate.earthField.horizontal > 1
    else { return nil }
    self.inverse = inverse
    field = estimate.earthField
    covariance = estimate.covariance
  }

  /// One sigma of the heading error, radians, at most half a turn.
  /// - Parameters:
  ///   - down: Where gravity points along the sensor's axes, of length 1.
  ///   - north: Where magnetic north points along the sensor's axes, level and of length 1.
  /// - Returns: Radians.
  public func sigma(down: SIMD3<Double>, north: SIMD3<Double>) -> Double {
    let east = down.cross(north)
    let v: SIMD3<Double> = north * field.horizontal + down * field.down
    let q: SIMD3<Double> = inverse.transposed * east / field.horizontal
    var j = [Double](repeating: 0, count: DistortionCovariance.order)
    for r in 0..<3 {
      for c in 0..<3 { j[3 * r + c] = q[r] * v[c] }
      j[9 + r] = q[r]
    }
    let floor = Self.floor.radians
    return min(.pi, (covariance.variance(along: j) + floor * floor).squareRoot())
  }

  /// The largest sigma of all headings at one attitude, radians.
  /// - Parameters:
  ///   - down: Where gravity points along the sensor's axes, of length 1.
  ///   - bins: The number of headings.
  /// - Returns: Radians.
  public func worst(down: SIMD3<Double>, bins: Int = 12) -> Double {
    let (a, b) = Self.level(down)
    return (0..<bins).reduce(0) { worst, k in
      let angle = 2 * Double.pi * Double(k) / Double(bins)
      return max(worst, sigma(down: down, north: a * Double.cos(angle) + b * Double.sin(angle)))
    }
  }

  /// The largest sigma of all attitudes tilted by at most `tilt` from the one in which `down`
  /// points along gravity, radians.
  public func worst(about down: SIMD3<Double>, tilt: Angle = usualTilt) -> Double {
    var most = worst(down: down)
    for ring in 1...2 {
      let t = tilt.radians * Double(ring) / 2
      for k in 0..<8 {
        most = max(most, worst(down: Self.tilted(down, by: t, towards: k, of: 8)))
      }
    }
    return most
  }

  /// The direction of gravity on a board tilted to side `k` of `count`.
  static func tilted(
    _ down: SIMD3<Double>, by t: Double, towards k: Int, of count: Int
  ) -> SIMD3<Double> {
    let (a, b) = level(down)
    let angle = 2 * Double.pi * Double(k) / Double(count)
    let side: SIMD3<Double> = a * Double.cos(angle) + b * Double.sin(angle)
    return down * Double.cos(t) + side * Double.sin(t)
  }

  /// Two perpendicular level directions, the second to the right of the first.
  static func level(_ down: SIMD3<Double>) -> (SIMD3<Double>, SIMD3<Double>) {
    let helper: SIMD3<Double> = abs(down.x) < 0.6 ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)
    let right = down.cross(helper)
    let b = right / right.length
    return (b.cross(down), b)
  }
}
