import CoreLocation
import Monitoring
import Quantities
import Testing

private let helsinki = CLLocationCoordinate2D(latitude: 60.17, longitude: 24.94)

@Suite(.timeLimit(.minutes(30))) struct RegionTests {
  @Test("regions are equal where their identifiers are")
  func equality() {
    let one = CLCircularRegion(center: helsinki, radius: 100, identifier: "a")
    let two = CLCircularRegion(center: CLLocationCoordinate2D(), radius: 5, identifier: "a")
    let beacons = CLBeaconRegion(uuid: UUID(), identifier: "a")
    #expect(one == two)
    #expect(one as CLRegion == beacons)
    #expect(one != CLCircularRegion(center: helsinki, radius: 100, identifier: "b"))
    #expect(Set<CLRegion>([one, two, beacons]).count == 1)
  }

  @Test("a region notifies of entry and exit unless that is switched off")
  func notices() {
    let region = CLCircularRegion(center: helsinki, radius: 100, identifier: "a")
    #expect(region.notifyOnEntry && region.notifyOnExit)
    region.notifyOnExit = false
    #expect(region.notifyOnEntry && !region.notifyOnExit)
  }

  @Test("a circle contains what lies within its radius along the earth's curvature")
  func contains() {
    // A minute of latitude at 60.18 degrees north is 1856.9 m on WGS-84.
    let region = CLCircularRegion(center: helsinki, radius: 1856, identifier: "a")
    let minute = 1.0 / 60
    #expect(region.contains(helsinki))
    #expect(!region.contains(.init(latitude: 60.17 + minute, longitude: 24.94)))
    #expect(region.contains(.init(latitude: 60.17 + minute * 0.999, longitude: 24.94)))
    #expect(!region.contains(kCLLocationCoordinate2DInvalid))
    #expect(!region.contains(.init(latitude: .nan, longitude: 0)))
    let antimeridian = CLCircularRegion(
      center: .init(latitude: 0, longitude: 179.9995), radius: 200, identifier: "b")
    #expect(antimeridian.contains(.init(latitude: 0, longitude: -179.9995)))
  }

  @Test("a copy has everything and changes by itself")
  func copies() throws {
    let circle = CLCircularRegion(center: helsinki, radius: 100, identifier: "a")
    circle.notifyOnEntry = false
    let copy = try #require(circle.copy() as? CLCircularRegion)
    circle.notifyOnEntry = true
    #expect(!copy.notifyOnEntry && copy.notifyOnExit)
    #expect(copy.radius == 100 && copy.center.latitude == 60.17 && copy.identifier == "a")
    let beacons = CLBeaconRegion(uuid: UUID(), major: 7, identifier: "b")
    beacons.notifyEntryStateOnDisplay = true
    let other = try #require(beacons.copy() as? CLBeaconRegion)
    #expect(other.notifyEntryStateOnDisplay && other.major == 7 && other.minor == nil)
  }

  @Test("regions come back from an archive that trusts only their class")
  func archives() throws {
    let circle = CLCircularRegion(center: helsinki, radius: 100, identifier: "a")
    circle.notifyOnExit = false
    let read = try #require(try unarchived(circle))
    #expect(read.radius == 100 && read.center.longitude == 24.94 && !read.notifyOnExit)
    let beacons = CLBeaconRegion(uuid: UUID(), major: 7, minor: 65535, identifier: "b")
    let found = try #require(try unarchived(beacons))
    #expect(found.uuid == beacons.uuid && found.minor == 65535 && found.identifier == "b")
    #expect(found.beaconIdentityConstraint == beacons.beaconIdentityConstraint)
  }

  private func unarchived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object? {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: object, requiringSecureCoding: true)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
  }

  @Test("the form of before iOS 7 still makes a circle")
  @available(*, deprecated)
  func oldForm() throws {
    let region = CLRegion(
      circularRegionWithCenter: helsinki, radius: 50, identifier: "old")
    #expect(region.radius == 50 && region.center.latitude == 60.17)
    #expect(region.contains(helsinki))
    #expect(try MonitoredRegion(region).identifier == "old")
    let beacons = CLBeaconRegion(proximityUUID: UUID(), major: 1, minor: 2, identifier: "b")
    #expect(beacons.proximityUUID == beacons.uuid)
    #expect((beacons as CLRegion).radius == -1)
  }

  @Test("a region survives the conversion to monitoring and back")
  func monitored() throws {
    let circle = CLCircularRegion(center: helsinki, radius: 100, identifier: "a")
    circle.notifyOnEntry = false
    let taken = try MonitoredRegion(circle)
    #expect(!taken.notifiesOnEntry && taken.notifiesOnExit)
    let back = try #require(CLRegion.make(taken) as? CLCircularRegion)
    #expect(abs(back.center.latitude - 60.17) < 1e-12 && back.radius == 100)
    #expect(!back.notifyOnEntry)
    let beacons = CLBeaconRegion(uuid: UUID(), major: 3, identifier: "b")
    let region = try #require(CLRegion.make(MonitoredRegion(beacons)) as? CLBeaconRegion)
    #expect(region.uuid == beacons.uuid && region.major == 3 && region.minor == nil)
  }

  @Test("what describes no place cannot be monitored")
  func unsupported() {
    let regions: [CLRegion] = [
      CLRegion(),
      CLCircularRegion(center: kCLLocationCoordinate2DInvalid, radius: 1, identifier: "a"),
      CLCircularRegion(center: helsinki, radius: .nan, identifier: "b"),
      CLCircularRegion(center: helsinki, radius: -1, identifier: "c"),
    ]
    for region in regions {
      #expect(throws: MonitoringFault.unsupportedRegion) { _ = try MonitoredRegion(region) }
    }
  }

  @Test("an override of a circle's place is what is monitored")
  func mocks() throws {
    final class Mock: CLCircularRegion, @unchecked Sendable {
      override var radius: CLLocationDistance { 42 }
      override var center: CLLocationCoordinate2D { helsinki }
      override var identifier: String { "mock" }
    }
    let region = try MonitoredRegion(Mock())
    #expect(region.identifier == "mock")
    #expect(region.condition == .circle(center: helsinki.position, radiusMetres: 42))
    #expect(Mock() == CLCircularRegion(center: helsinki, radius: 1, identifier: "mock"))
  }

  @Test("the states have Apple's raw values")
  func rawValues() {
    #expect([CLRegionState.unknown, .inside, .outside].map(\.rawValue) == [0, 1, 2])
    #expect([CLProximity.unknown, .immediate, .near, .far].map(\.rawValue) == [0, 1, 2, 3])
    let states = [CLMonitoringState.unknown, .satisfied, .unsatisfied, .unmonitored]
    #expect(states.map(\.rawValue) == [UInt(0), 1, 2, 3])
    #expect(
      [ConditionState.unknown, .satisfied, .unsatisfied, .unmonitored].map(CLRegionState.init)
        == [.unknown, .inside, .outside, .unknown])
  }

  @Test("an error names the region with faster events")
  func alternate() {
    let region = CLCircularRegion(center: helsinki, radius: 1, identifier: "near")
    let error = CLError(
      .regionMonitoringResponseDelayed,
      userInfo: [kCLErrorUserInfoAlternateRegionKey: region])
    #expect(error.alternateRegion === region)
    #expect(CLError(.denied).alternateRegion == nil)
  }
}
