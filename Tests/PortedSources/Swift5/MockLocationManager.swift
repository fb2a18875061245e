// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CoreLocation

// Typical mocks of iOS test suites: subclasses with overrides. Without the restated Sendable they
// compile with a warning.
public final class MockLocationManager: CLLocationManager {
  public var mockLocation: CLLocation?
  public private(set) var startCount = 0

  public override var location: CLLocation? { mockLocation }
  public override var authorizationStatus: CLAuthorizationStatus { .authorizedWhenInUse }
  public override class func headingAvailable() -> Bool { true }
  public override class func locationServicesEnabled() -> Bool { true }

  public override init() { super.init() }

  public override func startUpdatingLocation() {
    startCount += 1
    guard let mockLocation else { return }
    delegate?.locationManager(self, didUpdateLocations: [mockLocation])
  }
}

public final class MockHeading: CLHeading, @unchecked Sendable {
  private let value: CLLocationDirection
  public init(_ value: CLLocationDirection) {
    self.value = value
    super.init()
  }
  public required init?(coder: NSCoder) {
    value = 0
    super.init(coder: coder)
  }
  public override var magneticHeading: CLLocationDirection { value }
  public override var trueHeading: CLLocationDirection { value + 2 }
}

public final class MockLocation: CLLocation, @unchecked Sendable {
  public override var course: CLLocationDirection { 45 }
}

// A protocol with which code hides the manager.
public protocol LocationFetching: AnyObject {
  var delegate: CLLocationManagerDelegate? { get set }
  var desiredAccuracy: CLLocationAccuracy { get set }
  func requestLocation()
}

extension CLLocationManager: LocationFetching {}
