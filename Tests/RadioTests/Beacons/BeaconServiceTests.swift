import Foundation
import LinuxIO
import Quantities
import Radio
import TestSupport
import Testing

@Suite("The beacon service", .timeLimit(.minutes(30)))
struct BeaconServiceTests {
  /// A scanner whose events the test sends.
  private final class ScriptedScanner: BeaconScanner, @unchecked Sendable {
    let calls = Collected<String>()
    private let lock = NSLock()
    private var deliver: (@Sendable (BeaconScanEvent) -> Void)?

    func start(
      _ purpose: BeaconScanPurpose, _ deliver: @escaping @Sendable (BeaconScanEvent) -> Void
    ) {
      lock.withLock { self.deliver = deliver }
      calls.add("\(purpose)")
      deliver(.listening(adapter: "hci0"))
    }

    func stop() { calls.add("stop") }

    func send(_ event: BeaconScanEvent) { lock.withLock { deliver }?(event) }
  }

  private static let all = BeaconConstraint(uuid: .test(1))

  private static func sighting(_ rssi: Int) -> BeaconScanEvent {
    let identity = BeaconIdentity(uuid: .test(1), major: 1, minor: 1)
    return .sighting(
      BeaconSighting(identity, measuredPowerDBm: -59, rssiDBm: rssi, at: MonotonicClock.now))
  }

  @Test(
    "the first user opens the adapter, the last releases it, and ranging is used in between")
  func users() {
    let scanner = ScriptedScanner()
    let service = BeaconService(scanner: scanner) { () throws(BeaconError) in }
    #expect(scanner.calls.all.isEmpty)
    let watching = service.watch(BeaconPresence(Self.all)) { _ in }
    let ranging = service.range(Self.all) { _ in }
    let other = service.range(Self.all) { _ in }
    #expect(scanner.calls.wait { $0 == ["presence", "ranging"] })
    ranging.cancel()
    ranging.cancel()
    other.cancel()
    #expect(scanner.calls.wait { $0 == ["presence", "ranging", "presence"] })
    watching.cancel()
    #expect(scanner.calls.wait { $0 == ["presence", "ranging", "presence", "stop"] })
    withExtendedLifetime(service) {}
  }

  @Test("a user gets reports a second apart, of beacons and of faults")
  func reports() {
    let scanner = ScriptedScanner()
    let service = BeaconService(scanner: scanner) { () throws(BeaconError) in }
    let reports = Collected<RangingReport>()
    let observation = service.range(Self.all) { reports.add($0) }
    #expect(scanner.calls.wait { !$0.isEmpty })
    scanner.send(Self.sighting(-59))
    let hasBeacon: ([RangingReport]) -> Bool = {
      if case .ranged(let beacons, _) = $0.last { return beacons.first?.rssiDBm == -59 }
      return false
    }
    #expect(reports.wait(until: hasBeacon))
    let error = BeaconError(.noAdapter)
    scanner.send(.unavailable(error))
    #expect(reports.wait { $0.last == .failed(error) })
    observation.cancel()
    #expect(scanner.calls.wait { $0.last == "stop" })
    let count = reports.all.count
    scanner.send(.unavailable(error))
    #expect(reports.all.count == count)
    withExtendedLifetime(service) {}
  }

  @Test("a report may add and end users")
  func reentrant() {
    let scanner = ScriptedScanner()
    let service = BeaconService(scanner: scanner) { () throws(BeaconError) in }
    let inner = Collected<RangingReport>()
    let kept = Collected<BeaconObservation>()
    let presence = service.watch(BeaconPresence(Self.all)) { report in
      guard case .changed = report else { return }
      kept.add(service.range(Self.all) { inner.add($0) })
    }
    #expect(scanner.calls.wait { !$0.isEmpty })
    scanner.send(Self.sighting(-60))
    #expect(inner.wait { !$0.isEmpty })
    for observation in kept.all { observation.cancel() }
    presence.cancel()
    #expect(scanner.calls.wait { $0.last == "stop" })
  }

  @Test(
    "with a mock of BlueZ: ranged beacons, an entered region, and a released adapter",
    .enabled(if: PrivateBus.isInstalled, Comment(rawValue: PrivateBus.absence)))
  func wholeWay() throws {
    let bus = try PrivateBus()
    let mock = try MockBlueZ(bus)
    try mock.plugIn(monitors: true)
    let service = BeaconService(DBusAddress(bus.address))
    try service.checkAvailability()
    let reports = Collected<RangingReport>()
    let regions = Collected<PresenceReport>()
    let ranging = service.range(Self.all) { reports.add($0) }
    let watching = service.watch(BeaconPresence(Self.all)) { regions.add($0) }
    #expect(reports.wait { !$0.isEmpty })
    let near = IBeaconAdvertisement(identity: BeaconIdentity(uuid: .test(1), major: 1, minor: 1))
    let far = IBeaconAdvertisement(identity: BeaconIdentity(uuid: .test(1), major: 1, minor: 2))
    try mock.advertise(far, from: "C0:00:00:00:00:02", rssi: -85)
    try mock.advertise(near, from: "C0:00:00:00:00:01", rssi: -45)
    let hasBoth: ([RangingReport]) -> Bool = {
      guard case .ranged(let beacons, _) = $0.last else { return false }
      return beacons.map(\.proximity) == [.immediate, .far]
        && beacons.map(\.identity.minor) == [1, 2]
    }
    #expect(reports.wait(until: hasBoth))
    guard case .changed(let transition) = regions.all.first else {
      Issue.record("\(regions.all)")
      return
    }
    #expect(transition.to == .inside)
    ranging.cancel()
    watching.cancel()
    let end = Date(timeIntervalSinceNow: 20)
    while !mock.requests.contains("UnregisterMonitor"), Date() < end { usleep(10_000) }
    #expect(mock.requests.contains("UnregisterMonitor"))
    #expect(mock.requests.contains("StopDiscovery"))
  }
}
