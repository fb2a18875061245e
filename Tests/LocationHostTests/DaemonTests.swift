import Board
import Formats
import Foundation
import HostClient
import HostProtocol
import LinuxIO
import LocationHost
import Monitoring
import Pipeline
import Quantities
import ScriptedSource
import Servers
import TestSupport
import Testing

private let hello =
  "{\"type\":\"hello\",\"body\":{\"version\":1,\"application\":\"a.b\",\"client\":\"raw\",\"pid\":1}}\n"

@Suite("The daemon and its clients", .timeLimit(.minutes(30)))
struct DaemonTests {
  @Test("a client's long name with control characters is logged short and on one line")
  func clientName() throws {
    let rig = try ServiceRig()
    let name = "\\u001b[2Jboat\\n" + String(repeating: "x", count: 250_000)
    do {
      let client = try RawClient(rig)
      try client.send(hello.replacingOccurrences(of: "\"raw\"", with: "\"\(name)\""))
      #expect(try client.line()?.contains("\"welcome\"") == true)
      try client.send(hello)
      #expect(try client.isClosed())
    }
    let named = { rig.logged.all.filter { $0.contains("boat") } }
    #expect(eventually { named().contains { $0.contains("is disconnected") } })
    #expect(named().count >= 3)
    for line in named() {
      #expect(line.count < 300 && !line.contains("\u{1B}") && !line.contains("\n"))
    }
    rig.daemon.stop()
  }

  @Test("a client receives the source, every fix and the newest heading")
  func stream() throws {
    let rig = try ServiceRig()
    let client = try rig.client()
    #expect(client.source.isOpen && client.source.hasMagnetometer && client.source.isLive)
    #expect(client.access.current.authorization == .always)
    let got = Collected<Estimate>()
    let observation = client.publisher.observe { got.add($0) }
    #expect(eventually { rig.logged.all.contains { $0.contains("is connected") } })
    // Estimates before the demand arrives are not delivered.
    var n = 0
    while got.all.isEmpty, n < 500 {
      n += 1
      rig.publisher.send(.heading(Double(n % 360), at: Double(n)))
      Thread.sleep(forTimeInterval: 0.005)
    }
    for fix in 0..<50 {
      rig.publisher.send(.fix(latitude: Double(fix), longitude: 11, at: Double(1000 + fix)))
    }
    #expect(eventually { got.all.filter { $0.position != nil }.count == 50 })
    let latitudes = got.all.compactMap { $0.position?.latitude.degrees.rounded() }
    let expected: [Double] = (0..<50).map { Double($0) }
    #expect(latitudes == expected)
    #expect(client.publisher.latest?.timestamp.seconds == 1049)
    observation.cancel()
    rig.daemon.stop()
  }

  @Test("a cancelled observer ends the client's demand")
  func quiet() throws {
    let rig = try ServiceRig()
    let client = try rig.client()
    let got = Collected<Estimate>()
    let observation = client.publisher.observe { got.add($0) }
    #expect(
      eventually {
        rig.publisher.send(.heading(1))
        return !got.all.isEmpty
      })
    #expect(eventually { rig.demands.all.last == .continuous })
    observation.cancel()
    #expect(eventually { rig.demands.all.last == FixDemand.none })
    // A later observer does not begin with a heading of now.
    #expect(client.publisher.latest == nil)
    rig.daemon.stop()
  }

  @Test("headings are limited to the requested rate; every fix is delivered")
  func rate() throws {
    let rig = try ServiceRig()
    let client = try rig.client()
    let got = Collected<Estimate>()
    client.publisher.setDemand(EstimateDemand(fixes: true, headings: true, headingInterval: 0.1))
    let observation = client.publisher.observe { got.add($0) }
    #expect(
      eventually {
        rig.publisher.send(
          .fix(
            latitude: 1, longitude: 1,
            at: Double(got.all.count + 1) * 1e-6 + Date().timeIntervalSince1970))
        return !got.all.isEmpty
      })
    let start = 2e9
    func times() -> [Double] { got.all.map { $0.timestamp.seconds - start }.filter { $0 >= 0 } }
    for n in 0...200 {
      rig.publisher.send(.heading(1, at: start + Double(n) * 0.02))
      // Only the newest heading waits for a client: each one that is due is awaited.
      if n % 5 == 0 { #expect(eventually { times().count == n / 5 + 1 }) }
    }
    #expect(zip(times(), 0...40).allSatisfy { abs($0 - Double($1) / 10) < 1e-5 }, "\(times())")
    for n in 0..<20 {
      rig.publisher.send(
        .fix(latitude: 2, longitude: 2, at: start + 5 + Double(n) * 0.01))
    }
    #expect(eventually { times().filter { $0 > 4.999 }.count == 20 })
    observation.cancel()
    rig.daemon.stop()
  }

  @Test(
    "samples are delivered while observed, also after a daemon's restart, and not without access"
  )
  func samples() throws {
    let rig = try ServiceRig(
      ScriptedPublisher(positionOrigin: .receiver("/dev/ttyAMA0")),
      policy: "applications: {org.example.denied: {authorization: denied}}")
    let (client, denied) = (try rig.client(), try rig.client("org.example.denied"))
    #expect(denied.access.current.authorization == .denied)
    #expect(client.publisher.positionOrigin == .receiver("/dev/ttyAMA0"))
    #expect(client.publisher.mounting == rig.publisher.mounting)
    let (got, withheld) = (Collected<SensorSamples>(), Collected<SensorSamples>())
    let observations = [
      client.publisher.observeRows { got.add($0) },
      denied.publisher.observeRows { withheld.add($0) },
    ]
    func row(_ n: UInt64) -> SensorSamples {
      var row = SensorSamples(timestamp: Timestamp(nanoseconds: n))
      row.field = FieldSample(
        timestamp: row.timestamp, field: MagneticField(microtesla: SIMD3(Double(n), 0, 40)))
      return row
    }
    func arrive(from start: UInt64) -> Bool {
      var n = start
      return eventually {
        n += 1
        rig.publisher.send(row(n))
        return got.all.last.map { $0.timestamp.nanoseconds > start } ?? false
      }
    }
    #expect(arrive(from: 0))
    for n in UInt64(5000)..<5500 { rig.publisher.send(row(n)) }
    #expect(eventually { got.all.filter { $0.timestamp.nanoseconds >= 5000 }.count == 500 })
    #expect(got.all.suffix(500) == (UInt64(5000)..<5500).map { row($0) }[...])
    // Rows without a sample are not delivered.
    rig.publisher.send(SensorSamples(timestamp: Timestamp(nanoseconds: 9000)))
    rig.daemon.stop()
    try rig.restart()
    #expect(eventually { client.isConnected && rig.publisher.rowObserverCount == 1 })
    #expect(arrive(from: 10_000))
    #expect(!got.all.contains { $0.timestamp.nanoseconds == 9000 })
    #expect(withheld.all.isEmpty)
    for observation in observations { observation.cancel() }
    rig.daemon.stop()
  }

  @Test("at reduced accuracy samples have no pressure and field, which depend on the place")
  func reducedSamples() throws {
    let rig = try ServiceRig(policy: "applications: {org.example.area: {accuracy: reduced}}")
    let client = try rig.client("org.example.area")
    #expect(client.access.current.accuracy == .reduced)
    let got = Collected<SensorSamples>()
    let observation = client.publisher.observeRows { got.add($0) }
    var n: UInt64 = 0
    let hasCome = eventually {
      n += 1
      var row = SensorSamples(timestamp: Timestamp(nanoseconds: n))
      row.pressure = PressureSample(timestamp: row.timestamp, hectopascal: 1013)
      if n % 2 == 0 {
        row.field = FieldSample(
          timestamp: row.timestamp, field: MagneticField(microtesla: SIMD3(20, 0, 40)))
        row.inertial = InertialSample(
          timestamp: row.timestamp,
          angularRate: AngularRate(radiansPerSecond: SIMD3(0.1, 0, 0)), specificForce: nil)
      }
      rig.publisher.send(row)
      return got.all.count >= 3
    }
    #expect(hasCome)
    #expect(
      got.all.allSatisfy { $0.pressure == nil && $0.field == nil && $0.inertial != nil })
    observation.cancel()
    rig.daemon.stop()
  }

  @Test("malformed lines, unknown versions and invalid names are answered with an error and closed")
  func refusals() throws {
    let rig = try ServiceRig()
    for (line, words) in [
      ("garbage\n", ["malformed", "no message"]),
      ("{\"type\":\"lease\",\"body\":true}\n", ["order", "before 'hello'"]),
      (hello + hello, ["order", "second"]),
      (hello + "{\"type\":\"demand\"}\n", ["malformed", "'demand'"]),
      (
        hello.replacingOccurrences(of: ":1,\"app", with: ":0,\"app"),
        ["version", "version 0"]
      ),
      (hello.replacingOccurrences(of: "a.b", with: "../b"), ["application", "../b"]),
      (String(repeating: "x", count: LineLimit.request + 1), ["tooLong", "262144"]),
    ] {
      let raw = try RawClient(rig)
      try raw.send(line)
      var last: String?
      while let line = try raw.line() { last = line }
      for word in ["refused"] + words { #expect(last?.contains(word) == true, "\(last ?? "-")") }
      #expect(try raw.isClosed())
    }
    // The daemon still accepts clients.
    #expect(try rig.client().isConnected)
    rig.daemon.stop()
  }

  @Test("a newer client and unknown messages are served")
  func forward() throws {
    let rig = try ServiceRig()
    let raw = try RawClient(rig)
    try raw.send(
      "{\"type\":\"hello\",\"new\":[1],\"body\":{\"version\":99,\"application\":\"a.b\",\"client\":\"raw\",\"pid\":1,\"mood\":2}}\n"
        + "{\"type\":\"sing\",\"body\":{}}\n{\"type\":\"registrations\",\"id\":5}\n")
    #expect(try raw.line()?.contains("\"welcome\"") == true)
    let answer = try raw.line(with: "\"registrations\"")
    #expect(answer?.contains("\"id\":5") == true)
    rig.daemon.stop()
  }

  @Test("a client that never reads loses headings, is disconnected, and delays no other client")
  func neverReads() throws {
    let rig = try ServiceRig()
    let raw = try RawClient(rig)
    try raw.send(hello + "{\"type\":\"demand\",\"body\":{\"fixes\":true,\"headings\":true}}\n")
    let client = try rig.client()
    let got = Collected<Estimate>()
    let observation = client.publisher.observe { got.add($0) }
    #expect(
      eventually {
        rig.publisher.send(.heading(1))
        return !got.all.isEmpty
      })
    for n in 0..<(OutputQueue.mostFixes + 200) {
      rig.publisher.send(.fix(latitude: 1, longitude: 1, at: Double(n + 10)))
      if n % 50 == 0 { Thread.sleep(forTimeInterval: 0.01) }
    }
    #expect(
      eventually { rig.logged.all.contains { $0.contains("dropped") && $0.contains("lease") } })
    #expect(
      eventually { got.all.filter { $0.position != nil }.count == OutputQueue.mostFixes + 200 })
    observation.cancel()
    rig.daemon.stop()
  }

  @Test("many requests that need the disk are all handled in order")
  func manyRequests() throws {
    let rig = try ServiceRig()
    let raw = try RawClient(rig)
    try raw.send(hello)
    for n in 0..<1000 {
      let request = ClientMessage.monitor(
        id: UInt64(1000 + n), n % 2 == 0 ? .startVisits : .stopVisits)
      try raw.send(String(decoding: request.line, as: UTF8.self) + "\n")
    }
    for n in 0..<1000 {
      let answer = try raw.line(with: "\"done\"")
      #expect(answer?.contains("\"id\":\(1000 + n)") == true, "\(answer ?? "no answer")")
    }
    rig.daemon.stop()
  }

  @Test("a client of a daemon that never reads closes the connection, with bounded memory")
  func daemonThatHangs() throws {
    let folder = try TemporaryFolder()
    let listener = try StreamListener(path: folder.path + "/s", backlog: 4)
    let peers = Collected<StreamSocket>()
    let thread = Thread {
      let end = Date(timeIntervalSinceNow: 5)
      while Date() < end {
        do {
          if let peer = try listener.accept() {
            let welcome = HostMessage.welcome(
              HostWelcome(
                version: 1, pid: 1, source: SourceDescription(),
                access: GrantedAccess(authorization: .always, accuracy: .full), calibration: nil,
                lastFix: nil))
            _ = try peer.write((welcome.line + [10])[...])
            peers.add(peer)
            return
          }
        } catch {
          return
        }
        Thread.sleep(forTimeInterval: 0.005)
      }
    }
    thread.start()
    let client = try HostClient(
      application: "a", environment: ["LODESTAR_SOCKET": folder.path + "/s"])
    let monitoring = client.monitoring
    for n in 0..<40_000 where client.isConnected {
      monitoring.perform(.stopRegion(identifier: "region \(n)"))
    }
    #expect(eventually { !client.isConnected })
    #expect(client.core.withState { $0.waitingMessages } == 0)
    client.stop()
    withExtendedLifetime(listener) {}
  }

  @Test("the first heading of a new client has neither the place of the last fix nor its accuracy")
  func firstHeading() throws {
    let rig = try ServiceRig()
    let first = try rig.client()
    rig.publisher.send(.fix(latitude: 48, longitude: 11, at: 5))
    withExtendedLifetime(first) {}
    let raw = try RawClient(rig)
    try raw.send(hello + "{\"type\":\"demand\",\"body\":{\"fixes\":true,\"headings\":true}}\n")
    let line = try raw.line(with: "\"estimate\"")
    let bytes = Array(try #require(line).utf8)
    guard case .estimate(let estimate) = try HostMessage(line: bytes) else {
      Issue.record("no estimate")
      return
    }
    #expect(estimate.position == nil && estimate.fixKind == nil)
    #expect(estimate.horizontalAccuracyMetres == nil && estimate.fixTimestamp == nil)
    rig.daemon.stop()
  }

  @Test("a client beyond the limit receives an error")
  func tooMany() throws {
    let rig = try ServiceRig { $0.mostClients = 2 }
    let (a, b) = (try rig.client(), try rig.client())
    #expect(throws: HostError.self) { try rig.client() }
    #expect(a.isConnected && b.isConnected)
    rig.daemon.stop()
  }

  @Test(
    "a second daemon at the same socket or state fails; a socket without a listener is replaced"
  )
  func second() throws {
    let rig = try ServiceRig()
    #expect(throws: ServeError.alreadyServed(path: rig.configuration.socketPath)) {
      try rig.restart()
    }
    var other = rig.configuration
    other.socketPath += "2"
    #expect(throws: ServeError.stateInUse(folder: other.stateFolder)) {
      _ = try Daemon(
        SourceOpening(isLive: true) { () throws(SourceError) in throw .noSensors(searched: []) },
        configuration: other, environment: [:], log: rig.logged.log)
    }
    rig.daemon.abandon()
    #expect(FileManager.default.fileExists(atPath: rig.configuration.socketPath))
    try rig.restart()
    #expect(try rig.client().isConnected)
    rig.daemon.stop()
    #expect(!FileManager.default.fileExists(atPath: rig.configuration.socketPath))
  }

  @Test("only the daemon's user can read the state, also if an older version left it open")
  func privateState() throws {
    let rig = try ServiceRig()
    rig.daemon.stop()
    let state = rig.configuration.stateFolder
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: state)
    try rig.restart()
    let client = try rig.client()
    client.monitoring.perform(.startVisits)
    _ = client.monitoring.registrations()
    var fix = Estimate.fix(latitude: 48, longitude: 11, at: 5)
    fix.utc = UTCTime(nanosecondsSince1970: 1_700_000_000_000_000_000)
    rig.publisher.send(fix)
    #expect(eventually { files.fileExists(atPath: state + "/last-fix.json") })
    rig.daemon.stop()
    func mode(_ name: String) throws -> Int? {
      try files.attributesOfItem(atPath: state + name)[.posixPermissions] as? Int
    }
    #expect(try mode("") == 0o700)
    #expect(try mode("/last-fix.json") == 0o600)
    let application = "/applications/\(getuid())/org.example.app"
    #expect(try mode(application) == 0o700)
    #expect(try mode(application + "/application.json") == 0o600)
    #expect(try mode("/monitoring/\(getuid())/org.example.app/number") == 0o600)
  }

  @Test(
    "of several daemons that start at once after a kill, one serves and its socket remains"
  )
  func atOnce() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s"
    for round in 0..<10 {
      // A socket file without a listener.
      if round == 0 { _ = try StreamListener(path: path, backlog: 1) }
      let (daemons, faults) = (Collected<Daemon>(), Collected<String>())
      DispatchQueue.concurrentPerform(iterations: 8) { index in
        let configuration = ServeConfiguration(
          socketPath: path, stateFolder: folder.path + "/state\(index)")
        do {
          daemons.add(
            try Daemon(
              SourceOpening(isLive: true) { () throws(SourceError) in
                throw .noSensors(searched: [])
              }, configuration: configuration, environment: [:], log: LoggedLines().log))
        } catch {
          faults.add("\(error)")
        }
      }
      #expect(daemons.all.count == 1 && faults.all.count == 7, "\(faults.all)")
      _ = try StreamSocket(path: path)
      daemons.all.first?.start()
      daemons.all.first?.abandon()
    }
  }

  @Test("a daemon waits for another one that is replacing the socket")
  func oneTurn() throws {
    let folder = try TemporaryFolder()
    let file = open(folder.path, O_RDONLY | O_DIRECTORY)
    #expect(file >= 0 && flock(file, LOCK_EX) == 0)
    let configuration = ServeConfiguration(
      socketPath: folder.path + "/s", stateFolder: folder.path + "/state")
    func daemon() throws -> Daemon {
      try Daemon(
        SourceOpening(isLive: true) { () throws(SourceError) in throw .noSensors(searched: []) },
        configuration: configuration, environment: [:], log: LoggedLines().log)
    }
    let begin = ContinuousClock.now
    var fault = ""
    do { _ = try daemon() } catch { fault = "\(error)" }
    #expect(fault.contains("cannot be locked"), "\(fault)")
    #expect(ContinuousClock.now - begin > .seconds(1.5))
    #expect(!FileManager.default.fileExists(atPath: configuration.socketPath))
    close(file)
    let next = try daemon()
    next.start()
    next.stop()
  }

  @Test("a symbolic link in place of the state folder's lock is refused and not followed")
  func linkedLock() throws {
    let folder = try TemporaryFolder()
    let configuration = ServeConfiguration(
      socketPath: folder.path + "/s", stateFolder: folder.path + "/state")
    try FileManager.default.createDirectory(
      atPath: configuration.stateFolder, withIntermediateDirectories: false)
    let target = folder.path + "/elsewhere"
    #expect(symlink(target, configuration.stateFolder + "/lock") == 0)
    do throws(ServeError) {
      _ = try Daemon(
        SourceOpening(isLive: true) { () throws(SourceError) in throw .noSensors(searched: []) },
        configuration: configuration, environment: [:], log: LoggedLines().log)
      Issue.record("the link was followed")
    } catch {
      guard case .folder(configuration.stateFolder, _) = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test("a regular file at the socket's path is not replaced")
  func file() throws {
    let rig = try ServiceRig()
    rig.daemon.stop()
    try Data("x".utf8).write(to: URL(fileURLWithPath: rig.configuration.socketPath))
    #expect(throws: ServeError.noSocketThere(path: rig.configuration.socketPath)) {
      try rig.restart()
    }
    #expect(FileManager.default.fileExists(atPath: rig.configuration.socketPath))
  }

  @Test("a client connects to the next daemon, and reports the loss of the connection")
  func restart() throws {
    let rig = try ServiceRig()
    let client = try rig.client()
    let (got, links) = (Collected<Estimate>(), Collected<Bool>())
    let observation = client.publisher.observe { got.add($0) }
    let connection = client.observeConnection { links.add($0 == nil) }
    for round in 1...3 {
      rig.daemon.abandon()
      #expect(eventually { !client.isConnected })
      try rig.restart()
      #expect(eventually { client.isConnected })
      let before = got.all.count
      #expect(
        eventually {
          rig.publisher.send(.heading(Double(round)))
          return got.all.count > before
        })
    }
    #expect(links.all == [false, true, false, true, false, true])
    observation.cancel()
    connection.cancel()
    rig.daemon.stop()
  }

  @Test("without a sensor clients receive the error, and estimates after one is attached")
  func waiting() throws {
    let folder = try TemporaryFolder()
    let publisher = ScriptedPublisher()
    let attempts = Collected<Int>()
    let opening = SourceOpening(isLive: true) { () throws(SourceError) in
      attempts.add(1)
      if attempts.all.count == 1 { throw .noSensors(searched: []) }
      return OpenedSource(publisher: publisher)
    }
    let logLines = LoggedLines()
    let configuration = ServeConfiguration(
      socketPath: folder.path + "/s", stateFolder: folder.path + "/state")
    let daemon = try Daemon(
      opening, configuration: configuration, environment: [:], log: logLines.log)
    daemon.start()
    #expect(eventually { logLines.all.contains { $0.contains("no sensor found") } })
    let client = try HostClient(
      application: "a", environment: ["LODESTAR_SOCKET": configuration.socketPath])
    #expect(!client.source.isOpen && client.source.fault?.contains("no sensor found") == true)
    let sources = Collected<SourceDescription>()
    let observation = client.observeSource { sources.add($0) }
    #expect(eventually(within: 10) { client.source.isOpen })
    #expect(sources.all.last?.hasMagnetometer == true && sources.all.last?.fault == nil)
    observation.cancel()
    daemon.stop()
  }

  @Test(
    "the last real fix is stored; a simulated one is not, and a simulation delivers no real one"
  )
  func lastFix() throws {
    let rig = try ServiceRig()
    _ = try rig.client()
    var fix = Estimate.fix(latitude: 48, longitude: 11, at: 5)
    fix.utc = UTCTime(nanosecondsSince1970: 1_700_000_000_000_000_000)
    rig.publisher.send(fix)
    let client = try rig.client()
    #expect(
      eventually {
        FileManager.default.fileExists(atPath: rig.configuration.stateFolder + "/last-fix.json")
      })
    rig.daemon.stop()
    try rig.restart()
    #expect(eventually { client.isConnected })
    #expect(client.lastFix == fix)
    rig.daemon.stop()
    let simulated = try ServiceRig(ScriptedPublisher(isSimulated: true), isLive: false)
    try Data(contentsOf: URL(fileURLWithPath: rig.configuration.stateFolder + "/last-fix.json"))
      .write(to: URL(fileURLWithPath: simulated.configuration.stateFolder + "/last-fix.json"))
    simulated.daemon.stop()
    try simulated.restart()
    let other = try simulated.client()
    #expect(other.lastFix == nil && other.source.isSimulated && !other.source.isLive)
    simulated.daemon.stop()
  }

  @Test("a client controls the calibration, and its session ends with the client")
  func calibration() throws {
    let calibrator = ScriptedCalibrator()
    let rig = try ServiceRig(ScriptedPublisher(calibrator: calibrator))
    var client: HostClient? = try rig.client()
    let remote = try #require(client?.publisher.calibrator)
    #expect(remote.standing == .uncalibrated)
    let changes = Collected<CalibrationStanding>()
    let observation = remote.observe { changes.add(remote.standing) }
    remote.begin()
    #expect(eventually { calibrator.isCollecting && remote.standing == .collecting(progress: 0) })
    calibrator.advance(to: 0.5)
    #expect(eventually { remote.standing == .collecting(progress: 0.5) })
    let new = CalibrationInUse(
      MagnetometerCalibration(
        softIron: .identity, hardIron: MagneticField(microtesla: SIMD3(1, 2, 0.1)), quality: .good,
        predictedHeadingError: Angle(degrees: 1)), residualMicrotesla: 0.3)
    calibrator.finish(new)
    #expect(eventually { remote.standing == .calibrated(residualMicrotesla: 0.3) })
    #expect(remote.inUse == new)
    remote.reset()
    #expect(eventually { remote.inUse == nil })
    try remote.use(new)
    #expect(eventually { remote.inUse == new })
    #expect(changes.all.count >= 4)
    remote.begin()
    #expect(eventually { calibrator.isCollecting })
    observation.cancel()
    client?.stop()
    client = nil
    #expect(eventually { !calibrator.isCollecting })
    rig.daemon.stop()
  }

  @Test("a client receives the error of a calibration that cannot be used or stored")
  func calibrationFaults() throws {
    let rig = try ServiceRig(
      ScriptedPublisher(calibrator: ScriptedCalibrator(refusal: .notKept("the disk is full"))))
    let remote = try #require(try rig.client().publisher.calibrator)
    let new = CalibrationInUse(
      MagnetometerCalibration(
        softIron: .identity, hardIron: .zero, quality: .assumed))
    do {
      try remote.use(new)
      Issue.record("it was used")
    } catch {
      #expect("\(error)".contains("was not kept: ") && "\(error)".contains("the disk is full"))
    }
    rig.daemon.stop()
  }
}
