import Monitoring
import Quantities
import Testing

@Suite("Visits, significant changes and monitors", .timeLimit(.minutes(30)))
struct OtherServicesTests {
  // MARK: Visits

  @Test(
    "an arrival is reported once the stay is certain, with its true time, and a departure with both"
  )
  func visit() throws {
    var f = Fixture()
    f.perform(.startVisits)
    f.go(from: -3000, to: 0, speed: 12)
    let arrived = f.now
    f.stand(east: 0, for: 280)
    #expect(f.receive() == [])
    f.stand(east: 0, for: 60)
    #expect(f.receive() == ["arrived"])
    f.stand(east: 0, for: 3600)
    let left = f.now
    f.go(from: 0, to: 3000, speed: 12)
    #expect(f.receive() == ["departed"])
    guard case .visit(let visit)? = f.received.last?.kind else { throw Absence() }
    #expect(abs(visit.arrival?.seconds(since: arrived) ?? 999) < 30)
    #expect(abs(visit.departure?.seconds(since: left) ?? 999) < 30)
  }

  @Test("a stay that began before monitoring has no arrival")
  func fromStart() {
    var f = Fixture()
    f.perform(.startVisits)
    f.stand(east: 0, for: 400, every: 10)
    #expect(f.receive() == ["arrived from start"])
    f.go(from: 0, to: 3000, speed: 12)
    #expect(f.receive() == ["departed from start"])
  }

  @Test("a gap of hours between fixes at one place is part of one visit")
  func silence() {
    var f = Fixture()
    f.perform(.startVisits)
    f.go(from: -2000, to: 0, speed: 10)
    f.stand(east: 0, for: 400)
    f.stand(east: 20, for: 30_000, every: 7000)
    #expect(f.receive() == ["arrived"])
    f.stand(east: 4000, for: 300, every: 60)
    #expect(f.receive() == ["departed"])
  }

  @Test("a jam of an hour is no visit while the motion is a drive, and parking there is one")
  func longJam() throws {
    var f = Fixture()
    f.perform(.startVisits)
    f.go(from: 3000, to: 0, speed: 10)
    for _ in 0..<360 { f.fix(0, after: 10, motion: .driving) }
    #expect(f.receive() == [])
    f.fix(0, after: 10, motion: .stationary)
    #expect(f.receive().count == 1)
  }

  @Test("a walk through a park, a jam of four minutes and a drift are no visits")
  func noVisits() {
    var f = Fixture()
    f.perform(.startVisits)
    f.go(from: 0, to: 1500, speed: 1.2)
    f.go(from: 1500, to: 0, speed: 0.9)
    f.go(from: 0, to: 3000, speed: 14)
    f.stand(east: 3000, for: 240)
    f.go(from: 3000, to: 9000, speed: 14)
    #expect(f.receive() == [])
    f.stand(east: 9000, for: 1000)
    #expect(f.receive() == ["arrived"])
    // A receiver that drifts 90 m and back, slowly.
    for _ in 0..<3 {
      f.go(from: 9000, to: 9090, speed: 0.3)
      f.go(from: 9090, to: 9000, speed: 0.3)
    }
    #expect(f.receive() == [])
  }

  private struct Absence: Error {}

  // MARK: Significant changes

  @Test("the known place is reported first, with its own time")
  func cachedFirst() throws {
    var f = Fixture()
    f.fix(0, after: 1)
    let known = f.now
    f.now = f.now.advanced(bySeconds: 3000)
    f.perform(.startSignificantChanges)
    #expect(f.receive() == ["changed"])
    guard case .significantChange(let fix)? = f.received.last?.kind else { throw Absence() }
    #expect(fix.time == known)
  }

  @Test("a change is 500 m or more, and at most one is reported in 5 minutes")
  func significant() {
    var f = Fixture()
    f.perform(.startSignificantChanges)
    f.fix(0, after: 1)
    #expect(f.receive() == ["changed"])
    f.stand(east: 490, for: 900, every: 60)
    #expect(f.receive() == [])
    f.fix(510, after: 60)
    #expect(f.receive() == ["changed"])
    let second = f.now
    f.go(from: 510, to: 9000, speed: 30)
    #expect(f.now.seconds(since: second) < 299 && f.receive() == [])
    // The change waits; once the time is over the next fix is reported in its place.
    f.now = second.advanced(bySeconds: 299.9)
    f.monitor.advance(to: f.now)
    #expect(f.monitor.demand == .every(seconds: 300))
    f.now = second.advanced(bySeconds: 300)
    f.monitor.advance(to: f.now)
    #expect(f.receive() == [] && f.monitor.demand == .continuous)
    f.fix(9600, after: 2)
    #expect(f.receive() == ["changed"])
    #expect(f.received.last?.time == second.advanced(bySeconds: 302))
    #expect(f.monitor.demand == .every(seconds: 300))
  }

  @Test("without a fresh fix a change that waits is reported a minute late")
  func significantWithoutFix() throws {
    var f = Fixture()
    f.perform(.startSignificantChanges)
    f.fix(0, after: 1)
    #expect(f.receive() == ["changed"])
    let first = f.now
    f.fix(2000, after: 60)
    #expect(f.monitor.nextDeadline == first.advanced(bySeconds: 360))
    f.now = first.advanced(bySeconds: 359)
    f.monitor.advance(to: f.now)
    #expect(f.receive() == [])
    f.monitor.advance(to: f.now.advanced(bySeconds: 2))
    #expect(f.receive() == ["changed"])
    guard case .significantChange(let fix)? = f.received.last?.kind else { throw Absence() }
    #expect(fix.time == first.advanced(bySeconds: 60))
  }

  @Test("poor fixes of one place are no change")
  func poorChanges() {
    var f = Fixture()
    f.accuracy = 600
    f.perform(.startSignificantChanges)
    f.fix(0, after: 1)
    for number in 0..<20 { f.fix(number % 2 == 0 ? 900 : -200, after: 400) }
    #expect(f.receive() == ["changed"])
  }

  @Test("after a stop and a start a first place is reported again")
  func restarted() {
    var f = Fixture()
    f.perform(.startSignificantChanges)
    f.perform(.startSignificantChanges)
    f.fix(0, after: 1)
    f.perform(.stopSignificantChanges)
    f.perform(.startSignificantChanges)
    // The stop removes the pending event.
    #expect(f.receive() == ["changed"])
  }

  // MARK: Monitors

  private func add(
    _ f: inout Fixture, assuming state: ConditionState, radius: Double = 100
  ) {
    f.perform(.openMonitor(name: "m"))
    f.perform(
      .addCondition(
        monitor: "m", identifier: "home", condition: Fixture.circle(radius: radius).condition,
        assuming: state))
  }

  @Test("the first known state is reported, unless it equals the assumed one")
  func assumed() {
    for (state, words) in [
      (ConditionState.unknown, ["m.home satisfied"]), (.satisfied, []),
      (.unsatisfied, ["m.home satisfied"]),
    ] {
      var f = Fixture()
      add(&f, assuming: state)
      #expect(f.receive() == [])
      f.stand(east: 0, for: 30)
      #expect(f.receive() == words)
    }
  }

  @Test("a condition has one pending event; after the acknowledgement it reports a different state")
  func halted() {
    var f = Fixture()
    add(&f, assuming: .unknown)
    f.stand(east: 0, for: 30)
    #expect(f.monitor.registrations.monitors["m"]?["home"]?.lastEvent.state == .unknown)
    f.go(from: 0, to: 400, speed: 4)
    f.stand(east: 400, for: 30)
    f.go(from: 400, to: 0, speed: 4)
    f.stand(east: 0, for: 30)
    #expect(f.receive() == ["m.home satisfied"])
    #expect(f.receive() == [])
    #expect(f.monitor.registrations.monitors["m"]?["home"]?.lastEvent.state == .satisfied)
    f.go(from: 0, to: 400, speed: 4)
    f.stand(east: 400, for: 30)
    f.go(from: 400, to: 0, speed: 4)
    #expect(f.monitor.pending.map(Fixture.word) == ["m.home unsatisfied"])
    f.stand(east: 0, for: 30)
    #expect(f.receive() == ["m.home unsatisfied"])
    #expect(f.receive() == ["m.home satisfied"])
  }

  @Test("closing a monitor does not remove its conditions")
  func closed() {
    var f = Fixture()
    add(&f, assuming: .unknown)
    f.perform(.closeMonitor(name: "m"))
    #expect(f.monitor.registrations.monitors["m"]?.count == 1)
    f.stand(east: 0, for: 30)
    #expect(f.monitor.pending.count == 1)
    f.perform(.removeCondition(monitor: "m", identifier: "home"))
    #expect(f.receive() == [])
  }

  @Test("a condition that cannot be watched is reported as unmonitored with the reason")
  func unsupported() {
    var f = Fixture()
    add(&f, assuming: .unknown, radius: -3)
    #expect(f.receive() == ["m.home unmonitored unsupportedRegion"])
    #expect(f.monitor.registrations.conditionCount == 0)
    #expect(
      f.monitor.registrations.monitors["m"]?["home"]?.lastEvent.fault == .unsupportedRegion)
  }

  @Test(
    "pending events are limited; changes are removed before crossings, and dropped events are counted"
  )
  func bounded() {
    var configuration = MonitoringConfiguration()
    configuration.pendingLimit = 20
    var f = Fixture(configuration)
    f.perform(.startRegion(Fixture.circle()))
    f.perform(.startSignificantChanges)
    for hour in 0..<40 { f.fix(hour % 2 == 0 ? 2000 : 5000, after: 3600) }
    #expect(f.monitor.pending.count == 20 && f.monitor.droppedEvents == 0)
    f.stand(east: 0, for: 900, every: 60)
    #expect(f.monitor.pending.count == 20 && f.monitor.droppedEvents == 0)
    let words = f.monitor.pending.map(Fixture.word)
    #expect(words.contains("entered home") && words.first == "started home")
    for _ in 0..<40 {
      f.stand(east: 5000, for: 300, every: 60)
      f.stand(east: 0, for: 300, every: 60)
    }
    #expect(f.monitor.pending.count == 20 && f.monitor.droppedEvents > 0)
  }

  @Test("the demand depends on the services, the distance to the boundaries and rest")
  func demand() {
    var f = Fixture()
    #expect(f.monitor.demand == FixDemand.none)
    f.perform(.startSignificantChanges)
    #expect(f.monitor.demand == .continuous)
    f.fix(0, after: 1)
    #expect(f.monitor.demand == .every(seconds: 300))
    f.perform(.startVisits)
    #expect(f.monitor.demand == .every(seconds: 60))
    f.perform(.stopVisits)
    f.perform(.startRegion(Fixture.circle("far", east: 5000)))
    f.fix(0, after: 1)
    #expect(f.monitor.demand == .every(seconds: 105))
    f.perform(.startRegion(Fixture.circle()))
    #expect(f.monitor.demand == .continuous)
    f.fix(0, after: 1)
    #expect(f.monitor.demand == .every(seconds: 20))
    // At rest an exit may be detected a minute late.
    f.stand(east: 0, for: 400, every: 20)
    #expect(f.monitor.demand == .every(seconds: 60))
    f.fix(300, after: 60)
    #expect(f.monitor.demand == .continuous)
  }
}
