import Formats
import Foundation
import LinuxIO
import LocationHost
import Quantities
import ScriptedSource
import Servers
import TestSupport
import Testing

@Suite("Outputs to trackers", .timeLimit(.minutes(30)))
struct TrackerOutputTests {
  private func store(_ folder: TemporaryFolder) -> PositionStore {
    PositionStore(folder: folder.path + "/trackers/osmand") { Issue.record("\($0)") }
  }

  private func drain(_ store: inout PositionStore) -> [String] {
    var texts: [String] = []
    while let next = store.next() {
      texts.append(String(decoding: next.payload, as: UTF8.self))
      #expect(next.isNewest == (store.count == 1))
      store.remove(next.number)
    }
    return texts
  }

  /// A fix of a day: 8 h of driving in curves and 16 h of rest, one each second.
  private func fix(_ second: Int) -> Estimate {
    let drives = (25_200..<39_600).contains(second) || (57_600..<72_000).contains(second)
    let way = Double(min(max(second - 25_200, 0), 14_400) + min(max(second - 57_600, 0), 14_400))
    let phase = way / 60
    var e = Estimate.fix(
      latitude: 48 + way * 1.2e-4 + 1e-3 * sin(phase), longitude: 11 + 2e-3 * cos(phase),
      at: Double(second + 1))
    e.utc = UTCTime(secondsSince1970: 1_800_000_000 + Double(second))
    (e.altitudeMetres, e.verticalAccuracyMetres) = (512, 8)
    e.speedMetresPerSecond = drives ? 14 : 0.1
    e.course = Angle(degrees: drives ? 40 * sin(phase) : Double(second * 37 % 360))
    return e
  }

  @Test("nothing is lost in an outage of a day with a restart; the order is that of the fixes")
  func day() throws {
    let folder = try TemporaryFolder()
    var store = store(folder)
    var schedule = TrackerSchedule(interval: 15, heartbeat: 900)
    var expected: [String] = []
    for second in 0..<86_400 {
      let estimate = fix(second)
      if second == 43_200 {
        store.close()
        store = self.store(folder)
        #expect(store.count == expected.count)
      }
      guard let position = TrackerPosition(estimate), schedule.reason(estimate) != nil else {
        continue
      }
      let payload = position.osmAnd(id: "boat")
      expected.append(String(decoding: payload, as: UTF8.self))
      #expect(store.append(payload, isAway: true) == 0)
    }
    #expect((1500..<6000).contains(expected.count), "\(expected.count)")
    #expect(drain(&store) == expected)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: folder.path + "/trackers/osmand")
    #expect(left.isEmpty)
  }

  @Test("a power cut repeats at most the positions of a file, and damaged lines are skipped")
  func powerCut() throws {
    let folder = try TemporaryFolder()
    var store = store(folder)
    for number in 0..<700 { _ = store.append(Array("a=\(number)".utf8), isAway: true) }
    for _ in 0..<300 {
      if let next = store.next() { store.remove(next.number) }
    }
    // Not closed: as after a power cut, with a line that was half written.
    let path = folder.path + "/trackers/osmand/0000000003"
    let last = try #require(FileHandle(forWritingAtPath: path))
    _ = try last.seekToEnd()
    try last.write(contentsOf: Data("123 a=damaged\n45 a=ha".utf8))
    try last.close()
    store = self.store(folder)
    #expect(drain(&store) == (256..<700).map { "a=\($0)" })
  }

  @Test("an orderly end keeps what was not accepted, and no more")
  func end() throws {
    let folder = try TemporaryFolder()
    var store = store(folder)
    _ = store.append(Array("a=0".utf8), isAway: false)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/trackers"))
    for number in 1..<10 { _ = store.append(Array("a=\(number)".utf8), isAway: false) }
    for _ in 0..<4 {
      if let next = store.next() { store.remove(next.number) }
    }
    _ = store.append(Array("a=10".utf8), isAway: false)
    store.close()
    store = self.store(folder)
    #expect(drain(&store) == (4...10).map { "a=\($0)" })
  }

  @Test("beyond the limit the oldest are dropped and counted; a late acceptance removes none")
  func limit() throws {
    let folder = try TemporaryFolder()
    var store = store(folder)
    for number in 0..<PositionStore.mostPositions where number % 4096 == 0 {
      _ = store.append(Array("a=\(number)".utf8), isAway: false)
    }
    let oldest = store.next()
    let sent = try #require(oldest)
    var dropped = 0
    for number in 0..<PositionStore.mostPositions {
      dropped += store.append(Array("b=\(number)".utf8), isAway: number % 256 == 0)
    }
    #expect(dropped > 0 && store.count + dropped == PositionStore.mostPositions + 8)
    let before = store.count
    store.remove(sent.number)
    #expect(store.count == before)
    store.removeAll()
    #expect(store.count == 0 && store.next() == nil)
  }

  @Test("keys that no server reads are refused")
  func keys() {
    for (key, text) in [
      ("owntracks-url", "ftp://a"), ("owntracks-url", "https://user:word@a/"),
      ("owntracks-topic", "boats/a"), ("owntracks-topic", "owntracks/a/#"),
      ("osmand-url", "mqtt://a"), ("osmand-id", "a b"), ("osmand-id", ""),
      ("osmand-interval", "1"), ("owntracks-heartbeat", "10"), ("osmand-username", "a:b"),
    ] { #expect(ServeKey.fault(of: text, for: key) != nil, "\(key): \(text)") }
    for (key, text) in [
      ("owntracks-url", "mqtts://a"), ("owntracks-url", "https://a:8083/pub?u=1"),
      ("owntracks-topic", "owntracks/jane/boat"), ("osmand-url", "http://[::1]:5055"),
    ] { #expect(ServeKey.fault(of: text, for: key) == nil, "\(key): \(text)") }
  }

  /// A server that answers each request with the next of some statuses, and then with the last.
  private func server(_ statuses: [String], _ bodies: Collected<String>) throws -> ScriptedServer {
    try ScriptedServer { client, number in
      guard client.awaits("accuracy=") || client.awaits("tid") else { return }
      let status = statuses[min(number, statuses.count - 1)]
      client.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      bodies.add(status)
    }
  }

  private func drive(_ rig: ServiceRig, from first: Int, _ count: Int) {
    for second in first..<first + count {
      var e = Estimate.fix(
        latitude: 48 + Double(second) * 1e-4, longitude: 11, at: Double(second + 1))
      e.utc = UTCTime(secondsSince1970: 1_800_000_000 + Double(second))
      (e.speedMetresPerSecond, e.course) = (11, .zero)
      rig.publisher.send(e)
    }
  }

  @Test("a server that fails is tried again, and the position stays in the state folder till then")
  func failing() throws {
    let answers = Collected<String>()
    let http = try server(["500 Error", "200 OK"], answers)
    let rig = try ServiceRig {
      ServeKey.apply(["osmand-url": "http://127.0.0.1:\(http.port)", "osmand-id": "boat"], to: &$0)
    }
    #expect(
      eventually {
        drive(rig, from: 100 + answers.all.count, 1)
        return answers.all.contains("200 OK")
      })
    #expect(rig.hasLogged("status 500; positions wait"))
    #expect(eventually { rig.hasLogged("accepts") })
    rig.daemon.stop()
  }

  @Test("positions of a daemon that ends without its server are sent by the next one, in order")
  func restart() throws {
    let isOpen = Locked(false)
    let (attempts, times) = (Collected<String>(), Collected<String>())
    let http = try ScriptedServer { client, _ in
      guard client.text(until: "timestamp=") != nil, let time = client.text(until: "&"),
        client.text(until: "accuracy=") != nil
      else { return }
      attempts.add(time)
      let status = isOpen.withLock { $0 } ? "200 OK" : "503 Busy"
      client.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      if isOpen.withLock({ $0 }) { times.add(time) }
    }
    let rig = try ServiceRig {
      ServeKey.apply(
        ["osmand-url": "http://127.0.0.1:\(http.port)", "osmand-id": "boat"], to: &$0)
    }
    let folder = rig.configuration.stateFolder + "/trackers/osmand"
    var second = 100
    #expect(
      eventually {
        drive(rig, from: second, 1)
        second += 20
        return FileManager.default.fileExists(atPath: folder + "/0000000001")
      })
    rig.daemon.stop()
    #expect(times.all.isEmpty)
    isOpen.withLock { $0 = true }
    try rig.restart()
    #expect(eventually { !times.all.isEmpty })
    #expect(times.all.first == attempts.all.first)
    #expect(times.all == times.all.sorted())
    rig.daemon.stop()
  }

  /// A server that accepts all, and the value of a key of each request.
  private func server(
    collecting key: String, before next: String
  ) throws -> (server: ScriptedServer, values: Collected<String>) {
    let values = Collected<String>()
    let server = try ScriptedServer { client, _ in
      guard client.text(until: key + "=") != nil, let value = client.text(until: "&" + next) else {
        return
      }
      _ = client.text(until: "accuracy=")
      client.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      values.add(String(value.dropLast(next.count + 1)))
    }
    return (server, values)
  }

  @Test("positions of a time without permission are not sent, not later either")
  func denied() throws {
    let (http, times) = try server(collecting: "timestamp", before: "")
    let rig = try ServiceRig(policy: "applications: {org.lodestar.osmand: {authorization: denied}}")
    {
      ServeKey.apply(["osmand-url": "http://127.0.0.1:\(http.port)"], to: &$0)
    }
    #expect(eventually { rig.hasLogged("org.lodestar.osmand") })
    drive(rig, from: 100, 200)
    try rig.setPolicy("")
    rig.daemon.reload()
    // Positions are sent in order: one of the first drive would come first.
    var second = 1000
    #expect(
      eventually {
        drive(rig, from: second, 1)
        second += 20
        return !times.all.isEmpty
      })
    #expect(times.all.allSatisfy { Double($0).map { $0 >= 1_800_001_000 } == true }, "\(times.all)")
    rig.daemon.stop()
  }

  @Test("a policy with reduced accuracy gives the server cells of the grid only")
  func reduced() throws {
    let (http, latitudes) = try server(collecting: "lat", before: "lon")
    let rig = try ServiceRig(
      policy: "applications: {org.lodestar.osmand: {authorization: always, accuracy: reduced}}"
    ) {
      ServeKey.apply(["osmand-url": "http://127.0.0.1:\(http.port)"], to: &$0)
    }
    var second = 100
    #expect(
      eventually {
        drive(rig, from: second, 1)
        second += 20
        return latitudes.all.count > 2
      })
    for text in latitudes.all {
      let latitude = try #require(Double(text))
      let cell = ReducedAccuracy.cell(
        of: GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: 11))
      #expect(abs(cell.latitude.degrees - latitude) < 1e-5, "\(text)")
    }
    rig.daemon.stop()
  }
}

extension ServiceRig {
  fileprivate func hasLogged(_ part: String) -> Bool { logged.all.contains { $0.contains(part) } }
}
