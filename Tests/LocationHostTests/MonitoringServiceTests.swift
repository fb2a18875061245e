import Board
import Foundation
import HostClient
import HostProtocol
import LinuxIO
import LocationHost
import Monitoring
import Quantities
import ScriptedSource
import Servers
import Storage
import TestSupport
import Testing

/// A walk from 1 km east of a region's middle to 1 km west of it, with a fix every `step` seconds.
private struct Walk {
  static let start = 1_700_000_000.0
  static let step = 5.0
  static let count = 200

  static func fix(_ index: Int) -> Estimate {
    let east = 1000 - Double(index) * 10
    var estimate = Estimate.fix(
      latitude: 0, longitude: 10 + east / 111_320, accuracy: 5, at: Double(index + 1) * step)
    estimate.utc = UTCTime(secondsSince1970: start + Double(index) * step)
    return estimate
  }

  static var region: MonitoredRegion {
    MonitoredRegion(
      identifier: "here",
      condition: .circle(
        center: GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: 10), radiusMetres: 200))
  }
}

/// A client of an application with the events that it received; by default it acknowledges them.
private final class Application: @unchecked Sendable {
  let client: HostClient
  let monitoring: HostMonitoring
  let received = Collected<MonitoringEvent>()

  init(_ rig: ServiceRig, acknowledges: Bool = true) throws {
    client = try rig.client()
    monitoring = client.monitoring
    let (received, monitoring) = (received, monitoring)
    monitoring.deliver { [weak monitoring] event in
      received.add(event)
      if acknowledges { monitoring?.perform(.acknowledge(sequence: event.sequence)) }
    }
  }

  var words: [String] { received.all.map(\.kind.word) }
}

extension MonitoringEvent.Kind {
  fileprivate var word: String {
    switch self {
    case .regionStarted: "started"
    case .regionFailed: "failed"
    case .regionState(_, let state): "state \(state.rawValue)"
    case .entered: "entered"
    case .exited: "exited"
    case .visit: "visit"
    case .significantChange: "change"
    case .condition(let event): "condition \(event.state.rawValue)"
    }
  }
}

@Suite("Monitoring in the daemon", .timeLimit(.minutes(30)))
struct MonitoringServiceTests {
  private let whole = ["started", "state satisfied", "entered", "state unsatisfied", "exited"]

  @Test("a region's crossings are delivered to its application in order, once each")
  func crossing() throws {
    let rig = try ServiceRig()
    let application = try Application(rig)
    application.monitoring.perform(.startRegion(Walk.region))
    #expect(application.monitoring.registrations().regions.keys.sorted() == ["here"])
    for index in 0..<Walk.count { rig.publisher.send(Walk.fix(index)) }
    #expect(eventually { application.words == whole })
    #expect(application.received.all.map(\.sequence) == Array(1...5))
    #expect(rig.launched.isEmpty)
    rig.daemon.stop()
  }

  @Test("a daemon killed at a fix and restarted loses and repeats no event for a running client")
  func killedAnywhere() throws {
    for kill in stride(from: 0, through: Walk.count, by: 20) {
      let rig = try ServiceRig()
      let application = try Application(rig)
      application.monitoring.perform(.startRegion(Walk.region))
      _ = application.monitoring.registrations()
      for index in 0..<Walk.count {
        rig.publisher.send(Walk.fix(index))
        if index == kill {
          rig.daemon.abandon()
          try rig.restart()
          #expect(eventually { rig.publisher.observerCount > 0 && application.client.isConnected })
        }
      }
      #expect(eventually { application.words.count >= 5 })
      Thread.sleep(forTimeInterval: 0.02)
      #expect(application.words == whole, "killed at \(kill)")
      rig.daemon.stop()
    }
  }

  @Test("a client that waits for the start of a daemon sees what is stored, each time")
  func waitingAtStart() throws {
    let rig = try ServiceRig()
    let application = try Application(rig)
    application.monitoring.perform(.startRegion(Walk.region))
    #expect(application.monitoring.registrations().regions.keys.sorted() == ["here"])
    application.client.stop()
    // Served before the stored monitoring was opened, some of these clients saw none.
    for round in 0..<30 {
      rig.daemon.abandon()
      var waiting: RawClient?
      try rig.restart {
        let client = try RawClient(rig)
        let hello = ClientHello(application: "org.example.app", client: "test", pid: getpid())
        for message in [ClientMessage.hello(hello), .registrations(id: 1)] {
          try client.send(String(decoding: message.line, as: UTF8.self) + "\n")
        }
        waiting = client
      }
      var answer: String?
      while let line = try waiting?.line(within: 60) {
        guard line.contains("\"registrations\"") else { continue }
        answer = line
        break
      }
      #expect(answer?.contains("\"here\"") == true, "round \(round): \(answer ?? "no answer")")
    }
    rig.daemon.stop()
  }

  @Test("commands without a daemon are executed by the next daemon, once each")
  func away() throws {
    let rig = try ServiceRig()
    let application = try Application(rig)
    rig.daemon.stop()
    #expect(eventually { !application.client.isConnected })
    application.monitoring.perform(.startRegion(Walk.region))
    application.monitoring.perform(.startVisits)
    application.monitoring.perform(.stopVisits)
    #expect(application.monitoring.registrations().regions["here"] != nil)
    try rig.restart()
    #expect(eventually { application.words == ["started"] })
    let registered = application.monitoring.registrations()
    #expect(registered.regions.count == 1 && !registered.visits)
    rig.daemon.abandon()
    try rig.restart()
    #expect(eventually { application.client.isConnected })
    _ = application.monitoring.registrations()
    Thread.sleep(forTimeInterval: 0.05)
    #expect(application.words == ["started"])
    rig.daemon.stop()
  }

  @Test("an event without a client starts the application's unit once, and remains pending")
  func relaunch() throws {
    let rig = try ServiceRig(
      policy: "applications:\n  org.example.app:\n    unit: boat-alarm.service\n")
    var application: Application? = try Application(rig)
    application?.monitoring.perform(.startRegion(Walk.region))
    _ = application?.monitoring.registrations()
    #expect(eventually { application?.words == ["started"] })
    // Time for the acknowledgement to arrive.
    Thread.sleep(forTimeInterval: 0.05)
    _ = application?.monitoring.registrations()
    application?.client.stop()
    application = nil
    #expect(eventually { rig.logged.all.contains { $0.contains("is disconnected") } })
    for index in 0..<Walk.count { rig.publisher.send(Walk.fix(index)) }
    #expect(eventually { !rig.launched.isEmpty })
    rig.daemon.abandon()
    // Pending events remain after a kill of the daemon; later fixes repeat unstored decisions.
    try rig.restart()
    #expect(eventually { rig.publisher.observerCount > 0 })
    for index in (Walk.count - 11)..<Walk.count { rig.publisher.send(Walk.fix(index)) }
    let again = try Application(rig)
    #expect(eventually { again.words == Array(whole.dropFirst()) }, "\(again.words)")
    #expect(again.monitoring.registrations().regions["here"] != nil)
    Thread.sleep(forTimeInterval: 0.1)
    #expect(rig.launched.first == "boat-alarm.service org.example.app \(getuid())")
    // A running daemon starts the unit once; a new daemon does not know earlier starts.
    #expect(rig.launched.count <= 2)
    rig.daemon.stop()
  }

  @Test(
    "a daemon's restart starts no running application, and an ended one after the grace time"
  )
  func restartStartsNobody() throws {
    let rig = try ServiceRig { $0.launchGrace = 3 }
    let application = try Application(rig, acknowledges: false)
    application.monitoring.perform(.startRegion(Walk.region))
    _ = application.monitoring.registrations()
    for index in 0..<Walk.count { rig.publisher.send(Walk.fix(index)) }
    #expect(eventually { application.words == whole })
    rig.daemon.stop()
    Thread.sleep(forTimeInterval: 0.1)
    #expect(rig.launched.isEmpty)
    application.client.stop()
    let restart = MonotonicClock.now
    try rig.restart()
    #expect(eventually { rig.launched.count == 1 })
    #expect(MonotonicClock.now.seconds(since: restart) >= rig.configuration.launchGrace)
    rig.daemon.stop()
  }

  @Test("a unit is started once for many events, and never without the authorization always")
  func launchOnce() throws {
    let rig = try ServiceRig()
    var application: Application? = try Application(rig)
    application?.monitoring.perform(.startRegion(Walk.region))
    application?.monitoring.perform(.startSignificantChanges)
    _ = application?.monitoring.registrations()
    application?.client.stop()
    application = nil
    for index in 0..<Walk.count { rig.publisher.send(Walk.fix(index)) }
    #expect(
      eventually {
        rig.launched == ["corelocation-app@org.example.app.service org.example.app \(getuid())"]
      })
    Thread.sleep(forTimeInterval: 1.5)
    #expect(rig.launched.count == 1)
    rig.daemon.stop()

    let other = try ServiceRig(policy: "default: whenInUse\n")
    var second: Application? = try Application(other)
    second?.monitoring.perform(.startRegion(Walk.region))
    _ = second?.monitoring.registrations()
    second?.client.stop()
    second = nil
    for index in 0..<Walk.count { other.publisher.send(Walk.fix(index)) }
    Thread.sleep(forTimeInterval: 1.2)
    #expect(other.launched.isEmpty)
    other.daemon.stop()
  }

  @Test("an unacknowledged event is delivered again, only to the next client")
  func unacknowledged() throws {
    let rig = try ServiceRig()
    let first = try Application(rig, acknowledges: false)
    first.monitoring.perform(.startRegion(Walk.region))
    #expect(eventually { first.words == ["started"] })
    rig.daemon.abandon()
    try rig.restart()
    #expect(eventually { first.client.isConnected })
    _ = first.monitoring.registrations()
    Thread.sleep(forTimeInterval: 0.05)
    #expect(first.words == ["started"])
    first.client.stop()
    let second = try Application(rig)
    #expect(eventually { second.words == ["started"] })
    _ = second.monitoring.registrations()
    second.client.stop()
    let third = try Application(rig)
    _ = third.monitoring.registrations()
    Thread.sleep(forTimeInterval: 0.05)
    #expect(third.words.isEmpty)
    rig.daemon.stop()
  }

  @Test("a monitor's events are pending until it is opened, also after a restart of the daemon")
  func monitor() throws {
    let rig = try ServiceRig()
    let application = try Application(rig)
    application.monitoring.perform(.openMonitor(name: "m"))
    application.monitoring.perform(
      .addCondition(
        monitor: "m", identifier: "c", condition: Walk.region.condition, assuming: .unsatisfied))
    _ = application.monitoring.registrations()
    for index in 0..<100 { rig.publisher.send(Walk.fix(index)) }
    #expect(eventually { application.words == ["condition satisfied"] })
    rig.daemon.abandon()
    try rig.restart()
    #expect(eventually { rig.publisher.observerCount > 0 && application.client.isConnected })
    _ = application.monitoring.registrations()
    for index in 100..<Walk.count { rig.publisher.send(Walk.fix(index)) }
    #expect(eventually { application.words == ["condition satisfied", "condition unsatisfied"] })
    // Time for the acknowledgement to arrive.
    #expect(
      eventually {
        application.monitoring.registrations().monitors["m"]?["c"]?.lastEvent.state == .unsatisfied
      })
    application.monitoring.perform(.closeMonitor(name: "m"))
    rig.daemon.stop()
  }

  @Test("a journal that cannot be opened at the start is opened later, and delivers its events")
  func openedLater() throws {
    let rig = try ServiceRig()
    let application = try Application(rig, acknowledges: false)
    application.monitoring.perform(.startRegion(Walk.region))
    #expect(eventually { application.words == ["started"] })
    application.client.stop()
    rig.daemon.stop()
    // Another session has the journal open.
    let folder = "\(rig.configuration.stateFolder)/monitoring/\(getuid())"
    var other: MonitoringSession? = try MonitoringSession(
      journal: MonitoringJournal(folder: folder + "/org.example.app"))
    try rig.restart()
    let again = try Application(rig)
    #expect(eventually { rig.logged.all.contains { $0.contains("cannot be opened") } })
    #expect(again.words.isEmpty && other != nil)
    other = nil
    #expect(eventually { again.words == ["started"] })
    rig.daemon.stop()
  }

  @Test("a command that cannot be stored is answered with an error")
  func fullDisk() throws {
    let rig = try ServiceRig()
    let application = try Application(rig)
    let notices = Collected<String>()
    let observation = application.client.observeNotices { notices.add($0) }
    application.monitoring.perform(.startVisits)
    _ = application.monitoring.registrations()
    // A new state is first written to this name.
    let folder = "\(rig.configuration.stateFolder)/monitoring/\(getuid())/org.example.app"
    let blockingFolder = folder + "/.state.new"
    try FileManager.default.createDirectory(
      atPath: blockingFolder, withIntermediateDirectories: false)
    application.monitoring.perform(.startRegion(Walk.region))
    #expect(eventually { notices.all.contains { $0.contains("not stored") } })
    #expect(application.client.isConnected)
    try FileManager.default.removeItem(atPath: blockingFolder)
    rig.daemon.abandon()
    try rig.restart()
    #expect(eventually { application.client.isConnected })
    // The first client repeats its own registrations; a second client receives the daemon's.
    let secondClient = try rig.client()
    #expect(eventually { secondClient.monitoring.registrations().regions["here"] != nil })
    rig.daemon.abandon()
    try rig.restart()
    let other = try rig.client()
    #expect(other.monitoring.registrations().regions["here"] != nil)
    observation.cancel()
    rig.daemon.stop()
  }

  @Test("a command is executed later if its journal is in use")
  func busyJournal() throws {
    let rig = try ServiceRig()
    let folder = "\(rig.configuration.stateFolder)/monitoring/\(getuid())"
    var other: MonitoringSession? = try MonitoringSession(
      journal: MonitoringJournal(folder: folder + "/org.example.app"))
    let application = try Application(rig)
    application.monitoring.perform(.startRegion(Walk.region))
    #expect(eventually { rig.logged.all.contains { $0.contains("cannot be opened") } })
    #expect(application.words.isEmpty && other != nil)
    other = nil
    #expect(eventually { application.words == ["started"] })
    rig.daemon.stop()
  }

  @Test("a client that stops receiving events does not stop another client's events")
  func oneOfTwo() throws {
    let rig = try ServiceRig()
    let (first, second) = (try Application(rig), try Application(rig))
    for application in [first, second] {
      application.monitoring.perform(.openMonitor(name: "m"))
      _ = application.monitoring.registrations()
    }
    first.monitoring.perform(.startRegion(Walk.region))
    first.monitoring.perform(
      .addCondition(
        monitor: "m", identifier: "c", condition: Walk.region.condition, assuming: .unsatisfied))
    #expect(eventually { first.words + second.words == ["started"] })
    second.monitoring.perform(.closeMonitor(name: "m"))
    second.monitoring.deliver(to: nil)
    _ = second.monitoring.registrations()
    for index in 0..<Walk.count { rig.publisher.send(Walk.fix(index)) }
    #expect(
      eventually {
        let words = first.words.filter { $0 != "started" }
        return words.filter { !$0.hasPrefix("condition") } == Array(whole.dropFirst())
          && words.filter { $0.hasPrefix("condition") }.count == 2
      }, "\(first.words)")
    rig.daemon.stop()
  }

  @Test("after the loss of a journal its numbers begin anew, and a running client receives events")
  func lostJournal() throws {
    let rig = try ServiceRig()
    let application = try Application(rig)
    application.monitoring.perform(.startRegion(Walk.region))
    #expect(eventually { application.words == ["started"] })
    Thread.sleep(forTimeInterval: 0.05)
    _ = application.monitoring.registrations()
    rig.daemon.stop()
    try FileManager.default.removeItem(atPath: rig.configuration.stateFolder + "/monitoring")
    try rig.restart()
    #expect(eventually { application.client.isConnected })
    application.monitoring.perform(.startRegion(Walk.region))
    #expect(eventually { application.words == ["started", "started"] })
    // The client numbers events continuously over all journals.
    #expect(application.received.all.map(\.sequence) == [1, 2])
    rig.daemon.stop()
  }

  @Test("applications of a user are limited, and one without registrations leaves no files")
  func quota() throws {
    let rig = try ServiceRig { $0.mostApplications = 2 }
    let folder = "\(rig.configuration.stateFolder)/monitoring/\(getuid())"
    func storedNames() throws -> [String] {
      guard FileManager.default.fileExists(atPath: folder) else { return [] }
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
    let clients = try ["a", "b", "c"].map { try rig.client($0) }
    clients[0].monitoring.perform(.stopVisits)
    _ = clients[0].monitoring.registrations()
    #expect(try storedNames().isEmpty)
    for client in clients.dropLast() {
      client.monitoring.perform(.startVisits)
      _ = client.monitoring.registrations()
    }
    let notices = Collected<String>()
    let observation = clients[2].observeNotices { notices.add($0) }
    clients[2].monitoring.perform(.startVisits)
    #expect(eventually { notices.all.contains { $0.contains("the limit") } })
    #expect(try storedNames() == ["a", "b"])
    clients[0].monitoring.perform(.stopVisits)
    _ = clients[0].monitoring.registrations()
    clients[0].stop()
    // The third application is now accepted automatically.
    #expect(eventually { do { return try storedNames() == ["b", "c"] } catch { return false } })
    observation.cancel()
    // Without this the clients are released after their last use.
    withExtendedLifetime(clients) {}
    rig.daemon.stop()
  }

  @Test(
    "an identifier of 200 bytes is stored, and an unreadable user folder does not affect others"
  )
  func longIdentifier() throws {
    let rig = try ServiceRig()
    let long = String(repeating: "a", count: 200)
    let client = try rig.client(long)
    client.monitoring.perform(.startVisits)
    #expect(client.monitoring.registrations().visits)
    client.stop()
    rig.daemon.stop()
    // A file in place of a folder cannot be listed.
    try Data().write(
      to: URL(fileURLWithPath: rig.configuration.stateFolder + "/monitoring/1"))
    try rig.restart()
    #expect(eventually { rig.logged.all.contains { $0.contains("monitoring/1: ") } })
    let again = try rig.client(long)
    #expect(again.monitoring.registrations().visits)
    rig.daemon.stop()
  }

  @Test("an invalid region affects neither the connection nor other regions")
  func noPlace() throws {
    let rig = try ServiceRig()
    let application = try Application(rig)
    let notices = Collected<String>()
    let observation = application.client.observeNotices { notices.add($0) }
    var invalidRegion = Walk.region
    invalidRegion.condition = .circle(
      center: GeodeticPosition(latitudeDegrees: 95, longitudeDegrees: 10), radiusMetres: 200)
    application.monitoring.perform(.startRegion(invalidRegion))
    application.monitoring.perform(.startRegion(Walk.region))
    #expect(eventually { application.words == ["started"] })
    #expect(notices.all.count == 1 && notices.all[0].contains("expected -90 to 90"))
    #expect(application.client.isConnected)
    observation.cancel()
    rig.daemon.stop()
  }

  @Test(
    "a client receives events if another client of its application registered the region"
  )
  func openedByAnother() throws {
    let rig = try ServiceRig()
    let waiting = try Application(rig)
    _ = waiting.monitoring.registrations()
    let asking = try rig.client()
    asking.monitoring.perform(.startRegion(Walk.region))
    #expect(eventually { waiting.words == ["started"] })
    // The other client remains connected, so that no unit is started.
    asking.stop()
    for index in 0..<Walk.count { rig.publisher.send(Walk.fix(index)) }
    #expect(eventually { waiting.words == whole })
    #expect(rig.launched.isEmpty)
    rig.daemon.stop()
  }

  @Test("applications of one user receive no regions of each other")
  func apart() throws {
    let rig = try ServiceRig()
    let application = try Application(rig)
    application.monitoring.perform(.startRegion(Walk.region))
    #expect(eventually { application.words == ["started"] })
    let other = try HostClient(application: "org.example.other", environment: rig.environment)
    #expect(other.monitoring.registrations() == MonitoringRegistrations())
    rig.daemon.stop()
  }

  @Test("a reloaded policy changes the rules of monitoring and retains all sessions")
  func reloaded() throws {
    let rig = try ServiceRig()
    let application = try Application(rig)
    application.monitoring.perform(.startRegion(Walk.region))
    #expect(eventually { application.words == ["started"] })
    for index in 0..<50 { rig.publisher.send(Walk.fix(index)) }
    // The dwell is longer than the whole walk: no event follows.
    try rig.setPolicy("regions:\n  dwell: 3600\n")
    for _ in 0..<5 { rig.daemon.reload() }
    #expect(application.monitoring.registrations().regions["here"] != nil)
    for index in 50..<Walk.count { rig.publisher.send(Walk.fix(index)) }
    Thread.sleep(forTimeInterval: 0.2)
    #expect(application.words == ["started"], "\(application.words)")
    #expect(!rig.logged.all.contains { $0.contains("cannot be opened") })
    #expect(rig.launched.isEmpty)
    rig.daemon.stop()
  }

  @Test("regions of a denied application process no fix")
  func denied() throws {
    let rig = try ServiceRig()
    let application = try Application(rig)
    application.monitoring.perform(.startRegion(Walk.region))
    #expect(eventually { application.words == ["started"] })
    try rig.setPolicy("default: denied\n")
    rig.daemon.reload()
    #expect(eventually { application.client.access.current.authorization == .denied })
    for index in 0..<Walk.count { rig.publisher.send(Walk.fix(index)) }
    // On the queue that processes fixes: an event of one of them is stored before the answer.
    _ = application.monitoring.registrations()
    try rig.setPolicy("")
    rig.daemon.reload()
    #expect(eventually { application.client.access.current.authorization == .always })
    var other = Walk.region
    other.identifier = "other"
    application.monitoring.perform(.startRegion(other))
    #expect(eventually { application.words.filter { $0 == "started" }.count == 2 })
    #expect(application.words == ["started", "started"], "\(application.words)")
    rig.daemon.stop()
  }

  @Test("the receiver gets the combined demand of clients and monitoring")
  func receiverDemand() throws {
    let folder = try TemporaryFolder()
    let demands = Collected<FixDemand>()
    let publisher = ScriptedPublisher()
    let opening = SourceOpening(isLive: true) { () throws(SourceError) in
      var source = OpenedSource(publisher: publisher)
      source.setReceiverDemand = { demands.add($0) }
      return source
    }
    var configuration = ServeConfiguration(
      socketPath: folder.path + "/s", stateFolder: folder.path + "/state")
    configuration.policyFolder = folder.path + "/policy"
    let daemon = try Daemon(
      opening, configuration: configuration, environment: [:], log: LoggedLines().log)
    daemon.start()
    #expect(eventually { demands.all == [FixDemand.none] })
    let client = try HostClient(
      application: "a", environment: ["LODESTAR_SOCKET": configuration.socketPath])
    client.monitoring.perform(.startVisits)
    #expect(eventually { demands.all.last == .every(seconds: 60) })
    client.publisher.setDemand(EstimateDemand(fixes: true))
    let observation = client.publisher.observe { _ in }
    #expect(eventually { demands.all.last == .continuous })
    client.publisher.setDemand(EstimateDemand(fixes: true, desiredAccuracyMetres: 3000))
    #expect(eventually { demands.all.last == .every(seconds: 60) })
    client.publisher.setDemand(EstimateDemand(fixes: true))
    #expect(eventually { demands.all.last == .continuous })
    observation.cancel()
    #expect(eventually { demands.all.last == .every(seconds: 60) })
    // An application without access causes no demand.
    let policy = folder.path + "/policy"
    try FileManager.default.createDirectory(atPath: policy, withIntermediateDirectories: true)
    try "default: denied\n".write(toFile: policy + "/a.yaml", atomically: true, encoding: .utf8)
    daemon.reload()
    #expect(eventually { demands.all.last == FixDemand.none })
    try FileManager.default.removeItem(atPath: policy + "/a.yaml")
    daemon.reload()
    #expect(eventually { demands.all.last == .every(seconds: 60) })
    client.monitoring.perform(.stopVisits)
    #expect(eventually { demands.all.last == FixDemand.none })
    daemon.stop()
  }
}
