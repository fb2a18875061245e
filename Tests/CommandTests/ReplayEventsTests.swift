import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar replay --events", .timeLimit(.minutes(30)))
struct ReplayEventsTests {
  /// Ten minutes at home, a drive of 2 km to the east, then a stay of twenty minutes; one fix in
  /// five seconds.
  private static let trip: String = {
    var text = "t,lat,lon,hacc\n"
    for step in 0..<400 {
      let t = step * 5
      let east = min(max(0, Double(t - 600) * 12), 2000)
      text += "\(t),48.0,\(11 + east / 74_500),5\n"
    }
    return text
  }()
  private static let regions = """
    {"regions": [
      {"identifier": "home", "latitude": 48, "longitude": 11, "radius": 150},
      {"identifier": "there", "vertices": [[47.99, 11.024], [48.01, 11.024], [48.01, 11.03], [47.99, 11.03]],
       "notifyOnExit": false}]}
    """

  private struct Event: Decodable {
    var event: String
    var t: Double
    var region: String?
    var state: String?
    var since: Double?
    var time: String?
    var arrival: Double?
    var departure: Double?
    var latitude: Double?
    var horizontalAccuracy: Double?
  }

  private func replay(
    _ arguments: [String], regions: String? = regions, recording: String = trip
  ) throws -> BuiltProgram.Outcome {
    let file = try TemporaryFile(Data(recording.utf8), suffix: ".csv")
    guard let regions else { return try lodestar.run(["replay", file.path] + arguments) }
    let plan = try TemporaryFile(Data(regions.utf8), suffix: ".json")
    return try lodestar.run(["replay", file.path, "--regions", plan.path] + arguments)
  }

  private func events(_ run: BuiltProgram.Outcome) throws -> [Event] {
    try run.text.split(separator: "\n").map {
      try JSONDecoder().decode(Event.self, from: Data($0.utf8))
    }
  }

  @Test("the events of a trip have the callbacks' names, in order, with seconds")
  func trip() throws {
    let run = try replay([])
    #expect(run.status == 0, "\(run.errors)")
    let events = try events(run)
    #expect(
      events.map { "\($0.event) \($0.region ?? "-") \($0.state ?? "-")" } == [
        "didDetermineState home inside", "didDetermineState there outside",
        "didUpdateLocations - -", "didVisit - -", "didDetermineState home outside",
        "didExitRegion home -", "didUpdateLocations - -", "didVisit - -",
        "didDetermineState there inside", "didEnterRegion there -", "didUpdateLocations - -",
        "didVisit - -",
      ], "\(run.text)")
    let exit = try #require(events.first { $0.event == "didExitRegion" })
    // 150 m at 12 m/s from 600 s on; the report follows within three fixes.
    #expect(exit.t > 612 && exit.t < 632 && abs((exit.since ?? 0) - 612.5) < 0.5, "\(exit)")
    #expect(exit.time == nil && exit.horizontalAccuracy == 5 && exit.latitude == 48)
    let visits = events.filter { $0.event == "didVisit" }
    #expect(visits.count == 3 && visits[0].arrival == nil && visits[0].departure == nil)
    #expect(visits[1].arrival == nil && abs((visits[1].departure ?? 0) - 600) < 30)
    #expect(abs((visits[2].arrival ?? 0) - 766) < 30 && visits[2].departure == nil)
  }

  @Test("with the date of the start events have civil time too")
  func date() throws {
    let events = try events(try replay(["--date", "2026-01-05T08:00:00Z"]))
    let exit = try #require(events.first { $0.event == "didExitRegion" })
    #expect(exit.time?.hasPrefix("2026-01-05T08:1") == true && exit.time?.hasSuffix("Z") == true)
  }

  @Test("the same input gives the same bytes, in a file as on standard output")
  func same() throws {
    let first = try replay([])
    let file = try TemporaryFile(Data(), suffix: ".jsonl")
    let second = try replay(["--events", file.path])
    #expect(second.status == 0 && second.text.contains("400 fixes"))
    let written = try Data(contentsOf: URL(fileURLWithPath: file.path))
    #expect(written == first.output && !written.isEmpty)
  }

  @Test("without regions there are visits and significant changes, and either can be left out")
  func choices() throws {
    let all = try events(try replay(["--events", "-"], regions: nil))
    #expect(Set(all.map(\.event)) == ["didVisit", "didUpdateLocations"])
    let few = try events(
      try replay([], regions: #"{"visits": false, "regions": []}"#))
    #expect(Set(few.map(\.event)) == ["didUpdateLocations"])
  }

  @Test(
    "a fault in the regions file names the entry and the remedy",
    arguments: [
      (#"{"regions": [}"#, "not JSON: byte 13: "),
      ("[]", "expected an object"),
      (#"{"regions": 3}"#, "regions: expected a list"),
      (
        #"{"regions": [{"latitude": 1, "longitude": 2, "radius": 3}]}"#,
        "regions[0]: no name"
      ),
      (
        #"{"regions": [{"identifier": "a", "latitude": 1, "longitude": 2}]}"#,
        "regions[0] 'a': radius"
      ),
      (
        #"{"regions": [{"identifier": "a", "latitude": 91, "longitude": 2, "radius": 3}]}"#,
        "invalid position"
      ),
      (#"{"regions": [{"identifier": "a", "vertices": [[1, 2], [3, 4]]}]}"#, "three or more"),
      (#"{"regions": [{"identifier": "a", "vertices": [[1, 2], [3], [4, 5]]}]}"#, "vertices[1]"),
      (
        #"{"regions": [{"identifier": "a", "latitude": 1, "longitude": 2, "radius": 3, "notifyOnEntry": 1}]}"#,
        "notifyOnEntry: expected true or false"
      ),
      (
        #"{"regions": [{"identifier": "a", "latitude": 1, "longitude": 2, "radius": 3}, {"identifier": "a", "latitude": 1, "longitude": 2, "radius": 3}]}"#,
        "regions[1]: 'a' is regions[0] already"
      ),
      (#"{"configuration": {"dwell": 3}}"#, "expected one of"),
      (#"{"configuration": {"dwellSeconds": "x"}}"#, "dwellSeconds"),
    ])
  func faults(_ text: String, _ part: String) throws {
    let run = try replay([], regions: text)
    #expect(run.status == 1)
    #expect(run.errorLines.count == 1 && run.errors.contains(part), "\(run.errors)")
    #expect(run.errors.contains(".json"), "\(run.errors)")
  }

  @Test("unknown keys are ignored and reported with the known ones")
  func unknownKeys() throws {
    let run = try replay(
      [],
      regions:
        #"{"region": [], "regions": [{"identifier": "a", "latitude": 48, "longitude": 11, "radius": 90, "foo": 1}]}"#
    )
    #expect(run.status == 0 && run.errorLines.count == 2, "\(run.errors)")
    #expect(run.errors.contains("the file: unknown key 'region' is ignored; known: regions,"))
    #expect(run.errors.contains("regions[0] 'a': unknown key 'foo'"))
  }

  @Test("a region that cannot be monitored is an event, as for an application")
  func tooLarge() throws {
    let run = try replay(
      [],
      regions:
        #"{"regions": [{"identifier": "a", "latitude": 1, "longitude": 2, "radius": 900000}]}"#)
    #expect(run.status == 0)
    #expect(
      run.text.hasPrefix(
        #"{"event":"monitoringDidFailForRegion","region":"a","error":"unsupportedRegion""#))
    // Once, although its state was requested too.
    #expect(run.text.split(separator: "\n").filter { $0.contains("DidFail") }.count == 1)
  }

  @Test("recording and regions file cannot both be standard input")
  func standardInput() throws {
    let run = try lodestar.run(["replay", "-", "--regions", "-"])
    #expect(run.status == 64 && run.errorLines.count == 1)
  }
}
