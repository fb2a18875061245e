import Pipeline
import Quantities
import ReceiverProtocols
import Testing

/// The difference between the two altitudes of an estimate: the receiver's own separation of the
/// geoid, else that of EGM96, which is 28.7068 m in Timbuktu (Karney, GeographicLib).
@Suite("The geoid's separation in an estimate", .timeLimit(.minutes(30)))
struct ReceiverSeparationTests {
  private static let egm96 = 28.7068
  private static let now = Timestamp(nanoseconds: 1_000_000_000)

  /// Ellipsoidal altitude minus altitude after the reports.
  private func separation(_ reports: [ReceiverReport]) throws -> Double {
    var pipeline = Pipeline()
    for case .epoch(let epoch) in reports { pipeline.process(epoch.validFix) }
    let estimate = pipeline.estimate
    return try #require(estimate.ellipsoidalAltitudeMetres) - #require(estimate.altitudeMetres)
  }

  private func reports(ofReceiver bytes: [UInt8]) -> [ReceiverReport] {
    var reader = ReceiverReader()
    var reports: [ReceiverReport] = []
    bytes.withUnsafeBytes { reader.push($0, at: Self.now) { reports.append($0) } }
    reader.finish(at: Self.now) { reports.append($0) }
    return reports
  }

  private func sentence(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
    let digits = (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
    return Array("$\(body)*\(digits)\r\n".utf8)
  }

  @Test(
    "is that of GGA and GNS where they have one", arguments: ["31.0,M", "-5.5,M", "0.0,M", ",M"])
  func sentences(field: String) throws {
    let own = field.split(separator: ",").first.flatMap { Double($0) }
    let place = "1646.5500,N,00300.5667,W"
    let gga = "GPGGA,120000,\(place),1,08,0.9,261.0,M,\(field),,"
    let gns = "GNGNS,120000,\(place),AA,08,0.9,261.0,\(field.prefix { $0 != "," }),,"
    for body in [gga, gns] {
      let found = try separation(reports(ofReceiver: sentence(body)))
      #expect(abs(found - (own ?? Self.egm96)) < 0.021, "\(body)")
    }
  }

  private func little<Value: FixedWidthInteger>(_ values: Value...) -> [UInt8] {
    values.flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
  }

  @Test("is that between the two heights of NAV-POSLLH")
  func ubx() throws {
    let week = little(UInt32(129_618_000))
    let place = little(Int32(-30_094_444), 167_758_333)
    let heights = little(Int32(292_000), 261_000) + little(UInt32(2000), 3000)
    let posLLH = UBXCommand(UBXMessageName(0x01, 0x02), payload: week + place + heights)
    // NAV-STATUS: a valid 3D fix.
    let fix: [UInt8] = [3, 0x0D, 0, 0] + little(UInt32(0), 0)
    let status = UBXCommand(UBXMessageName(0x01, 0x03), payload: week + fix)
    let found = try separation(reports(ofReceiver: posLLH.bytes + status.bytes))
    #expect(abs(found - 31) < 1e-6)
  }

  @Test(
    "is that of gpsd's TPV where it has one",
    arguments: [
      (#""altMSL":261.0,"altHAE":292.0"#, 31.0), (#""altMSL":261.0,"geoidSep":31.0"#, 31),
      (#""altHAE":292.0,"geoidSep":31.0"#, 31), (#""altMSL":261.0"#, 28.7068),
      (#""altHAE":292.0"#, 28.7068),
    ])
  func gpsd(altitudes: String, expected: Double) throws {
    var decoder = GPSDDecoder()
    var reports: [ReceiverReport] = []
    for second in 0..<2 {
      let line =
        #"{"class":"TPV","device":"/dev/x","mode":3,"time":"2026-06-01T12:00:0\#(second).000Z","#
        + #""lat":16.775833333,"lon":-3.009444444,"epv":6.0,\#(altitudes)}"# + "\n"
      Array(line.utf8).withUnsafeBytes { bytes in
        decoder.push(bytes, at: Self.now.advanced(bySeconds: Double(second))) { reports.append($0) }
      }
    }
    let found = try separation(reports)
    #expect(abs(found - expected) < 0.021)
  }
}
