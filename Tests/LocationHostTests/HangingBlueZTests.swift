import Board
import HostProtocol
import LinuxIO
import LocationHost
import Monitoring
import Radio
import ScriptedSource
import TestSupport
import Testing

/// A scanner that receives nothing.
private final class SilentScanner: BeaconScanner {
  func start(
    _ purpose: BeaconScanPurpose, _ deliver: @escaping @Sendable (BeaconScanEvent) -> Void
  ) {}
  func stop() {}
}

@Suite("A daemon's host whose Bluetooth daemon does not answer", .timeLimit(.minutes(30)))
struct HangingBlueZTests {
  @Test("answers other applications, accepts a beacon in time, and refuses one after the fault")
  func beacon() throws {
    let hasAnswered = Waitable(false)
    let opening = SourceOpening(isLive: true) { () throws(SourceError) in
      OpenedSource(publisher: ScriptedPublisher())
    }
    var parts = LocationHost.Parts(
      access: ScriptedHost.access(), journals: VolatileMonitoring(), isLive: true,
      log: HostLog { _, _ in },
      source: { OnDemandSource(opening, events: $0, clock: MachineClock()) })
    parts.beacons = BeaconService(scanner: SilentScanner()) { () throws(BeaconError) in
      hasAnswered.wait(atMost: 60) { $0 ? () : nil }
      throw BeaconError(.noAdapter)
    }
    let host = LocationHost(HostConfiguration(stateFolder: nil), parts)
    host.start()
    let (done, registrations) = (Collected<HostFault?>(), Collected<UInt64>())
    let ids = ["a.b", "c.d"].map { name in
      let id = host.connect(.ofThisProcess) { delivery in
        switch delivery {
        case .message(.done(_, let fault)): done.add(fault)
        case .message(.registrations(let id, _)): registrations.add(id)
        default: break
        }
      }
      host.handle(.hello(ClientHello(application: name, client: "test", pid: 1)), from: id)
      return id
    }
    func start(_ number: UInt64) {
      let pattern = BeaconPattern(uuid: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
      let region = MonitoredRegion(identifier: "\(number)", condition: .beacon(pattern))
      host.handle(.monitor(id: number, .startRegion(region)), from: ids[0])
    }
    start(1)
    host.handle(.registrations(id: 2), from: ids[1])
    #expect(registrations.wait { $0 == [2] })
    #expect(done.wait { $0.count == 1 } && done.all == [nil])
    hasAnswered.withLock { $0 = true }
    // The check ends on its own thread, shortly after its answer.
    var number: UInt64 = 3
    let isRefused = eventually {
      start(number)
      number += 1
      return done.wait { $0.count == Int(number) - 2 } && done.all.last??.code == .bluetooth
    }
    #expect(isRefused)
    host.stop("the test ends") {}
  }
}
