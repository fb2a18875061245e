import Foundation
import Monitoring
import Quantities
import Testing

@Suite("Monitoring stored by another version", .timeLimit(.minutes(30)))
struct KeptStateTests {
  private static func kept() throws -> (monitor: Fixture, object: [String: Any]) {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.perform(
      .addCondition(
        monitor: "m", identifier: "home", condition: Fixture.circle().condition,
        assuming: .unknown))
    f.perform(.startVisits)
    f.perform(.startSignificantChanges)
    f.stand(east: 0, for: 400)
    let bytes = try JSONEncoder().encode(f.monitor)
    return (f, try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any]))
  }

  private static func read(_ object: [String: Any]) throws -> ApplicationMonitor {
    try JSONDecoder().decode(
      ApplicationMonitor.self, from: JSONSerialization.data(withJSONObject: object))
  }

  @Test("the tuning is not stored")
  func tuning() throws {
    #expect(try Self.kept().object["configuration"] == nil)
  }

  @Test("with any other key absent or invalid, no registration is lost and monitoring continues")
  func partial() throws {
    let (before, whole) = try Self.kept()
    for key in whole.keys.sorted() where key != "registrations" {
      for stranger in [nil, "strange", ["strange": 1]] as [Any?] {
        var object = whole
        object[key] = stranger
        object["unknownKey"] = [1, 2]
        var f = before
        f.monitor = try Self.read(object)
        #expect(f.monitor.registrations == before.monitor.registrations, "\(key)")
        _ = f.receive()
        f.stand(east: 0, for: 30)
        f.stand(east: 3000, for: 100)
        let words = f.receive()
        #expect(words.contains("exited home") && words.contains("m.home unsatisfied"), "\(key)")
        #expect(words.contains("changed"), "\(key)")
      }
    }
  }

  @Test("a region of an unknown kind does not affect the others")
  func unknownKind() throws {
    var object = try Self.kept().object
    var registrations = try #require(object["registrations"] as? [String: Any])
    var regions = try #require(registrations["regions"] as? [String: Any])
    regions["moon"] = ["identifier": "moon", "condition": ["orbit": ["hours": 3]]]
    registrations["regions"] = regions
    object["registrations"] = registrations
    #expect(try Self.read(object).registrations.regions.keys.sorted() == ["home"])
  }

  @Test("a state without registrations is refused")
  func nothing() throws {
    #expect(throws: DecodingError.self) { _ = try Self.read(["sequence": 3]) }
  }

  @Test(
    "every place that is read is stored so that it is read again",
    arguments: [
      "[1.5707963267948966,3.141592653589793]", "[1.5707963277,3.1415926545]", "[1.58,0]", "[0,0]",
    ])
  func placeAtTheLimit(radians: String) throws {
    let text = "{\"latitude\":90,\"longitude\":180,\"radians\":\(radians)}"
    let place: GeodeticPosition
    do {
      place = try JSONDecoder().decode(GeodeticPosition.self, from: Data(text.utf8))
    } catch {
      return
    }
    var f = Fixture()
    f.perform(
      .startRegion(
        MonitoredRegion(
          identifier: "pole", condition: .circle(center: place, radiusMetres: 100))))
    let again = try JSONDecoder().decode(
      ApplicationMonitor.self, from: try JSONEncoder().encode(f.monitor))
    #expect(again.pending == f.monitor.pending && again.pending.count == 1)
    #expect(again.registrations == f.monitor.registrations)
  }

  @Test("a count of the tuning is limited, so that its double is a number")
  func largestCount() throws {
    func read(_ count: Int) throws -> MonitoringConfiguration {
      let text = "{\"conditionLimit\":\(count),\"pendingLimit\":\(count)}"
      return try JSONDecoder().decode(MonitoringConfiguration.self, from: Data(text.utf8))
    }
    #expect(try read(1_000_000).conditionLimit == 1_000_000)
    #expect(throws: DecodingError.self) { try read(.max) }
    var f = Fixture()
    f.monitor = ApplicationMonitor(configuration: try read(1_000_000))
    f.perform(.requestState(Fixture.circle()))
    #expect(f.monitor.registrations.regions.isEmpty)
  }
}
