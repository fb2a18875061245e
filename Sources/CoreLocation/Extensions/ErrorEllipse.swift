/// The ellipse of two normal errors, and the circle that holds as much.
///
/// With the ellipse's semi-axes a and b the errors are (a u, b v) of two unit normals. In polar coordinates of
/// (u, v) the angle is uniform and the square of the radius exponential, so that the circle of radius r holds
/// the mean over the angle of 1 - exp(-r² / 2(a² cos² + b² sin²)). That has no closed form but for a = b; it
/// grows with r, and r lies between b and a times the root of -2 ln(1 - p).
struct ErrorEllipse {
  /// Square of the semi-major and of the semi-minor axis, one sigma.
  let (major, minor): (Double, Double)

  /// The radius that holds 68 % of two equal errors is so many sigma of one.
  static let sigmasIn68Percent = (-2 * log1p(-0.68)).squareRoot()

  /// Angles in a quarter turn; the mean over them converges faster than any power of their number.
  private static let angles = 64
  /// Halvings of the interval, beyond what a Double tells apart.
  private static let halvings = 52

  /// Makes the ellipse of a covariance of two errors.
  init(eastEast: Double, eastNorth: Double, northNorth: Double) {
    let middle = (eastEast + northNorth) / 2
    let half = (eastEast - northNorth) / 2
    let spread = (half * half + eastNorth * eastNorth).squareRoot()
    // Rounding, or a covariance that is none, must not make the smaller one negative.
    (major, minor) = (middle + spread, max(middle - spread, 0))
  }

  /// The probability that the circle of a radius holds the place.
  func probability(radius: Double) -> Double {
    let half = radius * radius / 2
    var missed = 0.0
    for step in 0..<Self.angles {
      // Midpoints: the ends, where a flat ellipse has no width, are left out.
      let c = cos((Double(step) + 0.5) * .pi / 2 / Double(Self.angles))
      missed += exp(-half / (minor + (major - minor) * c * c))
    }
    return 1 - missed / Double(Self.angles)
  }

  /// The radius that holds the place with a probability.
  /// - Accuracy: 1e-6 of the radius for ellipses up to 1 : 30, 1e-4 for lines.
  func radius(confidence: Double) -> Double {
    guard confidence > 0 else { return 0 }
    guard confidence < 1 else { return .infinity }
    let factor = (-2 * log1p(-confidence)).squareRoot()
    var (low, high) = (minor.squareRoot() * factor, major.squareRoot() * factor)
    guard high > low else { return high }
    for _ in 0..<Self.halvings {
      let middle = (low + high) / 2
      if probability(radius: middle) < confidence { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
