import Foundation
import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// The deltas of a Signal K server as epochs and headings.
@Suite("The decoder of Signal K", .timeLimit(.minutes(30)))
struct SignalKDecoderTests {
  private struct Listener {
    var decoder: SignalKDecoder
    var epochs: [ReceiverEpoch] = []
    var headings: [HeadingReport] = []
    var seconds = 100.0

    init(
      source: String? = nil, vessel: String? = "vessels.urn:mrn:imo:mmsi:234567890",
      ownPlaces: @escaping @Sendable () -> SignalKOwnPlaces = { SignalKOwnPlaces() }
    ) {
      decoder = SignalKDecoder(source: source.map { Array($0.utf8) }, ownPlaces: ownPlaces)
      if let vessel { receive(#"{"name":"signalk-server","self":"\#(vessel)"}"#) }
    }

    var names: [String] { decoder.names.map { String(decoding: $0, as: UTF8.self) } }

    mutating func receive(_ line: String, piece: Int = .max) {
      let bytes = Array((line + "\r\n").utf8)
      let now = Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds))
      for start in stride(from: 0, to: bytes.count, by: min(piece, bytes.count)) {
        bytes[start..<min(start + min(piece, bytes.count), bytes.count)].withUnsafeBytes { part in
          decoder.push(part, at: now) {
            switch $0 {
            case .epoch(let epoch): epochs.append(epoch)
            case .heading(let heading): headings.append(heading)
            case .alignment, .pulse: break
            }
          }
        }
      }
    }
  }

  /// A delta of the own vessel.
  private static func delta(
    _ source: String, _ stamp: String, _ values: [(path: String, value: String)]
  ) -> String {
    let list = values.map { "{\"path\":\"navigation.\($0.path)\",\"value\":\($0.value)}" }
    return "{\"context\":\"vessels.urn:mrn:imo:mmsi:234567890\",\"updates\":[{\(source),"
      + "\"timestamp\":\"\(stamp)\",\"values\":[\(list.joined(separator: ","))]}]}"
  }

  private static func place(_ latitude: Double) -> (path: String, value: String) {
    ("position", "{\"longitude\":10.5,\"latitude\":\(latitude)}")
  }

  @Test("the specification's sample of several sources has no position and makes no report")
  func sample() {
    // Signal K specification, samples/delta/docs-data_model_multiple_values.json.
    let vessel = "vessels.urn:mrn:signalk:uuid:c0d79334-4e25-4245-8892-54e8ccc8021d"
    var listener = Listener(vessel: vessel)
    listener.receive(
      #"{"context":"\#(vessel)","updates":["#
        + #"{"source":{"label":"GPS-1","type":"NMEA0183","talker":"GP","sentence":"RMC"},"#
        + #""timestamp":"2017-04-03T06:14:04.451Z","values":[{"path":"navigation.courseOverGroundTrue","#
        + #""value":3.615624078431440}]},{"source":{"label":"actisense","type":"NMEA2000","name":378473,"#
        + #""src":"115","pgn":128267},"timestamp":"2017-04-03T06:14:04.451Z","values":[{"path":"#
        + #""navigation.courseOverGroundTrue","value":3.615624078431453}]}]}"#)
    #expect(listener.epochs.isEmpty && listener.decoder.counts.accepted == 2)
    #expect(listener.names == ["GPS-1.GP", "actisense.115"])
    #expect(listener.decoder.counts.rejected == 0)
  }

  @Test("position, motion, quality and time of RMC and GGA are one instant, whatever the pieces")
  func instant() throws {
    for piece in [Int.max, 1, 7] {
      var listener = Listener(vessel: nil)
      listener.receive(
        #"{"name":"signalk-server","self":"vessels.urn:mrn:imo:mmsi:234567890","roles":["master"]}"#
      )
      let source = #""source":{"label":"gps","type":"NMEA0183","talker":"GN","sentence":"RMC"}"#
      let stamp = "2026-06-01T12:00:00.000Z"
      listener.receive(
        Self.delta(
          source, stamp,
          [
            Self.place(54.5), ("courseOverGroundTrue", "1.5707963"), ("speedOverGround", "3.85"),
            ("magneticVariation", "0.05"), ("datetime", "\"2026-06-01T12:00:00.000Z\""),
          ]), piece: piece)
      listener.receive(
        Self.delta(
          source, stamp,
          [
            Self.place(54.5), ("gnss.methodQuality", "\"DGNSS fix\""), ("gnss.satellites", "11"),
            ("gnss.horizontalDilution", "0.8"), ("gnss.antennaAltitude", "12.5"),
            ("gnss.geoidalSeparation", "44"),
          ]), piece: piece)
      try #require(listener.epochs.count == 2)
      let (first, whole) = (listener.epochs[0], listener.epochs[1])
      #expect(first.fix.kind == .twoDimensional && !first.isRevision && whole.isRevision)
      #expect(whole.fix.kind == .differential && whole.fix.satellitesUsed == 11)
      #expect(whole.fix.position?.latitude.degrees == 54.5)
      #expect(abs((whole.fix.course?.degrees ?? 0) - 90) < 1e-4)
      #expect(whole.fix.speedMetresPerSecond == 3.85)
      #expect(whole.fix.altitudeMetres == 12.5 && whole.fix.ellipsoidalAltitudeMetres == 56.5)
      #expect(whole.fix.utc == UTCTime(iso8601: stamp))
      // 0.8 times the range error with corrections.
      #expect(abs((whole.fix.horizontalAccuracyMetres ?? 0) - 1.12) < 0.001)
      #expect(whole.magneticVariation == Angle(radians: 0.05))
    }
  }

  @Test("an altitude of NMEA 2000 is above the ellipsoid")
  func ellipsoid() throws {
    var listener = Listener()
    listener.receive(
      Self.delta(
        #""source":{"label":"can0","type":"NMEA2000","src":"43","pgn":129029}"#,
        "2026-06-01T12:00:00.000Z",
        [Self.place(54.5), ("gnss.antennaAltitude", "56.5"), ("gnss.geoidalSeparation", "44")]))
    let fix = try #require(listener.epochs.first?.fix)
    #expect(fix.ellipsoidalAltitudeMetres == 56.5 && fix.altitudeMetres == 12.5)
    #expect(listener.decoder.sourceInUse.map { String(decoding: $0, as: UTF8.self) } == "can0.43")
  }

  @Test("headings are radians of one source; another follows after five seconds of silence")
  func headings() throws {
    var listener = Listener()
    func heading(_ source: String, _ radians: Double) -> String {
      Self.delta(
        "\"$source\":\"\(source)\"", "2026-06-01T12:00:00.000Z",
        [("headingMagnetic", "\(radians)")])
    }
    listener.receive(heading("can0.12", 1.0))
    listener.receive(heading("derived-data", 2.0))
    listener.seconds += 5.1
    listener.receive(heading("derived-data", 2.0))
    listener.receive(heading("can0.12", 1.0))
    #expect(listener.headings.map { $0.magneticHeading?.angle.radians } == [1, 2])
    #expect(listener.decoder.counts.otherSources == 2)
  }

  @Test("the values of this program are not used, also behind a label of the server")
  func own() {
    var listener = Listener()
    for source in ["lodestar.gnss", "Lodestar.compass", "boat.LODESTAR.gnss"] {
      listener.receive(
        Self.delta(
          "\"$source\":\"\(source)\"", "2026-06-01T12:00:00.000Z",
          [Self.place(54.5), ("headingTrue", "1")]))
    }
    #expect(listener.epochs.isEmpty && listener.headings.isEmpty)
    #expect(listener.decoder.counts.own == 3 && listener.decoder.names.isEmpty)
    listener.receive(
      Self.delta("\"$source\":\"lodestars.1\"", "2026-06-01T12:00:00.000Z", [Self.place(54.5)]))
    #expect(listener.epochs.count == 1)
  }

  private static let stamp = "2026-06-01T12:00:00Z"

  private static func reference(_ source: String) -> String { "\"$source\":\"\(source)\"" }

  @Test("signalk-server's connection to this program's own server is recognised by its address")
  func ownServer() {
    // HOST and PORT of the connection, as packages/streams/src/mdns-ws.ts makes `$source` of them.
    var listener = Listener(
      ownPlaces: {
        SignalKOwnPlaces(
          hosts: ["192.168.1.9", "fd00::9", "pi", "pi.local", "localhost"], ports: [2947, 3001])
      })
    let own = [
      "sk.192.168.1.9:3001", "a.b.Pi.local.:3001", "sk.[fd00::9]:3001", "pi:3001",
      "sk.localhost:3001", "lodestar.alias.lan:3001",
    ]
    // Another program of this machine, other machines, and an alias that may be either.
    let others = [
      "sk.192.168.1.9:3000", "lodestar.192.168.1.10:3001", "lodestar.other.local:3001",
      "lodestar.pi:3000", "sk.alias.lan:3001", "sk.1192.168.1.9:3001x",
    ]
    for source in own + others {
      listener.receive(Self.delta(Self.reference(source), Self.stamp, [Self.place(54.5)]))
    }
    #expect(listener.decoder.counts.own == Int64(own.count) && listener.names == others)
  }

  private final class Places: @unchecked Sendable {
    private let lock = NSLock()
    private var ports: Set<Int> = []
    func listen(at port: Int) { lock.withLock { _ = ports.insert(port) } }
    var now: SignalKOwnPlaces { lock.withLock { SignalKOwnPlaces(hosts: ["pi"], ports: ports) } }
  }

  @Test("an own server that begins to listen later is recognised then, and its source is removed")
  func ownServerLater() {
    let places = Places()
    var listener = Listener(ownPlaces: { places.now })
    let delta = Self.delta(Self.reference("sk.pi:3001"), Self.stamp, [Self.place(54.5)])
    listener.receive(delta)
    #expect(listener.epochs.count == 1)
    places.listen(at: 3001)
    listener.seconds += 6
    listener.receive(delta)
    #expect(listener.epochs.count == 1 && listener.names.isEmpty)
    #expect(listener.decoder.sources.isEmpty && listener.decoder.sourceInUse == nil)
    listener.receive(Self.delta(Self.reference("gps"), Self.stamp, [Self.place(54.6)]))
    #expect(listener.epochs.count == 2 && listener.names == ["gps"])
  }

  @Test("before the greeting only values without a vessel or of vessels.self are used")
  func greeting() {
    var listener = Listener(vessel: nil)
    let delta = Self.delta(Self.reference("gps"), Self.stamp, [Self.place(54.5)])
    let vessel = "\"context\":\"vessels.urn:mrn:imo:mmsi:234567890\","
    listener.receive(delta)
    #expect(listener.epochs.isEmpty && listener.decoder.counts.unknownVessels == 1)
    #expect(listener.decoder.lacksOwnVessel)
    listener.receive(delta.replacing(vessel, with: ""))
    listener.seconds += 1
    listener.receive(delta.replacing("urn:mrn:imo:mmsi:234567890", with: "self"))
    #expect(listener.epochs.count == 2)
    listener.receive(#"{"self":"vessels.urn:mrn:imo:mmsi:234567890"}"#)
    listener.receive(#"{"self":"vessels.urn:mrn:imo:mmsi:211111111"}"#)
    listener.seconds += 1
    listener.receive(delta)
    #expect(listener.epochs.count == 3 && !listener.decoder.lacksOwnVessel)
    listener.receive(delta.replacing("234567890", with: "211111111"))
    #expect(listener.epochs.count == 3 && listener.decoder.counts.otherVessels == 1)
  }

  @Test("instants whose time stamp stays the same are instants, with the time of their own update")
  func sameStamp() {
    var listener = Listener()
    let time = ("datetime", "\"2026-06-01T12:00:00Z\"")
    // Ten a second in motion, then once a second at rest.
    for count in 0..<5 {
      let place = Self.place(54.5 + Double(count) * 1e-5)
      listener.receive(
        Self.delta(Self.reference("gps"), Self.stamp, count == 0 ? [place, time] : [place]))
      listener.seconds += 0.1
    }
    for _ in 0..<3 {
      listener.seconds += 1
      listener.receive(Self.delta(Self.reference("gps"), Self.stamp, [Self.place(54.5)]))
    }
    let fixes = listener.epochs.map(\.fix)
    #expect(fixes.count == 8 && !listener.epochs.contains { $0.isRevision })
    #expect(Set(fixes.map(\.timestamp)).count == 8)
    #expect(fixes.map { $0.utc != nil } == [true] + [Bool](repeating: false, count: 7))
    // The same place again within the instant: a revision where it adds something.
    listener.seconds += 0.1
    listener.receive(
      Self.delta(
        Self.reference("gps"), Self.stamp, [Self.place(54.5), ("gnss.satellites", "9")]))
    listener.receive(Self.delta(Self.reference("gps"), Self.stamp, [Self.place(54.5)]))
    #expect(listener.epochs.count == 9 && listener.epochs[8].isRevision)
    #expect(listener.decoder.counts.repeated == 1)
    #expect(listener.epochs[8].fix.timestamp == listener.epochs[7].fix.timestamp)
  }

  @Test("updates without a source are never joined")
  func nameless() throws {
    var listener = Listener()
    let source = "\"source\":{}"
    listener.receive(
      Self.delta(
        source, Self.stamp,
        [("speedOverGround", "3"), ("gnss.methodQuality", "\"RTK float\""), Self.place(1)]))
    listener.receive(
      Self.delta(source, Self.stamp, [("gnss.horizontalDilution", "2"), ("speedOverGround", "4")]))
    listener.receive(Self.delta(source, Self.stamp, [Self.place(1)]))
    let last = try #require(listener.epochs.last?.fix)
    #expect(listener.epochs.count == 2 && last.kind == .twoDimensional)
    #expect(last.speedMetresPerSecond == nil && last.horizontalDilution == nil)
  }

  @Test("the surface of an altitude stays that of the update that stated its source's type")
  func heldAltitude() throws {
    var listener = Listener()
    listener.receive(
      Self.delta(
        #""source":{"label":"can0","type":"NMEA2000","src":"43"}"#, Self.stamp,
        [("gnss.antennaAltitude", "56.5"), ("gnss.geoidalSeparation", "44")]))
    listener.receive(Self.delta(Self.reference("can0.43"), Self.stamp, [Self.place(1)]))
    let fix = try #require(listener.epochs.last?.fix)
    #expect(fix.ellipsoidalAltitudeMetres == 56.5 && fix.altitudeMetres == 12.5)
    listener.seconds += 1
    listener.receive(
      Self.delta(
        #""source":{"label":"can0","type":"NMEA0183","src":"43"}"#, Self.stamp, [Self.place(2)]))
    #expect(listener.epochs.last?.fix.ellipsoidalAltitudeMetres == 56.5)
  }

  @Test("sixteen other sources do not crowd out the requested one, nor one that begins later")
  func crowd() {
    let crowd = (0..<16).map { "s\($0)" }
    func receive(_ source: String, _ listener: inout Listener) {
      listener.receive(Self.delta(Self.reference(source), Self.stamp, [Self.place(54.5)]))
    }
    var listener = Listener(source: "gps")
    for source in crowd + ["gps"] + crowd { receive(source, &listener) }
    #expect(listener.epochs.count == 1 && listener.names.contains("gps"))
    #expect(listener.names.count == 16)

    listener = Listener()
    for source in crowd { receive(source, &listener) }
    let others = listener.decoder.counts.otherSources
    receive("gps", &listener)
    #expect(!listener.names.contains("gps"))
    #expect(listener.decoder.counts.otherSources == others + 1)
    // All but two fall silent; the used one keeps its place, however long it is silent.
    listener.seconds += 4
    receive("s1", &listener)
    listener.seconds += 2
    receive("gps", &listener)
    #expect(listener.names == ["s0", "s1", "gps"] + Array(crowd.dropFirst(3)))
  }

  @Test("other vessels, null positions, other sources and invalid values")
  func exceptions() {
    var listener = Listener(source: "gps.GN", vessel: nil)
    listener.receive(#"{"self":"urn:mrn:imo:mmsi:234567890","version":"1.7.0"}"#)
    let stamp = "2026-06-01T12:00:00.000Z"
    listener.receive(
      Self.delta("\"$source\":\"ais\"", stamp, [Self.place(1)])
        .replacing("234567890", with: "211111111"))
    #expect(listener.decoder.counts.otherVessels == 1)
    listener.receive(Self.delta("\"$source\":\"can0.43\"", stamp, [Self.place(2)]))
    #expect(listener.epochs.isEmpty)
    listener.receive(
      Self.delta(
        "\"$source\":\"gps.GN\"", stamp,
        [("position", "{\"latitude\":91,\"longitude\":0}"), ("speedOverGround", "\"fast\"")]))
    #expect(listener.epochs.isEmpty && listener.decoder.counts.unreadableFields >= 2)
    listener.receive(Self.delta("\"$source\":\"gps.GN\"", stamp, [Self.place(3)]))
    listener.receive(
      Self.delta("\"$source\":\"gps.GN\"", "2026-06-01T12:00:01Z", [("position", "null")]))
    listener.receive(
      Self.delta(
        "\"$source\":\"gps.GN\"", "2026-06-01T12:00:02Z",
        [("gnss.methodQuality", "\"no GPS\""), Self.place(3)]))
    #expect(listener.epochs.map(\.fix.kind) == [.twoDimensional, .none, .none])
    listener.receive("not JSON")
    listener.receive(#"{"updates":[{"values":[{"path":"#)
    listener.receive(String(repeating: "x", count: SignalKDecoder.longestLine))
    #expect(listener.decoder.counts.malformed == 2 && listener.decoder.counts.tooLong == 1)
  }

  @Test("two sources in any order are never joined", arguments: 0..<200)
  func neverJoined(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var listener = Listener()
    // By source: latitude, speed, dilution and kind.
    let kinds = ["DGNSS Fix", "RTK float"]
    var clock = [0, 0]
    for _ in 0..<120 {
      listener.seconds += Double.random(in: 0...0.4, using: &generator)
      let source = Int.random(in: 0...1, using: &generator)
      clock[source] += Int.random(in: 0...1, using: &generator)
      let second = "0\(clock[source] / 50):\(10 + clock[source] % 50)"
      let all = [
        ("position", "{\"latitude\":\(source + 1),\"longitude\":5}"),
        ("speedOverGround", "\(source + 1)"), ("gnss.horizontalDilution", "\(source + 1)"),
        ("gnss.methodQuality", "\"\(kinds[source])\""), ("gnss.antennaAltitude", "\(source + 1)"),
        ("datetime", "\"20\(20 + source)-01-01T00:\(second)Z\""),
      ]
      let values = all.filter { _ in Bool.random(using: &generator) }
      guard !values.isEmpty else { continue }
      listener.receive(
        Self.delta("\"$source\":\"s\(source)\"", "2026-01-01T00:\(second)Z", values))
    }
    try #require(listener.epochs.contains { $0.fix.position != nil })
    for epoch in listener.epochs {
      let fix = epoch.fix
      guard let latitude = fix.position?.latitude.degrees else { continue }
      let source = Int(bounded: latitude.rounded()) - 1
      #expect(fix.speedMetresPerSecond.map { $0 == latitude } ?? true)
      #expect(fix.horizontalDilution.map { $0 == latitude } ?? true)
      #expect(fix.altitudeMetres.map { $0 == latitude } ?? true)
      #expect(fix.kind != (source == 0 ? .rtkFloat : .differential))
      #expect(fix.utc.map { $0.recordText.hasPrefix("20\(20 + source)") } ?? true)
    }
  }
}
