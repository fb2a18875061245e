/// A latitude and longitude on the WGS-84 ellipsoid, in degrees, north and east positive.
///
/// As on Apple's platforms it is neither `Equatable` nor `Hashable`. Programs declare these
/// conformances themselves, and a second one here would silently replace theirs.
public struct CLLocationCoordinate2D: Sendable {
  /// North positive.
  public var latitude: CLLocationDegrees
  /// East positive.
  public var longitude: CLLocationDegrees

  /// Makes the coordinate of latitude and longitude zero.
  public init() { self.init(latitude: 0, longitude: 0) }

  /// Makes a coordinate without a check (see `CLLocationCoordinate2DIsValid`).
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// An invalid coordinate.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Makes a coordinate from degrees.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether the coordinate is within 90 degrees of latitude and 180 of longitude.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
  // Written so that NaN is not valid.
  abs(coord.latitude) <= 90 && abs(coord.longitude) <= 180
}
