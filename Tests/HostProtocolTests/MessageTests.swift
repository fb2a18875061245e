import Board
import HostProtocol
import Monitoring
import Quantities
import ReceiverProtocols
import TestSupport
import Testing

@Suite("Messages between host and client", .timeLimit(.minutes(30)))
struct MessageTests {
  private static let region = MonitoredRegion(
    identifier: "home \"x\"",
    condition: .circle(
      center: GeodeticPosition(latitudeDegrees: 45, longitudeDegrees: 90), radiusMetres: 100))
  private static let calibration = CodedCalibration(
    MagnetometerCalibration(
      softIron: .identity, hardIron: MagneticField(microtesla: SIMD3(1.1, -2.2, 3.3)),
      quality: .good, predictedHeadingError: Angle(degrees: 1.5),
      predictedLevelError: Angle(degrees: 1.25), use: .level), residualMicrotesla: 0.4)

  private static let samples: SensorSamples = {
    var samples = SensorSamples(timestamp: Timestamp(nanoseconds: 5))
    samples.inertial = InertialSample(
      timestamp: Timestamp(nanoseconds: 3),
      angularRate: AngularRate(radiansPerSecond: SIMD3(0.1, -0.2, .infinity)),
      specificForce: SpecificForce(metresPerSecondSquared: SIMD3(1.0 / 3, 0, 9.81)))
    samples.field = FieldSample(
      timestamp: Timestamp(nanoseconds: 4), field: MagneticField(microtesla: SIMD3(20, -3, 41.5)))
    samples.pressure = PressureSample(
      timestamp: Timestamp(nanoseconds: 2), hectopascal: 1013.25, celsius: -1)
    return samples
  }()

  private static let outputs: [ReceiverOutput] = {
    let (instant, utc) = (Timestamp(nanoseconds: .max), UTCTime(nanosecondsSince1970: -7))
    var sky = SkyReport(timestamp: instant, utc: utc, satellites: [])
    let empty = sky
    sky.satellites = Constellation.allCases.map {
      SkyView.Satellite(
        id: SatelliteID(constellation: $0, number: .max), elevationDegrees: 0.1,
        azimuthDegrees: 359.9, signalDecibelHertz: 40.3, isUsed: true, isHealthy: false)
    }
    sky.satellites.append(SkyView.Satellite(id: SatelliteID(constellation: .gps, number: 1)))
    (sky.horizontalDilution, sky.verticalDilution, sky.positionDilution) = (0.1, 0.2, 0.3)
    (sky.geometricDilution, sky.timeDilution) = (0.4, .infinity)
    let pulse = MarkedPulse(
      instant: instant, second: utc, systemUTC: utc, quantisationErrorPicoseconds: .min)
    return [
      .sky(sky), .sky(empty), .bytes([]), .bytes(Array(0...255)),
      .time(ReceiverTime(utc: utc, arrival: instant, systemUTC: utc)),
      .time(
        ReceiverTime(
          utc: utc, arrival: instant, systemUTC: utc, hasFix: true, isResolved: false)),
      .pulse(PulseReport(pulse, isPaired: true, jitterSeconds: 1e-6)),
      .pulse(PulseReport(MarkedPulse(instant: instant), isPaired: false)),
    ]
  }()

  @Test("a receiver's output is decoded unchanged; another kind of it is ignored")
  func receiverOutput() throws {
    func line(_ body: String) -> [UInt8] { Array("{\"type\":\"receiver\",\"body\":\(body)}".utf8) }
    for output in Self.outputs {
      let message = HostMessage.receiver(output)
      #expect(try HostMessage(line: message.line) == message)
    }
    #expect(try HostMessage(line: line(#"{"smell":[1]}"#)) == .unknown(type: "receiver"))
    let unknownSystem = #"{"sky":{"timestamp":1,"satellites":[{"system":99,"number":1}]}}"#
    #expect(
      try HostMessage(line: line(unknownSystem))
        == .receiver(.sky(SkyReport(timestamp: Timestamp(nanoseconds: 1), satellites: []))))
    for fault in [
      #"{"bytes":"*"}"#, #"{"sky":{}}"#, #"{"time":{"utc":1}}"#, #"{"pulse":{}}"#,
      #"{"sky":{"timestamp":1,"satellites":[{"system":1}]}}"#,
      #"{"sky":{"timestamp":1,"satellites":[{"system":256,"number":1}]}}"#,
    ] {
      #expect(throws: HostFault.self) { try HostMessage(line: line(fault)) }
    }
  }

  @Test("samples may have unknown keys, and need a timestamp")
  func sampleLines() throws {
    func line(_ body: String) -> [UInt8] { Array("{\"type\":\"samples\",\"body\":\(body)}".utf8) }
    var expected = SensorSamples(timestamp: Timestamp(nanoseconds: 7))
    expected.pressure = PressureSample(timestamp: expected.timestamp, hectopascal: 1000)
    #expect(
      try HostMessage(line: line("{\"new\":[{}],\"pressure\":1000,\"timestamp\":7}"))
        == .samples(expected))
    for body in ["{}", "{\"timestamp\":7,\"field\":[1,2]}", "{\"timestamp\":-7}", "[]", "{"] {
      #expect(throws: HostFault.self) { try HostMessage(line: line(body)) }
    }
  }

  @Test("every client message is decoded unchanged")
  func clientMessages() throws {
    let messages: [ClientMessage] = [
      .hello(ClientHello(application: "a.b", client: "c", pid: 7)),
      .demand(
        EstimateDemand(
          fixes: true, headings: true, headingInterval: 0.1, fixInterval: 5,
          desiredAccuracyMetres: 100)),
      .demand(.none),
      .calibrate(id: 1, .begin(use: nil)), .calibrate(id: 1, .begin(use: "level")),
      .calibrate(id: 1, .finish), .calibrate(id: 2, .cancel), .calibrate(id: 3, .reset),
      .calibrate(id: 4, .use(Self.calibration)),
      .monitor(id: 5, .startRegion(Self.region)), .monitor(id: 6, .startVisits),
      .monitor(id: .max, .acknowledge(sequence: .max)),
      .monitor(
        id: 7,
        .addCondition(
          monitor: "m", identifier: "i", condition: .beacon(BeaconPattern(uuid: "U", major: 1)),
          assuming: .unknown)),
      .listen(true), .listen(false), .registrations(id: 8), .authorize(.always),
      .fullAccuracy(id: 9, purpose: "map"), .lease(true),
      .samples(true), .receiver(true), .receiver(false),
      .profiles(id: 10, .list(generation: nil)), .profiles(id: 11, .list(generation: 7)),
      .profiles(id: 12, .rollback(generation: 3)),
      .profiles(
        id: 13,
        .store(
          ProfileContent(
            text: "{\n\"a\": \"µT\"}", name: "f", isChecked: false, mayBeForeign: true,
            after: 0))),
    ]
    for message in messages {
      let line = message.line
      #expect(!line.contains(UInt8(ascii: "\n")))
      #expect(try ClientMessage(line: line) == message)
    }
  }

  @Test("every host message is decoded unchanged")
  func daemonMessages() throws {
    var registrations = MonitoringRegistrations()
    registrations.regions["home"] = Self.region
    registrations.visits = true
    let event = MonitoringEvent(
      sequence: 3, time: UTCTime(nanosecondsSince1970: 1), kind: .entered(Self.region))
    let welcome = HostWelcome(
      version: 1, pid: 3, source: SourceDescription(isOpen: true, hasMagnetometer: true),
      access: GrantedAccess(authorization: .whenInUse, accuracy: .reduced),
      calibration: CalibrationReport(progress: 0.5, inUse: Self.calibration), lastFix: .filled)
    var report = ProfileReport(part: "LIS3MDL", board: "b")
    (report.bus, report.address, report.iioName, report.serial) = ("/dev/i2c-1", 30, "n", "7")
    report.profiles = [ProfileReport.Stored(path: "/p/1.json", text: "{\n}")]
    (report.refusals, report.changeFault) = (["/p/2.json: not used"], "denied")
    var stored = SourceDescription(isOpen: true)
    (stored.storageFault, stored.storesCalibrations) = ("/s: cannot write", true)
    stored.devices = ["/dev/i2c-1"]
    let messages: [HostMessage] = [
      .welcome(welcome), .estimate(.filled), .source(stored),
      .profiles(id: 9, report), .profiles(id: 9, ProfileReport(part: "p", board: "b")),
      .samples(Self.samples), .samples(SensorSamples(timestamp: Timestamp(nanoseconds: .max))),
      .estimate(Estimate(timestamp: Timestamp(nanoseconds: 0))),
      .source(SourceDescription(fault: "no sensor\nat all")),
      .source(SourceDescription(mounting: [1, 0, 0, 0.1], position: .receiver("/dev/ttyAMA0"))),
      .calibration(CalibrationReport()),
      .access(GrantedAccess(authorization: .denied, accuracy: .full, isEnabled: false)),
      .event(event), .journal(7), .notice("a \"chip\" is lost: µT"), .done(id: 4, nil),
      .done(id: 5, HostFault(.notKept, "disk full")), .registrations(id: 6, registrations),
      .refused(HostFault(.version, "x")), .goodbye("stopped"),
    ]
    for message in messages {
      let line = message.line
      #expect(!line.contains(UInt8(ascii: "\n")))
      #expect(try HostMessage(line: line) == message)
    }
  }

  @Test("a radius that is not finite is decoded as the greatest finite number")
  func notANumber() throws {
    let center = GeodeticPosition(latitudeDegrees: 45, longitudeDegrees: -90)
    for radius in [Double.infinity, .nan, -.infinity] {
      var region = Self.region
      region.condition = .circle(center: center, radiusMetres: radius)
      let message = ClientMessage.monitor(id: 1, .startRegion(region))
      region.condition = .circle(center: center, radiusMetres: .greatestFiniteMagnitude)
      #expect(
        try ClientMessage(line: message.line) == ClientMessage.monitor(id: 1, .startRegion(region)))
    }
  }

  @Test("a calibration is decoded unchanged")
  func calibration() {
    #expect(Self.calibration.calibration?.hardIron.microtesla == SIMD3(1.1, -2.2, 3.3))
    #expect(Self.calibration.calibration?.quality == .good)
    var damaged = Self.calibration
    damaged.softIron.removeLast()
    #expect(damaged.calibration == nil)
  }

  @Test("unknown keys are ignored, and an unknown type is decoded as such")
  func forward() throws {
    #expect(
      try ClientMessage(line: Array("{\"type\":\"sing\",\"body\":{\"a\":[1]}}".utf8))
        == .unknown(type: "sing"))
    #expect(
      try HostMessage(line: Array("{\"type\":\"dance\",\"id\":3}".utf8))
        == .unknown(type: "dance"))
    #expect(
      try ClientMessage(
        line: Array("{\"new\":1,\"type\":\"lease\",\"body\":true,\"more\":{}}".utf8))
        == .lease(true))
    #expect(
      try HostMessage(
        line: Array(
          "{\"type\":\"estimate\",\"body\":{\"timestamp\":4,\"wind\":3},\"age\":[1]}".utf8))
        == .estimate(Estimate(timestamp: Timestamp(nanoseconds: 4))))
    #expect(
      try HostMessage(
        line: Array("{\"type\":\"refused\",\"body\":{\"code\":\"novel\",\"message\":\"m\"}}".utf8))
        == .refused(HostFault(.other, "m")))
  }

  @Test("a decoding error names the invalid part")
  func faults() throws {
    for (line, words) in [
      ("garbage", ["no message", "type"]), ("[]", ["no message"]), ("{}", ["'type' is missing"]),
      ("{\"type\":\"hello\"}", ["'hello'", "no 'body'"]),
      ("{\"type\":\"hello\",\"body\":{\"version\":1}}", ["'hello'", "body.application"]),
      ("{\"type\":\"monitor\",\"body\":{\"startVisits\":{}}}", ["'monitor'", "no 'id'"]),
      ("{\"type\":\"lease\",\"body\":3}", ["'lease'", "'body' is not Bool"]),
      (
        "{\"type\":\"monitor\",\"id\":1,\"body\":{\"startRegion\":{\"_0\":{\"identifier\":\"a\"}}}}",
        ["'monitor'", "missing"]
      ),
    ] {
      do {
        _ = try ClientMessage(line: Array(line.utf8))
        Issue.record("\(line) was read")
      } catch {
        #expect(error.code == .malformed)
        for word in words { #expect(error.message.contains(word), "\(error.message)") }
      }
    }
    #expect(throws: HostFault.self) {
      try HostMessage(line: Array("{\"type\":\"estimate\",\"body\":{}}".utf8))
    }
  }

  @Test("the newest common version is used")
  func versions() {
    #expect(HostProtocolVersion.common(with: 0) == nil)
    #expect(HostProtocolVersion.common(with: 1) == 1)
    #expect(HostProtocolVersion.common(with: 99) == HostProtocolVersion.current)
  }

  @Test("a number that is not finite is refused in a client's message")
  func notFinite() {
    for line in [
      #"{"type":"demand","body":{"fixes":true,"headings":true,"fixInterval":"nan"}}"#,
      #"{"type":"demand","body":{"fixes":true,"headings":true,"headingInterval":"-inf"}}"#,
    ] {
      #expect(throws: HostFault.self) { try ClientMessage(line: Array(line.utf8)) }
    }
  }

  @Test("a refusal is one short line, whatever the peer has sent")
  func shortFaults() {
    let word = String(repeating: "\\u001b\\n\\u0085x", count: 1000)
    for line in [
      "{\"type\":\"authorize\",\"body\":\"\(word)\"}",
      "{\"type\":\"monitor\",\"id\":1,\"body\":{\"\(word)\":{}}}",
    ] {
      do {
        _ = try ClientMessage(line: Array(line.utf8))
        Issue.record("\(line.prefix(40)) was read")
      } catch {
        let scalars = error.message.unicodeScalars
        #expect(scalars.count < 500)
        #expect(scalars.allSatisfy { $0.properties.generalCategory != .control })
      }
    }
  }

  /// Lines with a name that is not UTF-8, has half a surrogate pair, or a control character.
  private static let invalidLines: [[UInt8]] = {
    func line(_ name: [UInt8]) -> [UInt8] {
      var line = Array("{\"type\":\"hello\",\"body\":{\"".utf8)
      line += name
      line += Array("\":1}}".utf8)
      return line
    }
    return [line([0xFF]), line([0xC3, 0x28]), line(Array("\\ud800".utf8)), line([2])]
  }()

  @Test("a line whose names are no texts of JSON is refused", arguments: invalidLines)
  func invalidNames(_ line: [UInt8]) {
    #expect(throws: HostFault.self) { try ClientMessage(line: line) }
    #expect(throws: HostFault.self) { try HostMessage(line: line) }
  }
}
