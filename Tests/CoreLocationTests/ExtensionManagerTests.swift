import CoreLocation
import EarthModel
import Formats
import LinuxIO
import Quantities
import Recording
import ScriptedSource
import Testing

@Suite(.timeLimit(.minutes(30))) struct ExtensionManagerTests {
  @Test("a manager made with a queue calls its delegate there")
  func queue() async throws {
    let bench = Bench()
    let queue = DispatchQueue(label: "test.delivery")
    let mark = QueueMark()
    queue.setSpecific(key: mark.key, value: true)
    let isThere = Locked<[Bool]>([])
    let manager = bench.use { CLLocationManager(queue: queue) }
    let recorder = Recorder()
    recorder.onLocations.withLock {
      $0 = { _ in
        let here = DispatchQueue.getSpecific(key: mark.key) == true
        isThere.withLock { $0.append(here) }
      }
    }
    manager.delegate = recorder
    recorder.manager = manager
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    bench.publisher.send(.fix(latitude: 1, longitude: 2))
    #expect(try await eventually { isThere.withLock { $0 } == [true] })
    #expect(try await eventually { recorder.events.first == "authorization 3" })
    #expect(recorder.events.filter { $0.hasPrefix("authorization") }.count == 1)
  }

  /// Immutable, but not marked Sendable by Swift 6.0's Dispatch.
  private struct QueueMark: @unchecked Sendable {
    let key = DispatchSpecificKey<Bool>()
  }

  /// A recording of a receiver at rest in a separate folder, some seconds long.
  private func recording() throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).csv")
    let lines = (0..<100).map { "\(Double($0) / 5),54,10,20,3,4,5,30" }
    let text = (["t,lat,lon,alt,hacc,vacc,speed,course"] + lines).joined(separator: "\n")
    try Data((text + "\n").utf8).write(to: url)
    return url
  }

  @Test(
    "a manager made for a source delivers that source's locations, which name it, and no other's")
  func source() async throws {
    let url = try recording()
    defer { do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) } }
    let bench = Bench()
    let source = CLLocationSource(id: "replay:\(url.path)", kind: .replay)
    let manager = bench.use { CLLocationManager(source: source) }
    let recorder = Recorder()
    manager.delegate = recorder
    recorder.manager = manager
    manager.startUpdatingLocation()
    #expect(try await eventually { !recorder.locations.isEmpty })
    let place = try #require(recorder.locations.first?.first)
    #expect(abs(place.coordinate.latitude - 54) < 1e-9 && place.sources == [source])
    #expect(place.sourceInformation?.isSimulatedBySoftware == true)
    #expect(place.velocity != nil && place.fix?.kind == .fix3D)
    #expect(bench.openings.withLock { $0 } == 0)
    manager.stopUpdatingLocation()
  }

  @Test("managers of one source share its services, which are released with the last of them")
  func sharing() {
    let registry = SourceRegistry()
    let source = CLLocationSource(id: "/dev/ttyACM0", kind: .gnss)
    weak var gone: LocationServices?
    do {
      let (first, second) = (registry.services(for: source), registry.services(for: source))
      let other = registry.services(for: CLLocationSource(id: "/dev/ttyACM1", kind: .gnss))
      #expect(first === second && first !== other)
      gone = first
    }
    #expect(gone == nil)
  }

  @Test("a source that cannot be opened gives denied, with the cause in the error")
  func denied() async throws {
    let missing = CLLocationSource(id: "replay:/nowhere/\(UUID()).csv", kind: .replay)
    let sources = [missing, CLLocationSource(id: "wlan0", kind: .wifi)]
    for source in sources {
      let manager = CLLocationManager(source: source)
      let recorder = Recorder()
      manager.delegate = recorder
      recorder.manager = manager
      manager.startUpdatingLocation()
      #expect(try await eventually { recorder.errors == ["error 1"] })
      #expect(manager.authorizationStatus == .denied)
    }
  }

  @Test("the open source is listed first, then the board, gpsd and the ports, each once")
  func available() async {
    let port = CLLocationSource(id: "/dev/ttyACM0", kind: .gnss)
    let all = CLLocationSource.available(
      beside: [port], hasBus: true, hasGPSD: true, ports: ["/dev/serial0", "/dev/ttyACM0"])
    #expect(all.map(\.id) == ["/dev/ttyACM0", "board", "gpsd://localhost:2947", "/dev/serial0"])
    #expect(all.map(\.kind) == [.gnss, .fused, .gnss, .gnss])
    #expect(
      CLLocationSource.available(beside: [], hasBus: false, hasGPSD: false, ports: []).isEmpty)
  }

  @Test("the reference point is offset from the antenna by the attitude relative to true north")
  func leverArm() throws {
    var e = Estimate.fix(latitude: 54, longitude: 10)
    e.altitudeMetres = 20
    e.isLevelKnown = true
    e.attitude = Rotation(
      AttitudeAngles(heading: Angle(degrees: 87), pitch: .zero, roll: .zero))
    e.magneticHeading = MagneticHeading(Angle(degrees: 87))
    // Three metres forward and one up, with the bow to true east.
    let arm = SIMD3(3.0, 0, -1)
    #expect(e.moved(byArm: arm) == e)
    e.trueHeading = TrueHeading(Angle(degrees: 90))
    let moved = e.moved(byArm: arm)
    let way = Geodesic.inverse(
      from: try #require(moved.position), to: try #require(e.position))
    #expect(abs(way.distanceMetres - 3) < 1e-6)
    #expect(abs(way.initialBearing.degrees - 90) < 1e-3)
    #expect(abs((moved.altitudeMetres ?? 0) - 19) < 1e-9)
  }

  // MARK: Samples

  private func row(_ seconds: Double) -> SensorSamples {
    let t = Timestamp(nanoseconds: UInt64(bounded: (seconds * 1e9).rounded()))
    var row = SensorSamples(timestamp: t)
    row.inertial = InertialSample(
      timestamp: t, angularRate: AngularRate(radiansPerSecond: SIMD3(0.1, 0.2, 0.3)),
      specificForce: SpecificForce(metresPerSecondSquared: SIMD3(1, 2, 9.8)))
    row.field = FieldSample(timestamp: t, field: MagneticField(microtesla: SIMD3(20, -3, -44)))
    row.pressure = PressureSample(timestamp: t, hectopascal: 1013, celsius: 21)
    return row
  }

  private static func isNear(_ a: CLVector3?, _ b: CLVector3) -> Bool {
    a.map { CLVector3(x: $0.x - b.x, y: $0.y - b.y, z: $0.z - b.z).magnitude < 1e-9 } ?? false
  }

  @Test("samples are along right, forward and up, and hold the source open while they are read")
  func samples() async throws {
    let bench = Bench()
    let (manager, _) = bench.manager()
    do {
      var samples = manager.sensorSamples(Set(CLSensorKind.allCases)).makeAsyncIterator()
      bench.waitUntilIdle()
      #expect(bench.services.isOpen && bench.publisher.rowObserverCount == 1)
      bench.publisher.send(row(1))
      var vectors: [CLSensorKind: CLVector3] = [:]
      for _ in 0..<5 {
        let sample = try #require(await samples.next())
        #expect(sample.monotonicTimestamp == 1_000_000_000)
        vectors[sample.kind] = sample.vector
      }
      // The board's x points forward, its y to the left, its z up.
      #expect(Self.isNear(vectors[.accelerometer], CLVector3(x: -2, y: 1, z: 9.8)))
      #expect(Self.isNear(vectors[.gyroscope], CLVector3(x: -0.2, y: 0.1, z: 0.3)))
      #expect(Self.isNear(vectors[.magnetometer], CLVector3(x: 3, y: 20, z: -44)))
      #expect(vectors[.barometer]?.x == 1013 && vectors[.thermometer]?.x == 21)
    }
    #expect(try await eventually { !bench.services.isOpen })
    #expect(bench.publisher.rowObserverCount == 0)
  }

  @Test("only the wanted kinds are delivered, at most at the rate")
  func rate() async throws {
    let bench = Bench()
    let (manager, _) = bench.manager()
    let sequence = manager.sensorSamples([.gyroscope], rate: 30)
    var samples = sequence.makeAsyncIterator()
    bench.waitUntilIdle()
    for step in 0...300 { bench.publisher.send(row(1 + Double(step) / 100)) }
    var times: [Double] = []
    for _ in 0..<90 {
      let sample = try #require(await samples.next())
      #expect(sample.kind == .gyroscope)
      times.append(Double(sample.monotonicTimestamp) * 1e-9)
    }
    let mean = (try #require(times.last) - 1) / 89
    #expect(abs(mean - 1.0 / 30) < 0.001, "\(mean)")
    #expect(sequence.droppedCount == 0)
  }

  @Test("a slow reader receives the newest samples and the number of dropped ones")
  func slow() async throws {
    let bench = Bench()
    let (manager, _) = bench.manager()
    let sequence = manager.sensorSamples([.barometer])
    var samples = sequence.makeAsyncIterator()
    bench.waitUntilIdle()
    let count = CLSensorSample.Samples.capacity + 100
    for step in 0..<count { bench.publisher.send(row(1 + Double(step))) }
    #expect(sequence.droppedCount == 100)
    let first = try #require(await samples.next())
    #expect(first.monotonicTimestamp == 101_000_000_000)
  }

  @Test("without a source the samples end")
  func noSource() async {
    let bench = Bench(failure: .noSensors(searched: []))
    let (manager, _) = bench.manager()
    var samples = manager.sensorSamples([.gyroscope]).makeAsyncIterator()
    #expect(await samples.next() == nil)
  }
}
