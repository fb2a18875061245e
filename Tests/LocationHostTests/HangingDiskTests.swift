import Board
import Configuration
import Foundation
import HostProtocol
import LinuxIO
import LocationHost
import Quantities
import ScriptedSource
import TestSupport
import Testing

/// Access rules whose decisions wait until the disk answers.
private final class HangingAccess: AccessRules {
  let policy = Policy()
  private let disk = Waitable(Disk())

  private struct Disk {
    var requests = 0
    var hasAnswered = false
  }

  /// Decisions that were begun.
  var requests: Int { disk.read { $0.requests } }

  func answer() { disk.withLock { $0.hasAnswered = true } }
  func reload() {}
  func access(of key: ApplicationKey, claim: Claim) -> GrantedAccess {
    GrantedAccess(authorization: .always, accuracy: .full)
  }
  func request(_ wanted: GrantedAuthorization, of key: ApplicationKey, claim: Claim) {
    disk.withLock { $0.requests += 1 }
    disk.wait(atMost: 60) { $0.hasAnswered ? () : nil }
  }
  func grants(_ purpose: String, to key: ApplicationKey, claim: Claim) -> Bool { false }
  func calibrationFault(of key: ApplicationKey, claim: Claim) -> String? { nil }
}

@Suite("A host whose disk does not answer", .timeLimit(.minutes(30)))
struct HangingDiskTests {
  private func host(
    _ access: HangingAccess, _ publisher: ScriptedPublisher, _ folder: TemporaryFolder
  ) -> LocationHost {
    let opening = SourceOpening(isLive: true) { () throws(SourceError) in
      OpenedSource(publisher: publisher)
    }
    let host = LocationHost(
      HostConfiguration(stateFolder: folder.path),
      LocationHost.Parts(
        access: access, journals: VolatileMonitoring(), isLive: true, log: HostLog { _, _ in },
        source: { OnDemandSource(opening, events: $0, clock: MachineClock()) }))
    host.start()
    return host
  }

  @Test("ends after the operation that waits for the disk, without those that are queued")
  func end() throws {
    let (folder, access) = (try TemporaryFolder(), HangingAccess())
    let host = host(access, ScriptedPublisher(), folder)
    let client = host.connect(.ofThisProcess) { _ in }
    host.handle(.hello(ClientHello(application: "a.b", client: "test", pid: 1)), from: client)
    for _ in 0..<10 { host.handle(.authorize(.always), from: client) }
    #expect(eventually { access.requests == 1 })
    host.stop("the test ends") { access.answer() }
    host.waitUntilIdle()
    #expect(access.requests == 1)
  }

  @Test("delivers every fix; the newest one is stored once the disk answers")
  func fixes() throws {
    let folder = try TemporaryFolder()
    let (access, publisher) = (HangingAccess(), ScriptedPublisher())
    let host = host(access, publisher, folder)
    let fixes = Collected<Estimate>()
    let client = host.connect(.ofThisProcess) { delivery in
      if case .fix(let fix) = delivery { fixes.add(fix.estimate) }
    }
    host.handle(.hello(ClientHello(application: "a.b", client: "test", pid: 1)), from: client)
    host.handle(.demand(EstimateDemand(fixes: true)), from: client)
    #expect(eventually { publisher.observerCount == 1 })
    host.handle(.authorize(.always), from: client)
    #expect(eventually { access.requests == 1 })
    for second in 1...20 {
      publisher.send(.fix(latitude: Double(second), longitude: 2, at: Double(second)))
    }
    #expect(eventually { fixes.all.count == 20 })
    let file = folder.path + "/last-fix.json"
    #expect(!FileManager.default.fileExists(atPath: file))
    access.answer()
    #expect(eventually { FileManager.default.fileExists(atPath: file) })
    host.stop("the test ends") {}
    let stored = LastFixFile(
      stateFolder: folder.path, health: StateHealth(log: HostLog { _, _ in })
    ) { 0 }.read()
    #expect(stored?.position?.latitude.degrees.rounded() == 20)
  }
}
