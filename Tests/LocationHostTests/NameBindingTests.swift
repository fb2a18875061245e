import Board
import Configuration
import Foundation
import HostProtocol
import LinuxIO
import LocationHost
import Monitoring
import Pipeline
import Quantities
import ScriptedSource
import TestSupport
import Testing

/// A host as in the daemon, with clients of any user.
private final class BindingRig {
  let publisher: ScriptedPublisher
  let logged = LoggedLines()
  let demands = Collected<FixDemand>()
  private(set) var host: LocationHost
  private let folder: TemporaryFolder

  init(_ publisher: ScriptedPublisher = ScriptedPublisher(), policy: String) throws {
    self.publisher = publisher
    folder = try TemporaryFolder()
    try Self.write(policy, folder)
    host = Self.host(publisher, folder, logged.log, demands)
    #expect(eventually { publisher.observerCount == 1 })
  }

  private static func write(_ policy: String, _ folder: TemporaryFolder) throws {
    let path = folder.path + "/policy"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try policy.write(toFile: path + "/a.yaml", atomically: true, encoding: .utf8)
  }

  private static func host(
    _ publisher: ScriptedPublisher, _ folder: TemporaryFolder, _ log: HostLog,
    _ demands: Collected<FixDemand>
  ) -> LocationHost {
    let state = folder.path + "/state"
    var configuration = HostConfiguration(stateFolder: state)
    configuration.launcher = "/bin/true"
    let opening = SourceOpening(isLive: true) { () throws(SourceError) in
      var source = OpenedSource(publisher: publisher)
      source.setReceiverDemand = { demands.add($0) }
      return source
    }
    let parts = LocationHost.Parts(
      access: AccessKeeper(
        stateFolder: state, policyFolder: folder.path + "/policy", environment: [:], log: log),
      journals: StoredMonitoring(stateFolder: state, isLive: true, log: log), isLive: true,
      log: log, source: { BoardSupervisor(opening, events: $0, log: log) })
    let host = LocationHost(configuration, parts)
    host.start()
    return host
  }

  func reload(_ policy: String) throws {
    try Self.write(policy, folder)
    host.reload()
  }

  /// Starts the next host on the same state, after `stop`.
  func start() {
    host = Self.host(publisher, folder, logged.log, demands)
    #expect(eventually { publisher.observerCount == 1 })
  }

  func stop() { host.stop("the test ends") {} }

  /// Sends a fix after all commands are executed.
  func sendFix() {
    host.waitUntilIdle()
    var fix = Estimate.fix(latitude: 10, longitude: 20)
    fix.utc = UTCTime(secondsSince1970: 1_750_000_000)
    publisher.send(fix)
  }

  /// Connects a client of a user and a control group.
  func client(_ application: String, uid: UInt32, group: String = "") -> ForgedClient {
    ForgedClient(
      host, application,
      PeerCredentials(
        pid: 1, uid: uid, gid: uid, controlGroups: ControlGroups("0::\(group)\n")))
  }
}

/// A client with credentials of the test.
private final class ForgedClient {
  private let host: LocationHost
  private let number: Int
  private let messages = Collected<HostMessage>()

  init(_ host: LocationHost, _ application: String, _ peer: PeerCredentials) {
    self.host = host
    number = host.connect(peer) { [messages] delivery in
      switch delivery {
      case .message(let message): messages.add(message)
      case .fix(let shared), .heading(let shared): messages.add(.estimate(shared.estimate))
      default: break
      }
    }
    send(.hello(ClientHello(application: application, client: "test", pid: peer.pid)))
  }

  func send(_ message: ClientMessage) { host.handle(message, from: number) }

  func leave() { host.disconnect(number) }

  /// The newest access.
  var access: GrantedAccess? {
    messages.all.reduce(nil) { access, message in
      switch message {
      case .welcome(let welcome): welcome.access
      case .access(let new): new
      default: access
      }
    }
  }

  var authorization: GrantedAuthorization? { access?.authorization }

  /// The estimates and last fixes.
  var places: [Estimate] {
    messages.all.compactMap { message in
      switch message {
      case .estimate(let estimate), .lastFix(let estimate): estimate
      case .welcome(let welcome): welcome.lastFix
      default: nil
      }
    }
  }

  /// Sends a request and returns the fault of its answer.
  func fault(of id: UInt64, _ message: (UInt64) -> ClientMessage) -> HostFault? {
    send(message(id))
    var found: HostFault??
    #expect(
      eventually {
        for case .done(id, let fault) in messages.all { found = .some(fault) }
        return found != nil
      })
    return found.flatMap { $0 }
  }
}

@Suite("An application's name is bound to users and units", .timeLimit(.minutes(30)))
struct NameBindingTests {
  private static let trusted: UInt32 = 4001
  private static let other: UInt32 = 4002

  @Test("a trusted name that another user claims gets the default, and a reload binds that user")
  func otherUser() throws {
    let policy = """
      default: denied
      applications:
        org.example.boat: {authorization: always, users: [4001]}

      """
    let rig = try BindingRig(policy: policy)
    let claimant = rig.client("org.example.boat", uid: Self.other)
    let trusted = rig.client("org.example.boat", uid: Self.trusted)
    #expect(trusted.authorization == .always && trusted.access?.fault == nil)
    #expect(claimant.authorization == .denied)
    let fault = try #require(claimant.access?.fault)
    #expect(fault.contains("'org.example.boat'") && fault.contains("only for the users 4001"))
    for client in [claimant, trusted] { client.send(.demand(.all)) }
    rig.publisher.send(.fix(latitude: 1, longitude: 2, at: 1))
    #expect(eventually { !trusted.places.isEmpty })
    #expect(claimant.places.isEmpty)
    let region = MonitoringCommand.startVisits
    #expect(claimant.fault(of: 7) { .monitor(id: $0, region) }?.message.contains(fault) == true)
    #expect(trusted.fault(of: 7) { .monitor(id: $0, region) } == nil)
    // Logged once for an application and a user.
    _ = rig.client("org.example.boat", uid: Self.other)
    #expect(rig.logged.all.filter { $0.hasPrefix("<4>") && $0.contains(fault) }.count == 1)

    try rig.reload(policy.replacingOccurrences(of: "[4001]", with: "[4001, 4002]"))
    #expect(claimant.authorization == .always && claimant.access?.fault == nil)
    rig.publisher.send(.fix(latitude: 1, longitude: 2, at: 2))
    #expect(
      eventually { claimant.places.contains { $0.fixTimestamp?.nanoseconds == 2_000_000_000 } })
    try rig.reload(policy)
    #expect(claimant.authorization == .denied && trusted.authorization == .always)
    rig.stop()
  }

  @Test("an entry without users gives clients of other users no more than the default")
  func noUsers() throws {
    let rig = try BindingRig(
      policy: """
        accuracy: reduced
        applications:
          org.example.full: {accuracy: full, purposes: {Survey: grant}}
          org.example.less: {authorization: denied}
        """)
    let full = rig.client("org.example.full", uid: Self.other)
    #expect(full.authorization == .always && full.access?.accuracy == .reduced)
    #expect(full.access?.fault?.contains("binds the name to no user: add 'users: [NAME]'") == true)
    let refused = full.fault(of: 1) { .fullAccuracy(id: $0, purpose: "Survey") }
    #expect(refused?.code == .declined)
    #expect(refused?.message.contains("binds the name to no user") == true)
    // An entry that grants less than the default applies to every client, without a fault.
    let less = rig.client("org.example.less", uid: Self.other)
    #expect(less.authorization == .denied && less.access?.fault == nil)
    // Root and the host's own user are bound.
    for uid in [0, getuid()] {
      let own = rig.client("org.example.full", uid: uid)
      #expect(own.access?.accuracy == .full && own.access?.fault == nil)
    }
    rig.stop()
  }

  @Test("a client is bound by the system's unit of its process, not by a user's unit of that name")
  func units() throws {
    let rig = try BindingRig(
      policy: """
        default: denied
        applications:
          org.example.boat: {authorization: always, unit: logger.service}
        """)
    func authorization(_ group: String) -> GrantedAuthorization? {
      rig.client("org.example.boat", uid: Self.trusted, group: group).authorization
    }
    #expect(authorization("/system.slice/logger.service") == .always)
    #expect(
      authorization(
        "/system.slice/system-corelocation\\x2dapp.slice/corelocation-app@org.example.boat.service")
        == .always)
    #expect(authorization("/system.slice/other.service") == .denied)
    #expect(
      authorization("/user.slice/user-4001.slice/user@4001.service/app.slice/logger.service")
        == .denied)
    #expect(authorization("/user.slice/user-4001.slice/session-3.scope") == .denied)
    rig.stop()
  }

  @Test("decisions on an application and on clients that only claim its name are separate")
  func decisions() throws {
    let rig = try BindingRig(
      policy: """
        default: ask
        answer: denied
        applications:
          org.example.boat: {answer: always, unit: logger.service}
        """)
    func clients() -> (unit: ForgedClient, shell: ForgedClient) {
      let shell = rig.client("org.example.boat", uid: Self.trusted, group: "/user.slice/a.scope")
      let unit = rig.client(
        "org.example.boat", uid: Self.trusted, group: "/system.slice/logger.service")
      return (unit, shell)
    }
    let first = clients()
    first.unit.send(.authorize(.always))
    #expect(eventually { first.unit.authorization == .always })
    #expect(first.shell.authorization == .notDetermined)
    first.shell.send(.authorize(.always))
    #expect(eventually { first.shell.authorization == .denied })
    #expect(first.unit.authorization == .always)
    rig.stop()
    rig.start()
    let next = clients()
    #expect(next.unit.authorization == .always && next.shell.authorization == .denied)
    rig.stop()
  }

  @Test("only an application with the policy's grant changes the board's calibration")
  func calibration() throws {
    let calibrator = ScriptedCalibrator()
    let policy = """
      calibration: deny
      applications:
        org.example.boat: {users: [4001], calibration: grant}

      """
    let rig = try BindingRig(ScriptedPublisher(calibrator: calibrator), policy: policy)
    #expect(eventually { rig.host.source.calibrator != nil })
    let trusted = rig.client("org.example.boat", uid: Self.trusted)
    let clients = [
      (rig.client("org.example.boat", uid: Self.other), "only for the users 4001"),
      (rig.client("org.example.any", uid: Self.trusted), "add 'calibration: grant'"),
    ]
    let new = CalibrationInUse(
      MagnetometerCalibration(softIron: .identity, hardIron: .zero, quality: .good))
    let use = CalibrationOrder.use(CodedCalibration(new.calibration, residualMicrotesla: 0.3))
    #expect(trusted.fault(of: 1) { .calibrate(id: $0, use) } == nil)
    #expect(trusted.fault(of: 2) { .calibrate(id: $0, .begin(use: nil)) } == nil)
    #expect(calibrator.inUse != nil && calibrator.isCollecting)
    for (client, remedy) in clients {
      #expect(client.authorization == .always)
      for (id, order) in [.begin(use: nil), .finish, .cancel, .reset, use].enumerated() {
        let fault = client.fault(of: UInt64(id)) { .calibrate(id: $0, order) }
        #expect(fault?.code == .access)
        #expect(fault?.message.contains("/a.yaml") == true)
        #expect(fault?.message.contains(remedy) == true, "\(String(describing: fault))")
      }
    }
    #expect(calibrator.inUse != nil && calibrator.isCollecting && calibrator.sessionCount == 1)
    // The client that began the session may end it without the grant, but not begin another.
    try rig.reload("calibration: deny\n")
    #expect(trusted.fault(of: 3) { .calibrate(id: $0, .cancel) } == nil)
    #expect(!calibrator.isCollecting)
    #expect(trusted.fault(of: 4) { .calibrate(id: $0, .begin(use: nil)) }?.code == .access)
    // Without a rule every application may.
    try rig.reload("")
    #expect(clients[0].0.fault(of: 9) { .calibrate(id: $0, .reset) } == nil)
    #expect(calibrator.inUse == nil)
    rig.stop()
  }

  @Test("a client shows the refusal of a calibration")
  func calibrationNotice() throws {
    let calibrator = ScriptedCalibrator()
    let rig = try ServiceRig(
      ScriptedPublisher(calibrator: calibrator), policy: "calibration: deny\n")
    let client = try rig.client()
    let notices = Collected<String>()
    let observation = client.observeNotices { notices.add($0) }
    let remote = try #require(client.publisher.calibrator)
    remote.begin()
    #expect(eventually { notices.all.contains { $0.hasPrefix("calibration refused: ") } })
    let new = CalibrationInUse(
      MagnetometerCalibration(softIron: .identity, hardIron: .zero, quality: .good))
    do {
      try remote.use(new)
      Issue.record("it was used")
    } catch {
      #expect("\(error)".contains("calibration: grant"), "\(error)")
    }
    #expect(calibrator.sessionCount == 0 && calibrator.inUse == nil)
    observation.cancel()
    rig.daemon.stop()
  }

  @Test("monitoring of an application in its unit continues after a restart of the host")
  func storedUnit() throws {
    let rig = try BindingRig(
      policy: """
        default: denied
        applications:
          org.example.boat: {authorization: always, unit: logger.service}
        """)
    let unit = rig.client(
      "org.example.boat", uid: Self.trusted, group: "/system.slice/logger.service")
    #expect(unit.fault(of: 1) { .monitor(id: $0, .startSignificantChanges) } == nil)
    rig.host.waitUntilIdle()
    #expect(rig.demands.all.contains { $0 != FixDemand.none })
    rig.stop()
    let before = rig.demands.all.count
    rig.start()
    // No client is connected.
    #expect(eventually { rig.demands.all.dropFirst(before).contains { $0 != FixDemand.none } })
    rig.stop()
  }

  @Test(
    "only a client that is bound to the name starts a unit of the system",
    arguments: [
      ("/system.slice/boat.service", true), ("/system.slice/other.service", false),
      ("/user.slice/user-4002.slice/user@4002.service/app.slice/a.service", true),
    ])
  func launch(_ group: String, _ starts: Bool) throws {
    let rig = try BindingRig(
      policy: """
        default: always
        applications:
          org.example.boat: {unit: boat.service}
        """)
    let client = rig.client("org.example.boat", uid: Self.other, group: group)
    #expect(client.fault(of: 1) { .monitor(id: $0, .startSignificantChanges) } == nil)
    client.leave()
    rig.sendFix()
    if starts {
      #expect(eventually { rig.logged.all.contains { $0.contains("starting boat.service") } })
    } else {
      rig.host.waitUntilIdle()
      // The timer's next turn.
      Thread.sleep(forTimeInterval: 1.5)
      #expect(!rig.logged.all.contains { $0.contains("starting") })
    }
    rig.stop()
  }

  @Test("a client with less access does not change that of the application")
  func lesserClient() throws {
    let rig = try BindingRig(
      policy: """
        default: whenInUse
        applications:
          org.example.boat: {authorization: always, unit: boat.service}
        """)
    let unit = rig.client(
      "org.example.boat", uid: Self.trusted, group: "/system.slice/boat.service")
    #expect(unit.fault(of: 1) { .monitor(id: $0, .startSignificantChanges) } == nil)
    // The same user's other program has the name, but not the unit.
    let other = rig.client("org.example.boat", uid: Self.trusted)
    #expect(other.authorization == .whenInUse)
    other.leave()
    unit.leave()
    rig.sendFix()
    #expect(eventually { rig.logged.all.contains { $0.contains("starting boat.service") } })
    rig.stop()
  }

  @Test("a user that does not exist is a warning when the policy is read, and admits no client")
  func unknownUser() throws {
    let rig = try BindingRig(
      policy: """
        default: denied
        applications:
          org.example.boat: {authorization: always, users: [lodestar-absent]}
        """)
    #expect(rig.client("org.example.boat", uid: Self.other).authorization == .denied)
    let warnings = rig.logged.all.filter { $0.contains("'lodestar-absent' of 'org.example.boat'") }
    #expect(warnings.count == 1 && warnings.first?.hasPrefix("<4>") == true)
    rig.stop()
  }
}
