import Board
import Configuration
import HostProtocol
import LinuxIO
import LocationHost
import ScriptedSource
import TestSupport
import Testing

/// Access rules that change between the moment at which an access is found and its use.
private final class ChangingAccess: AccessRules {
  let policy = Policy()
  private let state: Locked<State>

  private struct State {
    var access: GrantedAccess
    var purposes: Set<String> = []
    var revision = 0
    var change: (@Sendable () -> Void)?
  }

  init(_ access: GrantedAccess, purposes: Set<String> = []) {
    state = Locked(State(access: access, purposes: purposes))
  }

  /// Changes the rules, as a reload does.
  func set(_ access: GrantedAccess, purposes: Set<String> = []) {
    state.withLock { ($0.access, $0.purposes, $0.revision) = (access, purposes, $0.revision + 1) }
  }

  /// Calls `change` once, after the next access is found and before it is returned.
  func afterNext(_ change: @escaping @Sendable () -> Void) { state.withLock { $0.change = change } }

  var revision: Int { state.withLock { $0.revision } }
  func reload() {}
  func access(of key: ApplicationKey, claim: Claim) -> GrantedAccess {
    let (access, change) = state.withLock { state in
      defer { state.change = nil }
      return (state.access, state.change)
    }
    change?()
    return access
  }
  func request(_ wanted: GrantedAuthorization, of key: ApplicationKey, claim: Claim) {}
  func grants(_ purpose: String, to key: ApplicationKey, claim: Claim) -> Bool {
    state.withLock { $0.purposes.contains(purpose) }
  }
  func calibrationFault(of key: ApplicationKey, claim: Claim) -> String? { nil }
}

@Suite("Access that changes while it is given", .timeLimit(.minutes(30)))
struct AccessRaceTests {
  private static let full = GrantedAccess(authorization: .always, accuracy: .full)
  private static let reduced = GrantedAccess(authorization: .always, accuracy: .reduced)
  private static let denied = GrantedAccess(authorization: .denied, accuracy: .reduced)

  /// A host with one client, and the accesses that the client received, in order.
  private struct Rig {
    let rules: ChangingAccess
    let host: LocationHost
    let received = Collected<GrantedAccess>()
    let answers = Collected<HostFault.Code?>()
    let client: Int

    init(_ rules: ChangingAccess) {
      self.rules = rules
      let publisher = ScriptedPublisher()
      let opening = SourceOpening(isLive: true) { () throws(SourceError) in
        OpenedSource(publisher: publisher)
      }
      host = LocationHost(
        HostConfiguration(stateFolder: nil),
        LocationHost.Parts(
          access: rules, journals: VolatileMonitoring(), isLive: true, log: HostLog { _, _ in },
          source: { OnDemandSource(opening, events: $0, clock: MachineClock()) }))
      host.start()
      client = host.connect(.ofThisProcess) { [received, answers] delivery in
        switch delivery {
        case .message(.welcome(let welcome)): received.add(welcome.access)
        case .message(.access(let access)): received.add(access)
        case .message(.done(_, let fault)): answers.add(fault?.code)
        default: break
        }
      }
    }

    func hello() {
      host.handle(.hello(ClientHello(application: "a.b", client: "test", pid: 1)), from: client)
    }

    /// Changes the rules while the host finds an access, and applies the change to the sessions.
    func changeInBetween(to access: GrantedAccess, purposes: Set<String> = []) {
      rules.afterNext { [rules, host] in
        rules.set(access, purposes: purposes)
        host.accessChanged()
      }
    }

    func stop() { host.stop("the test ends") {} }
  }

  @Test("a client that connects during the reload of a stricter policy has no old access")
  func hello() {
    let rig = Rig(ChangingAccess(Self.full))
    rig.changeInBetween(to: Self.denied)
    rig.hello()
    #expect(rig.received.all == [Self.denied])
    rig.stop()
  }

  @Test("a decision that is applied during the reload does not bring the old access back")
  func decision() {
    let rig = Rig(ChangingAccess(Self.full))
    rig.hello()
    rig.changeInBetween(to: Self.denied)
    rig.host.handle(.authorize(.always), from: rig.client)
    rig.host.waitUntilIdle()
    #expect(rig.received.all == [Self.full, Self.denied])
    rig.stop()
  }

  @Test("full accuracy for a purpose that is requested during the reload is not given")
  func purpose() {
    let rig = Rig(ChangingAccess(Self.reduced, purposes: ["a"]))
    rig.hello()
    rig.changeInBetween(to: Self.denied)
    rig.host.handle(.fullAccuracy(id: 1, purpose: "a"), from: rig.client)
    #expect(rig.received.all == [Self.reduced, Self.denied])
    #expect(rig.answers.all == [.declined])
    rig.stop()
  }

  @Test("full accuracy for a purpose ends with the policy that grants it")
  func withdrawnPurpose() {
    let rig = Rig(ChangingAccess(Self.reduced, purposes: ["a"]))
    rig.hello()
    rig.host.handle(.fullAccuracy(id: 1, purpose: "a"), from: rig.client)
    rig.rules.set(Self.reduced, purposes: ["a", "b"])
    rig.host.accessChanged()
    #expect(rig.received.all == [Self.reduced, Self.full])
    rig.rules.set(Self.reduced)
    rig.host.accessChanged()
    #expect(rig.received.all == [Self.reduced, Self.full, Self.reduced])
    rig.stop()
  }
}
