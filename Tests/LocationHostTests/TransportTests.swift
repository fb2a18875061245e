import Board
import Configuration
import Formats
import Foundation
import HostClient
import HostProtocol
import LocationHost
import Monitoring
import Quantities
import ScriptedSource
import Servers
import TestSupport
import Testing

/// The two transports of a location host.
enum Transport: String, CaseIterable, Sendable {
  case inProcess, socket
}

/// A host with a scripted source, over one of the two transports.
private final class TransportRig {
  let publisher: ScriptedPublisher
  private let daemon: ServiceRig?
  private let host: LocationHost?
  private let folder: TemporaryFolder
  let demands = Collected<FixDemand>()

  init(
    _ transport: Transport, policy: String = "",
    _ publisher: ScriptedPublisher = ScriptedPublisher()
  ) throws {
    self.publisher = publisher
    folder = try TemporaryFolder()
    switch transport {
    case .socket:
      (daemon, host) = (try ServiceRig(publisher, policy: policy), nil)
    case .inProcess:
      daemon = nil
      let text = folder.path + "/policy.yaml"
      try policy.write(toFile: text, atomically: true, encoding: .utf8)
      let state = folder.path + "/state"
      var configuration = HostConfiguration(stateFolder: state)
      configuration.isInProcess = true
      let log = HostLog { _, _ in }
      let access = AccessKeeper(
        stateFolder: state, policyFolder: folder.path + "/none",
        environment: policy.isEmpty ? [:] : ["LODESTAR_POLICY": text], log: log)
      let opening = SourceOpening(isLive: true) { [demands] () throws(SourceError) in
        var source = OpenedSource(publisher: publisher)
        source.setReceiverDemand = { demands.add($0) }
        return source
      }
      let parts = LocationHost.Parts(
        access: access,
        journals: StoredMonitoring(stateFolder: state, isLive: true, log: log),
        isLive: true, log: log,
        source: { OnDemandSource(opening, events: $0, clock: MachineClock()) })
      let host = LocationHost(configuration, parts)
      host.start()
      self.host = host
    }
  }

  func client(_ application: String = "org.example.app") throws -> HostClient {
    if let host { return HostClient(application: application, client: "test", host: host) }
    guard let daemon else { throw HostError.gone(path: "") }
    return try daemon.client(application)
  }

  func stop() {
    daemon?.daemon.stop()
    host?.stop("the test ends") {}
  }
}

@Suite("Both transports behave the same", .timeLimit(.minutes(30)))
struct TransportTests {
  @Test("a client receives every fix and the newest heading", arguments: Transport.allCases)
  func estimates(transport: Transport) throws {
    let rig = try TransportRig(transport)
    let client = try rig.client()
    let got = Collected<Estimate>()
    let observation = client.publisher.observe { got.add($0) }
    #expect(
      eventually {
        rig.publisher.send(.heading(1))
        return !got.all.isEmpty
      })
    #expect(client.source.isOpen && client.source.hasMagnetometer && client.source.isLive)
    for second in 10..<60 {
      rig.publisher.send(.fix(latitude: 1, longitude: 2, at: Double(second)))
    }
    #expect(eventually { got.all.filter { $0.position != nil }.count == 50 })
    observation.cancel()
    rig.stop()
  }

  @Test(
    "without authorization a client that asks for it receives the magnetic heading and nothing else",
    arguments: Transport.allCases)
  func magneticHeadings(transport: Transport) throws {
    let rig = try TransportRig(transport, policy: "default: denied\n")
    let client = try rig.client()
    #expect(client.access.current.authorization == .denied)
    #expect(client.access.current.headings == true)
    // The files of both transports.
    #expect(client.access.current.denial?.contains(".yaml denies 'org.example.app'") == true)
    let got = Collected<Estimate>()
    let observation = client.publisher.observe { got.add($0) }
    // Every property has a value.
    var complete = Estimate.filled
    // Nothing arrives before the client asks: the first that does is the later one.
    complete.timestamp = Timestamp(nanoseconds: 500_000_000)
    rig.publisher.send(complete)
    complete.timestamp = Timestamp(nanoseconds: 1_000_000_000)
    var demand = EstimateDemand.all
    demand.magneticHeadings = true
    client.publisher.setDemand(demand)
    let later = complete
    #expect(
      eventually {
        rig.publisher.send(later)
        return !got.all.isEmpty
      })
    var expected = Estimate(timestamp: complete.timestamp)
    expected.utc = complete.utc
    (expected.attitude, expected.isLevelKnown) = (complete.attitude, complete.isLevelKnown)
    expected.magneticHeading = complete.magneticHeading
    expected.headingAccuracy = complete.headingAccuracy
    expected.rateOfTurn = complete.rateOfTurn
    expected.attitudeMode = complete.attitudeMode
    (expected.calibration, expected.disturbance) = (complete.calibration, complete.disturbance)
    expected.headingState = complete.headingState
    expected.headingStateSince = complete.headingStateSince
    expected.isSimulated = complete.isSimulated
    #expect(got.all.first == expected)
    observation.cancel()
    rig.stop()
  }

  @Test(
    "an authorization is requested and decided, and remains after the client",
    arguments: Transport.allCases)
  func authorization(transport: Transport) throws {
    let rig = try TransportRig(transport, policy: "default: ask\n")
    let client = try rig.client()
    #expect(client.access.current.authorization == .notDetermined)
    client.access.request(.whenInUse)
    #expect(eventually { client.access.current.authorization == .whenInUse })
    client.access.request(.always)
    #expect(eventually { client.access.current.authorization == .always })
    client.stop()
    #expect(try rig.client().access.current.authorization == .always)
    #expect(try rig.client("org.other").access.current.authorization == .notDetermined)
    rig.stop()
  }

  @Test(
    "a region without sufficient access is refused with the reason",
    arguments: Transport.allCases,
    [
      ("default: denied\n", "no access"), ("default: whenInUse\n", "'always'"),
      ("accuracy: reduced\n", "full accuracy"),
    ])
  func refusedRegions(transport: Transport, rule: (policy: String, word: String)) throws {
    let rig = try TransportRig(transport, policy: rule.policy)
    let client = try rig.client()
    let faults = Collected<HostFault>()
    client.monitoring.perform(.startRegion(Self.here)) { faults.add($0) }
    #expect(eventually { faults.all.count == 1 })
    #expect(faults.all.first?.code == .access)
    #expect(faults.all.first?.message.contains(rule.word) == true, "\(faults.all)")
    #expect(client.monitoring.registrations().regions.isEmpty)
    rig.stop()
  }

  @Test("a region's crossings are delivered in order, once each", arguments: Transport.allCases)
  func crossings(transport: Transport) throws {
    let rig = try TransportRig(transport)
    let client = try rig.client()
    let events = Collected<MonitoringEvent>()
    let monitoring = client.monitoring
    monitoring.deliver { [weak monitoring] event in
      events.add(event)
      monitoring?.perform(.acknowledge(sequence: event.sequence))
    }
    monitoring.perform(.startRegion(Self.here))
    #expect(monitoring.registrations().regions.keys.sorted() == ["here"])
    #expect(eventually { rig.publisher.observerCount == 1 })
    for index in 0..<200 { rig.publisher.send(Self.walk(index)) }
    #expect(eventually { events.all.count == 5 }, "\(events.all.map(\.kind))")
    #expect(events.all.map(\.sequence) == Array(1...5))
    rig.stop()
  }

  @Test("the next client receives the last fix", arguments: Transport.allCases)
  func lastFix(transport: Transport) throws {
    let rig = try TransportRig(transport)
    let first = try rig.client()
    let observation = first.publisher.observe { _ in }
    #expect(eventually { rig.publisher.observerCount == 1 })
    // The reply arrives after the demand is handled.
    _ = first.monitoring.registrations()
    let fix = Self.walk(3)
    rig.publisher.send(fix)
    #expect(eventually { first.lastFix == fix })
    let next = try rig.client()
    #expect(next.lastFix == fix)
    observation.cancel()
    rig.stop()
  }

  @Test("a calibration session ends with its client", arguments: Transport.allCases)
  func calibration(transport: Transport) throws {
    let calibrator = ScriptedCalibrator()
    let rig = try TransportRig(transport, ScriptedPublisher(calibrator: calibrator))
    let client = try rig.client()
    let observation = client.publisher.observe { _ in }
    #expect(eventually { client.publisher.calibrator != nil })
    client.publisher.calibrator?.begin()
    #expect(
      eventually {
        calibrator.isCollecting
          && client.publisher.calibrator?.standing == .collecting(progress: 0)
      })
    client.stop()
    #expect(eventually { !calibrator.isCollecting })
    observation.cancel()
    rig.stop()
  }

  @Test(
    "at reduced accuracy a client receives nothing more exact than its cell",
    arguments: Transport.allCases)
  func reducedAccuracy(transport: Transport) throws {
    // Two journeys through the same cells at the same times, with different places in each cell.
    let journeys = try [0.0, 0.012].map { offset -> [String] in
      let rig = try TransportRig(transport, policy: "accuracy: reduced\n")
      let client = try rig.client()
      #expect(client.access.current.accuracy == .reduced)
      let (estimates, samples) = (Collected<Estimate>(), Collected<SensorSamples>())
      let events = Collected<MonitoringEvent>()
      let monitoring = client.monitoring
      monitoring.deliver { events.add($0) }
      monitoring.perform(.startSignificantChanges)
      monitoring.perform(.startVisits)
      _ = monitoring.registrations()
      let observation = client.publisher.observe { estimates.add($0) }
      let rows = client.publisher.observeRows { samples.add($0) }
      #expect(
        eventually { rig.publisher.observerCount == 1 && rig.publisher.rowObserverCount == 1 })
      // The reply arrives after the demand and all earlier messages are handled.
      _ = monitoring.registrations()
      for step in 0..<60 {
        let cell = ReducedAccuracy.cell(
          of: GeodeticPosition(latitudeDegrees: 48 + 0.01 * Double(step), longitudeDegrees: 11))
        let place = GeodeticPosition(
          latitudeDegrees: cell.latitude.degrees + offset,
          longitudeDegrees: cell.longitude.degrees - offset)
        let second = Double(step + 1) * 60
        try rig.publisher.send(Self.everything(at: place, second: second))
        rig.publisher.send(Self.samples(at: place, second: second))
        // Waits for each delivery: a queue holds only the newest heading.
        #expect(eventually { samples.all.count == step + 1 })
        #expect(eventually { estimates.all.count == step + 1 })
      }
      // The reply arrives after all earlier events.
      _ = monitoring.registrations()
      #expect(eventually { !events.all.isEmpty })
      Thread.sleep(forTimeInterval: 0.1)
      observation.cancel()
      rows.cancel()
      let next = try rig.client()
      var received = estimates.all.map { "\($0)" } + samples.all.map { "\($0)" }
      received += events.all.map { "\($0)" } + ["\(String(describing: next.lastFix))"]
      received += ["\(client.source)", "\(monitoring.registrations())"]
      #expect(estimates.all.contains { $0.position != nil && $0.trueHeading != nil })
      rig.stop()
      return received
    }
    #expect(journeys[0].count == journeys[1].count)
    for (one, other) in zip(journeys[0], journeys[1]) where one != other {
      Issue.record("\(one)\n\(other)")
    }
  }

  @Test(
    "a receiver's output is collected and delivered only while a client requests it",
    arguments: Transport.allCases)
  func receiverOutput(transport: Transport) throws {
    let rig = try TransportRig(transport)
    let client = try rig.client()
    let received = Collected<ReceiverOutput>()
    #expect(rig.publisher.receiverObserverCount == 0)
    let observation = client.publisher.observeReceiver { received.add($0) }
    #expect(eventually { rig.publisher.receiverObserverCount == 1 })
    // A resting receiver would send nothing.
    if transport == .inProcess { #expect(rig.demands.all.last == .continuous) }
    let outputs: [ReceiverOutput] = [.bytes([0, 10, 255]), .bytes([1])]
    for output in outputs { rig.publisher.send(output) }
    #expect(eventually { received.all == outputs })
    observation.cancel()
    #expect(eventually { rig.publisher.receiverObserverCount == 0 })
    rig.stop()
  }

  @Test(
    "at reduced accuracy and without access no output of a receiver is collected",
    arguments: Transport.allCases, ["accuracy: reduced\n", "authorization: denied\n"])
  func withheldReceiverOutput(transport: Transport, policy: String) throws {
    let rig = try TransportRig(transport, policy: policy)
    let client = try rig.client()
    let received = Collected<ReceiverOutput>()
    let observation = client.publisher.observeReceiver { received.add($0) }
    let estimates = client.publisher.observe { _ in }
    // The reply arrives after all earlier messages are handled.
    _ = client.monitoring.registrations()
    #expect(rig.publisher.receiverObserverCount == 0)
    rig.publisher.send(.bytes([1]))
    _ = client.monitoring.registrations()
    #expect(received.all.isEmpty)
    observation.cancel()
    estimates.cancel()
    rig.stop()
  }

  @Test("a client's demand is converted to the receiver's demand")
  func demand() throws {
    let rig = try TransportRig(.inProcess)
    let client = try rig.client()
    let observation = client.publisher.observe { _ in }
    for (metres, expected) in [
      (5.0, FixDemand.continuous), (1000, .every(seconds: 60)), (3000, .every(seconds: 180)),
      (6_379_999, .every(seconds: 180)), (6_380_000, .every(seconds: 900)),
      (Double.greatestFiniteMagnitude, .every(seconds: 900)),
    ] {
      client.publisher.setDemand(EstimateDemand(fixes: true, desiredAccuracyMetres: metres))
      #expect(rig.demands.all.last == expected)
    }
    // A client's demand is limited to a day.
    client.publisher.setDemand(EstimateDemand(fixes: true, fixInterval: 1e11))
    #expect(rig.demands.all.last == .every(seconds: 86_400))
    client.publisher.setDemand(EstimateDemand(headings: true))
    #expect(rig.demands.all.last == .every(seconds: 300))
    observation.cancel()
    rig.stop()
  }

  // MARK: Inputs

  private static let here = MonitoredRegion(
    identifier: "here",
    condition: .circle(
      center: GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: 10), radiusMetres: 200))

  /// A walk from 1 km east of the region's middle to 1 km west of it.
  private static func walk(_ index: Int) -> Estimate {
    let east = 1000 - Double(index) * 10
    var estimate = Estimate.fix(
      latitude: 0, longitude: 10 + east / 111_320, accuracy: 5, at: Double(index + 1) * 5)
    estimate.utc = UTCTime(secondsSince1970: 1_700_000_000 + Double(index) * 5)
    return estimate
  }

  private static func everything(at place: GeodeticPosition, second: Double) throws -> Estimate {
    var e = Estimate.fix(
      latitude: place.latitude.degrees, longitude: place.longitude.degrees, accuracy: 3,
      at: second)
    e.utc = UTCTime(secondsSince1970: 1_780_000_000 + second)
    e.magneticHeading = MagneticHeading(Angle(degrees: 20))
    // The declination depends on the place.
    e.trueHeading = TrueHeading(Angle(degrees: 20 + place.latitude.degrees / 10))
    e.headingAccuracy = Angle(degrees: 3)
    e.trueHeadingAccuracy = Angle(degrees: 3 + place.longitude.degrees / 100)
    e.field = MagneticField(microtesla: SIMD3(place.latitude.degrees, 0, 40))
    e.modelField = EarthField(horizontal: place.longitude.degrees, down: 40)
    e.earthField = e.modelField
    (e.altitudeMetres, e.verticalAccuracyMetres) = (place.latitude.degrees, 1)
    (e.speedMetresPerSecond, e.course) = (place.longitude.degrees, place.latitude)
    return e
  }

  private static func samples(at place: GeodeticPosition, second: Double) -> SensorSamples {
    var row = SensorSamples(timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: second)))
    row.inertial = InertialSample(
      timestamp: row.timestamp, angularRate: AngularRate(radiansPerSecond: SIMD3(0.1, 0, 0)),
      specificForce: SpecificForce(metresPerSecondSquared: SIMD3(0, 0, 9.81)))
    row.field = FieldSample(
      timestamp: row.timestamp,
      field: MagneticField(microtesla: SIMD3(place.latitude.degrees, 0, 40)))
    row.pressure = PressureSample(
      timestamp: row.timestamp, hectopascal: 1000 + place.longitude.degrees)
    return row
  }
}

@Suite("A client changes between a daemon and the program's own host", .timeLimit(.minutes(30)))
struct TakeoverTests {
  private static let here = MonitoredRegion(
    identifier: "here",
    condition: .circle(
      center: GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: 10), radiusMetres: 200))

  @Test("a later daemon serves the client, and after its end the program's own host")
  func takeover() throws {
    let own = ScriptedPublisher()
    let standIn = ScriptedHost.make(
      SourceOpening(isLive: true) { () throws(SourceError) in OpenedSource(publisher: own) })
    let rig = try ServiceRig()
    rig.daemon.stop()
    var timing = HostTiming()
    (timing.takeover, timing.lookInterval) = (0.5, 0.1)
    let client = try HostClient(
      application: "org.example.app", client: "test", environment: rig.environment,
      standIn: standIn, timing: timing)
    let (estimates, events) = (Collected<Estimate>(), Collected<MonitoringEvent>())
    let observation = client.publisher.observe { estimates.add($0) }
    let monitoring = client.monitoring
    monitoring.deliver { [weak monitoring] event in
      events.add(event)
      monitoring?.perform(.acknowledge(sequence: event.sequence))
    }
    monitoring.perform(.startRegion(Self.here))
    monitoring.perform(.startVisits)
    #expect(eventually { own.observerCount == 1 && events.all.count == 1 })
    own.send(.heading(1))
    #expect(eventually { estimates.all.count == 1 })

    for round in 0..<2 {
      try rig.restart()
      // The daemon's source is in use, and the program's is closed.
      #expect(eventually { own.observerCount == 0 && client.isConnected })
      let before = estimates.all.count
      #expect(
        eventually {
          rig.publisher.send(.heading(10, at: Double(round * 1000 + 10)))
          return estimates.all.count > before
        })
      // Another client of the application receives the registrations from the daemon.
      let other = try rig.client()
      #expect(eventually { other.monitoring.registrations().regions["here"] != nil })
      #expect(other.monitoring.registrations().visits)
      other.stop()
      rig.daemon.stop()
      #expect(eventually(within: 10) { own.observerCount == 1 })
      let own20 = Double(round * 1000 + 20)
      #expect(
        eventually {
          own.send(.heading(20, at: own20))
          return estimates.all.last.map { abs($0.timestamp.seconds - own20) < 1e-6 } ?? false
        })
      let registered = monitoring.registrations()
      #expect(registered.regions["here"] != nil && registered.visits)
    }
    // Sequence numbers are unique.
    #expect(Set(events.all.map(\.sequence)).count == events.all.count)
    observation.cancel()
    client.stop()
  }
}
