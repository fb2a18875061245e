import Quantities
import Simulation
import Testing

@Suite(.timeLimit(.minutes(30))) struct ReceiverSentencesTests {
  private func text(_ fix: Fix) -> String {
    let bytes = ReceiverSentences.bytes(of: fix, geoidSeparationMetres: 42)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("A fix becomes the expected literal sentences")
  func written() throws {
    var fix = Fix(timestamp: Timestamp(nanoseconds: 0), kind: .simulated)
    fix.utc = try Worlds.start().advanced(bySeconds: 61)
    fix.position = GeodeticPosition(
      latitudeDegrees: 54 + 27.123456 / 60, longitudeDegrees: -(9 + 59.999999 / 60))
    fix.altitudeMetres = 12.35
    fix.horizontalAccuracyMetres = 2 * 1.509_592
    fix.verticalAccuracyMetres = 3.5
    fix.speedMetresPerSecond = 5.832 * 1852 / 3600
    fix.course = Angle(degrees: 123.456)
    fix.horizontalDilution = 0.9
    fix.satellitesUsed = 9
    // Checksums computed independently, by exclusive or over the characters in Python.
    #expect(
      text(fix) == """
        $GPGGA,120101.00,5427.123456,N,00959.999999,W,8,09,0.90,12.35,M,42.00,M,,*71\r
        $GPRMC,120101.00,A,5427.123456,N,00959.999999,W,5.832,123.46,010726,,,S,S*18\r
        $GPGST,120101.00,,,,,2.00,2.00,3.50*62\r\n
        """)
  }

  @Test("Without a position the sentences are empty and marked void")
  func void() throws {
    var fix = Fix(timestamp: Timestamp(nanoseconds: 0), kind: .none)
    fix.utc = try Worlds.start().advanced(bySeconds: 61)
    fix.satellitesUsed = 0
    #expect(
      text(fix) == """
        $GPGGA,120101.00,,,,,0,00,,,M,,M,,*4B\r
        $GPRMC,120101.00,V,,,,,,,010726,,,N,V*06\r\n
        """)
  }

  @Test("Minutes never round to 60, and a course never to 360")
  func rounding() throws {
    var fix = Fix(timestamp: Timestamp(nanoseconds: 0), kind: .simulated)
    fix.position = GeodeticPosition(
      latitudeDegrees: -47.999_999_999_9, longitudeDegrees: 8.999_999_999_9)
    fix.course = Angle(degrees: 359.997)
    let sentences = text(fix)
    #expect(sentences.contains(",4800.000000,S,00900.000000,E,"))
    #expect(sentences.contains(",0.00,"))
    #expect(!sentences.contains("360.00"))
  }

  @Test("A world's bytes are well-formed lines with right checksums and simulator's marks")
  func stream() throws {
    var bytes: [UInt8] = []
    for fix in try Worlds.samples(.carDrive, seconds: 300).fixes {
      ReceiverSentences.append(fix, geoidSeparationMetres: 48, to: &bytes)
    }
    // Carriage return and line feed make one Character.
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    #expect(lines.count == 2 + 299 * 3)
    for (i, line) in lines.enumerated() {
      #expect(line.first == "$" && line.utf8.count <= 80)
      let parts = line.dropFirst().split(separator: "*")
      let sum = parts[0].utf8.reduce(0, ^)
      #expect(UInt8(parts[1], radix: 16) == sum && parts[1].utf8.count == 2)
      guard i >= 2 else { continue }
      let fields = parts[0].split(separator: ",", omittingEmptySubsequences: false)
      switch fields[0] {
      case "GPGGA": #expect(fields.count == 15 && fields[6] == "8")
      case "GPRMC": #expect(fields.count == 14 && fields[12] == "S")
      case "GPGST": #expect(fields.count == 9)
      default: Issue.record("unexpected sentence \(line)")
      }
    }
  }
}
