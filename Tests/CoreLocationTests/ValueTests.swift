import CoreLocation
import Testing

@Suite(.timeLimit(.minutes(30))) struct CoordinateTests {
  @Test(
    "a coordinate is valid up to the poles and the date line and not beyond",
    arguments: [
      (90.0, 180.0, true), (-90, -180, true), (0, 0, true), (90.000001, 0, false),
      (0, -180.000001, false), (.nan, 0, false), (0, .nan, false), (.infinity, 0, false),
    ])
  func validity(latitude: Double, longitude: Double, isValid: Bool) {
    let place = CLLocationCoordinate2DMake(latitude, longitude)
    #expect(CLLocationCoordinate2DIsValid(place) == isValid)
  }

  @Test("the invalid coordinate is invalid")
  func invalid() {
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  }
}

@Suite(.timeLimit(.minutes(30))) struct CLLocationTests {
  let full = CLLocation(
    coordinate: CLLocationCoordinate2D(latitude: 37.33233141, longitude: -122.0312186),
    altitude: 12.5, horizontalAccuracy: 5, verticalAccuracy: 3, course: 271.5, courseAccuracy: 2,
    speed: 1.25, speedAccuracy: 0.5, timestamp: Date(timeIntervalSince1970: 1_600_000_000.25),
    sourceInfo: CLLocationSourceInformation(
      softwareSimulationState: true, andExternalAccessoryState: false))

  @Test("a location of a coordinate has no other valid values")
  func bare() {
    let before = Date()
    let place = CLLocation(latitude: 52.5, longitude: 13.4)
    #expect(place.coordinate.latitude == 52.5)
    #expect(place.coordinate.longitude == 13.4)
    #expect(place.horizontalAccuracy == 0)
    #expect(place.altitude == 0)
    #expect(place.ellipsoidalAltitude == 0)
    #expect(place.verticalAccuracy == -1)
    #expect(place.course == -1 && place.courseAccuracy == -1)
    #expect(place.speed == -1 && place.speedAccuracy == -1)
    #expect(place.floor == nil && place.sourceInformation == nil)
    #expect((before...Date()).contains(place.timestamp))
  }

  @Test("each initializer leaves the values that it does not name invalid")
  func initializers() {
    let place = CLLocationCoordinate2D(latitude: 1, longitude: 2)
    let time = Date(timeIntervalSince1970: 5)
    let still = CLLocation(
      coordinate: place, altitude: 3, horizontalAccuracy: 4, verticalAccuracy: 5, timestamp: time)
    #expect(still.course == -1 && still.speed == -1 && still.timestamp == time)
    let moving = CLLocation(
      coordinate: place, altitude: 3, horizontalAccuracy: 4, verticalAccuracy: 5, course: 6,
      speed: 7, timestamp: time)
    #expect(moving.course == 6 && moving.speed == 7)
    #expect(moving.courseAccuracy == -1 && moving.speedAccuracy == -1)
    #expect(full.courseAccuracy == 2 && full.speedAccuracy == 0.5)
    #expect(full.sourceInformation?.isSimulatedBySoftware == true)
    #expect(full.sourceInformation?.isProducedByAccessory == false)
  }

  @Test("a location survives an archive, also where secure coding is required")
  func coding() throws {
    let data = try NSKeyedArchiver.archivedData(withRootObject: full, requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
    #expect(read.coordinate.latitude == 37.33233141)
    #expect(read.coordinate.longitude == -122.0312186)
    #expect(read.altitude == 12.5 && read.horizontalAccuracy == 5 && read.verticalAccuracy == 3)
    #expect(read.course == 271.5 && read.courseAccuracy == 2)
    #expect(read.speed == 1.25 && read.speedAccuracy == 0.5)
    #expect(read.timestamp == full.timestamp)
    #expect(read.sourceInformation?.isSimulatedBySoftware == true)
    #expect(read.floor == nil)
  }

  @Test("a location's archive includes its floor")
  func floor() throws {
    var values = full.storedValues
    values.floor = -2
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: CLLocation(values), requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data)
    #expect(read?.floor?.level == -2)
  }

  @Test("copying gives an equal location")
  func copying() throws {
    let copy = try #require(full.copy() as? CLLocation)
    #expect(copy == full)
    #expect(copy.coordinate.latitude == full.coordinate.latitude)
  }

  @Test("one degree of latitude is about 111 km, and altitude plays no part")
  func distance() {
    let a = CLLocation(latitude: 45, longitude: 7)
    let b = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 46, longitude: 7), altitude: 9000,
      horizontalAccuracy: 1, verticalAccuracy: 1, timestamp: Date())
    // WGS-84's meridian arc from 45 to 46 degrees is 111.141 km; any earth model is within 0.3 %.
    #expect(abs(a.distance(from: b) - 111_141) < 350)
    #expect(a.distance(from: b) == b.distance(from: a))
    #expect(a.distance(from: a) == 0)
  }

  @Test("the distance of a place from itself is 0, also across the date line and at the poles")
  func noDistance() {
    for (latitude, west, east) in [(0.0, -180.0, 180.0), (0, 0, 0), (51, 180, -180), (90, 0, 77)] {
      let a = CLLocation(latitude: latitude, longitude: west)
      let b = CLLocation(latitude: latitude, longitude: east)
      #expect(a.distance(from: b) == 0)
    }
  }

  @Test("the distance from a coordinate that is no number is no number", arguments: [0, 1])
  func distanceOfNaN(which: Int) {
    let place = CLLocation(latitude: 48, longitude: 11)
    let none = CLLocation(
      latitude: which == 0 ? .nan : 48, longitude: which == 0 ? 11 : .nan)
    #expect(place.distance(from: none).isNaN && none.distance(from: place).isNaN)
  }

  @Test("the description begins like Apple's")
  func description() {
    #expect(
      full.description.hasPrefix(
        "<+37.33233141,-122.03121860> +/- 5.00m (speed 1.25 mps / course 271.50) @ "))
  }
}

@Suite(.timeLimit(.minutes(30))) struct CLHeadingTests {
  @Test("a heading made by a program has no known values")
  func bare() {
    let heading = CLHeading()
    #expect(heading.headingAccuracy < 0 && heading.trueHeading < 0)
  }

  @Test("a heading survives an archive")
  func coding() throws {
    var values = HeadingValues(timestamp: Date(timeIntervalSince1970: 77))
    (values.magneticHeading, values.trueHeading, values.headingAccuracy) = (123, 126.5, 4)
    (values.x, values.y, values.z) = (-1, 20, -40)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: CLHeading(values), requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLHeading.self, from: data))
    #expect(read.magneticHeading == 123 && read.trueHeading == 126.5 && read.headingAccuracy == 4)
    #expect(read.x == -1 && read.y == 20 && read.z == -40)
    #expect(read.timestamp == values.timestamp)
  }
}
