import Formats
import Foundation
import Quantities
import Testing

@Suite("Positions for trackers", .timeLimit(.minutes(30)))
struct TrackerTests {
  private func estimate(
    at seconds: Double = 100, latitude: Double = 48.858333, speed: Double? = 15.3,
    course: Double? = 270.4
  ) -> Estimate {
    var e = Estimate(timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds)))
    e.utc = UTCTime(nanosecondsSince1970: 1_497_476_456_900_000_000)
    e.fixTimestamp = e.timestamp
    (e.fixKind, e.altitudeMetres) = (.threeDimensional, 160.4)
    e.position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: 2.29513)
    (e.horizontalAccuracyMetres, e.verticalAccuracyMetres) = (3.2, 5.5)
    (e.speedMetresPerSecond, e.course) = (speed, course.map { Angle(degrees: $0) })
    return e
  }

  private func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  private func ownTracks(_ e: Estimate) -> String? {
    text(
      TrackerPosition(e)?.ownTracks(
        topic: "owntracks/jane/boat", isPosted: false, .movement, isMoving: true))
  }

  @Test("a location has the elements and whole units of the booklet")
  func location() throws {
    #expect(
      ownTracks(estimate())
        == #"{"_type":"location","tst":1497476456,"lat":48.858333,"lon":2.295130,"acc":4,"#
        + #""alt":160,"vac":6,"vel":55,"cog":270,"t":"t","m":2,"tid":"at"}"#)
    let posted = TrackerPosition(estimate())?.ownTracks(
      topic: "owntracks/jane/boat", isPosted: true, .heartbeat, isMoving: false)
    let keys = try JSONSerialization.jsonObject(with: Data(posted ?? [])) as? [String: Any]
    #expect(keys?["topic"] as? String == "owntracks/jane/boat")
    #expect(keys?["t"] as? String == "p" && keys?["m"] as? Int == 1)
  }

  @Test("the parameters of OsmAnd have knots and the time of the fix")
  func parameters() {
    #expect(
      text(TrackerPosition(estimate())?.osmAnd(id: "boat-1"))
        == "id=boat-1&timestamp=1497476456&lat=48.858333&lon=2.295130&altitude=160.4&speed=29.7"
        + "&bearing=270&accuracy=3.2")
  }

  @Test("the time is the fix's, not that of the estimate that carries it on")
  func time() {
    var e = estimate()
    e.timestamp = Timestamp(nanoseconds: 103_000_000_000)
    #expect(ownTracks(e)?.contains(#""tst":1497476453,"#) == true)
  }

  @Test("what is not known is absent; without a position, a time or a real source there is none")
  func absent() {
    var e = estimate(speed: nil, course: nil)
    (e.altitudeMetres, e.verticalAccuracyMetres, e.horizontalAccuracyMetres) = (nil, nil, nil)
    #expect(
      text(TrackerPosition(e)?.osmAnd(id: "a"))
        == "id=a&timestamp=1497476456&lat=48.858333&lon=2.295130")
    for word in ["acc", "alt", "vac", "vel", "cog"] {
      #expect(ownTracks(e)?.contains("\"\(word)\"") == false)
    }
    e.isSimulated = true
    #expect(TrackerPosition(e) == nil)
    e = estimate()
    e.utc = nil
    #expect(TrackerPosition(e) == nil)
    e = estimate()
    e.fixKind = FixKind.none
    #expect(TrackerPosition(e) == nil)
    e = estimate()
    e.position = nil
    #expect(TrackerPosition(e) == nil)
  }

  /// The seconds of the reports of a day of fixes, one a second, by the place and motion of each.
  private func reports(
    seconds: Int, _ fix: (Int) -> (north: Double, speed: Double?, course: Double?)
  ) -> [Int] {
    var schedule = TrackerSchedule(interval: 15, heartbeat: 900)
    return (0..<seconds).filter { second in
      let now = fix(second)
      return schedule.reason(
        estimate(
          at: Double(second), latitude: 48 + now.north / 111_200, speed: now.speed,
          course: now.course)) != nil
    }
  }

  @Test("at rest there is a sign of life each quarter of an hour, whatever the receiver's noise")
  func rest() {
    let seconds = reports(seconds: 3601) { (Double($0 % 7), 0.2, Double($0 * 37 % 360)) }
    #expect(seconds == [0, 900, 1800, 2700, 3600])
  }

  @Test("on a straight way each interval is reported, and the turn at once")
  func way() {
    let seconds = reports(seconds: 60) { (Double($0) * 15, 15, $0 < 38 ? 0 : 90) }
    #expect(seconds == [0, 15, 30, 38, 53])
  }

  @Test("a start is reported, and the stop after the time of a traffic light")
  func stop() {
    let seconds = reports(seconds: 1500) { second in
      let way = Double(min(max(second - 100, 0), 200))
      return (way * 10, (100..<300).contains(second) ? 10 : 0, 0)
    }
    #expect(seconds.starts(with: [0, 100, 115]))
    #expect(seconds.filter { $0 > 300 } == [310, 419, 1319].filter { seconds.contains($0) })
    #expect(seconds.contains(419) && seconds.count == 18)
  }

  @Test("one fix is reported once, however often estimates carry it; a lost source not at all")
  func once() {
    var schedule = TrackerSchedule(interval: 15, heartbeat: 60)
    var reports = 0
    for tick in 0..<36_000 {
      var e = estimate(at: Double(tick) / 10)
      e.fixTimestamp = Timestamp(nanoseconds: 5_000_000_000)
      if tick > 9000 { e.position = nil }
      if schedule.reason(e) != nil { reports += 1 }
    }
    #expect(reports == 1)
  }

  @Test("an anchor that drifts without a speed is reported beyond the accuracy")
  func drift() {
    let seconds = reports(seconds: 300) { (Double($0) * 0.3, nil, nil) }
    // 50 m and 3.2 m of accuracy, at 0.3 m/s.
    #expect(seconds == [0, 178])
  }
}
