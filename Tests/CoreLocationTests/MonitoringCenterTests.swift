import CoreLocation
import LinuxIO
import Monitoring
import Quantities
import ScriptedSource
import Testing

private let region = MonitoredRegion(
  identifier: "home", condition: .beacon(BeaconPattern(uuid: UUID().uuidString)))

@Suite(.timeLimit(.minutes(30))) struct MonitoringCenterTests {
  private let host = ScriptedMonitoringHost()

  private func log() -> (Locked<[UInt64]>, @Sendable (MonitoringEvent) -> Void) {
    let log = Locked<[UInt64]>([])
    return (log, { event in log.withLock { $0.append(event.sequence) } })
  }

  @Test("every manager receives each event of regions once, and one acknowledgement is sufficient")
  func everybody() {
    let center = MonitoringCenter(host: host)
    let (first, receiveFirst) = log()
    let (second, receiveSecond) = log()
    let one = center.listenForRegions(receiveFirst)
    let two = center.listenForRegions(receiveSecond)
    host.send(.entered(region))
    host.send(.exited(region))
    host.waitUntilIdle()
    #expect(first.withLock { $0 } == [1, 2])
    #expect(second.withLock { $0 } == [1, 2])
    let event = host.unacknowledged[0]
    center.delivered(event)
    center.delivered(event)
    #expect(host.commands == [.acknowledge(sequence: 1)])
    one.cancel()
    two.cancel()
    #expect(!host.hasReceiver)
  }

  @Test(
    "events wait for the first listener; a later one receives the unacknowledged ones, in order")
  func late() {
    let center = MonitoringCenter(host: host)
    for _ in 0..<3 { host.send(.entered(region)) }
    let (first, receiveFirst) = log()
    let one = center.listenForRegions(receiveFirst)
    host.waitUntilIdle()
    #expect(first.withLock { $0 } == [1, 2, 3])
    center.delivered(host.unacknowledged[0])
    let (second, receiveSecond) = log()
    let two = center.listenForRegions(receiveSecond)
    host.send(.exited(region))
    host.waitUntilIdle()
    #expect(second.withLock { $0 } == [2, 3, 4])
    #expect(first.withLock { $0 } == [1, 2, 3, 4])
    one.cancel()
    two.cancel()
  }

  @Test("an event is acknowledged although its listener was replaced while it was handled")
  func replacedWhileHandled() {
    let center = MonitoringCenter(host: host)
    let (first, receiveFirst) = log()
    let one = center.listenForRegions(receiveFirst)
    host.send(.entered(region))
    host.waitUntilIdle()
    #expect(first.withLock { $0 } == [1])
    let event = host.unacknowledged[0]
    one.cancel()
    center.delivered(event)
    #expect(host.unacknowledged.isEmpty)
  }

  @Test("conditions go to the monitor of their name, everything else to the managers")
  func routes() {
    let center = MonitoringCenter(host: host)
    let (regions, hearRegions) = log()
    let (places, hearPlaces) = log()
    host.send("a", of: "places", .satisfied)
    let one = center.listenForRegions(hearRegions)
    host.send("a", of: "others", .satisfied)
    host.send(.entered(region))
    host.waitUntilIdle()
    #expect(regions.withLock { $0 } == [3])
    let two = center.listen(toMonitor: "places", hearPlaces)
    host.waitUntilIdle()
    #expect(places.withLock { $0 } == [1])
    #expect(regions.withLock { $0 } == [3])
    #expect(host.commands == [.openMonitor(name: "places")])
    two.cancel()
    two.cancel()
    #expect(host.commands == [.openMonitor(name: "places"), .closeMonitor(name: "places")])
    #expect(host.hasReceiver)
    one.cancel()
    #expect(!host.hasReceiver)
  }

  @Test("the listener that a monitor's newer one replaces does not close it")
  func replaced() {
    let center = MonitoringCenter(host: host)
    let (old, hearOld) = log()
    let (new, hearNew) = log()
    let one = center.listen(toMonitor: "places", hearOld)
    let two = center.listen(toMonitor: "places", hearNew)
    one.cancel()
    host.send("a", of: "places", .satisfied)
    host.waitUntilIdle()
    #expect(old.withLock { $0 }.isEmpty)
    #expect(new.withLock { $0 } == [1])
    #expect(host.commands.allSatisfy { $0 == .openMonitor(name: "places") })
    two.cancel()
  }

  @Test("a replaced receiver cannot pass late events to a new listener before early ones")
  func order() {
    let manual = ManualHost()
    let center = MonitoringCenter(host: manual)
    let (first, receiveFirst) = log()
    let (second, receiveSecond) = log()
    let events = (1...3).map { number in
      MonitoringEvent(
        sequence: number, time: UTCTime(nanosecondsSince1970: 0), kind: .entered(region))
    }
    let one = center.listenForRegions(receiveFirst)
    for event in events[0..<2] { manual.receivers.withLock { $0[0] }?(event) }
    let two = center.listenForRegions(receiveSecond)
    manual.receivers.withLock { $0[0] }?(events[2])
    for event in events { manual.receivers.withLock { $0[1] }?(event) }
    #expect(first.withLock { $0 } == [1, 2, 3])
    #expect(second.withLock { $0 } == [1, 2, 3])
    one.cancel()
    two.cancel()
    #expect(manual.receivers.withLock { $0.count == 3 && $0[2] == nil })
  }
}

/// A host that stores all its receivers, so that a test can call replaced ones.
private final class ManualHost: MonitoringHost {
  let receivers = Locked<[(@Sendable (MonitoringEvent) -> Void)?]>([])

  func registrations() -> MonitoringRegistrations { MonitoringRegistrations() }
  func perform(_ command: MonitoringCommand) {}
  func deliver(to body: (@Sendable (MonitoringEvent) -> Void)?) {
    receivers.withLock { $0.append(body) }
  }
}
