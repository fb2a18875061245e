import Quantities
import RealModule

/// A model of the earth's magnetic field: spherical harmonics with coefficients that are linear in
/// time.
///
/// - Accuracy: reproduces the official test values of WMM2025 and WMMHR2025 to 0.01 nT. The model's
///   omission error is `MagneticElements.declinationUncertainty`.
/// - Source: Chulliat et al., The US/UK World Magnetic Model for 2025-2030: Technical Report,
///   NOAA/NCEI, doi 10.25923/rx5k-r905, section 1.2.
public struct MagneticModel: Sendable {
  /// The name in the coefficients' file.
  public let name: String
  /// The epoch of the coefficients, decimal year.
  public let epoch: Double
  /// The highest degree.
  public let degree: Int
  /// Terms by order, then degree: in this order the sum needs no scratch memory.
  private let terms: [Term]

  /// One degree and order with its factors of the Legendre recursion.
  struct Term: Sendable {
    var g = 0.0
    var h = 0.0
    var gRate = 0.0
    var hRate = 0.0
    /// sqrt(n² - m²).
    var root = 0.0
    /// (2n - 1) / sqrt(n² - m²).
    var ahead = 0.0
    /// sqrt((n-1)² - m²) / sqrt(n² - m²).
    var behind = 0.0
  }

  /// The years of validity.
  public var validYears: ClosedRange<Double> { epoch...(epoch + 5) }

  /// `table` holds g, h and their rates, four numbers for each n from 1 and m from 0.
  init(name: String, epoch: Double, degree: Int, table: [Double]) {
    self.name = name
    self.epoch = epoch
    self.degree = degree
    var terms: [Term] = []
    terms.reserveCapacity((degree + 1) * (degree + 2) / 2 - 1)
    for m in 0...degree {
      for n in max(m, 1)...max(degree, 1) {
        var term = Term()
        // Row of (n, m) in a table by degree that begins with (1, 0).
        let row = 4 * (n * (n + 1) / 2 - 1 + m)
        if row + 3 < table.count {
          (term.g, term.h) = (table[row], table[row + 1])
          (term.gRate, term.hRate) = (table[row + 2], table[row + 3])
        }
        let root = Double(n * n - m * m).squareRoot()
        term.root = root
        if n > m {
          term.ahead = Double(2 * n - 1) / root
          term.behind = Double(max((n - 1) * (n - 1) - m * m, 0)).squareRoot() / root
        }
        terms.append(term)
      }
    }
    self.terms = terms
  }

  /// All elements of the field at a place and time, with their rates of change.
  ///
  /// At a pole, north is along the given longitude. Any longitude is valid. Outside `validYears`
  /// the result has a warning.
  /// - Parameters:
  ///   - position: A place on the WGS-84 ellipsoid.
  ///   - ellipsoidalHeightMetres: Height above the ellipsoid, metres.
  ///   - decimalYear: The date, such as 2026.5.
  /// - Returns: The seven elements, their rates, and warnings.
  /// - Throws: `MagneticModelError` for an invalid place or date.
  public func elements(
    at position: GeodeticPosition, ellipsoidalHeightMetres: Double, decimalYear: Double
  ) throws(MagneticModelError) -> MagneticElements {
    let latitude = position.latitude.radians
    guard abs(position.latitude.degrees) <= 90 + 1e-12 else {
      throw .latitudeBeyondPole(degrees: position.latitude.degrees)
    }
    guard position.longitude.radians.isFinite else { throw .notANumber("longitude") }
    guard ellipsoidalHeightMetres.isFinite else { throw .notANumber("altitude") }
    guard decimalYear.isFinite else { throw .notANumber("date") }
    // Below this the harmonics diverge: a kilometre beneath the core's radius.
    guard ellipsoidalHeightMetres > -3_000_000 else {
      throw .heightInsideCore(metres: ellipsoidalHeightMetres)
    }

    let place = Geocentric(latitude: latitude, heightMetres: ellipsoidalHeightMetres)
    let sum = harmonics(place, position.longitude.wrappedToHalfTurn.radians, decimalYear - epoch)
    let field = place.toGeodetic(sum.field)
    let rate = place.toGeodetic(sum.rate)
    return MagneticElements(
      north: field.x, east: field.y, down: field.z, northRate: rate.x, eastRate: rate.y,
      downRate: rate.z, outside: validYears.contains(decimalYear) ? nil : validYears)
  }

  /// North, east and down in geocentric axes, nT, and their rates, nT a year.
  private func harmonics(
    _ place: Geocentric, _ longitude: Double, _ years: Double
  ) -> (field: SIMD3<Double>, rate: SIMD3<Double>) {
    let (c, s) = (place.cosineOfColatitude, place.sineOfColatitude)
    let ratio = 6_371_200 / place.radius
    let (cosOne, sinOne) = (Double.cos(longitude), Double.sin(longitude))
    var (cosM, sinM) = (1.0, 0.0)
    var field = SIMD3<Double>.zero
    var rate = SIMD3<Double>.zero
    // The Legendre functions of order m >= 1 are divided by sin(colatitude): the east component
    // needs this, and it is finite at the poles.
    var sectoral = 1.0
    var power = ratio * ratio
    var index = 0
    for m in 0...degree {
      if m > 0 {
        // Schmidt semi-normalised: P_11 = sin, P_mm = sqrt((2m-1)/2m) sin P_(m-1)(m-1).
        sectoral = m == 1 ? 1 : sectoral * s * (Double(2 * m - 1) / Double(2 * m)).squareRoot()
        (cosM, sinM) = (cosM * cosOne - sinM * sinOne, sinM * cosOne + cosM * sinOne)
        power *= ratio
      }
      var (p, previous) = (sectoral, 0.0)
      var radial = power
      var n = m
      if m == 0 {
        // The sum begins with degree 1: P_00 = 1 only starts the recursion.
        n = 1
        (p, previous) = (c, 1)
        radial *= ratio
      }
      while n <= degree {
        let t = terms[index]
        if n > m, n > 1 { (p, previous) = (t.ahead * c * p - t.behind * previous, p) }
        let g = t.g + years * t.gRate
        let h = t.h + years * t.hRate
        let (cosine, sine) = (g * cosM + h * sinM, g * sinM - h * cosM)
        let (cosineRate, sineRate) = (
          t.gRate * cosM + t.hRate * sinM, t.gRate * sinM - t.hRate * cosM
        )
        // dP/d(colatitude) = n cot P - sqrt(n² - m²) P_(n-1)m / sin.
        let slope: Double
        let value: Double
        let east: Double
        if m == 0 {
          value = p
          east = 0
          slope = 0  // Added with order 1: dP_n0 = -sqrt(n(n+1)/2) P_n1.
        } else {
          value = p * s
          east = Double(m) * p
          slope = Double(n) * c * p - t.root * (n > m ? previous : 0)
        }
        let weight = SIMD3(slope * radial, east * radial, -Double(n + 1) * value * radial)
        field += weight * SIMD3(cosine, sine, cosine)
        rate += weight * SIMD3(cosineRate, sineRate, cosineRate)
        if m == 1 {
          let zonal = terms[n - 1]
          let slopeOfZonal = -Double(n * (n + 1) / 2).squareRoot() * p * s * radial
          field.x += slopeOfZonal * (zonal.g + years * zonal.gRate)
          rate.x += slopeOfZonal * zonal.gRate
        }
        radial *= ratio
        n += 1
        index += 1
      }
    }
    return (field, rate)
  }
}

/// A place in geocentric coordinates.
private struct Geocentric {
  let radius: Double
  let cosineOfColatitude: Double
  let sineOfColatitude: Double
  /// Geocentric less geodetic latitude.
  private let cosineOfTilt: Double
  private let sineOfTilt: Double

  init(latitude: Double, heightMetres h: Double) {
    let (a, e2) = (WGS84.equatorialRadius, WGS84.eccentricitySquared)
    let sine = Double.sin(latitude)
    // The cosine of 90 degrees in floating point is 6e-17; this is a pole.
    let cosine = max(0, Double.cos(latitude))
    let curvature = a / (1 - e2 * sine * sine).squareRoot()
    let outward = (curvature + h) * cosine
    let upward = (curvature * (1 - e2) + h) * sine
    radius = (outward * outward + upward * upward).squareRoot()
    cosineOfColatitude = upward / radius
    sineOfColatitude = outward / radius
    cosineOfTilt = cosineOfColatitude * sine + sineOfColatitude * cosine
    sineOfTilt = cosineOfColatitude * cosine - sineOfColatitude * sine
  }

  /// Rotates geocentric north-east-down to geodetic.
  func toGeodetic(_ v: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(v.x * cosineOfTilt - v.z * sineOfTilt, v.y, v.x * sineOfTilt + v.z * cosineOfTilt)
  }
}
