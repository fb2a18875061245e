import LocationHost
import Monitoring
import Quantities
import Testing

@Suite("The fix of an estimate, for monitoring", .timeLimit(.minutes(30)))
struct PlaceFixTests {
  private static let now = UTCTime(nanosecondsSince1970: 1_767_571_200_000_000_000)
  private static let place = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11)

  private var estimate: Estimate {
    var e = Estimate(timestamp: Timestamp(nanoseconds: 90_000_000_000))
    (e.position, e.fixKind, e.fixTimestamp) = (Self.place, .threeDimensional, e.timestamp)
    e.horizontalAccuracyMetres = 6
    return e
  }

  @Test("the state of motion is taken where it is certain")
  func motion() throws {
    var e = estimate
    (e.motionState, e.motionProbability) = (.driving, 0.79)
    let likely = try #require(PlaceFix(e, now: Self.now))
    #expect(likely.motion == nil)
    e.motionProbability = 0.8
    let certain = try #require(PlaceFix(e, now: Self.now))
    #expect(certain.motion == .driving)
  }

  @Test("a position that is carried on is no evidence, and an outlier is judged by monitoring")
  func evidence() throws {
    var e = estimate
    e.outageSeconds = 4
    #expect(PlaceFix(e, now: Self.now) == nil)
    e.outageSeconds = nil
    e.rejectedPosition = GeodeticPosition(latitudeDegrees: 48.01, longitudeDegrees: 11)
    e.rejectedAccuracyMetres = 40
    let fix = try #require(PlaceFix(e, now: Self.now))
    #expect(fix.position == e.rejectedPosition && fix.horizontalAccuracyMetres == 40)
  }
}
