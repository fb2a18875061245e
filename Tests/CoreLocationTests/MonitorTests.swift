import CoreLocation
import Monitoring
import Quantities
import ScriptedSource
import Testing

private let home = CLLocationCoordinate2D(latitude: 60, longitude: 25)
private let circle = CLMonitor.CircularGeographicCondition(center: home, radius: 100)

@Suite(.timeLimit(.minutes(30))) struct MonitorTests {
  @Test("conditions of an earlier run are found again under the monitor's name")
  func relaunch() async throws {
    var kept = MonitoringRegistrations()
    var last = ConditionEvent(
      monitor: "places", identifier: "home", state: .satisfied,
      time: UTCTime(nanosecondsSince1970: 5_000_000_000))
    last.fault = nil
    kept.monitors["places"] = [
      "home": ConditionRecord(
        condition: .circle(center: home.position, radiusMetres: 100), lastEvent: last)
    ]
    let bench = MonitorBench(host: ScriptedMonitoringHost(kept))
    let monitor = await bench.monitor()
    #expect(await monitor.identifiers == ["home"])
    let record = try #require(await monitor.record(for: "home"))
    #expect(record.lastEvent.state == .satisfied)
    #expect(record.lastEvent.date == Date(timeIntervalSince1970: 5))
    let condition = try #require(record.condition as? CLMonitor.CircularGeographicCondition)
    #expect(condition.radius == 100)
    #expect(abs(condition.center.latitude - 60) < 1e-12)
    #expect(await monitor.record(for: "office") == nil)
    let other = await bench.monitor("other")
    #expect(await other.identifiers.isEmpty)
  }

  @Test(
    "record.lastEvent is the event last acknowledged: the previous one until the next is requested")
  func lastEvent() async throws {
    let bench = MonitorBench()
    let monitor = await bench.monitor()
    await monitor.add(circle, identifier: "home")
    #expect(await monitor.record(for: "home")?.lastEvent.state == .unknown)
    bench.host.send("home", of: "places", .satisfied)
    bench.host.send("home", of: "places", .unsatisfied)
    var events = monitor.events.makeAsyncIterator()
    #expect(try await events.next()?.state == .satisfied)
    #expect(await monitor.record(for: "home")?.lastEvent.state == .unknown)
    #expect(bench.host.unacknowledged.count == 2)
    #expect(try await events.next()?.state == .unsatisfied)
    #expect(await monitor.record(for: "home")?.lastEvent.state == .satisfied)
    #expect(bench.host.unacknowledged.count == 1)
  }

  @Test("an event is acknowledged once its loop ends, and waits while no loop runs")
  func leaving() async throws {
    let bench = MonitorBench()
    let monitor = await bench.monitor()
    await monitor.add(circle, identifier: "home")
    bench.host.send("home", of: "places", .satisfied)
    bench.host.waitUntilIdle()
    #expect(bench.host.unacknowledged.count == 1)
    for try await event in monitor.events {
      #expect(event.identifier == "home")
      #expect(bench.host.unacknowledged.count == 1)
      break
    }
    #expect(bench.host.unacknowledged.isEmpty)
    #expect(await monitor.record(for: "home")?.lastEvent.state == .satisfied)
  }

  @Test("an event that was delivered and not acknowledged is delivered again to the next run")
  func handedTwice() async throws {
    let bench = MonitorBench()
    bench.host.send("home", of: "places", .satisfied)
    var first: CLMonitor? = await bench.monitor()
    bench.host.waitUntilIdle()
    #expect(bench.host.unacknowledged.count == 1)
    #expect(first != nil)
    first = nil
    #expect(try await eventually { !bench.host.hasReceiver })
    let second = await bench.monitor()
    var events = second.events.makeAsyncIterator()
    #expect(try await events.next()?.identifier == "home")
  }

  @Test("a second monitor with the name of an open one shares its conditions and events")
  func sameName() async throws {
    let bench = MonitorBench()
    let first = await bench.monitor()
    let second = await bench.monitor()
    await first.add(circle, identifier: "home", assuming: .unsatisfied)
    #expect(await second.identifiers == ["home"])
    #expect(await second.record(for: "home")?.lastEvent.state == .unsatisfied)
    bench.host.send("home", of: "places", .satisfied)
    var events = second.events.makeAsyncIterator()
    #expect(try await events.next()?.state == .satisfied)
    let opened = bench.host.commands.filter { $0 == .openMonitor(name: "places") }
    #expect(opened.count == 1)
  }

  @Test("the monitor is closed with its last reference, and its conditions remain")
  func closing() async throws {
    let bench = MonitorBench()
    var monitor: CLMonitor? = await bench.monitor()
    await monitor?.add(circle, identifier: "home")
    monitor = nil
    #expect(try await eventually { bench.host.commands.last == .closeMonitor(name: "places") })
    #expect(!bench.host.hasReceiver)
    #expect(bench.host.registrations().monitors["places"]?.count == 1)
  }

  @Test("the assumed state goes to the host, unknown where none is given")
  func assuming() async {
    let bench = MonitorBench()
    let monitor = await bench.monitor()
    await monitor.add(circle, identifier: "a")
    await monitor.add(circle, identifier: "b", assuming: .satisfied)
    let states = bench.host.commands.compactMap { command -> ConditionState? in
      if case .addCondition(_, _, _, let state) = command { state } else { nil }
    }
    #expect(states == [.unknown, .satisfied])
    await monitor.remove("a")
    #expect(await monitor.identifiers == ["b"])
    #expect(
      bench.host.commands.last == .removeCondition(monitor: "places", identifier: "a"))
  }

  @Test("a condition of the program's own type is reported as unsupported and not monitored")
  func foreign() async throws {
    struct Moonlight: CLCondition { var phase = 0.5 }
    let bench = MonitorBench()
    let monitor = await bench.monitor()
    await monitor.add(circle, identifier: "moon")
    await monitor.add(Moonlight(), identifier: "moon")
    #expect(await monitor.identifiers == ["moon"])
    #expect(bench.host.registrations().monitors["places"]?["moon"] == nil)
    var events = monitor.events.makeAsyncIterator()
    let event = try #require(try await events.next())
    #expect(event.conditionUnsupported)
    #expect(event.state == .unmonitored)
    #expect(!event.conditionLimitExceeded)
    await monitor.remove("moon")
    #expect(await monitor.record(for: "moon") == nil)
    let nowhere = CLMonitor.CircularGeographicCondition(
      center: kCLLocationCoordinate2DInvalid, radius: 10)
    await monitor.add(nowhere, identifier: "nowhere")
    #expect(try await events.next()?.conditionUnsupported == true)
  }

  @Test("a polygon is monitored; it needs three valid corners, and has at most 1000")
  func polygon() async {
    let bench = MonitorBench()
    let monitor = await bench.monitor()
    let corners = [
      home, CLLocationCoordinate2D(latitude: 61, longitude: 25),
      CLLocationCoordinate2D(latitude: 60, longitude: 26),
    ]
    await monitor.add(CLMonitor.PolygonGeographicCondition(vertices: corners), identifier: "bay")
    #expect(
      bench.host.registrations().monitors["places"]?["bay"]?.condition
        == .polygon(vertices: corners.map(\.position)))
    let shore = [CLLocationCoordinate2D](repeating: home, count: 1001)
    for vertices in [Array(corners[0..<2]), shore] {
      await monitor.add(
        CLMonitor.PolygonGeographicCondition(vertices: vertices), identifier: "bay")
      #expect(bench.host.registrations().monitors["places"]?["bay"] == nil)
    }
  }

  @Test("events of a condition that was replaced or removed are not delivered")
  func stale() async throws {
    let bench = MonitorBench()
    let monitor = await bench.monitor()
    await monitor.add(circle, identifier: "home")
    await monitor.add(circle, identifier: "office")
    bench.host.send("home", of: "places", .satisfied)
    bench.host.send("office", of: "places", .satisfied)
    bench.host.waitUntilIdle()
    await monitor.remove("home")
    var events = monitor.events.makeAsyncIterator()
    #expect(try await events.next()?.identifier == "office")
    #expect(bench.host.unacknowledged.count == 1)
  }

  @Test("events for a program without a loop are bounded, and the host stores the rest")
  func bounded() async throws {
    let bench = MonitorBench()
    let monitor = await bench.monitor()
    for number in 0..<1100 { bench.host.send("\(number)", of: "places", .satisfied) }
    bench.host.waitUntilIdle()
    var events = monitor.events.makeAsyncIterator()
    #expect(try await events.next()?.identifier == "100")
    #expect(bench.host.unacknowledged.count == 1100)
  }

  @Test("a cancelled loop takes no event")
  func cancelled() async throws {
    let bench = MonitorBench()
    let monitor = await bench.monitor()
    let loop = Task { () -> Int in
      var count = 0
      for try await _ in monitor.events { count += 1 }
      return count
    }
    loop.cancel()
    #expect(try await loop.value == 0)
    bench.host.send("home", of: "places", .satisfied)
    var events = monitor.events.makeAsyncIterator()
    #expect(try await events.next()?.state == .satisfied)
  }

  @Test(
    "the event has the reason why a condition is not monitored",
    arguments: [
      (MonitoringFault.limitExceeded, "limit"), (.unsupportedRegion, "unsupported"),
      (.unsupportedCondition, "unsupported"), (.persistenceUnavailable, "persistence"),
      (.denied, "denied"),
    ])
  func faults(fault: MonitoringFault, meaning: String) async throws {
    let bench = MonitorBench()
    let monitor = await bench.monitor()
    bench.host.send("home", of: "places", .unmonitored, fault: fault)
    var events = monitor.events.makeAsyncIterator()
    let event = try #require(try await events.next())
    let said = [
      ("limit", event.conditionLimitExceeded), ("unsupported", event.conditionUnsupported),
      ("persistence", event.persistenceUnavailable), ("denied", event.authorizationDenied),
    ].filter(\.1).map(\.0)
    #expect(said == [meaning])
    #expect(!event.authorizationDeniedGlobally && !event.authorizationRestricted)
    #expect(!event.insufficientlyInUse && !event.serviceSessionRequired)
  }

  @Test("under reduced accuracy a beacon or a small circle is unmonitored, and a large one is not")
  func accuracyLimited() async throws {
    let bench = MonitorBench(.authorizedWhenInUse, accuracy: .reducedAccuracy)
    let monitor = await bench.monitor()
    let large = CLMonitor.CircularGeographicCondition(center: home, radius: 20_000)
    await monitor.add(large, identifier: "country")
    await monitor.add(circle, identifier: "home")
    await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: UUID()), identifier: "hall")
    bench.host.send("country", of: "places", .satisfied)
    var events = monitor.events.makeAsyncIterator()
    var states: [String: CLMonitor.Event.State] = [:]
    for _ in 0..<3 {
      let event = try #require(try await events.next())
      #expect(event.accuracyLimited && !event.authorizationDenied)
      states[event.identifier] = event.state
    }
    #expect(states == ["home": .unmonitored, "hall": .unmonitored, "country": .satisfied])
  }

  @Test("an event has the received beacon")
  func refinement() async throws {
    let bench = MonitorBench(.authorizedWhenInUse)
    let monitor = await bench.monitor()
    let uuid = UUID()
    await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: uuid), identifier: "hall")
    bench.host.send(
      "hall", of: "places", .satisfied,
      refinement: .beacon(BeaconPattern(uuid: uuid.uuidString, major: 1, minor: 65535)))
    var events = monitor.events.makeAsyncIterator()
    let event = try #require(try await events.next())
    let beacon = try #require(event.refinement as? CLMonitor.BeaconIdentityCondition)
    #expect(beacon == CLMonitor.BeaconIdentityCondition(uuid: uuid, major: 1, minor: 65535))
    #expect(!event.accuracyLimited)
  }

  @Test("a monitor requests the authorization where it is not determined")
  func authorization() async {
    let undecided = MonitorBench(.notDetermined)
    _ = await undecided.monitor()
    #expect(undecided.authority.requests == [.authorizedWhenInUse])
    let denied = MonitorBench(.denied)
    _ = await denied.monitor()
    #expect(denied.authority.requests.isEmpty)
  }

  @Test("conditions are equal after coding and decoding")
  func coding() throws {
    let circle = try recoded(circle)
    #expect(circle.center.longitude == 25 && circle.radius == 100)
    let polygon = try recoded(
      CLMonitor.PolygonGeographicCondition(vertices: [
        home, CLLocationCoordinate2D(latitude: -61, longitude: 25),
        CLLocationCoordinate2D(latitude: 60, longitude: 26),
      ]))
    #expect(polygon.vertices.map(\.latitude) == [60, -61, 60])
    let beacon = CLMonitor.BeaconIdentityCondition(uuid: UUID(), major: 3)
    #expect(try recoded(beacon) == beacon)
  }

  private func recoded<Condition: CLCondition>(_ condition: Condition) throws -> Condition {
    try JSONDecoder().decode(Condition.self, from: JSONEncoder().encode(condition))
  }
}
