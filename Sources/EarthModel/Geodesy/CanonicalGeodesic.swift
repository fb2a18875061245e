import Quantities
import RealModule

/// The inverse problem in canonical form: the first place on or south of the equator, the second no
/// farther from it and to the east (Karney 2013, section 4, eq. 44).
struct CanonicalGeodesic {
  private var beta1: ReducedLatitude
  private let beta2: ReducedLatitude
  /// Difference of longitude, 0 to pi.
  private let longitude: Double

  struct Way {
    var distance: Double
    var azimuth1: Azimuth
    var azimuth2: Azimuth
  }

  init(beta1: ReducedLatitude, beta2: ReducedLatitude, longitude: Double) {
    self.beta1 = beta1
    self.beta2 = beta2
    self.longitude = longitude
    // A place on the equator is treated as just south of it, so that the line to an antipode starts
    // south.
    self.beta1.sine = min(beta1.sine, -1e-300)
  }

  func solved() -> Way {
    // Along a meridian; at a pole every direction is.
    if longitude == 0 || longitude >= .pi || beta1.cosine < 1e-15 {
      return way(
        Azimuth(sine: longitude >= .pi ? 0 : .sin(longitude), cosine: .cos(longitude)),
        Azimuth(sine: 0, cosine: 1))
    }
    let onEquator = beta1.sine > -1e-299 && beta2.sine == 0
    if onEquator, longitude <= (1 - WGS84.flattening) * .pi {
      let east = Azimuth(sine: 1, cosine: 0)
      return Way(
        distance: WGS84.equatorialRadius * longitude, azimuth1: east, azimuth2: east)
    }
    // The unknown is the azimuth less 90 degrees: near the equator it is tiny and needs full
    // precision.
    let root = RootFinder.root(from: -.pi / 2, to: .pi / 2) {
      difference(Self.azimuth(pastEast: $0))
    }
    let azimuth1 = Self.azimuth(pastEast: root)
    return way(azimuth1, azimuth(atSecondFor: azimuth1))
  }

  private static func azimuth(pastEast x: Double) -> Azimuth {
    Azimuth(sine: max(0, .cos(x)), cosine: -.sin(x))
  }

  /// The azimuth of a line at the second latitude, northward (Clairaut, eq. 5 and 45).
  private func azimuth(atSecondFor azimuth1: Azimuth) -> Azimuth {
    let sine = azimuth1.sine * beta1.cosine
    let cosine = azimuth1.cosine * beta1.cosine
    // cos²(beta2) - cos²(beta1), as a product that keeps full precision.
    let rest = (beta1.sine - beta2.sine) * (beta1.sine + beta2.sine)
    return Azimuth(
      sine: sine / beta2.cosine, cosine: max(0, cosine * cosine + rest).squareRoot() / beta2.cosine)
  }

  /// Longitude of a line of an azimuth at the second latitude less that of the second place; it
  /// increases with the azimuth.
  private func difference(_ azimuth1: Azimuth) -> Double {
    let azimuth2 = azimuth(atSecondFor: azimuth1)
    let great = GreatCircle(beta1, azimuth1)
    let excess =
      WGS84.flattening * great.sineOfNode
      * great.longitudeIntegral(
        from: great.sigma(beta1, azimuth1), to: great.sigma(beta2, azimuth2))
    return great.omega(beta2, azimuth2) - great.omega(beta1, azimuth1) - excess - longitude
  }

  private func way(_ azimuth1: Azimuth, _ azimuth2: Azimuth) -> Way {
    let great = GreatCircle(beta1, azimuth1)
    let length = great.lengthIntegral(
      from: great.sigma(beta1, azimuth1), to: great.sigma(beta2, azimuth2))
    return Way(
      distance: WGS84.polarRadius * max(0, length), azimuth1: azimuth1, azimuth2: azimuth2)
  }
}

/// A root of a continuous function between two ends of opposite sign.
///
/// Chandrupatla's method: inverse quadratic interpolation for smooth functions, bisection
/// otherwise; it never leaves the bracket.
/// - Source: T. R. Chandrupatla, Adv. Eng. Software 28 (1997) 145, doi
///   10.1016/S0965-9978(96)00051-8.
private enum RootFinder {
  static func root(from low: Double, to high: Double, _ f: (Double) -> Double) -> Double {
    // b is the newest end, a the other one of opposite sign, c the one before.
    var (a, b) = (low, high)
    var (fa, fb) = (f(a), f(b))
    if fa == 0 { return a }
    var (c, fc) = (a, fa)
    var t = 0.5
    // Bisection alone would take 55 steps to the last bit.
    for _ in 0..<100 {
      let x = a + t * (b - a)
      let fx = f(x)
      if (fx < 0) == (fa < 0) {
        (c, fc) = (a, fa)
      } else {
        (c, fc) = (b, fb)
        (b, fb) = (a, fa)
      }
      (a, fa) = (x, fx)
      let nearest = abs(fa) < abs(fb) ? a : b
      let tolerance = 1e-16 * abs(nearest) / abs(b - a)
      if fx == 0 || tolerance > 0.5 || a == b { return nearest }
      let xi = (a - b) / (c - b)
      let phi = (fa - fb) / (fc - fb)
      t = 0.5
      if phi * phi < xi, (1 - phi) * (1 - phi) < 1 - xi {
        t =
          fa / (fb - fa) * fc / (fb - fc)
          + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
      }
      t = min(max(t, tolerance), 1 - tolerance)
    }
    return abs(fa) < abs(fb) ? a : b
  }
}
