import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// The deltas of a Signal K server as epochs and headings.
@Suite("The decoder of Signal K", .timeLimit(.minutes(15)))
struct SignalKDecoderTests {
  private struct Listener {
    var decoder: SignalKDecoder
    var epochs: [ReceiverEpoch] = []
    var headings: [HeadingReport] = []
    var seconds = 100.0

    init(source: String? = nil) { decoder = SignalKDecoder(source: source.map { Array($0.utf8) }) }

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
    var listener = Listener()
    listener.receive(
      #"{"context":"vessels.urn:mrn:signalk:uuid:c0d79334-4e25-4245-8892-54e8ccc8021d","updates":["#
        + #"{"source":{"label":"GPS-1","type":"NMEA0183","talker":"GP","sentence":"RMC"},"#
        + #""timestamp":"2017-04-03T06:14:04.451Z","values":[{"path":"navigation.courseOverGroundTrue","#
        + #""value":3.615624078431440}]},{"source":{"label":"actisense","type":"NMEA2000","name":378473,"#
        + #""src":"115","pgn":128267},"timestamp":"2017-04-03T06:14:04.451Z","values":[{"path":"#
        + #""navigation.courseOverGroundTrue","value":3.615624078431453}]}]}"#)
    #expect(listener.epochs.isEmpty && listener.decoder.counts.accepted == 1)
    #expect(
      listener.decoder.names.map { String(decoding: $0, as: UTF8.self) }
        == ["GPS-1.GP", "actisense.115"])
    #expect(listener.decoder.counts.rejected == 0)
  }

  @Test("position, motion, quality and time of RMC and GGA are one instant, whatever the pieces")
  func instant() throws {
    for piece in [Int.max, 1, 7] {
      var listener = Listener()
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
    for source in ["lodestar.gnss", "lodestar.compass", "boat.lodestar.gnss"] {
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

  @Test("other vessels, null positions, other sources and invalid values")
  func exceptions() {
    var listener = Listener(source: "gps.GN")
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
    let kinds = ["GNSS Fix", "RTK float"]
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
    try #require(!listener.epochs.isEmpty)
    for epoch in listener.epochs {
      let fix = epoch.fix
      guard let latitude = fix.position?.latitude.degrees else { continue }
      let source = Int(bounded: latitude.rounded()) - 1
      #expect(fix.speedMetresPerSecond.map { $0 == latitude } ?? true)
      #expect(fix.horizontalDilution.map { $0 == latitude } ?? true)
      #expect(fix.altitudeMetres.map { $0 == latitude } ?? true)
      #expect(fix.kind != (source == 0 ? .rtkFloat : .threeDimensional) || source == 1)
      #expect(fix.utc.map { $0.recordText.hasPrefix("20\(20 + source)") } ?? true)
    }
  }
}
