internal import EarthModel
internal import Quantities

/// A position with its altitude, motion, accuracies and time.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Set once, before the object is shared.
  private var values: LocationValues

  /// The position; invalid where `horizontalAccuracy` is negative.
  open var coordinate: CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: values.latitude, longitude: values.longitude)
  }
  /// Metres above mean sea level; invalid where `verticalAccuracy` is zero or negative.
  open var altitude: CLLocationDistance { values.altitude }
  /// Metres above the WGS-84 ellipsoid; 0 where `verticalAccuracy` is zero or negative.
  open var ellipsoidalAltitude: CLLocationDistance {
    values.verticalAccuracy > 0 ? values.ellipsoidalAltitude : 0
  }
  /// The radius of 68 % probability, metres; negative where the position is invalid.
  open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }
  /// One sigma of the altitude, metres; zero or negative where the altitude is invalid.
  open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }
  /// The direction of motion over ground, degrees clockwise from true north; negative where
  /// invalid.
  open var course: CLLocationDirection { values.course }
  /// One sigma of the course, degrees; negative where the course is invalid or its error is not
  /// known.
  open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy }
  /// The speed over ground, metres per second; negative where invalid.
  open var speed: CLLocationSpeed { values.speed }
  /// One sigma of the speed, metres per second; negative where the speed is invalid or its error is
  /// not known.
  open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }
  /// The time of the position, not of its delivery.
  open var timestamp: Date { values.timestamp }
  /// The storey of a building; nil where it is not known.
  open var floor: CLFloor? { values.floor.map(CLFloor.init(level:)) }
  /// The source of the location; nil where it is not known.
  open var sourceInformation: CLLocationSourceInformation? {
    guard let isSimulated = values.isSimulated, let isFromAccessory = values.isFromAccessory else {
      return nil
    }
    return CLLocationSourceInformation(
      softwareSimulationState: isSimulated, andExternalAccessoryState: isFromAccessory)
  }

  /// True: a location supports secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Makes a location of latitude and longitude zero and the current time.
  public override init() {
    values = LocationValues(latitude: 0, longitude: 0, timestamp: Date())
    super.init()
  }

  /// Makes a location of a position and the current time, without other known values.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    values = LocationValues(latitude: latitude, longitude: longitude, timestamp: Date())
    super.init()
  }

  /// Makes a location without motion.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    values = .init(coordinate, altitude, hAccuracy, vAccuracy, timestamp)
    super.init()
  }

  /// Makes a location with its motion over ground.
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

  /// Makes a location with its motion over ground and the accuracies of that.
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

  /// Makes a location with its source.
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

  /// Metres to another location along the earth's curvature, without the altitudes.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    Geodesic.inverse(from: location.position, to: position).distanceMetres
  }

  /// The older name of `distance(from:)`.
  @available(*, deprecated, message: "Use distance(from:)")
  open func getDistanceFrom(_ location: CLLocation) -> CLLocationDistance {
    distance(from: location)
  }

  /// The position, accuracy, motion and time in a readable form, which may change.
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
