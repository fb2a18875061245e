import CoreLocation
import Testing

// What ported code and its tests do with the classes: subclass them, override their properties,
// make them without arguments, copy and archive them. A subclass restates `@unchecked Sendable`.

private final class FixedLocation: CLLocation, @unchecked Sendable {
  override var coordinate: CLLocationCoordinate2D { .init(latitude: 1, longitude: 2) }
  override var horizontalAccuracy: CLLocationAccuracy { 3 }
  override var floor: CLFloor? { FixedFloor() }
}
private final class FixedHeading: CLHeading, @unchecked Sendable {
  private var degrees: CLLocationDirection = 0
  // A read-only property may become writable in a subclass.
  override var trueHeading: CLLocationDirection {
    get { degrees }
    set { degrees = newValue }
  }
}
private final class FixedFloor: CLFloor, @unchecked Sendable {
  override var level: Int { 4 }
}
private final class FixedRegion: CLRegion, @unchecked Sendable {
  override var identifier: String { "fixed" }
}
private final class FixedCircle: CLCircularRegion, @unchecked Sendable {
  override var radius: CLLocationDistance { 7 }
}
private final class FixedBeaconRegion: CLBeaconRegion, @unchecked Sendable {
  override var major: NSNumber? { 5 }
}
private final class FixedBeacon: CLBeacon, @unchecked Sendable {
  override var proximity: CLProximity { .near }
}
private final class FixedConstraint: CLBeaconIdentityConstraint, @unchecked Sendable {
  override var minor: CLBeaconMinorValue? { 6 }
}
private final class FixedPlacemark: CLPlacemark, @unchecked Sendable {
  override var locality: String? { "Cork" }
}
private final class FixedVisit: CLVisit, @unchecked Sendable {
  override var arrivalDate: Date { Date(timeIntervalSince1970: 8) }
}
private final class FixedSource: CLLocationSourceInformation, @unchecked Sendable {
  override var isProducedByAccessory: Bool { true }
}
private final class FixedGeocoder: CLGeocoder {
  override var isGeocoding: Bool { true }
}
private final class FixedManager: CLLocationManager {
  override var location: CLLocation? { FixedLocation() }
  override class func headingAvailable() -> Bool { true }
  override func startUpdatingLocation() {}
}

@Suite(.timeLimit(.minutes(30))) struct AppleClassTests {
  @Test("every class can be subclassed, made without values, and its properties overridden")
  func subclasses() {
    #expect(FixedLocation().coordinate.longitude == 2 && FixedLocation().floor?.level == 4)
    #expect(FixedLocation(latitude: 8, longitude: 9).coordinate.latitude == 1)
    let heading = FixedHeading()
    heading.trueHeading = 12
    #expect((heading as CLHeading).trueHeading == 12)
    #expect(FixedRegion().identifier == "fixed" && FixedCircle().radius == 7)
    #expect(FixedBeaconRegion(uuid: UUID(), identifier: "a").major == 5)
    #expect(FixedBeacon().proximity == .near)
    #expect(FixedConstraint(uuid: UUID()).minor == 6)
    #expect(FixedPlacemark(placemark: CLPlacemark()).locality == "Cork")
    #expect(FixedVisit().arrivalDate.timeIntervalSince1970 == 8)
    #expect(FixedSource().isProducedByAccessory && FixedGeocoder().isGeocoding)
    #expect(FixedManager().location?.horizontalAccuracy == 3 && FixedManager.headingAvailable())
  }

  /// One of each class that Apple's headers declare as `NSCopying` and `NSSecureCoding`, and what
  /// is compared.
  private var objects: [(object: NSObject, text: String)] {
    let uuid = UUID()
    let circle = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 3, identifier: "circle")
    circle.notifyOnExit = false
    let beacons = CLBeaconRegion(uuid: uuid, major: 4, minor: 5, identifier: "beacons")
    beacons.notifyEntryStateOnDisplay = true
    let made: [NSObject] = [
      CLLocation(latitude: 1, longitude: 2), CLHeading(), CLFloor(), CLVisit(), CLBeacon(), circle,
      beacons, CLRegion(), CLBeaconIdentityConstraint(uuid: uuid, major: 4),
      CLLocationSourceInformation(softwareSimulationState: true, andExternalAccessoryState: false),
      CLPlacemark(),
    ]
    return made.map { ($0, Self.text($0)) }
  }

  private static func text(_ object: Any) -> String {
    switch object {
    case let place as CLLocation: "\(place.coordinate) \(place.timestamp.timeIntervalSince1970)"
    case let floor as CLFloor: "\(floor.level)"
    case let region as CLBeaconRegion: "\(region) \(region.notifyEntryStateOnDisplay)"
    case let region as CLRegion: "\(region) \(region.notifyOnEntry) \(region.notifyOnExit)"
    case let source as CLLocationSourceInformation:
      "\(source.isSimulatedBySoftware) \(source.isProducedByAccessory)"
    default: "\(object)"
    }
  }

  @Test("every value class can be copied")
  func copies() throws {
    for (object, text) in objects {
      let copy = object.copy()
      #expect(type(of: copy) == type(of: object as Any) && Self.text(copy) == text)
    }
  }

  @Test("every value class can be archived with secure coding")
  func archives() throws {
    for (object, text) in objects {
      let kind = type(of: object)
      #expect((kind as? any NSSecureCoding.Type)?.supportsSecureCoding == true, "\(kind)")
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: object, requiringSecureCoding: true)
      let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [kind], from: data)
      #expect(read.map { Self.text($0) } == text, "\(kind)")
    }
  }

  @Test("a region's copy is independent of it")
  func independentCopies() throws {
    let region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 3, identifier: "a")
    let copy = try #require(region.copy() as? CLCircularRegion)
    copy.notifyOnEntry = false
    #expect(region.notifyOnEntry && copy.radius == 3)
  }
}
