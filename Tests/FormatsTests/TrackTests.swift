import Formats
import Foundation
import Quantities
import Testing

@Suite("Exports", .timeLimit(.minutes(30)))
struct TrackTests {
  private static func point(_ seconds: UInt64, utc: Bool = true) throws -> TrackPoint {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: seconds * 1_000_000_000))
    estimate.position = GeodeticPosition(latitudeDegrees: 54.25, longitudeDegrees: -10.5)
    if utc {
      estimate.utc = UTCTime(
        nanosecondsSince1970: 1_764_100_000_000_000_000 + Int64(seconds) * 1_000_000_000)
    }
    (estimate.altitudeMetres, estimate.ellipsoidalAltitudeMetres) = (3.5, 45)
    estimate.trueHeading = TrueHeading(Angle(degrees: 2))
    estimate.magneticHeading = MagneticHeading(Angle(degrees: 358))
    estimate.course = Angle(degrees: 10)
    estimate.speedMetresPerSecond = 2.5
    return try #require(TrackPoint(estimate))
  }

  @Test("a point of GPX has its elements in the order of the schema")
  func gpx() throws {
    #expect(
      GPX.line(try Self.point(0))
        == "<trkpt lat=\"54.25000000\" lon=\"-10.50000000\"><ele>3.50</ele><time>2025-11-25T19:46:40.000Z</time>"
        + "<magvar>4.00</magvar><geoidheight>41.50</geoidheight><extensions><gpxtpx:TrackPointExtension>"
        + "<gpxtpx:speed>2.50</gpxtpx:speed><gpxtpx:course>10.0</gpxtpx:course><gpxtpx:bearing>2.0</gpxtpx:bearing>"
        + "</gpxtpx:TrackPointExtension></extensions></trkpt>")
    #expect(!GPX.line(try Self.point(0, utc: false)).contains("<time>"))
    #expect(GPX.head(creator: "a", name: "<&\"\u{1}").contains("<name>&lt;&amp;&quot;</name>"))
  }

  @Test("a track of KML has a piece for each gap, with times, places and headings in equal number")
  func kml() throws {
    let lines = KML.lines(try [0, 1, 2, 40, 41].map { try Self.point($0) }, name: "a")
    func count(_ mark: String) -> Int { lines.filter { $0.hasPrefix(mark) }.count }
    #expect(count("<gx:Track>") == 2)
    #expect(count("<when>") == 5 && count("<gx:coord>") == 5 && count("<gx:angles>2.0 0 0") == 5)
    #expect(lines.contains("<gx:coord>-10.50000000 54.25000000 3.50</gx:coord>"))
    let untimed = KML.lines([try Self.point(0, utc: false)], name: "a")
    #expect(
      untimed.contains("-10.50000000,54.25000000,3.50")
        && !untimed.contains { $0.contains("gx:Track") })
  }

  @Test("a sensor CSV that was written is read again to the last bit")
  func sensorCSV() throws {
    var row = SensorSamples(timestamp: Timestamp(nanoseconds: 1_234_567_890))
    row.inertial = InertialSample(
      timestamp: row.timestamp, angularRate: AngularRate(components: SIMD3(1.0 / 3, -1e-17, 0)),
      specificForce: SpecificForce(components: SIMD3(0.1, 9.8, -2)))
    row.field = FieldSample(
      timestamp: row.timestamp, field: MagneticField(microtesla: SIMD3(1.0 / 7, -48, 0)))
    row.pressure = PressureSample(timestamp: row.timestamp, hectopascal: 1013.26, celsius: nil)
    row.load = 0.1
    var bytes = Array((SensorCSVWriter.header + "\n").utf8)
    SensorCSVWriter.append(row, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).csv")
    try Data(bytes).write(to: url)
    defer { unlink(url.path) }
    var reader = try SensorCSVReader(bytes: try ByteReader(path: url.path))
    #expect(try reader.next() == row)
  }

  @Test("a row of estimates has a cell for each column")
  func estimateCSV() throws {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: 500_000_000))
    estimate.magneticHeading = MagneticHeading(Angle(degrees: 12.5))
    var bytes: [UInt8] = []
    EstimateCSV.append(estimate, to: &bytes)
    let cells = String(decoding: bytes, as: UTF8.self).split(
      separator: ",", omittingEmptySubsequences: false)
    let names = EstimateCSV.header.split(separator: ",")
    #expect(cells.count == names.count)
    #expect(cells[1] == "0.500000000" && cells.last == "false")
    let column = try #require(names.firstIndex(of: "magnetic_heading"))
    #expect(cells[column] == "12.5" && cells[column + 1].isEmpty)
  }
}
