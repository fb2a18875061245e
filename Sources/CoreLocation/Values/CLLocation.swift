internal import EarthModel
internal import Quantities

/// Where something was, how fast it moved and how sure that is.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Set once, before anybody else sees the object.
  private var values: LocationValues

  /// The place; invalid where `horizontalAccuracy` is negative.
  open var coordinate: CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: values.latitude, longitude: values.longitude)
  }
  /// Metres above mean sea level; invalid where `verticalAccuracy` is zero or negative.
  open var altitude: CLLocationDistance { values.altitude }
  /// Metres above the WGS-84 ellipsoid; 0 where `verticalAccuracy` is zero or negative.
  open var ellipsoidalAltitude: CLLocationDistance {
    values.verticalAccuracy > 0 ? values.ellipsoidalAltitude : 0
  }
  /// The radius that holds the place with 68 % probability, metres; negative where it is invalid.
  open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }
  /// One sigma of the altitude, metres; zero or negative where it is invalid.
  open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }
  /// The direction of movement over ground, clockwise from true north; negative where invalid.
  open var course: CLLocationDirection { values.course }
  /// Degrees; negative where the course is invalid or its error not known.
  open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy }
  /// Metres per second over ground; negative where invalid.
  open var speed: CLLocationSpeed { values.speed }
  /// Metres per second; negative where the speed is invalid or its error not known.
  open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }
  /// When the place was taken, not when it was delivered.
  open var timestamp: Date { values.timestamp }
  /// The storey of a building; nil where nothing tells it.
  open var floor: CLFloor? { values.floor.map(CLFloor.init(level:)) }
  /// Where the location came from; nil where it is not known.
  open var sourceInformation: CLLocationSourceInformation? {
    guard let isSimulated = values.isSimulated, let isFromAccessory = values.isFromAccessory else {
      return nil
    }
    return CLLocationSourceInformation(
      softwareSimulationState: isSimulated, andExternalAccessoryState: isFromAccessory)
  }

  /// True: a location can be read from an archive of which only the class is trusted.
  open class var supportsSecureCoding: Bool { true }

  /// Makes the place of latitude and longitude zero, now.
  public override init() {
    values = LocationValues(latitude: 0, longitude: 0, timestamp: Date())
    super.init()
  }

  /// Makes a place of which nothing else is known, now.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    values = LocationValues(latitude: latitude, longitude: longitude, timestamp: Date())
    super.init()
  }

  /// Makes a location that does not say how it moves.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    values = .init(coordinate, altitude, hAccuracy, vAccuracy, timestamp)
    super.init()
  }

  /// Makes a location with its movement over ground.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    speed: CLLocationSpeed, timestamp: Date
  ) {
    values = .init(coordinate, altitude, hAccuracy, vAccuracy, timestamp)
    (values.course, values.speed) = (course, speed)
    super.init()
  }

  /// Makes a location with its movement over ground and how sure that is.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
  ) {
    values = .init(coordinate, altitude, hAccuracy, vAccuracy, timestamp)
    (values.course, values.speed) = (course, speed)
    (values.courseAccuracy, values.speedAccuracy) = (courseAccuracy, speedAccuracy)
    super.init()
  }

  /// Makes a location that says where it came from.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date,
    sourceInfo: CLLocationSourceInformation
  ) {
    values = .init(coordinate, altitude, hAccuracy, vAccuracy, timestamp)
    (values.course, values.speed) = (course, speed)
    (values.courseAccuracy, values.speedAccuracy) = (courseAccuracy, speedAccuracy)
    values.isSimulated = sourceInfo.isSimulatedBySoftware
    values.isFromAccessory = sourceInfo.isProducedByAccessory
    super.init()
  }

  package convenience init(_ values: LocationValues) {
    self.init()
    self.values = values
  }

  /// Reads a location from an archive that `encode(with:)` wrote.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let values = LocationValues(coder: coder) else { return nil }
    self.values = values
    super.init()
  }

  /// Writes the location into an archive.
  open func encode(with coder: NSCoder) { storedValues.encode(with: coder) }

  /// Itself: a location never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Metres to another place along the earth's curvature; the altitudes play no part.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    Geodesic.inverse(from: location.position, to: position).distanceMetres
  }

  /// The older name of `distance(from:)`.
  @available(*, deprecated, message: "Use distance(from:)")
  open func getDistanceFrom(_ location: CLLocation) -> CLLocationDistance {
    distance(from: location)
  }

  /// The place, accuracy, movement and time in words, for people; its form may change.
  open override var description: String {
    let numbers = String(
      format: "<%+.8f,%+.8f> +/- %.2fm (speed %.2f mps / course %.2f)", coordinate.latitude,
      coordinate.longitude, horizontalAccuracy, speed, course)
    let time = DateFormatter.localizedString(from: timestamp, dateStyle: .short, timeStyle: .full)
    return "\(numbers) @ \(time)"
  }

  package var storedValues: LocationValues { values }

  private var position: GeodeticPosition {
    let place = coordinate
    return GeodeticPosition(latitudeDegrees: place.latitude, longitudeDegrees: place.longitude)
  }
}

extension LocationValues {
  fileprivate init(
    _ place: CLLocationCoordinate2D, _ altitude: Double, _ horizontalAccuracy: Double,
    _ verticalAccuracy: Double, _ timestamp: Date
  ) {
    self.init(latitude: place.latitude, longitude: place.longitude, timestamp: timestamp)
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
  }
}
