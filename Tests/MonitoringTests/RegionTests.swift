import Monitoring
import Quantities
import Testing

@Suite("Regions", .timeLimit(.minutes(30)))
struct RegionTests {
  @Test("a region of the same identifier replaces the previous one")
  func replaced() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle(radius: 100)))
    f.perform(.startRegion(Fixture.circle(radius: 300)))
    #expect(f.receive() == ["started home", "started home"])
    #expect(f.monitor.registrations.regions == ["home": Fixture.circle(radius: 300)])
    f.stand(east: 200, for: 30)
    f.go(from: 200, to: 500, speed: 10)
    f.stand(east: 500, for: 30)
    #expect(f.receive() == ["home unsatisfied", "exited home"])
  }

  @Test("registering the same region again, as at every launch, preserves its state")
  func again() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 30)
    f.perform(.startRegion(Fixture.circle()))
    f.go(from: 0, to: 400, speed: 10)
    f.stand(east: 400, for: 30)
    #expect(f.receive() == ["started home", "started home", "home unsatisfied", "exited home"])
  }

  @Test("at most 20 regions and conditions together; the next one fails")
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
    _ = f.receive()
    f.perform(.startRegion(Fixture.circle("more")))
    f.perform(
      .addCondition(
        monitor: "m", identifier: "more", condition: Fixture.circle().condition,
        assuming: .unknown))
    #expect(f.receive() == ["failed more limitExceeded", "m.more unmonitored limitExceeded"])
    // A region of the same name does not count twice.
    f.perform(.startRegion(Fixture.circle("r3", radius: 50)))
    #expect(f.receive() == ["started r3"])
    f.perform(.stopRegion(identifier: "r3"))
    f.stand(east: 0, for: 30)
    #expect(f.receive().contains("m.more satisfied"))
  }

  @Test("a radius of 0 or less, above the limit or not finite fails")
  func radius() {
    var f = Fixture()
    for radius in [0, -1, .nan, .infinity, 600_000] {
      f.perform(.startRegion(Fixture.circle(radius: radius)))
    }
    #expect(f.receive() == Array(repeating: "failed home unsupportedRegion", count: 5))
    #expect(f.monitor.registrations.regions.isEmpty)
  }

  @Test("being inside at registration makes no event")
  func insideAtStart() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    _ = f.receive()
    f.stand(east: 0, for: 120)
    #expect(f.receive() == [])
    f.perform(.requestState(Fixture.circle()))
    #expect(f.receive() == ["home satisfied"])
  }

  @Test("a crossing reports the state first and then the crossing, with one fix")
  func crossing() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 30)
    _ = f.receive()
    f.go(from: 0, to: 300, speed: 2)
    f.go(from: 300, to: 0, speed: 2)
    f.stand(east: 0, for: 30)
    #expect(
      f.receive() == ["home unsatisfied", "exited home", "home satisfied", "entered home"])
    #expect(f.received.suffix(2).map(\.time).first == f.received.last?.time)
  }

  @Test("notifyOnEntry and notifyOnExit affect the crossing and not the state")
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
    #expect(f.receive() == ["started home", "home unsatisfied", "home satisfied"])
  }

  @Test("beyond the boundary but within the cushion is no crossing")
  func cushion() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 30)
    f.go(from: 0, to: 115, speed: 2)
    f.stand(east: 115, for: 600)
    #expect(f.receive() == ["started home"])
    f.stand(east: 125, for: 60)
    #expect(f.receive() == ["home unsatisfied", "exited home"])
    // A worse accuracy needs a greater distance.
    f.accuracy = 40
    f.stand(east: 65, for: 60)
    #expect(f.receive() == [])
    f.stand(east: 45, for: 60)
    #expect(f.receive() == ["home satisfied", "entered home"])
  }

  @Test("a walk's crossing is reported after 20 s beyond the cushion, with its time")
  func dwell() throws {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 30)
    f.go(from: 0, to: 118, speed: 2)
    _ = f.receive()
    let out = f.now
    f.stand(east: 130, for: 20)
    #expect(f.receive() == [])
    f.stand(east: 130, for: 2)
    #expect(f.receive() == ["home unsatisfied", "exited home"])
    let event = try #require(f.received.last)
    // At 2 m/s, 18 m beyond the boundary.
    #expect(abs((event.since?.seconds(since: out) ?? 0) + 9) < 0.1)
    #expect(event.time.seconds(since: out) == 21)
    #expect(event.fix?.time == event.time)
  }

  @Test("a walk beyond the cushion of less than 20 s is no crossing")
  func shortExcursion() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 30)
    for _ in 0..<20 {
      f.go(from: 0, to: 130, speed: 2)
      f.stand(east: 130, for: 8)
      f.go(from: 130, to: 0, speed: 2)
    }
    #expect(f.receive() == ["started home"])
  }

  @Test("a gap without fixes is no dwell")
  func gap() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 30)
    f.fix(300, after: 7200)
    f.fix(0, after: 7200)
    #expect(f.receive() == ["started home"])
    f.fix(300, after: 7200)
    f.fix(300, after: 7200)
    #expect(f.receive() == [])
    f.fix(300, after: 130)
    #expect(f.receive() == ["home unsatisfied", "exited home"])
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
    #expect(f.receive() == ["started home", "home unknown"])
    f.accuracy = 5
    f.stand(east: 0, for: 30)
    f.accuracy = 800
    f.stand(east: 900, for: 120)
    #expect(f.receive() == [])
    // Ten kilometres away a poor fix decides too.
    f.stand(east: 10_000, for: 120, every: 40)
    #expect(f.receive() == ["home unsatisfied", "exited home"])
  }

  @Test("a reflection of a minute with a reported accuracy of 5 m is no crossing")
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
    #expect(f.receive() == ["started home"])
  }

  @Test("a place after a leap is accepted once the fixes stay there")
  func leap() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 60)
    f.stand(east: 300, for: 90)
    #expect(f.receive() == ["started home", "home unsatisfied", "exited home"])
  }

  @Test("a first fix that was a reflection makes no entry")
  func badFirstFix() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 400, for: 3)
    f.stand(east: 0, for: 300)
    #expect(f.receive() == ["started home"])
    f.perform(.requestState(Fixture.circle()))
    #expect(f.receive() == ["home satisfied"])
  }

  @Test("a request is answered once: by the known fix, by the first that decides, or as unknown")
  func requests() {
    var f = Fixture()
    f.perform(.requestState(Fixture.circle()))
    #expect(f.monitor.demand == .continuous)
    f.fix(0, after: 3)
    #expect(f.receive() == ["home satisfied"])
    f.perform(.requestState(Fixture.circle("far", east: 5000)))
    #expect(f.receive() == ["far unsatisfied"])
    f.now = f.now.advanced(bySeconds: 3600)
    f.perform(.requestState(Fixture.circle()))
    #expect(f.receive() == [])
    #expect(f.monitor.nextDeadline == f.now.advanced(bySeconds: 10))
    f.now = f.now.advanced(bySeconds: 60)
    f.monitor.advance(to: f.now)
    #expect(f.receive() == ["home unknown"])
    f.fix(0, after: 1)
    #expect(f.receive() == [])
  }

  @Test("stopping a region removes its pending events too")
  func stopped() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 30)
    f.stand(east: 5000, for: 60)
    #expect(f.monitor.pending.count == 3)
    f.perform(.stopRegion(identifier: "home"))
    #expect(f.receive() == [])
    f.stand(east: 0, for: 60)
    #expect(f.receive() == [] && f.monitor.demand == FixDemand.none)
  }

  @Test("after a clock was set back monitoring continues")
  func clock() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle()))
    f.stand(east: 0, for: 60)
    f.now = f.now.advanced(bySeconds: -86_400 * 7000)
    f.stand(east: 0, for: 60)
    f.go(from: 0, to: 300, speed: 5)
    f.stand(east: 300, for: 30)
    #expect(f.receive() == ["started home", "home unsatisfied", "exited home"])
  }
}

@Suite("A stay at the boundary of a region", .timeLimit(.minutes(30)))
struct BoundaryTests {
  @Test("a crossing that ends near the boundary is cancelled, and the receiver may sleep again")
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
    #expect(!f.receive().contains("exited home"))
  }
}
