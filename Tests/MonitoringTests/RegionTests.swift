import Monitoring
import Quantities
import Testing

@Suite("Regions")
struct RegionTests {
  @Test("2.4 a region of the same identifier replaces the one before")
  func replaced() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle(radius: 100)))
    f.perform(.startRegion(Fixture.circle(radius: 300)))
    #expect(f.take() == ["started home", "started home"])
    #expect(f.monitor.registrations.regions == ["home": Fixture.circle(radius: 300)])
    f.stand(east: 200, for: 30)
    f.go(from: 200, to: 500, speed: 10)
    f.stand(east: 500, for: 30)
    #expect(f.take() == ["home unsatisfied", "exited home"])
  }

  @Test("2.4 the same region again, as at every launch, keeps what is known of it")
  func again() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 30)
    f.perform(.startRegion(Fixture.circle()))
    f.go(from: 0, to: 400, speed: 10)
    f.stand(east: 400, for: 30)
    #expect(f.take() == ["started home", "started home", "home unsatisfied", "exited home"])
  }

  @Test("2.4 at most 20 regions and conditions together; the next one fails")
  func limit() {
    var f = Fixture()
    for number in 0..<12 {
      f.perform(.startRegion(Fixture.circle("r\(number)")))
    }
    for number in 0..<8 {
      f.perform(
        .addCondition(
          monitor: "m", identifier: "c\(number)", condition: Fixture.circle().condition,
          assuming: .unknown))
    }
    _ = f.take()
    f.perform(.startRegion(Fixture.circle("more")))
    f.perform(
      .addCondition(
        monitor: "m", identifier: "more", condition: Fixture.circle().condition,
        assuming: .unknown))
    #expect(f.take() == ["failed more limitExceeded", "m.more unmonitored limitExceeded"])
    // One of the same name takes no other place.
    f.perform(.startRegion(Fixture.circle("r3", radius: 50)))
    #expect(f.take() == ["started r3"])
    f.perform(.stopRegion(identifier: "r3"))
    f.stand(east: 0, for: 30)
    #expect(f.take().contains("m.more satisfied"))
  }

  @Test("2.4 a radius above the longest, or none, fails")
  func radius() {
    var f = Fixture()
    for radius in [0, -1, .nan, .infinity, 600_000] {
      f.perform(.startRegion(Fixture.circle(radius: radius)))
    }
    #expect(f.take() == Array(repeating: "failed home unsupportedRegion", count: 5))
    #expect(f.monitor.registrations.regions.isEmpty)
  }

  @Test("2.4b being inside at registration makes no event")
  func insideAtStart() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    _ = f.take()
    f.stand(east: 0, for: 120)
    #expect(f.take() == [])
    f.perform(.requestState(Fixture.circle()))
    #expect(f.take() == ["home satisfied"])
  }

  @Test("2.4b a crossing tells the state first and then the crossing, in the same turn")
  func crossing() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 30)
    _ = f.take()
    f.go(from: 0, to: 300, speed: 2)
    f.go(from: 300, to: 0, speed: 2)
    f.stand(east: 0, for: 30)
    #expect(
      f.take() == ["home unsatisfied", "exited home", "home satisfied", "entered home"])
    #expect(f.told.suffix(2).map(\.time).first == f.told.last?.time)
  }

  @Test("2.4b notifyOnEntry and notifyOnExit gate the crossing and not the state")
  func gates() {
    var f = Fixture()
    var region = Fixture.circle()
    region.notifiesOnEntry = false
    region.notifiesOnExit = false
    f.perform(.startRegion(region))
    f.stand(east: 0, for: 30)
    f.go(from: 0, to: 300, speed: 3)
    f.stand(east: 300, for: 30)
    f.go(from: 300, to: 0, speed: 3)
    f.stand(east: 0, for: 30)
    #expect(f.take() == ["started home", "home unsatisfied", "home satisfied"])
  }

  @Test("2.4c beyond the boundary and not beyond the cushion is no crossing")
  func cushion() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 30)
    f.go(from: 0, to: 115, speed: 2)
    f.stand(east: 115, for: 600)
    #expect(f.take() == ["started home"])
    f.stand(east: 125, for: 60)
    #expect(f.take() == ["home unsatisfied", "exited home"])
    // A worse receiver needs to be farther away.
    f.accuracy = 40
    f.stand(east: 65, for: 60)
    #expect(f.take() == [])
    f.stand(east: 45, for: 60)
    #expect(f.take() == ["home satisfied", "entered home"])
  }

  @Test("2.4c a crossing is told after 20 s beyond it, with the time it began")
  func dwell() throws {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 30)
    f.go(from: 0, to: 118, speed: 2)
    _ = f.take()
    let out = f.now
    f.stand(east: 130, for: 20)
    #expect(f.take() == [])
    f.stand(east: 130, for: 2)
    #expect(f.take() == ["home unsatisfied", "exited home"])
    let event = try #require(f.told.last)
    #expect(event.since?.seconds(since: out) == 1)
    #expect(event.time.seconds(since: out) == 21)
    #expect(event.fix?.time == event.time)
  }

  @Test("2.4c back before 20 s have passed is no crossing")
  func shortExcursion() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 30)
    for _ in 0..<20 {
      f.go(from: 0, to: 130, speed: 10)
      f.stand(east: 130, for: 15)
      f.go(from: 130, to: 0, speed: 10)
    }
    #expect(f.take() == ["started home"])
  }

  @Test("2.4c the absence of fixes proves no dwell")
  func gap() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 30)
    f.fix(300, after: 7200)
    f.fix(0, after: 7200)
    #expect(f.take() == ["started home"])
    f.fix(300, after: 7200)
    f.fix(300, after: 7200)
    #expect(f.take() == [])
    f.fix(300, after: 130)
    #expect(f.take() == ["home unsatisfied", "exited home"])
  }

  @Test("a fix worse than the region is large does not decide")
  func poor() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.accuracy = 800
    f.stand(east: 0, for: 120)
    f.perform(.requestState(Fixture.circle()))
    f.now = f.now.advanced(bySeconds: 11)
    f.monitor.advance(to: f.now)
    #expect(f.take() == ["started home", "home unknown"])
    f.accuracy = 5
    f.stand(east: 0, for: 30)
    f.accuracy = 800
    f.stand(east: 900, for: 120)
    #expect(f.take() == [])
    // Ten kilometres away also a poor one does.
    f.stand(east: 10_000, for: 120, every: 40)
    #expect(f.take() == ["home unsatisfied", "exited home"])
  }

  @Test("a reflection of a minute that claims 5 m is no crossing")
  func reflection() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 60)
    for size in [150.0, 300, 600] {
      f.stand(east: size, for: 50)
      f.stand(east: 2, for: 60)
    }
    for _ in 0..<20 {
      f.stand(east: 5000, for: 3)
      f.stand(east: 2, for: 20)
    }
    #expect(f.take() == ["started home"])
  }

  @Test("a place that a leap led to is believed in the end")
  func leap() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 60)
    f.stand(east: 300, for: 90)
    #expect(f.take() == ["started home", "home unsatisfied", "exited home"])
  }

  @Test("a first fix that was a reflection makes no entry")
  func badFirstFix() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 400, for: 3)
    f.stand(east: 0, for: 300)
    #expect(f.take() == ["started home"])
    f.perform(.requestState(Fixture.circle()))
    #expect(f.take() == ["home satisfied"])
  }

  @Test("a request is answered once: by the fix known, by the first that decides, or as unknown")
  func requests() {
    var f = Fixture()
    f.perform(.requestState(Fixture.circle()))
    #expect(f.monitor.demand == .continuous)
    f.fix(0, after: 3)
    #expect(f.take() == ["home satisfied"])
    f.perform(.requestState(Fixture.circle("far", east: 5000)))
    #expect(f.take() == ["far unsatisfied"])
    f.now = f.now.advanced(bySeconds: 3600)
    f.perform(.requestState(Fixture.circle()))
    #expect(f.take() == [])
    #expect(f.monitor.nextDeadline == f.now.advanced(bySeconds: 10))
    f.now = f.now.advanced(bySeconds: 60)
    f.monitor.advance(to: f.now)
    #expect(f.take() == ["home unknown"])
    f.fix(0, after: 1)
    #expect(f.take() == [])
  }

  @Test("stopping a region forgets its events too")
  func stopped() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 30)
    f.stand(east: 5000, for: 60)
    #expect(f.monitor.pending.count == 3)
    f.perform(.stopRegion(identifier: "home"))
    #expect(f.take() == [])
    f.stand(east: 0, for: 60)
    #expect(f.take() == [] && f.monitor.demand == FixDemand.none)
  }

  @Test("a clock that was set back goes on from there")
  func clock() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 60)
    f.now = f.now.advanced(bySeconds: -86_400 * 7000)
    f.stand(east: 0, for: 60)
    f.go(from: 0, to: 300, speed: 5)
    f.stand(east: 300, for: 30)
    #expect(f.take() == ["started home", "home unsatisfied", "exited home"])
  }
}

@Suite("Regions whose boundary one stays at")
struct BoundaryTests {
  @Test("a crossing that ends near the boundary is given up, and the receiver may rest again")
  func nearBoundary() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 60)
    // One fix clearly outside, then within the cushion of 20 m, on the far side.
    f.fix(130, after: 1)
    #expect(f.monitor.isDeciding && f.monitor.demand == .continuous)
    f.stand(east: 110, for: 500, every: 10)
    #expect(f.monitor.isDeciding)
    f.stand(east: 110, for: 200, every: 10)
    #expect(!f.monitor.isDeciding && f.monitor.demand != .continuous)
    #expect(!f.take().contains("exited home"))
  }
}
