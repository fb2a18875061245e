import CoreLocation
import LinuxIO
import Quantities
import Radio
import ScriptedSource
import Testing

/// Ranging and regions of beacons, over a scripted scanner.
@Suite(.timeLimit(.minutes(30))) struct RangingTests {
  private let uuid = UUID(uuidString: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0") ?? UUID()

  @Test("ranged beacons come about once a second with distance and proximity")
  func ranges() async throws {
    let scanner = ScriptedScanner()
    let bench = Bench(beacons: BeaconService(scanner: scanner) { () throws(BeaconError) in })
    let (manager, recorder) = bench.manager()
    let constraint = CLBeaconIdentityConstraint(uuid: uuid, major: 1)
    manager.startRangingBeacons(satisfying: constraint)
    #expect(manager.rangedBeaconConstraints == [constraint])
    #expect(try await eventually { scanner.isStarted })
    scanner.receive(Radio.BeaconIdentity(uuid: uuid, major: 1, minor: 7), rssi: -59)
    scanner.receive(Radio.BeaconIdentity(uuid: uuid, major: 2, minor: 8), rssi: -59)
    #expect(try await eventually { recorder.events.contains("ranged [\"7 2\"]") })
    manager.stopRangingBeacons(satisfying: constraint)
    #expect(manager.rangedBeaconConstraints.isEmpty)
    #expect(try await eventually { !scanner.isStarted })
  }

  @Test("without an adapter ranging is unavailable, and its error names the cause")
  func unavailable() async throws {
    let fault = BeaconError(.noAdapter)
    let scanner = ScriptedScanner(fault: fault)
    let bench = Bench(
      beacons: BeaconService(scanner: scanner) { () throws(BeaconError) in throw fault })
    let (manager, recorder) = bench.manager()
    #expect(!bench.use { CLLocationManager.isRangingAvailable() })
    #expect(!bench.use { CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self) })
    #expect(bench.use { CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self) })
    manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: uuid))
    #expect(try await eventually { recorder.events.contains("ranging failed 16") })
    manager.startMonitoring(for: CLBeaconRegion(uuid: uuid, identifier: "beacons"))
    #expect(try await eventually { recorder.events.contains("failed beacons 5") })
  }

  @Test("a monitor's beacon condition is unsupported without an adapter, and monitored with one")
  func monitorWithoutAdapter() async throws {
    let fault = BeaconError(.noAdapter)
    let scanner = ScriptedScanner(fault: fault)
    let bench = Bench(
      beacons: BeaconService(scanner: scanner) { () throws(BeaconError) in throw fault })
    let monitor = await LocationServices.$current.withValue(bench.services) {
      await CLMonitor("beacons")
    }
    await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: uuid), identifier: "hall")
    var events = monitor.events.makeAsyncIterator()
    let first = try #require(try await events.next())
    #expect(first.identifier == "hall" && first.state == .unmonitored)
    #expect(first.conditionUnsupported && !first.conditionLimitExceeded)
    scanner.send(.listening(adapter: "hci0"))
    scanner.receive(Radio.BeaconIdentity(uuid: uuid, major: 1, minor: 7), rssi: -59)
    let second = try #require(try await events.next())
    #expect(second.state == .satisfied && !second.conditionUnsupported)
    #expect(await monitor.record(for: "hall")?.lastEvent.state == .unmonitored)
  }

  @Test("a region of beacons is inside from the first beacon on, which at the start is no entry")
  func insideBeaconRegion() async throws {
    // Received at the start of the scan: the beacon is absent only after 30 s without a report.
    let scanner = ScriptedScanner(
      present: Radio.BeaconIdentity(uuid: uuid, major: 1, minor: 7))
    let bench = Bench(beacons: BeaconService(scanner: scanner) { () throws(BeaconError) in })
    let (manager, recorder) = bench.manager()
    let region = CLBeaconRegion(uuid: uuid, identifier: "beacons")
    manager.startMonitoring(for: region)
    #expect(try await eventually { scanner.isStarted })
    for _ in 0..<100 where !recorder.events.contains("state 1 beacons") {
      manager.requestState(for: region)
      try await Task.sleep(nanoseconds: 20_000_000)
    }
    #expect(recorder.events.contains("state 1 beacons"))
    #expect(!recorder.events.contains("entered beacons"))
  }
}

/// A scanner that receives the beacons that a test sends.
private final class ScriptedScanner: BeaconScanner, @unchecked Sendable {
  private let state = Locked<(@Sendable (BeaconScanEvent) -> Void)?>(nil)
  private let fault: BeaconError?

  private let present: Radio.BeaconIdentity?

  init(fault: BeaconError? = nil, present: Radio.BeaconIdentity? = nil) {
    (self.fault, self.present) = (fault, present)
  }

  var isStarted: Bool { state.withLock { $0 != nil } }

  func start(
    _ purpose: BeaconScanPurpose, _ deliver: @escaping @Sendable (BeaconScanEvent) -> Void
  ) {
    state.withLock { $0 = deliver }
    deliver(fault.map { .unavailable($0) } ?? .listening(adapter: "hci0"))
    if let present { receive(present, rssi: -59) }
  }

  func stop() { state.withLock { $0 = nil } }

  func send(_ event: BeaconScanEvent) { state.withLock { $0 }?(event) }

  func receive(_ identity: Radio.BeaconIdentity, rssi: Int) {
    let now = Timestamp(nanoseconds: DispatchTime.now().uptimeNanoseconds)
    state.withLock { $0 }?(
      .sighting(
        BeaconSighting(identity, measuredPowerDBm: -59, rssiDBm: rssi, at: now)))
  }
}
