import Formats
import Foundation
import Quantities
import Testing

@Suite("The sensor CSV", .timeLimit(.minutes(30)))
struct SensorCSVReaderTests {
  private func read(_ text: String) throws -> (rows: [SensorSamples], fault: RecordingError?) {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).csv")
    try Data(text.utf8).write(to: url)
    defer {
      do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) }
    }
    var rows: [SensorSamples] = []
    do {
      var reader = try SensorCSVReader(path: url.path)
      while let row = try reader.next() { rows.append(row) }
      return (rows, nil)
    } catch {
      return (rows, error)
    }
  }

  private func place(_ error: RecordingError?) -> (line: Int, column: String?)? {
    guard case .malformed(_, let line, let column, _, _) = error else { return nil }
    return (line, column)
  }

  @Test("a column may name its unit, and an unknown one is refused with the known ones")
  func units() throws {
    let (rows, fault) = try read(
      "t,mx[mG],my[mG],mz [mG],ax[g],ay[g],az[g],gx[deg/s],gy[°/s],gz[dps],pressure[kPa]\n"
        + "0,100,-200,300,0,0,1,90,0,-90,101.3\n")
    #expect(fault == nil)
    let row = try #require(rows.first)
    #expect(row.field?.field.microtesla == SIMD3(10, -20, 30))
    #expect(row.inertial?.specificForce?.metresPerSecondSquared == SIMD3(0, 0, 9.806_65))
    #expect(abs(try #require(row.inertial?.angularRate).components.x - .pi / 2) < 1e-12)
    #expect(abs(try #require(row.pressure).hectopascal - 1013) < 1e-9)
    let refused = try read("t,mx[furlong],my,mz\n0,1,2,3\n").fault
    #expect("\(String(describing: refused))".contains("mG"))
    #expect(place(refused)?.column == "mx")
  }

  @Test("a line longer than a text file has is refused")
  func longLine() throws {
    do throws(RecordingError) {
      _ = try SensorCSVReader(path: "/dev/zero")
      Issue.record("read")
    } catch {
      #expect("\(error)" == "/dev/zero:1: a line of more than 65536 bytes; expected lines of text")
    }
  }

  @Test("columns may be in any order, unknown ones are ignored, empty cells are no samples")
  func columns() throws {
    let (rows, fault) = try read(
      "mz,label,my,mx,t,gx,gy,gz,pressure\n3,hello,2,1,0.5,0.1,0.2,0.3,\n,x,,,0.75,,,,1013.25\n")
    #expect(fault == nil)
    #expect(rows.count == 2)
    #expect(rows[0].timestamp.nanoseconds == 500_000_000)
    #expect(rows[0].field?.field.microtesla == SIMD3(1, 2, 3))
    #expect(rows[0].inertial?.angularRate?.radiansPerSecond == SIMD3(0.1, 0.2, 0.3))
    #expect(rows[0].inertial?.specificForce == nil)
    #expect(rows[0].pressure == nil)
    #expect(rows[1].field == nil && rows[1].inertial == nil)
    #expect(rows[1].pressure?.hectopascal == 1013.25)
  }

  @Test("a fix has its place, altitude and accuracies in SI units")
  func fix() throws {
    let (rows, fault) = try read(
      "t,lat,lon,alt,hacc,vacc,speed,course\n0,57.7,-11.9,12.5,3,5,1.5,359\n1,,,,,,,\n")
    #expect(fault == nil)
    let fix = try #require(rows[0].fix)
    #expect(abs((fix.position?.latitude.degrees ?? 0) - 57.7) < 1e-12)
    #expect(abs((fix.position?.longitude.degrees ?? 0) + 11.9) < 1e-12)
    #expect(fix.altitudeMetres == 12.5 && fix.verticalAccuracyMetres == 5)
    #expect(abs((fix.course?.degrees ?? 0) - 359) < 1e-9)
    #expect(fix.kind == .threeDimensional)
    #expect(rows[1].fix == nil)
  }

  @Test("numbers are read as Swift literals")
  func numbers() throws {
    let texts = [
      "0.1", "-3.25e-7", "123456789012345678901234567890", "1e300", "+7", ".5", "5.", "-0",
      "9007199254740993", "0.30000000000000004", "2.2250738585072014e-308",
    ]
    for text in texts {
      let (rows, fault) = try read("t,mx,my,mz,extra\n0,\(text),0,0,x\n")
      let expected = Double(text) ?? Double("\(text)0") ?? .nan
      if abs(expected) > 1e9 {
        #expect(place(fault)?.column == "mx")
      } else {
        #expect(rows.first?.field?.field.microtesla.x == expected, "\(text)")
      }
    }
  }

  @Test(
    "a fault is reported with line and column, and the rows before it are read",
    arguments: [
      ("t,mx,my,mz\n0,1,2,3\n1,1,abc,3\n", 3, "my", 1),
      ("t,mx,my,mz\n0,1,2,3\n1,1,nan,3\n", 3, "my", 1),
      ("t,mx,my,mz\n0,1,2,3\n1,1,inf,3\n", 3, "my", 1),
      ("t,mx,my,mz\n0,1,2,3\n1,1,0x10,3\n", 3, "my", 1),
      ("t,mx,my,mz\n1,1,2,3\n0.5,1,2,3\n", 3, "t", 1),
      ("t,mx,my,mz\n0,1,2,3\n1,1,2\n", 3, nil, 1),
      ("t,mx,my,mz\n0,1,2,3\n1,1", 3, nil, 1),
      ("t,mx,my,mz\n0,1,2,3\n1,1,,3\n", 3, "my", 1),
      ("t,lat,lon\n0,91,3\n", 2, "lat", 0),
      ("t,lat,lon\n0,9,\n", 2, "lon", 0),
      ("t,pressure\n0,-4\n", 2, "pressure", 0),
      ("t,gx,gy\n0,1,2\n", 1, "gz", 0),
      ("gx,gy,gz\n0,1,2\n", 1, "t", 0),
      ("t,foo\n0,1\n", 1, nil, 0),
      ("t,t,mx,my,mz\n0,0,1,2,3\n", 1, "t", 0),
      ("t,mx,my,mz\n-1,1,2,3\n", 2, "t", 0),
      ("", 1, nil, 0),
    ] as [(String, Int, String?, Int)])
  func faults(text: String, line: Int, column: String?, kept: Int) throws {
    let (rows, fault) = try read(text)
    let where_ = try #require(place(fault))
    #expect(where_.line == line)
    #expect(where_.column == column)
    #expect(rows.count == kept)
    #expect(try "\(#require(fault))".contains("expected"))
    #expect(try !"\(#require(fault))".contains("\n"))
  }

  @Test("a file that ends inside a line is reported")
  func cut() throws {
    let (_, fault) = try read("t,mx,my,mz\n0,1,2,3\n1,1")
    #expect(try "\(#require(fault))".contains("ends inside this line"))
  }

  @Test("Windows line ends, blank lines and a byte-order mark are accepted")
  func windows() throws {
    let (rows, fault) = try read("\u{FEFF}t,mx,my,mz\r\n0,1,2,3\r\n\r\n1,4,5,6\r\n")
    #expect(fault == nil)
    #expect(rows.map(\.field?.field.microtesla.x) == [1, 4])
  }

  @Test("random input gives an error, never a crash")
  func garbage() throws {
    var state: UInt64 = 42
    for _ in 0..<200 {
      var bytes: [UInt8] = Array("t,mx,my,mz\n".utf8)
      for _ in 0..<300 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes.append(UInt8(truncatingIfNeeded: state >> 33))
      }
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).csv")
      try Data(bytes).write(to: url)
      defer { do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) } }
      #expect(throws: RecordingError.self) {
        var reader = try SensorCSVReader(path: url.path)
        while try reader.next() != nil {}
      }
    }
  }

  @Test("a missing file and a folder are reported with the system's reason")
  func missing() {
    #expect(
      throws: RecordingError.unreadable(path: "/nowhere.csv", reason: "No such file or directory")
    ) {
      _ = try SensorCSVReader(path: "/nowhere.csv")
    }
    #expect(throws: RecordingError.self) { _ = try SensorCSVReader(path: "/tmp") }
  }
}
