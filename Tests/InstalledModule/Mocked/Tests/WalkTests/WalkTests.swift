import CoreLocation
import Testing
import XCTest

@testable import Walk

/// A manager that walks north along a meridian when it is started.
final class NorthwardManager: CLLocationManager {
  private(set) var starts = 0
  override var location: CLLocation? { CLLocation(latitude: 60, longitude: 25) }
  override var authorizationStatus: CLAuthorizationStatus { .authorizedWhenInUse }

  override func startUpdatingLocation() {
    starts += 1
    let steps = stride(from: 60, through: 60.002, by: 0.001).map {
      CLLocation(latitude: $0, longitude: 25)
    }
    delegate?.locationManager(self, didUpdateLocations: steps)
  }
}

/// A place with a fixed course, as a subclass.
final class Placed: CLLocation, @unchecked Sendable {
  override var course: CLLocationDirection { 42 }
}

final class WalkXCTests: XCTestCase {
  func testWalkMeasuresWhatTheManagerReports() {
    let manager = NorthwardManager()
    let walk = Walk(manager: manager)
    walk.begin()
    XCTAssertEqual(manager.starts, 1)
    // A thousandth of a degree of latitude at 60 degrees north is 111.4 m.
    XCTAssertEqual(walk.distance, 222.8, accuracy: 0.2)
  }

  func testFailuresKeepTheirCode() {
    let manager = NorthwardManager()
    let walk = Walk(manager: manager)
    manager.delegate?.locationManager(manager, didFailWithError: CLError(.denied))
    XCTAssertEqual(walk.failure, .denied)
  }
}

@Suite("A subclass of a location", .timeLimit(.minutes(30)))
struct PlacedTests {
  @Test("overrides some members and inherits the others")
  func overriding() {
    let place: CLLocation = Placed(latitude: 1, longitude: 2)
    #expect(place.course == 42)
    #expect(place.coordinate.longitude == 2)
    #expect(place.speed == -1)
  }

  @Test("is restored from a secure archive")
  func archiving() throws {
    let place = CLLocation(latitude: 1, longitude: 2)
    let data = try NSKeyedArchiver.archivedData(withRootObject: place, requiringSecureCoding: true)
    let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data)
    #expect(back?.coordinate.latitude == 1)
  }
}
