import Monitoring
import Quantities
import Testing

@Suite("Monitoring of beacons")
struct BeaconTests {
  private static let any = BeaconPattern(uuid: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
  private static let group = BeaconPattern(uuid: any.uuid, major: 1)
  private static let one = BeaconPattern(uuid: any.uuid, major: 1, minor: 7)

  private static func region(_ identifier: String, _ pattern: BeaconPattern) -> MonitoredRegion {
    MonitoredRegion(identifier: identifier, condition: .beacon(pattern))
  }

  @Test("a beacon is entered when it is heard, and left 20 s after it is not")
  func beacon() {
    var f = Fixture()
    f.perform(.startRegion(Self.region("desk", Self.any)))
    f.perform(
      .addCondition(
        monitor: "m", identifier: "any", condition: .beacon(Self.any), assuming: .unknown))
    #expect(f.monitor.beaconPatterns == [Self.any] && f.monitor.demand == FixDemand.none)
    f.hear(BeaconPattern(uuid: Self.any.uuid.lowercased()), false)
    #expect(f.take() == ["started desk", "m.any unsatisfied"])
    f.hear(Self.any, true, Self.one, after: 5)
    guard case .condition(let event)? = f.monitor.pending.last?.kind else {
      Issue.record("no event")
      return
    }
    #expect(event.refinement == .beacon(Self.one))
    #expect(f.take() == ["desk satisfied", "entered desk", "m.any satisfied"])
    f.hear(Self.any, false, after: 55)
    f.monitor.advance(to: f.now.advanced(bySeconds: 19))
    #expect(f.take() == [])
    f.monitor.advance(to: f.now.advanced(bySeconds: 240))
    #expect(f.take() == ["desk unsatisfied", "exited desk", "m.any unsatisfied"])
  }

  @Test("a region is left though another pattern that its beacon has is not listened for any more")
  func otherPattern() {
    var f = Fixture()
    f.perform(.startRegion(Self.region("any", Self.any)))
    f.perform(.startRegion(Self.region("group", Self.group)))
    f.hear(Self.any, true, Self.one)
    f.hear(Self.group, true, Self.one)
    f.perform(.stopRegion(identifier: "group"))
    _ = f.take()
    // Nobody tells the end of the group now.
    f.hear(Self.any, false, after: 60)
    f.monitor.advance(to: f.now.advanced(bySeconds: 60))
    #expect(f.take() == ["any unsatisfied", "exited any"])
  }

  @Test("who asks for a pattern that is watched already learns its state at once")
  func newcomer() {
    var f = Fixture()
    f.perform(.startRegion(Self.region("first", Self.any)))
    f.hear(Self.any, true, Self.one)
    _ = f.take()
    f.perform(
      .addCondition(
        monitor: "m", identifier: "second", condition: .beacon(Self.any), assuming: .unknown))
    f.perform(.requestState(Self.region("third", Self.any)))
    #expect(f.take() == ["m.second satisfied", "third satisfied"])
    // And it goes on with them.
    f.hear(Self.any, false, after: 60)
    f.monitor.advance(to: f.now.advanced(bySeconds: 60))
    #expect(f.take() == ["first unsatisfied", "exited first", "m.second unsatisfied"])
  }
}

extension Fixture {
  fileprivate mutating func hear(
    _ pattern: BeaconPattern, _ isPresent: Bool, _ heard: BeaconPattern? = nil,
    after seconds: Double = 0
  ) {
    now = now.advanced(bySeconds: seconds)
    monitor.process(BeaconReport(pattern: pattern, isPresent: isPresent, heard: heard), at: now)
  }
}
