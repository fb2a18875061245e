import Quantities
import RealModule

/// A latitude on the auxiliary sphere: tan(beta) = (1 - f) tan(latitude).
struct ReducedLatitude {
  var sine: Double
  var cosine: Double

  init(_ latitude: Double) {
    let s = (1 - WGS84.flattening) * Double.sin(latitude)
    let c = max(0, Double.cos(latitude))
    let length = (s * s + c * c).squareRoot()
    (sine, cosine) = (s / length, c / length)
  }
}

/// A direction as sine and cosine, which are precise where an angle near 90 degrees is not.
struct Azimuth {
  let sine: Double
  let cosine: Double
}

/// A geodesic on the auxiliary sphere, where it is a great circle (Karney 2013, section 2).
struct GreatCircle {
  /// Sine and cosine of its azimuth where it crosses the equator northwards (eq. 5).
  let sineOfNode: Double
  let cosineOfNode: Double
  /// k² of eq. 9: second eccentricity times the cosine, squared.
  private let kSquared: Double

  init(_ beta: ReducedLatitude, _ azimuth: Azimuth) {
    let (s, c) = (azimuth.sine, azimuth.cosine)
    sineOfNode = s * beta.cosine
    cosineOfNode = (c * c + s * s * beta.sine * beta.sine).squareRoot()
    kSquared = WGS84.secondEccentricitySquared * cosineOfNode * cosineOfNode
  }

  /// The arc from the node to a latitude passed at an azimuth.
  func sigma(_ beta: ReducedLatitude, _ azimuth: Azimuth) -> Double {
    .atan2(y: beta.sine, x: azimuth.cosine * beta.cosine)
  }

  /// The longitude on the sphere from the node to a latitude passed at an azimuth.
  func omega(_ beta: ReducedLatitude, _ azimuth: Azimuth) -> Double {
    .atan2(y: sineOfNode * beta.sine, x: azimuth.cosine * beta.cosine)
  }

  /// sqrt(1 + k² sin²), the length of an arc's element over the polar radius.
  func stretch(_ sigma: Double) -> Double {
    let s = Double.sin(sigma)
    return (1 + kSquared * s * s).squareRoot()
  }

  /// Distance over polar radius (eq. 7).
  func lengthIntegral(from a: Double, to b: Double) -> Double {
    Quadrature.integral(from: a, to: b) { stretch($0) }
  }

  /// Excess of the spherical longitude over the ellipsoid's, over f sin(node) (eq. 8).
  func longitudeIntegral(from a: Double, to b: Double) -> Double {
    let f = WGS84.flattening
    return Quadrature.integral(from: a, to: b) { (2 - f) / (1 + (1 - f) * stretch($0)) }
  }
}

/// Gauss-Legendre quadrature with sixteen points for each half turn.
///
/// - Accuracy: the integrands' harmonics fall by a factor of 600 each, so that the sixth is already
///   below the last bit.
/// - Source: nodes and weights by `numpy.polynomial.legendre.leggauss(16)`.
private enum Quadrature {
  private static let points: [(node: Double, weight: Double)] = [
    (0.095012509837637441, 0.18945061045506864),
    (0.28160355077925892, 0.18260341504492364),
    (0.45801677765722737, 0.16915651939500265),
    (0.61787624440264377, 0.14959598881657671),
    (0.755404408355003, 0.12462897125553407),
    (0.86563120238783176, 0.095158511682492605),
    (0.9445750230732326, 0.062253523938647456),
    (0.98940093499164994, 0.027152459411754176),
  ]

  static func integral(from a: Double, to b: Double, _ f: (Double) -> Double) -> Double {
    let panels = max(1, (abs(b - a) / .pi).rounded(.up))
    let half = (b - a) / (2 * panels)
    var sum = 0.0
    var middle = a + half
    for _ in 0..<Int(bounded: min(panels, 1000)) {
      for p in points { sum += p.weight * (f(middle - half * p.node) + f(middle + half * p.node)) }
      middle += 2 * half
    }
    return sum * half
  }
}
