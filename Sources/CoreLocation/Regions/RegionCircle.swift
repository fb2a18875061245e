internal import EarthModel
package import Quantities

extension CLRegion.Circle {
  /// Reads a circle; nil where the archive holds none.
  init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "latitude"), coder.containsValue(forKey: "longitude"),
      coder.containsValue(forKey: "radius")
    else { return nil }
    center = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: "latitude"),
      longitude: coder.decodeDouble(forKey: "longitude"))
    radius = coder.decodeDouble(forKey: "radius")
  }

  /// Writes the circle.
  func encode(with coder: NSCoder) {
    coder.encode(center.latitude, forKey: "latitude")
    coder.encode(center.longitude, forKey: "longitude")
    coder.encode(radius, forKey: "radius")
  }

  /// Whether the place is within the radius along the ellipsoid; false for an invalid place.
  func contains(_ place: CLLocationCoordinate2D) -> Bool {
    guard CLLocationCoordinate2DIsValid(center), CLLocationCoordinate2DIsValid(place) else {
      return false
    }
    return Geodesic.inverse(from: center.position, to: place.position).distanceMetres <= radius
  }
}

extension CLLocationCoordinate2D {
  /// The coordinate as Lodestar's type.
  package var position: GeodeticPosition {
    GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// The coordinate of a place.
  package init(_ position: GeodeticPosition) {
    self.init(latitude: position.latitude.degrees, longitude: position.longitude.degrees)
  }
}
