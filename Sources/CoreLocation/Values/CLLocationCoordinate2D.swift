/// A latitude and longitude on the WGS-84 ellipsoid, in degrees, north and east positive.
///
/// It is neither `Equatable` nor `Hashable`, as on Apple's platforms: programs state these
/// conformances themselves, and a second one here would silently replace theirs.
public struct CLLocationCoordinate2D: Sendable {
  /// North positive.
  public var latitude: CLLocationDegrees
  /// East positive.
  public var longitude: CLLocationDegrees

  /// Makes the place where the equator meets the prime meridian.
  public init() { self.init(latitude: 0, longitude: 0) }

  /// Makes a place; nothing is checked (see `CLLocationCoordinate2DIsValid`).
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A coordinate that is no place.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Makes a coordinate of degrees.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether the coordinate lies on the earth: within 90 degrees of latitude and 180 of longitude.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
  // Written so that NaN is not valid.
  abs(coord.latitude) <= 90 && abs(coord.longitude) <= 180
}
