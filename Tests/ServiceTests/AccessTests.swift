import Engine
import Foundation
import Monitoring
import Quantities
import ScriptedSource
import Service
import ServiceClient
import ServiceProtocol
import TestSupport
import Testing

@Suite("What applications may, by the daemon's policy")
struct AccessTests {
  @Test("a policy that is read again is told to clients, and estimates stop and go with it")
  func reload() throws {
    let rig = try ServiceRig()
    let client = try rig.client("org.example.app")
    let changes = Collected<ServedAuthorization>()
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
    // A reload without a change is told to nobody.
    rig.daemon.reload()
    try rig.setPolicy("")
    rig.daemon.reload()
    #expect(eventually { client.access.current.authorization == .always })
    #expect(changes.all == [.denied, .always])
    observation.cancel()
    access.cancel()
    rig.daemon.stop()
  }

  @Test("an application that asks is answered by the rule, and the answer outlives the daemon")
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

  @Test("reduced accuracy gives the cell and no more, until a purpose is granted")
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
        fix.timestamp = Timestamp(nanoseconds: UInt64(n * 1e9))
        fix.fixTimestamp = fix.timestamp
        rig.publisher.send(fix)
        return got.all.contains { $0.position != nil }
      })
    let told = try #require(got.all.first { $0.position != nil })
    let place = try #require(exact.position)
    #expect(told.position == ReducedAccuracy.cell(of: place))
    #expect(told.altitudeMetres == nil && told.speedMetresPerSecond == nil)
    #expect(try #require(told.horizontalAccuracyMetres) >= ReducedAccuracy.accuracyMetres)
    #expect(client.access.requestFullAccuracy(purposeKey: "unknown") != nil)
    #expect(client.access.requestFullAccuracy(purposeKey: "turn-by-turn") == nil)
    #expect(eventually { client.access.current.accuracy == .full })
    #expect(client.access.requestFullAccuracy(purposeKey: "turn-by-turn") != nil)
    #expect(
      eventually {
        n += 1
        var fix = exact
        fix.timestamp = Timestamp(nanoseconds: UInt64(n * 1e9))
        fix.fixTimestamp = fix.timestamp
        rig.publisher.send(fix)
        return got.all.last?.position == exact.position
      })
    observation.cancel()
    rig.daemon.stop()
  }

  @Test(
    "a denied application registers nothing and hears nothing; once it may, both come by themselves"
  )
  func deniedMonitoring() throws {
    let rig = try ServiceRig(policy: "default: denied\n")
    let client = try rig.client()
    let (told, notices) = (Collected<MonitoringEvent>(), Collected<String>())
    let observation = client.observeNotices { notices.add($0) }
    let monitoring = client.monitoring
    monitoring.deliver { told.add($0) }
    let place = GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: 10)
    let region = MonitoredRegion(
      identifier: "here", condition: .circle(center: place, radiusMetres: 200))
    monitoring.perform(.startRegion(region))
    #expect(eventually { notices.all.contains { $0.contains("may not be told") } })
    let raw = rig.configuration.stateFolder + "/monitoring"
    #expect(!FileManager.default.fileExists(atPath: raw))
    try rig.setPolicy("")
    rig.daemon.reload()
    #expect(eventually { told.all.count == 1 })
    // Not acknowledged: it comes to the next client, unless the application may not.
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

  @Test("what was decided with exact places is told by the accuracy of now")
  func reducedEvents() throws {
    let exact = GeodeticPosition(latitudeDegrees: 48.1371, longitudeDegrees: 11.5761)
    let time = try #require(UTCTime(secondsSince1970: 1e9))
    var fix = PlaceFix(position: exact, horizontalAccuracyMetres: 3, time: time)
    fix.speedMetresPerSecond = 4
    var event = MonitoringEvent(sequence: 1, time: time, kind: .significantChange(fix))
    event.fix = fix
    let cell = ReducedAccuracy.cell(of: exact)
    #expect(event.reduced.fix?.position == cell && event.reduced.fix?.speedMetresPerSecond == nil)
    guard case .significantChange(let told) = event.reduced.kind else {
      Issue.record("another kind")
      return
    }
    #expect(told.position == cell && told.horizontalAccuracyMetres >= 3500)
    let visit = Visit(
      position: exact, horizontalAccuracyMetres: 20, arrival: time, departure: nil)
    event.kind = .visit(visit)
    guard case .visit(let stay) = event.reduced.kind else {
      Issue.record("another kind")
      return
    }
    #expect(stay.position == cell && stay.horizontalAccuracyMetres >= 3500)
  }

  @Test("the groups of a client's process are known, not only those of its user")
  func groups() throws {
    let folder = try TemporaryFolder()
    let listener = try UnixSocket(listeningAt: folder.path + "/g", backlog: 1)
    let client = try UnixSocket(connectingTo: folder.path + "/g")
    let peer = try #require(try listener.accepted()).peer()
    var own = [UInt32](repeating: 0, count: 4096)
    let count = getgroups(Int32(own.count), &own)
    #expect(count >= 0 && peer.groups == Set(own.prefix(Int(max(0, count)))))
    #expect(peer.allGroups.contains(getgid()) && peer.uid == getuid())
    withExtendedLifetime(client) {}
  }

  @Test("a request that was made while the daemon was away is answered once it is back")
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

  @Test("a policy that cannot be read restricts everybody and is told")
  func damaged() throws {
    let rig = try ServiceRig(policy: "defaults: [")
    let access = try rig.client().access.current
    #expect(access.authorization == .restricted)
    // A client is told what is wrong, not that a rule forbids it.
    #expect(access.fault?.hasPrefix("the daemon's policy cannot be used: ") == true)
    #expect(access.fault?.contains("a.yaml") == true)
    #expect(rig.told.all.contains { $0.hasPrefix("<3>") && $0.contains("a.yaml") })
    rig.daemon.stop()
  }

  @Test("a cell does not change with the place in it, and holds every place within its accuracy")
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

  @Test("all clients of an application are told the same cell, whenever they came")
  func oneCell() throws {
    let places = ReducedPlaces()
    let key = ApplicationKey(uid: 1, id: "a")
    let first = Estimate.fix(latitude: 48, longitude: 11, at: 1)
    let told = try #require(places.reduce(first, for: key))
    #expect(places.reduce(first, for: key) == told)
    // Some cells further, a minute later: a new connection learns nothing of it, nor does an old one.
    let later = Estimate.fix(latitude: 48.5, longitude: 11, at: 61)
    #expect(places.reduce(later, for: key) == nil)
    #expect(places.current(later, for: key)?.position == told.position)
    // Another application is another matter.
    let other = places.current(later, for: ApplicationKey(uid: 1, id: "b"))
    #expect(other?.position != told.position)
    // Just over the cell's edge it is still the cell before, also when a new one is due.
    let cell = try #require(told.position)
    var latitude = cell.latitude.degrees
    while ReducedAccuracy.cell(
      of: GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: cell.longitude.degrees))
      == cell
    { latitude += 0.0005 }
    let over = Estimate.fix(latitude: latitude, longitude: cell.longitude.degrees, at: 2000)
    #expect(places.reduce(over, for: key)?.position == cell)
  }

  @Test("a reduced place is told again only after a quarter of an hour")
  func seldom() {
    var reduced = ReducedAccuracy()
    let told = (0..<3600).filter { second in
      reduced.reduce(.fix(latitude: 48, longitude: 11, at: Double(second + 1))) != nil
    }
    #expect(told == [0, 900, 1800, 2700])
  }
}
