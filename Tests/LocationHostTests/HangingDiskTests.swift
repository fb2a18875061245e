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
    var isWaitedFor = false
    var hasAnswered = false
  }

  var isWaitedFor: Bool { disk.read { $0.isWaitedFor } }

  func answer() { disk.withLock { $0.hasAnswered = true } }
  func reload() {}
  func access(of key: ApplicationKey, claim: Claim) -> GrantedAccess {
    GrantedAccess(authorization: .always, accuracy: .full)
  }
  func request(_ wanted: GrantedAuthorization, of key: ApplicationKey, claim: Claim) {
    disk.withLock { $0.isWaitedFor = true }
    disk.wait(atMost: 60) { $0.hasAnswered ? () : nil }
  }
  func grants(_ purpose: String, to key: ApplicationKey, claim: Claim) -> Bool { false }
  func calibrationFault(of key: ApplicationKey, claim: Claim) -> String? { nil }
}

@Suite("A host whose disk does not answer", .timeLimit(.minutes(30)))
struct HangingDiskTests {
  @Test("delivers every fix; the newest one is stored once the disk answers")
  func fixes() throws {
    let folder = try TemporaryFolder()
    let (access, publisher) = (HangingAccess(), ScriptedPublisher())
    let opening = SourceOpening(isLive: true) { () throws(SourceError) in
      OpenedSource(publisher: publisher)
    }
    let host = LocationHost(
      HostConfiguration(stateFolder: folder.path),
      LocationHost.Parts(
        access: access, journals: VolatileMonitoring(), isLive: true, log: HostLog { _, _ in },
        source: { OnDemandSource(opening, events: $0, clock: MachineClock()) }))
    host.start()
    let fixes = Collected<Estimate>()
    let client = host.connect(.ofThisProcess) { delivery in
      if case .fix(let fix) = delivery { fixes.add(fix.estimate) }
    }
    host.handle(.hello(ClientHello(application: "a.b", client: "test", pid: 1)), from: client)
    host.handle(.demand(EstimateDemand(fixes: true)), from: client)
    #expect(eventually { publisher.observerCount == 1 })
    host.handle(.authorize(.always), from: client)
    #expect(eventually { access.isWaitedFor })
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
