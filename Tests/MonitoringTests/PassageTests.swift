import EarthModel
import Foundation
import Monitoring
import Quantities
import Testing

@Suite("A vehicle that passes through a region", .timeLimit(.minutes(30)))
struct PassageTests {
  /// 40 km/h.
  private static let speed = 11.1
  private static let passage = [
    "home satisfied", "entered home", "home unsatisfied", "exited home",
  ]

  /// A vehicle 1 km west of home, with a region of home.
  private static func approaching(radius: Double = 150, every interval: Double = 1) -> Fixture {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle(radius: radius)))
    f.drive(from: -1000, to: -200 - interval * speed, speed: speed, every: interval)
    _ = f.receive()
    return f
  }

  /// The times of the reported crossings, seconds after an instant.
  private static func times(_ f: Fixture, after instant: UTCTime) -> [Double] {
    f.received.suffix(4).filter { Fixture.word($0).contains("ed home") }
      .filter { !Fixture.word($0).contains("satisfied") }
      .compactMap { $0.since?.seconds(since: instant) }
  }

  @Test(
    "a fence of 150 m is entered and left at 40 km/h, at the times of the boundary",
    arguments: [1.0, 2, 5, 10])
  func fence(_ interval: Double) {
    var f = Self.approaching(every: interval)
    let (place, instant) = (-200 - interval * Self.speed, f.now)
    let last = stride(from: -1000, through: place, by: Self.speed * interval).map { $0 }.last ?? 0
    f.drive(from: last + Self.speed * interval, to: 600, speed: Self.speed, every: interval)
    #expect(f.receive() == Self.passage)
    let expected = [(-150 - last) / Self.speed, (150 - last) / Self.speed]
    let times = Self.times(f, after: instant)
    #expect(times.count == 2)
    #expect(zip(times, expected).allSatisfy { abs($0 - $1) < 0.3 }, "\(times) \(expected)")
  }

  @Test("a fence between two fixes that are 30 s apart is entered and left, at their times")
  func betweenFixes() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle(radius: 150)))
    for east in [-1500.0, -900, -300, 300, 900] { f.fix(east, after: 30, speed: 20) }
    #expect(f.receive() == ["started home"] + Self.passage)
    let times = Self.times(f, after: Fixture.start)
    #expect(times.count == 2)
    #expect(zip(times, [97.5, 112.5]).allSatisfy { abs($0 - $1) < 0.1 }, "\(times)")
  }

  @Test("the same for a receiver without speed")
  func withoutSpeed() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle(radius: 150)))
    for east in [-900.0, -300, 300, 900] { f.fix(east, after: 30) }
    #expect(f.receive() == ["started home"] + Self.passage)
  }

  @Test("a fence that the path between two fixes may have missed is not entered")
  func uncertain() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle(radius: 60)))
    // Straight through the middle; but 30 s without a course allow a bend of 60 m.
    for east in [-900.0, -300, 300, 900] { f.fix(east, after: 30) }
    #expect(f.receive() == ["started home"])
  }

  @Test("a monitor's condition has the dates of both crossings")
  func condition() throws {
    var f = Fixture()
    f.perform(
      .addCondition(
        monitor: "m", identifier: "home", condition: Fixture.circle(radius: 150).condition,
        assuming: .unsatisfied))
    for east in [-1500.0, -900, -300, 300, 900] { f.fix(east, after: 30, speed: 20) }
    // One pending event at a time: the second follows the acknowledgement of the first.
    #expect(f.receive() == ["m.home satisfied"])
    #expect(f.receive() == ["m.home unsatisfied"])
    let dates = f.received.compactMap { event -> UTCTime? in
      if case .condition(let condition) = event.kind { condition.time } else { nil }
    }
    let times = dates.map { $0.seconds(since: Fixture.start) }
    #expect(times.count == 2)
    #expect(zip(times, [97.5, 112.5]).allSatisfy { abs($0 - $1) < 0.1 }, "\(times)")
  }

  @Test("a vehicle that stops within the region has entered it once")
  func stops() {
    var f = Self.approaching()
    f.drive(from: -200, to: -80, speed: Self.speed)
    for east in [-70.0, -62, -57, -54, -53] { f.fix(east, after: 1, speed: 3) }
    for _ in 0..<120 { f.fix(-53, after: 1, speed: 0) }
    #expect(f.receive() == ["home satisfied", "entered home"])
  }

  @Test("one fix inside that the next contradicts is no passage")
  func outlier() {
    var f = Fixture()
    // The region lies 190 m ahead of a car that turns off before it.
    f.perform(.startRegion(Fixture.circle(radius: 150)))
    f.drive(from: -1000, to: -200, speed: Self.speed)
    f.fix(-110, after: 1, speed: Self.speed)
    f.drive(from: -200 + 2 * Self.speed, to: -171, speed: Self.speed)
    for _ in 0..<60 { f.fix(-171, after: 1, speed: 0) }
    #expect(f.receive() == ["started home"])
  }

  @Test("a position that drifts over the boundary is no passage, whatever its speed says")
  func drift() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle(radius: 150)))
    for second in 0..<1800 {
      let east = 150 + 45 * sin(Double(second) / 8)
      f.fix(east, after: 1, speed: 0.4)
    }
    // The dwell alone decides here, and each stay beyond the cushion is shorter.
    #expect(f.receive() == ["started home"])
  }

  @Test("passages survive a restart of the host at every fix")
  func stored() throws {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle(radius: 150)))
    for east in stride(from: -600.0, through: 600, by: Self.speed * 3) {
      let bytes = try JSONEncoder().encode(f.monitor)
      f.monitor = try JSONDecoder().decode(ApplicationMonitor.self, from: bytes)
      f.fix(east, after: 3, speed: Self.speed)
    }
    #expect(f.receive() == ["started home"] + Self.passage)
  }

  @Test("the receiver stays on while a vehicle is close enough to cross before the next fix")
  func demand() {
    var f = Fixture()
    f.perform(.startRegion(Fixture.circle(radius: 150)))
    f.fix(-2000, after: 1, speed: Self.speed)
    f.fix(-2000 + Self.speed, after: 1, speed: Self.speed)
    #expect(f.monitor.demand != .continuous)
    f.fix(-360, after: 148, speed: Self.speed)
    #expect(f.monitor.demand == .continuous)
    f.fix(-360, after: 10, speed: 0)
    #expect(f.monitor.demand != .continuous)
  }
}
