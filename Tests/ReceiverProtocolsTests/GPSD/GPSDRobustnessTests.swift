import Quantities
import ReceiverProtocols
import TestSupport
import Testing

@Suite("Damaged gpsd lines", .timeLimit(.minutes(30)))
struct GPSDRobustnessTests {
  private static let lines = [
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":"2026-06-01T12:00:00Z"}]}"#,
    #"{"class":"SKY","device":"/dev/a","hdop":1.26,"vdop":3.00,"pdop":3.25,"nSat":2,"uSat":1,"satellites":["#
      + #"{"PRN":32,"el":22.0,"az":227.0,"ss":35.0,"used":true,"gnssid":0,"svid":32},"#
      + #"{"PRN":28,"el":0.0,"az":0.0,"ss":33.0,"used":false,"gnssid":0,"svid":28}]}"#,
    #"{"class":"GST","device":"/dev/a","lat":1.600,"lon":1.200,"alt":2.520}"#,
    tpv("/dev/a", second: 0, others: #","altHAE":154.0,"altMSL":127.1,"alt":127.1,"eph":23.94"#),
    #"{"class":"ATT","device":"/dev/a","heading":107.2,"mheading":94.0,"rot":-1.5e1}"#,
    tpv("/dev/a", second: 1, status: 4, others: #","epx":10.069,"epy":10.261"#),
    #"{"class":"DEVICE","path":"/dev/a","activated":0}"#,
  ]
  private static let stream = Array((lines.joined(separator: "\r\n") + "\r\n").utf8)

  @Test("A split at any position changes nothing")
  func splits() {
    var whole = GPSDReading()
    whole.push(Self.stream)
    #expect(whole.epochs.count == 2 && whole.headings.count == 1)
    #expect(whole.counts.accepted == 8 && whole.counts.rejected == 0)
    for position in 0...Self.stream.count {
      var cut = GPSDReading()
      cut.push(Self.stream, splitAt: [position])
      #expect(cut == whole, "cut at \(position)")
    }
    var byByte = GPSDReading()
    byByte.push(Self.stream, splitAt: Array(0...Self.stream.count))
    #expect(byByte == whole)
  }

  @Test(
    "A line that is not JSON is counted and has no effect",
    arguments: [
      "$GPGGA,123519,4807.038,N*00", "{", "}", "{}", "[]", "null", "{\"class\":\"TPV\"",
      #"{"class":"TPV","mode":3,"lat":1,"lon":2"#, #"{"class":"TPV","mode":3,"lat":1,"lon":}"#,
      #"{"class":"TPV" "mode":3,"lat":1,"lon":2}"#, #"{"class":"TPV","mode":3,"lat":1,"lon":2]"#,
      #"{"class":"TPV","mode":3,"lat":1,"lon":2,"a":[}}"#, #"{"class":1,"mode":3,"lat":1,"lon":2}"#,
      #"{"mode":3,"lat":1,"lon":2}"#, "{\"class\":\"TPV\\",
      #"{"class":"TPV","mode":3,"lat":1,"lon":2,}"#,
    ])
  func malformed(line: String) {
    var reading = GPSDReading()
    reading.push(line)
    #expect(reading.reports.isEmpty && reading.counts.malformed == 1, "\(reading.counts)")
    reading.push(tpv("/dev/a", second: 0))
    #expect(reading.epochs.count == 1)
  }

  @Test("Impossible values make their field nil and are counted")
  func unreadable() throws {
    var reading = GPSDReading()
    reading.push(
      #"{"class":"TPV","device":"/dev/a","mode":3,"time":null,"lat":57.5,"lon":11.5,"altMSL":"12","#
        + #""eph":nan,"speed":-1,"track":400,"climb":[1,2],"magvar":{"a":1},"status":true,"epv":1e999}"#
    )
    let epoch = try #require(reading.epochs.first)
    #expect(reading.counts.unreadableFields == 9 && reading.counts.rejected == 0)
    var plain = ReceiverEpoch(timestamp: epoch.fix.timestamp)
    plain.dimension = .three
    plain.heldDimension = .three
    plain.fix.kind = .threeDimensional
    plain.fix.position = epoch.fix.position
    plain.fix.isAccuracyStated = false
    #expect(epoch == plain)
    // A position beyond the pole counts as missing.
    reading.push(tpv("/dev/a", second: 1, latitude: 90.5))
    #expect(reading.epochs.count == 1 && reading.counts.withoutPlace == 1)
  }

  @Test("Keys in any order, blanks and two objects without a line end are accepted")
  func shape() {
    var reading = GPSDReading()
    reading.push(
      "  { \"lon\" : 11.5 ,\t\"lat\":57.5,\"mode\":2, \"class\" : \"TPV\" } "
        + #"{"class":"ATT","heading":1}"#)
    reading.push("")
    #expect(reading.epochs.count == 1 && reading.headings.count == 1)
    #expect(reading.counts.accepted == 2 && reading.counts.rejected == 0)
  }

  @Test("A line of 10,240 bytes or more is skipped, not a shorter one", arguments: [0, 1, 7000])
  func longLines(piece: Int) {
    for (length, isRead) in [(10_239, true), (10_240, false), (10_241, false), (100_000, false)] {
      let head = #"{"class":"TPV","device":"/dev/a","mode":2,"lat":57.5,"lon":11.5,"x":""#
      let line = head + String(repeating: "x", count: length - head.utf8.count - 2) + "\"}"
      let bytes = Array((line + "\n" + tpv("/dev/a", second: 0) + "\n").utf8)
      var reading = GPSDReading()
      reading.push(
        bytes, splitAt: piece == 0 ? [] : Array(stride(from: piece, to: bytes.count, by: piece)))
      #expect(reading.epochs.count == (isRead ? 2 : 1), "\(length)")
      #expect(reading.counts.tooLong == (isRead ? 0 : 1), "\(length)")
    }
  }

  @Test("Deep nesting does not stop the decoder")
  func nesting() {
    for depth in [60, 64, 65, 5000] {
      var reading = GPSDReading()
      let open = String(repeating: "[", count: depth)
      let close = String(repeating: "]", count: depth)
      reading.push(#"{"class":"TPV","mode":1,"x":"# + open + close + "}")
      #expect(reading.epochs.count == (depth <= 64 ? 1 : 0))
    }
  }

  @Test("100,000 mutated lines and random bytes do not stop the decoder; later lines are decoded")
  func noise() {
    var random = SeededGenerator(seed: 2947)
    var reading = GPSDReading()
    for _ in 0..<100_000 {
      var line = Array(Self.lines[Int.random(in: 0..<Self.lines.count, using: &random)].utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<line.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: line[place] = UInt8.random(in: 0...255, using: &random)
        case 1:
          line.insert(
            UInt8(ascii: ["{", "}", "[", "\"", "\\"].randomElement(using: &random) ?? "{"),
            at: place)
        case 2: line.removeSubrange(place..<min(place + 3, line.count - 1))
        default: line.swapAt(place, Int.random(in: 0..<line.count, using: &random))
        }
      }
      reading.push(line + [0x0A])
    }
    for _ in 0..<1000 {
      reading.push((0..<100).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
    #expect(reading.counts.rejected > 10_000 && reading.counts.accepted > 10_000)
    for epoch in reading.epochs {
      if let latitude = epoch.fix.position?.latitude.degrees { #expect(abs(latitude) <= 90) }
    }
    reading.decoder.disconnect()
    reading.reports = []
    reading.push(Self.stream)
    #expect(reading.epochs.count == 2 && reading.headings.count == 1)
  }
}
