import Foundation
import Quantities

/// The part of a place that a search by position needs.
package struct Site: Equatable, Sendable {
  /// The number in the gazetteer.
  package let number: Int
  /// Degrees times 100 000.
  let latitude: Int
  let longitude: Int
  /// The population.
  package let population: Int

  /// The centre.
  package var position: GeodeticPosition {
    GeodeticPosition(scaledLatitude: latitude, longitude: longitude)
  }
}

extension GeodeticPosition {
  /// A place from the file's integers, degrees times 100 000.
  init(scaledLatitude latitude: Int, longitude: Int) {
    self.init(
      latitudeDegrees: Double(latitude) / 100_000, longitudeDegrees: Double(longitude) / 100_000)
  }
}

/// A direction from the centre of the earth, for distances on the sphere.
struct SphericalDirection {
  private let axis: SIMD3<Double>

  init(_ position: GeodeticPosition) {
    let (latitude, longitude) = (position.latitude.radians, position.longitude.radians)
    let (sine, cosine) = (sin(latitude), cos(latitude))
    axis = SIMD3(cosine * cos(longitude), cosine * sin(longitude), sine)
  }

  /// The distance on the sphere, metres; within 0.6 % of the ellipsoid's.
  func metres(to other: SphericalDirection) -> Double {
    let chord = axis - other.axis
    let half = (chord * chord).sum().squareRoot() / 2
    return 2 * DegreeSquares.earthRadiusMetres * asin(min(1, half))
  }
}
