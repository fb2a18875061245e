import Monitoring
import Quantities
import Testing

@Suite("Monitoring of beacons", .timeLimit(.minutes(30)))
struct BeaconTests {
  private static let any = BeaconPattern(uuid: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
  private static let group = BeaconPattern(uuid: any.uuid, major: 1)
  private static let one = BeaconPattern(uuid: any.uuid, major: 1, minor: 7)

  private static func region(_ identifier: String, _ pattern: BeaconPattern) -> MonitoredRegion {
    MonitoredRegion(identifier: identifier, condition: .beacon(pattern))
  }

  @Test("a beacon region is entered at the first report, and left 20 s after the report of absence")
  func beacon() {
    var f = Fixture()
    f.perform(.startRegion(Self.region("desk", Self.any)))
    f.perform(
      .addCondition(
        monitor: "m", identifier: "any", condition: .beacon(Self.any), assuming: .unknown))
    #expect(f.monitor.beaconPatterns == [Self.any] && f.monitor.demand == FixDemand.none)
    f.report(BeaconPattern(uuid: Self.any.uuid.lowercased()), false)
    #expect(f.receive() == ["started desk", "m.any unsatisfied"])
    f.report(Self.any, true, Self.one, after: 5)
    guard case .condition(let event)? = f.monitor.pending.last?.kind else {
      Issue.record("no event")
      return
    }
    #expect(event.refinement == .beacon(Self.one))
    #expect(f.receive() == ["desk satisfied", "entered desk", "m.any satisfied"])
    f.report(Self.any, false, after: 55)
    f.monitor.advance(to: f.now.advanced(bySeconds: 19))
    #expect(f.receive() == [])
    f.monitor.advance(to: f.now.advanced(bySeconds: 240))
    #expect(f.receive() == ["desk unsatisfied", "exited desk", "m.any unsatisfied"])
  }

  @Test("a region is left even if another pattern of its beacon is not scanned for any more")
  func otherPattern() {
    var f = Fixture()
    f.perform(.startRegion(Self.region("any", Self.any)))
    f.perform(.startRegion(Self.region("group", Self.group)))
    f.report(Self.any, true, Self.one)
    f.report(Self.group, true, Self.one)
    f.perform(.stopRegion(identifier: "group"))
    _ = f.receive()
    // No report for the group any more.
    f.report(Self.any, false, after: 60)
    f.monitor.advance(to: f.now.advanced(bySeconds: 60))
    #expect(f.receive() == ["any unsatisfied", "exited any"])
  }

  @Test("a new watch of a watched pattern gets its state at once")
  func newcomer() {
    var f = Fixture()
    f.perform(.startRegion(Self.region("first", Self.any)))
    f.report(Self.any, true, Self.one)
    _ = f.receive()
    f.perform(
      .addCondition(
        monitor: "m", identifier: "second", condition: .beacon(Self.any), assuming: .unknown))
    f.perform(.requestState(Self.region("third", Self.any)))
    #expect(f.receive() == ["m.second satisfied", "third satisfied"])
    // And it follows the later reports.
    f.report(Self.any, false, after: 60)
    f.monitor.advance(to: f.now.advanced(bySeconds: 60))
    #expect(f.receive() == ["first unsatisfied", "exited first", "m.second unsatisfied"])
  }

  @Test("while beacons cannot be received a condition is unmonitored, and a region keeps its state")
  func unavailable() throws {
    var f = Fixture()
    f.perform(.startRegion(Self.region("desk", Self.any)))
    f.perform(
      .addCondition(
        monitor: "m", identifier: "any", condition: .beacon(Self.any), assuming: .unknown))
    f.report(Self.any, true, Self.one)
    #expect(f.receive() == ["started desk", "m.any satisfied"])
    // An adapter that is pulled out, twice in the scanner's words.
    for _ in 0..<2 { f.monitor.process(.unavailable(Self.any), at: f.now) }
    #expect(f.receive() == ["m.any unmonitored unsupportedCondition"])
    // The region's state is from before the fault, and a request does not answer it.
    f.perform(.requestState(Self.region("desk", Self.any)))
    f.perform(.requestState(Self.region("group", Self.group)))
    f.monitor.process(.unavailable(Self.group), at: f.now)
    #expect(f.receive() == ["desk unknown", "group unknown"])
    // A new condition waits for the scanner's own word.
    f.perform(
      .addCondition(
        monitor: "m", identifier: "new", condition: .beacon(Self.any), assuming: .unknown))
    f.report(Self.any, true, Self.one, after: 60)
    #expect(f.receive() == ["m.any satisfied", "m.new satisfied"])
  }
}

extension Fixture {
  fileprivate mutating func report(
    _ pattern: BeaconPattern, _ isPresent: Bool, _ beacon: BeaconPattern? = nil,
    after seconds: Double = 0
  ) {
    now = now.advanced(bySeconds: seconds)
    monitor.process(BeaconReport(pattern: pattern, isPresent: isPresent, heard: beacon), at: now)
  }
}
