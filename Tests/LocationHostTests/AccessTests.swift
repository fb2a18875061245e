import Foundation
import HostProtocol
import LinuxIO
import LocationHost
import Monitoring
import Quantities
import ScriptedSource
import Servers
import TestSupport
import Testing

@Suite("Access of applications by the daemon's policy", .timeLimit(.minutes(30)))
struct AccessTests {
  @Test("a changed policy is sent to clients on reload, and stops or resumes estimates")
  func reload() throws {
    let rig = try ServiceRig()
    let client = try rig.client("org.example.app")
    let changes = Collected<GrantedAuthorization>()
    let access = client.access.observe { changes.add(client.access.current.authorization) }
    let got = Collected<Estimate>()
    let observation = client.publisher.observe { got.add($0) }
    #expect(
      eventually {
        rig.publisher.send(.heading(1))
        return !got.all.isEmpty
      })
    try rig.setPolicy("applications:\n  org.example.app:\n    authorization: denied\n")
    rig.daemon.reload()
    #expect(eventually { client.access.current.authorization == .denied })
    Thread.sleep(forTimeInterval: 0.05)
    let before = got.all.count
    for n in 0..<20 { rig.publisher.send(.fix(latitude: 1, longitude: 1, at: Double(n + 5))) }
    Thread.sleep(forTimeInterval: 0.1)
    #expect(got.all.count == before)
    // A reload without a change sends nothing.
    rig.daemon.reload()
    try rig.setPolicy("")
    rig.daemon.reload()
    // The observer runs after the state has changed.
    #expect(eventually { changes.all == [.denied, .always] })
    #expect(client.access.current.authorization == .always)
    observation.cancel()
    access.cancel()
    rig.daemon.stop()
  }

  @Test("an authorization request is decided by the policy, and a new daemon reads the decision")
  func asking() throws {
    let rig = try ServiceRig(
      policy: "default: ask\n")
    let client = try rig.client()
    #expect(client.access.current.authorization == .notDetermined)
    client.access.request(.whenInUse)
    #expect(eventually { client.access.current.authorization == .whenInUse })
    client.access.request(.always)
    #expect(eventually { client.access.current.authorization == .always })
    rig.daemon.stop()
    try rig.restart()
    #expect(eventually { client.isConnected })
    #expect(client.access.current.authorization == .always)
    #expect(try rig.client("org.example.other").access.current.authorization == .notDetermined)
    rig.daemon.stop()
  }

  @Test("an authorization request that a daemon lost by its end is decided by the next one")
  func lostRequest() throws {
    let rig = try ServiceRig(policy: "default: ask\n")
    let client = try rig.client()
    client.access.request(.whenInUse)
    #expect(eventually { client.access.current.authorization == .whenInUse })
    rig.daemon.stop()
    try FileManager.default.removeItem(atPath: rig.folder.path + "/state/decisions")
    try rig.restart()
    #expect(eventually { client.isConnected })
    #expect(eventually { client.access.current.authorization == .whenInUse })
    rig.daemon.stop()
  }

  @Test(
    "a decision that cannot be read denies, a request does not change it, and its file is kept",
    arguments: ["", "{\"authorization\":\"den", "{\"authorization\":\"perhaps\"}", "[]"])
  func damagedDecision(text: String) throws {
    let rig = try ServiceRig(policy: "default: ask\nanswer: always\n")
    let client = try rig.client()
    client.access.request(.whenInUse)
    #expect(eventually { client.access.current.authorization != .notDetermined })
    rig.daemon.stop()
    let state = rig.folder.path + "/state"
    let path =
      try state + "/"
      + #require(
        FileManager.default.subpathsOfDirectory(atPath: state)
          .first { $0.hasSuffix(".decision.json") })
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try rig.restart()
    #expect(eventually { client.isConnected })
    #expect(eventually { client.access.current.authorization == .denied })
    client.access.request(.always)
    Thread.sleep(forTimeInterval: 0.2)
    #expect(client.access.current.authorization == .denied)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    rig.daemon.stop()
  }

  @Test("reduced accuracy delivers only the cell, until a purpose is granted")
  func reduced() throws {
    let rig = try ServiceRig(
      policy: """
        applications:
          org.example.app:
            accuracy: reduced
            purposes:
              turn-by-turn: grant
        """)
    let client = try rig.client()
    #expect(client.access.current.accuracy == .reduced)
    let got = Collected<Estimate>()
    let observation = client.publisher.observe { got.add($0) }
    var exact = Estimate.fix(latitude: 48.1371, longitude: 11.5761, accuracy: 3)
    exact.altitudeMetres = 520
    exact.speedMetresPerSecond = 10
    var n = 0.0
    #expect(
      eventually {
        n += 1
        var fix = exact
        fix.timestamp = Timestamp(nanoseconds: UInt64(nanosecondsIn: n))
        fix.fixTimestamp = fix.timestamp
        rig.publisher.send(fix)
        return got.all.contains { $0.position != nil }
      })
    let received = try #require(got.all.first { $0.position != nil })
    let place = try #require(exact.position)
    #expect(received.position == ReducedAccuracy.cell(of: place))
    #expect(received.altitudeMetres == nil && received.speedMetresPerSecond == nil)
    #expect(try #require(received.horizontalAccuracyMetres) >= ReducedAccuracy.accuracyMetres)
    #expect(client.access.requestFullAccuracy(purposeKey: "unknown") != nil)
    #expect(client.access.requestFullAccuracy(purposeKey: "turn-by-turn") == nil)
    #expect(eventually { client.access.current.accuracy == .full })
    #expect(client.access.requestFullAccuracy(purposeKey: "turn-by-turn") != nil)
    #expect(
      eventually {
        n += 1
        var fix = exact
        fix.timestamp = Timestamp(nanoseconds: UInt64(nanosecondsIn: n))
        fix.fixTimestamp = fix.timestamp
        rig.publisher.send(fix)
        return got.all.last?.position == exact.position
      })
    observation.cancel()
    rig.daemon.stop()
  }

  @Test(
    "a denied application has no registrations and events; with access both begin automatically"
  )
  func deniedMonitoring() throws {
    let rig = try ServiceRig(policy: "default: denied\n")
    let client = try rig.client()
    let (received, notices) = (Collected<MonitoringEvent>(), Collected<String>())
    let observation = client.observeNotices { notices.add($0) }
    let monitoring = client.monitoring
    monitoring.deliver { received.add($0) }
    let place = GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: 10)
    let region = MonitoredRegion(
      identifier: "here", condition: .circle(center: place, radiusMetres: 200))
    monitoring.perform(.startRegion(region))
    #expect(eventually { notices.all.contains { $0.contains("has no access to locations") } })
    let raw = rig.configuration.stateFolder + "/monitoring"
    #expect(!FileManager.default.fileExists(atPath: raw))
    try rig.setPolicy("")
    rig.daemon.reload()
    #expect(eventually { received.all.count == 1 })
    // Not acknowledged: the next client receives it, if the application has access.
    client.stop()
    try rig.setPolicy("default: denied\n")
    rig.daemon.reload()
    let next = try rig.client()
    let later = Collected<MonitoringEvent>()
    next.monitoring.deliver { later.add($0) }
    _ = next.monitoring.registrations()
    Thread.sleep(forTimeInterval: 0.05)
    #expect(later.all.isEmpty)
    try rig.setPolicy("")
    rig.daemon.reload()
    #expect(eventually { later.all.count == 1 })
    observation.cancel()
    rig.daemon.stop()
  }

  @Test("an exact event is reduced to the application's current accuracy")
  func reducedEvents() throws {
    let exact = GeodeticPosition(latitudeDegrees: 48.1371, longitudeDegrees: 11.5761)
    let time = try #require(UTCTime(secondsSince1970: 1e9))
    var fix = PlaceFix(position: exact, horizontalAccuracyMetres: 3, time: time)
    fix.speedMetresPerSecond = 4
    var event = MonitoringEvent(sequence: 1, time: time, kind: .significantChange(fix))
    event.fix = fix
    let cell = ReducedAccuracy.cell(of: exact)
    #expect(event.reduced.fix?.position == cell && event.reduced.fix?.speedMetresPerSecond == nil)
    guard case .significantChange(let received) = event.reduced.kind else {
      Issue.record("another kind")
      return
    }
    #expect(received.position == cell && received.horizontalAccuracyMetres >= 3500)
    let visit = Visit(
      position: exact, horizontalAccuracyMetres: 20, arrival: time, departure: nil)
    event.kind = .visit(visit)
    guard case .visit(let stay) = event.reduced.kind else {
      Issue.record("another kind")
      return
    }
    #expect(stay.position == cell && stay.horizontalAccuracyMetres >= 3500)
  }

  @Test("a client has the groups of its process, not only those of its user")
  func groups() throws {
    let folder = try TemporaryFolder()
    let listener = try StreamListener(path: folder.path + "/g", backlog: 1)
    let client = try StreamSocket(path: folder.path + "/g")
    let peer = try #require(try listener.accept()).peerCredentials()
    var own = [UInt32](repeating: 0, count: 4096)
    let count = getgroups(Int32(own.count), &own)
    #expect(count >= 0 && peer.groups == Set(own.prefix(Int(max(0, count)))))
    #expect(peer.allGroups.contains(getgid()) && peer.uid == getuid())
    withExtendedLifetime(client) {}
  }

  @Test("an authorization request without a daemon is handled by the next daemon")
  func askingWhileAway() throws {
    let rig = try ServiceRig(policy: "default: ask\n")
    let client = try rig.client()
    rig.daemon.stop()
    #expect(eventually { !client.isConnected })
    client.access.request(.whenInUse)
    try rig.restart()
    #expect(eventually { client.access.current.authorization == .whenInUse })
    rig.daemon.stop()
  }

  @Test("an unreadable policy restricts all applications and is reported")
  func damaged() throws {
    let rig = try ServiceRig(policy: "defaults: [")
    let access = try rig.client().access.current
    #expect(access.authorization == .restricted)
    // The client receives the error of the policy, not a denial by a rule.
    #expect(access.fault?.hasPrefix("the policy cannot be used: ") == true)
    #expect(access.fault?.contains("a.yaml") == true)
    #expect(rig.logged.all.contains { $0.hasPrefix("<3>") && $0.contains("a.yaml") })
    rig.daemon.stop()
  }

  @Test("all places of a cell give the same cell, and lie within its accuracy")
  func cells() {
    for latitude in stride(from: -89.9, through: 89.9, by: 7.3) {
      for longitude in stride(from: -179.9, through: 179.9, by: 13.7) {
        let place = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
        let cell = ReducedAccuracy.cell(of: place)
        #expect(ReducedAccuracy.cell(of: cell) == cell)
        let north = (latitude - cell.latitude.degrees) * 111_320
        let east =
          (longitude - cell.longitude.degrees) * 111_320 * cos(latitude * .pi / 180)
        #expect((north * north + east * east).squareRoot() <= ReducedAccuracy.accuracyMetres)
      }
    }
  }

  @Test("a cell is computed again after 15 minutes, but not just beyond its boundary")
  func seldomNewCells() throws {
    var rule = ReducedAccuracy()
    let now = UTCTime(nanosecondsSince1970: 0)
    func cell(_ latitude: Double, _ longitude: Double = 11, at second: Double) throws
      -> GeodeticPosition
    {
      let fix = Estimate.fix(latitude: latitude, longitude: longitude, at: second)
      return try #require(rule.reduce(fix, now: now).position)
    }
    let first = try cell(48, at: 1)
    // Some cells further, a minute later: all connections still receive the first cell.
    #expect(try cell(48.5, at: 61) == first)
    #expect(rule.current(.fix(latitude: 48.5, longitude: 11, at: 61), now: now)?.position == first)
    #expect(try cell(48.5, at: 900) == first)
    let second = try cell(48.5, at: 902)
    #expect(second != first)
    // Just beyond the boundary the previous cell remains, also when a new one is due.
    var latitude = second.latitude.degrees
    while ReducedAccuracy.cell(
      of: GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: second.longitude.degrees))
      == second
    { latitude += 0.0005 }
    #expect(try cell(latitude, second.longitude.degrees, at: 3000) == second)
  }

  @Test("a fix of an earlier run is reduced to its cell, and does not delay a later cell")
  func storedFix() throws {
    var rule = ReducedAccuracy()
    let now = UTCTime(nanosecondsSince1970: 0)
    let stored = Estimate.fix(latitude: 10, longitude: 20, at: 500)
    let place = try #require(stored.position)
    #expect(rule.current(stored, now: now)?.position == ReducedAccuracy.cell(of: place))
    let live = Estimate.fix(latitude: 48, longitude: 11, at: 501)
    let reduced = rule.reduce(live, now: now)
    let position = try #require(live.position)
    #expect(reduced.position == ReducedAccuracy.cell(of: position))
  }
}
