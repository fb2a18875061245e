import Board
import Foundation
import HostClient
import LocationHost
import Monitoring
import Quantities
import ScriptedSource
import TestSupport
import Testing

@Suite("A day with a clock that is set each minute", .timeLimit(.minutes(30)))
struct ClockStepDayTests {
  /// The steps of civil time, seconds.
  private static let steps = [0.5, -0.5, 40, -40, 3600, -3600, 86_400, -86_400, 3e7, -3e7]
  /// The longest delay of what is due, seconds.
  private static let delay = 0.1

  @Test(
    "in 24 hours no state request and no significant change waits longer than asked",
    arguments: [0.0, -3e7])
  func day(offset: Double) throws {
    let clock = ScriptedClock()
    // The receiver's clock is right, the machine's may be a year behind.
    clock.stepCivilTime(by: offset)
    let publisher = ScriptedPublisher()
    let host = ScriptedHost.make(
      SourceOpening(isLive: true) { () throws(SourceError) in OpenedSource(publisher: publisher) },
      clock: clock)
    let client = HostClient(application: ScriptedHost.application, host: host)
    let (states, changes) = (Collected<Double>(), Collected<Double>())
    client.monitoring.deliver { event in
      switch event.kind {
      case .regionState(_, .unknown): states.add(clock.uptime)
      case .significantChange: changes.add(clock.uptime)
      default: Issue.record("unexpected event: \(event.kind)")
      }
      client.monitoring.perform(.acknowledge(sequence: event.sequence))
    }
    defer { client.stop() }
    client.monitoring.perform(.startSignificantChanges)
    try #require(eventually { publisher.observerCount > 0 })
    let begin = clock.uptime
    var (asked, expected, sent) = (0, 0, 0)
    func pass(to second: Double) {
      while clock.uptime < begin + second - 1e-6 {
        clock.advance(by: min(1, begin + second - clock.uptime))
      }
    }
    func send(kilometres: Double) {
      sent += 1
      var estimate = Estimate.fix(latitude: 0, longitude: kilometres / 111.3, at: Double(sent))
      estimate.utc = UTCTime(secondsSince1970: clock.uptime)
      publisher.send(estimate)
      // It returns after the fix was processed.
      _ = client.monitoring.registrations()
    }
    func expectChange(_ minute: Int) throws {
      expected += 1
      try #require(eventually { changes.all.count == expected }, "minute \(minute): not reported")
    }
    for minute in 0..<1440 {
      let start = Double(minute) * 60
      pass(to: start)
      func step() { clock.stepCivilTime(by: Self.steps[minute % Self.steps.count]) }
      switch minute % 11 {
      case 0:
        // The interval after the last report is over: this fix is reported at once.
        send(kilometres: 20)
        try expectChange(minute)
      case 1: send(kilometres: 40)
      case 3, 4, 7, 8, 9:
        client.monitoring.perform(.requestState(Self.region))
        _ = client.monitoring.registrations()
        pass(to: start + 5)
        step()
        pass(to: start + 10 - Self.delay)
        try #require(states.all.count == asked, "minute \(minute): answered too early")
        pass(to: start + 10 + Self.delay)
        asked += 1
        try #require(eventually { states.all.count == asked }, "minute \(minute): not answered")
      default: break
      }
      pass(to: start + 20)
      step()
      guard minute % 11 == 5 else { continue }
      // The second fix waits for five minutes after the first, and for a fresh one a minute longer.
      pass(to: start + 60 - Self.delay)
      try #require(changes.all.count == expected, "minute \(minute): reported too early")
      pass(to: start + 60 + Self.delay)
      try expectChange(minute)
    }
    #expect(asked == 655 && expected == 262)
  }

  private static let region = MonitoredRegion(
    identifier: "far away",
    condition: .circle(
      center: GeodeticPosition(latitudeDegrees: 50, longitudeDegrees: 60), radiusMetres: 100))
}
