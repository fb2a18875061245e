import Board
import CoreLocation
import Foundation
import LinuxIO
import LocationHost
import Monitoring
import Quantities
import Recording
import ScriptedSource
import SimulatedDays
import Testing

/// A week of one phone through a location manager, with a receiver that is on only when the host
/// needs it.
@Suite("A week of one manager", .timeLimit(.minutes(30)))
struct ManagerWeekTests {
  @Test("each crossing is reported once, each stay is a visit, and the receiver sleeps")
  func week() async throws {
    var options = SimulatedDay.Options(seed: 7)
    (options.multipath, options.hasGaps) = (.none, false)
    var week = SimulatedWeek(options)
    let phone = Phone()
    let (manager, recorder) = phone.manager()
    for region in SimulatedWeek.regions {
      manager.startMonitoring(for: try #require(circle(region)))
    }
    manager.startMonitoringVisits()
    phone.waitUntilIdle()
    for second in 0..<week.count { await phone.live(second, week.fix(at: second)) }

    let expected = week.crossings.map { ($0.isEntry ? "entered " : "exited ") + $0.region }
    #expect(
      recorder.events.filter { $0.contains("entered ") || $0.contains("exited ") } == expected)
    let visits = recorder.events.filter { $0 == "arrived" || $0 == "departed" }
    #expect(visits == (0..<(2 * week.stays.count - 1)).map { $0 % 2 == 0 ? "arrived" : "departed" })
    #expect(recorder.errors.isEmpty)
    #expect(recorder.locations.isEmpty)
    #expect(phone.fixCount < week.count / 20)
    recorder.manager = nil
  }

  private func circle(_ region: MonitoredRegion) -> CLCircularRegion? {
    guard case .circle(let center, let radius) = region.condition else { return nil }
    return CLCircularRegion(
      center: CLLocationCoordinate2D(
        latitude: center.latitude.degrees, longitude: center.longitude.degrees),
      radius: radius, identifier: region.identifier)
  }
}

/// Services over a receiver that rests as the host permits.
private final class Phone: Sendable {
  private let publisher = ScriptedPublisher()
  private let clock = ScriptedClock(Date(SimulatedDay.start))
  private let host: LocationHost
  private let services: LocationServices
  private let receiver = Locked(Receiver())

  private struct Receiver {
    var demand = FixDemand.none
    var last = -1_000_000
    var fixes = 0
  }

  init() {
    let (publisher, receiver) = (publisher, receiver)
    host = ScriptedHost.make(
      SourceOpening(isLive: true) { () throws(SourceError) in
        var source = OpenedSource(publisher: publisher)
        source.setReceiverDemand = { demand in receiver.withLock { $0.demand = demand } }
        return source
      }, clock: clock)
    services = LocationServices(over: host, clock: clock)
  }

  var fixCount: Int { receiver.withLock { $0.fixes } }

  func manager() -> (CLLocationManager, Recorder) {
    LocationServices.$current.withValue(services) {
      let (manager, recorder) = (CLLocationManager(), Recorder())
      manager.delegate = recorder
      recorder.manager = manager
      return (manager, recorder)
    }
  }

  /// Waits for all queues. An event passes the monitoring's queue, the disk's, and both again.
  func waitUntilIdle() {
    for _ in 0..<3 {
      _ = services.isOpen
      host.waitUntilIdle()
      services.client.core.waitForEventDelivery()
    }
    _ = services.isOpen
  }

  /// One second. The receiver measures where a fix is due.
  func live(_ second: Int, _ fix: PlaceFix?) async {
    clock.advance(by: 1)
    let isDue = receiver.withLock { receiver in
      switch receiver.demand {
      case .none: false
      case .every(let seconds): Double(second - receiver.last) >= seconds
      case .continuous: true
      }
    }
    if isDue, let fix {
      receiver.withLock {
        $0.last = second
        $0.fixes += 1
      }
      publisher.send(estimate(fix, second))
    } else if second % 10 != 0 {
      return
    }
    waitUntilIdle()
    await drainMainQueue()
  }

  private func estimate(_ fix: PlaceFix, _ second: Int) -> Estimate {
    var estimate = Estimate.fix(
      latitude: fix.position.latitude.degrees, longitude: fix.position.longitude.degrees,
      accuracy: fix.horizontalAccuracyMetres, at: Double(second + 1))
    estimate.utc = UTCTime(clock.now())
    estimate.speedMetresPerSecond = fix.speedMetresPerSecond
    estimate.course = fix.courseDegrees.map { Angle(degrees: $0) }
    return estimate
  }
}
