/// The ellipse of two normal errors, and the circle of a given probability.
///
/// With the semi-axes a and b the errors are (a u, b v) for two unit normals u and v. In polar
/// coordinates of (u, v) the angle is uniform and the squared radius exponential. The circle of
/// radius r therefore has the probability p that is the mean over the angle of 1 - exp(-r² / 2(a²
/// cos² + b² sin²)). A closed form exists only for a = b. p increases with r, and r lies between b
/// and a times the root of -2 ln(1 - p).
struct ErrorEllipse {
  /// The squares of the semi-major and the semi-minor axis, one sigma.
  let (major, minor): (Double, Double)

  /// The 68 % radius of two equal errors in units of one error's sigma.
  static let sigmasIn68Percent = (-2 * log1p(-0.68)).squareRoot()

  /// The number of angles in a quarter turn. The mean converges faster than any power of it.
  private static let angles = 64
  /// The number of bisections, down to the resolution of a Double.
  private static let halvings = 52

  /// Makes the ellipse from the covariance of two errors.
  init(eastEast: Double, eastNorth: Double, northNorth: Double) {
    let middle = (eastEast + northNorth) / 2
    let half = (eastEast - northNorth) / 2
    let spread = (half * half + eastNorth * eastNorth).squareRoot()
    // Rounding or an invalid covariance must not make the smaller one negative.
    (major, minor) = (middle + spread, max(middle - spread, 0))
  }

  /// The probability that the circle of a radius contains the true position.
  func probability(radius: Double) -> Double {
    let half = radius * radius / 2
    var missed = 0.0
    for step in 0..<Self.angles {
      // Midpoints exclude the ends, where a degenerate ellipse has no width.
      let c = cos((Double(step) + 0.5) * .pi / 2 / Double(Self.angles))
      missed += exp(-half / (minor + (major - minor) * c * c))
    }
    return 1 - missed / Double(Self.angles)
  }

  /// The radius of the circle that contains the true position with a probability.
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
