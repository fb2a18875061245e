import Foundation
import Monitoring
import Quantities
import Testing

@Suite("Clocks that are set", .timeLimit(.minutes(30)))
struct ClockStepTests {
  private static let pattern = BeaconPattern(uuid: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")

  /// A monitor that waits 10 s for the answer to a request for a state, and 20 s for the departure
  /// of a beacon.
  private static func waiting() -> Fixture {
    var f = Fixture()
    f.perform(
      .startRegion(MonitoredRegion(identifier: "b", condition: .beacon(Self.pattern))))
    f.monitor.process(BeaconReport(pattern: Self.pattern, isPresent: true), at: f.now)
    f.monitor.process(BeaconReport(pattern: Self.pattern, isPresent: false), at: f.now)
    f.perform(.requestState(Fixture.circle()))
    _ = f.receive()
    return f
  }

  @Test("a significant change reported by a clock far ahead does not delay the next")
  func significantChange() {
    var f = Fixture()
    f.fix(0, after: 1)
    // The machine's clock is a year ahead of the receiver's.
    f.monitor.perform(.startSignificantChanges, at: f.now.advanced(bySeconds: 31_536_000))
    #expect(f.receive() == ["changed"])
    f.stand(east: 5000, for: 400, every: 10)
    #expect(f.receive() == ["changed"])
  }

  @Test(
    "a waiting significant change is reported within 6 minutes after the clock went back, without a fix"
  )
  func waitingChange() {
    var f = Fixture()
    f.perform(.startSignificantChanges)
    f.fix(0, after: 1)
    #expect(f.receive() == ["changed"])
    f.fix(5000, after: 60)
    f.monitor.advance(to: f.now)
    #expect(f.receive() == [])
    let back = f.now.advanced(bySeconds: -7200)
    f.monitor.advance(to: back)
    f.monitor.advance(to: back.advanced(bySeconds: 359))
    #expect(f.monitor.pending.isEmpty)
    f.monitor.advance(to: back.advanced(bySeconds: 360))
    #expect(f.receive() == ["changed"])
  }

  @Test("after a step back of the receiver's clock a stay becomes a visit after five minutes")
  func candidate() {
    var f = Fixture()
    f.perform(.startVisits)
    f.stand(east: 0, for: 200, every: 10)
    f.now = f.now.advanced(bySeconds: -7200)
    f.stand(east: 0, for: 290, every: 10)
    #expect(f.receive() == [])
    f.stand(east: 0, for: 60, every: 10)
    #expect(f.receive() == ["arrived from start"])
  }

  @Test("a visit continues over a clock that goes back, and ends no earlier than it began")
  func visit() throws {
    var f = Fixture()
    f.perform(.startVisits)
    f.go(from: -3000, to: 0, speed: 12)
    f.stand(east: 0, for: 400, every: 10)
    #expect(f.receive() == ["arrived"])
    f.now = f.now.advanced(bySeconds: -7200)
    f.stand(east: 0, for: 60, every: 10)
    f.stand(east: 3000, for: 400, every: 10)
    #expect(f.receive().first == "departed")
    let visits = f.received.compactMap { event -> Visit? in
      if case .visit(let visit) = event.kind { visit } else { nil }
    }
    let departed = try #require(visits.first { $0.departure != nil })
    let (arrival, departure) = (try #require(departed.arrival), try #require(departed.departure))
    #expect(arrival <= departure && departure <= f.now)
  }

  @Test("a step back of the clock does not delay a request's timeout and a beacon's departure")
  func deadlines() {
    var f = Self.waiting()
    f.now = f.now.advanced(bySeconds: -7200)
    f.monitor.advance(to: f.now)
    #expect(f.monitor.pending.isEmpty)
    f.monitor.advance(to: f.now.advanced(bySeconds: 11))
    #expect(f.receive() == ["home unknown"])
    f.monitor.advance(to: f.now.advanced(bySeconds: 21))
    #expect(f.receive() == ["b unsatisfied", "exited b"])
  }

  @Test("a fix of the future answers no request for a state", arguments: [-3600.0, 3600])
  func request(_ ahead: Double) {
    var f = Fixture()
    f.fix(0, after: 1)
    f.monitor.perform(.requestState(Fixture.circle()), at: f.now.advanced(bySeconds: -ahead))
    #expect(f.monitor.pending.isEmpty)
    var near = Fixture()
    near.fix(0, after: 1)
    near.monitor.perform(.requestState(Fixture.circle()), at: near.now.advanced(bySeconds: -5))
    #expect(near.receive() == ["home satisfied"])
  }

  @Test("a step of the machine's clock changes no wait", arguments: [-3e7, -30, 0.5, 30, 3e7])
  func machineStep(_ step: Double) {
    var f = Self.waiting()
    f.now = f.now.advanced(bySeconds: step)
    f.monitor.clockWasSet(by: step)
    #expect(f.monitor.nextDeadline == f.now.advanced(bySeconds: 10))
    f.monitor.advance(to: f.now.advanced(bySeconds: 9.9))
    #expect(f.monitor.pending.isEmpty)
    f.monitor.advance(to: f.now.advanced(bySeconds: 10))
    #expect(f.receive() == ["home unknown"])
    f.monitor.advance(to: f.now.advanced(bySeconds: 19.9))
    #expect(f.monitor.pending.isEmpty)
    f.monitor.advance(to: f.now.advanced(bySeconds: 20))
    #expect(f.receive() == ["b unsatisfied", "exited b"])
  }

  @Test(
    "the first fix answers a request, whatever the machine's clock is", arguments: [-3e7, 0, 3e7])
  func otherClock(_ offset: Double) {
    var f = Fixture()
    let now = f.now.advanced(bySeconds: offset)
    f.monitor.perform(.requestState(Fixture.circle()), at: now)
    let fix = PlaceFix(position: Fixture.home, horizontalAccuracyMetres: 5, time: f.now)
    f.monitor.process(fix, at: now.advanced(bySeconds: 1))
    #expect(f.receive() == ["home satisfied"])
    // The fix is 20 s old, whatever its own time says.
    f.monitor.perform(.requestState(Fixture.circle()), at: now.advanced(bySeconds: 21))
    #expect(f.receive() == ["home satisfied"])
  }

  @Test("with a higher limit more than 64 state requests are accepted")
  func manyRequests() {
    var configuration = MonitoringConfiguration()
    configuration.conditionLimit = 100
    var f = Fixture(configuration)
    for number in 0..<100 { f.perform(.requestState(Fixture.circle("\(number)"))) }
    #expect(f.monitor.pending.isEmpty)
  }

  @Test("a pause without fixes is timed by the machine's clock, not by the receiver's")
  func pause() {
    let start = Fixture.start
    func place(_ time: UTCTime) -> PlaceFix {
      PlaceFix(position: Fixture.home, horizontalAccuracyMetres: 5, time: time)
    }
    // An hour behind, an hour ahead.
    for offset in [-3600.0, 3600] {
      var pause = AutomaticPause(activity: .fitness, at: start)
      let arrival = start.advanced(bySeconds: 100)
      #expect(pause.process(place(arrival.advanced(bySeconds: offset)), arrival: arrival) == nil)
      #expect(pause.advance(to: arrival.advanced(bySeconds: 1199)) == nil)
      #expect(pause.advance(to: arrival.advanced(bySeconds: 1200)) == .pause)
    }
    // The clock itself goes back by an hour.
    var pause = AutomaticPause(activity: .fitness, at: start)
    #expect(pause.advance(to: start.advanced(bySeconds: -3600)) == nil)
    #expect(pause.advance(to: start.advanced(bySeconds: -3600 + 1200)) == .pause)
  }
}
