import CoreLocation
import Engine
import Monitoring
import Quantities
import ScriptedSource
import Testing

private let region = MonitoredRegion(
  identifier: "home", condition: .beacon(BeaconPattern(uuid: UUID().uuidString)))

@Suite struct MonitoringCenterTests {
  private let host = ScriptedMonitoringHost()

  private func log() -> (Locked<[UInt64]>, @Sendable (MonitoringEvent) -> Void) {
    let log = Locked<[UInt64]>([])
    return (log, { event in log.withLock { $0.append(event.sequence) } })
  }

  @Test("2.4 every manager hears each event of regions once, and one acknowledgement is enough")
  func everybody() {
    let center = MonitoringCenter(host: host)
    let (first, hearFirst) = log()
    let (second, hearSecond) = log()
    let one = center.listenForRegions(hearFirst)
    let two = center.listenForRegions(hearSecond)
    host.tell(.entered(region))
    host.tell(.exited(region))
    host.settle()
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

  @Test("2.4d events wait for the first listener; a later one hears what nobody has told, in order")
  func late() {
    let center = MonitoringCenter(host: host)
    for _ in 0..<3 { host.tell(.entered(region)) }
    let (first, hearFirst) = log()
    let one = center.listenForRegions(hearFirst)
    host.settle()
    #expect(first.withLock { $0 } == [1, 2, 3])
    center.delivered(host.unacknowledged[0])
    let (second, hearSecond) = log()
    let two = center.listenForRegions(hearSecond)
    host.tell(.exited(region))
    host.settle()
    #expect(second.withLock { $0 } == [2, 3, 4])
    #expect(first.withLock { $0 } == [1, 2, 3, 4])
    one.cancel()
    two.cancel()
  }

  @Test("conditions go to the monitor of their name, everything else to the managers")
  func routes() {
    let center = MonitoringCenter(host: host)
    let (regions, hearRegions) = log()
    let (places, hearPlaces) = log()
    host.tell("a", of: "places", .satisfied)
    let one = center.listenForRegions(hearRegions)
    host.tell("a", of: "others", .satisfied)
    host.tell(.entered(region))
    host.settle()
    #expect(regions.withLock { $0 } == [3])
    let two = center.listen(toMonitor: "places", hearPlaces)
    host.settle()
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
    host.tell("a", of: "places", .satisfied)
    host.settle()
    #expect(old.withLock { $0 }.isEmpty)
    #expect(new.withLock { $0 } == [1])
    #expect(host.commands.allSatisfy { $0 == .openMonitor(name: "places") })
    two.cancel()
  }

  @Test("a receiver that was replaced cannot hand a new listener late events before early ones")
  func order() {
    let manual = ManualHost()
    let center = MonitoringCenter(host: manual)
    let (first, hearFirst) = log()
    let (second, hearSecond) = log()
    let events = (1...3).map { number in
      MonitoringEvent(
        sequence: number, time: UTCTime(nanosecondsSince1970: 0), kind: .entered(region))
    }
    let one = center.listenForRegions(hearFirst)
    for event in events[0..<2] { manual.receivers.withLock { $0[0] }?(event) }
    let two = center.listenForRegions(hearSecond)
    manual.receivers.withLock { $0[0] }?(events[2])
    for event in events { manual.receivers.withLock { $0[1] }?(event) }
    #expect(first.withLock { $0 } == [1, 2, 3])
    #expect(second.withLock { $0 } == [1, 2, 3])
    one.cancel()
    two.cancel()
    #expect(manual.receivers.withLock { $0.count == 3 && $0[2] == nil })
  }
}

/// A host whose receivers a test calls itself, also those that were replaced.
private final class ManualHost: MonitoringHost {
  let receivers = Locked<[(@Sendable (MonitoringEvent) -> Void)?]>([])

  func registrations() -> MonitoringRegistrations { MonitoringRegistrations() }
  func perform(_ command: MonitoringCommand) {}
  func deliver(to body: (@Sendable (MonitoringEvent) -> Void)?) {
    receivers.withLock { $0.append(body) }
  }
}
