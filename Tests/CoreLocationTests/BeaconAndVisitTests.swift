import CoreLocation
import Monitoring
import Quantities
import Radio
import Testing

@Suite(.timeLimit(.minutes(30))) struct BeaconAndVisitTests {
  private let uuid = UUID(
    uuid: (
      0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96,
      0xE0
    ))

  @Test("a constraint is equal to one of the same three values, nil being none of them")
  func constraints() {
    let one = CLBeaconIdentityConstraint(uuid: uuid, major: 1)
    #expect(one == CLBeaconIdentityConstraint(uuid: uuid, major: 1))
    #expect(one != CLBeaconIdentityConstraint(uuid: uuid))
    #expect(one != CLBeaconIdentityConstraint(uuid: uuid, major: 1, minor: 0))
    #expect(one.major == 1 && one.minor == nil)
    #expect(Set([one, CLBeaconIdentityConstraint(uuid: uuid, major: 1)]).count == 1)
    let region = CLBeaconRegion(beaconIdentityConstraint: one, identifier: "a")
    #expect(region.beaconIdentityConstraint == one)
    #expect(region.major == NSNumber(value: 1) && region.minor == nil)
  }

  @Test("peripheral data are the 21 bytes of an iBeacon under the key of Core Bluetooth")
  func peripheral() throws {
    let region = CLBeaconRegion(uuid: uuid, major: 0x0102, minor: 0xFFFE, identifier: "a")
    func bytes(_ power: NSNumber?) throws -> [UInt8] {
      let entries = region.peripheralData(withMeasuredPower: power)
      #expect(entries.count == 1)
      return [UInt8](try #require(entries["kCBAdvDataAppleBeaconKey"] as? Data))
    }
    let identity: [UInt8] = [
      0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96,
      0xE0, 0x01, 0x02, 0xFF, 0xFE,
    ]
    #expect(try bytes(nil) == identity + [0xC5])
    #expect(try bytes(-70) == identity + [0xBA])
    #expect(try bytes(-500) == identity + [0x80])
    let any = CLBeaconRegion(uuid: uuid, identifier: "b").peripheralData(withMeasuredPower: nil)
    #expect((any["kCBAdvDataAppleBeaconKey"] as? Data)?.suffix(5) == Data([0, 0, 0, 0, 0xC5]))
  }

  @Test("a beacon has the received values, from an archive too")
  func beacon() throws {
    var values = BeaconValues(
      identity: BeaconIdentity(uuid: uuid, major: 9, minor: 8),
      timestamp: Date(timeIntervalSince1970: 12.5))
    (values.proximity, values.accuracy, values.rssi) = (.near, 1.5, -71)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: CLBeacon(values), requiringSecureCoding: true)
    let beacon = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLBeacon.self, from: data))
    #expect(beacon.uuid == uuid && beacon.major == 9 && beacon.minor == 8)
    #expect(beacon.proximity == .near && beacon.accuracy == 1.5 && beacon.rssi == -71)
    #expect(beacon.timestamp == Date(timeIntervalSince1970: 12.5))
    #expect(CLBeacon().proximity == .unknown && CLBeacon().accuracy < 0)
  }

  @Test(
    "a current visit ends in the distant future, one detected late began in the distant past")
  func visits() throws {
    let place = GeodeticPosition(latitudeDegrees: 60, longitudeDegrees: 25)
    let time = UTCTime(nanosecondsSince1970: 1_750_000_000_500_000_000)
    let arrived = CLVisit(
      Visit(position: place, horizontalAccuracyMetres: 30, arrival: time, departure: nil))
    #expect(arrived.arrivalDate == Date(timeIntervalSince1970: 1_750_000_000.5))
    #expect(arrived.departureDate == .distantFuture)
    #expect(abs(arrived.coordinate.latitude - 60) < 1e-12 && arrived.horizontalAccuracy == 30)
    let left = CLVisit(
      Visit(position: place, horizontalAccuracyMetres: 30, arrival: nil, departure: time))
    #expect(left.arrivalDate == .distantPast)
    let data = try NSKeyedArchiver.archivedData(withRootObject: left, requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLVisit.self, from: data))
    #expect(read.departureDate == left.departureDate && read.arrivalDate == .distantPast)
  }

  @Test("mocks of beacons, visits and floors override the values")
  func mocks() {
    final class MockVisit: CLVisit, @unchecked Sendable {
      override var arrivalDate: Date { .distantPast }
      override var coordinate: CLLocationCoordinate2D { .init(latitude: 1, longitude: 2) }
    }
    final class MockBeacon: CLBeacon, @unchecked Sendable {
      override var rssi: Int { -40 }
      override var major: NSNumber { 3 }
    }
    final class MockFloor: CLFloor, @unchecked Sendable {
      override var level: Int { 7 }
    }
    #expect((MockFloor() as CLFloor).level == 7 && CLFloor().level == 0)
    #expect(!CLLocationSourceInformation().isSimulatedBySoftware)
    #expect((MockVisit() as CLVisit).coordinate.longitude == 2)
    #expect((MockBeacon() as CLBeacon).rssi == -40)
  }
}
