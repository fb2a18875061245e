import CalibrationFit
import Foundation
import Quantities
import Storage
import Testing

@Suite("Calibration files", .timeLimit(.minutes(30)))
struct CalibrationFileTests {
  private func read(_ json: String) throws -> MagnetometerCalibration {
    try withFile(json) { try MagnetometerCalibration(path: $0) }
  }

  @Test("soft and hard iron are read, and quality and predicted error where present")
  func whole() throws {
    let c = try read(
      """
      {"softIron":[[1.1,0,0],[0,0.9,0.01],[0,0.01,1]],"hardIron":[1,-2,3.5],"quality":"good",
       "predictedHeadingError_deg":1.5,"coverage":0.8}
      """)
    #expect(c.hardIron.microtesla == SIMD3(1, -2, 3.5))
    #expect(c.softIron[1, 2] == 0.01)
    #expect(c.quality == .good)
    #expect(abs((c.predictedHeadingError?.degrees ?? 0) - 1.5) < 1e-12)
    let field = c(MagneticField(microtesla: SIMD3(11, -2, 3.5)))
    #expect((field.microtesla - SIMD3(11, 0, 0)).length < 1e-12)
  }

  @Test("a plain result is read back unchanged, with coverage, residual and mount")
  func plain() throws {
    let result = Fixtures.full().result
    #expect(try withFile(result.json) { try CalibrationResult(path: $0) } == result)
    #expect(CalibrationResult(result.calibration).calibration.softIron == result.softIron)
  }

  @Test("the calibration of a distortion corrects it")
  func distortion() throws {
    let distortion = FieldDistortion(
      shape: Matrix3(rows: SIMD3(1.1, 0.1, 0), SIMD3(0, 0.9, 0.05), SIMD3(0.02, 0, 1)),
      offset: SIMD3(10, -20, 5))
    let result = try #require(CalibrationResult(distortion, quality: .good))
    let field = SIMD3(18.0, -3, 44)
    let raw = distortion.shape * field + distortion.offset
    let calibrated = result.calibration(MagneticField(microtesla: raw))
    #expect((calibrated.microtesla - field).length < 1e-12)
    let flat = FieldDistortion(shape: .zero, offset: .zero)
    #expect(CalibrationResult(flat, quality: .good) == nil)
  }

  @Test(
    "an invalid calibration is refused with the reason",
    arguments: [
      ("{", "not valid JSON"), ("{}", "softIron"), ("[]", "not an object"),
      ("{\"softIron\":[[1,0,0],[0,1,0],[0,0,1]]}", "hardIron"),
      ("{\"softIron\":[[1,0],[0,1,0],[0,0,1]],\"hardIron\":[0,0,0]}", "three numbers"),
      ("{\"softIron\":[[1,0,0],[0,1,0]],\"hardIron\":[0,0,0]}", "three rows"),
      ("{\"softIron\":\"none\",\"hardIron\":[0,0,0]}", "wrong type"),
      ("{\"softIron\":[[0,0,0],[0,0,0],[0,0,0]],\"hardIron\":[0,0,0]}", "determinant"),
      (
        "{\"softIron\":[[1,0,0],[0,1,0],[0,0,1]],\"hardIron\":[0,0,0],\"quality\":\"superb\"}",
        "superb"
      ),
      // A file with a key of a profile must be a complete one.
      (
        "{\"version\":1,\"softIron\":[[1,0,0],[0,1,0],[0,0,1]],\"hardIron\":[0,0,0]}",
        "'format' is missing"
      ),
    ])
  func refusals(json: String, reason: String) throws {
    let (path, line) = try withFile(json) { path in
      do throws(CalibrationFileError) {
        _ = try MagnetometerCalibration(path: path)
        return (path, "no error")
      } catch {
        return (path, error.description)
      }
    }
    #expect(line.hasPrefix("\(path): not a calibration: ") && line.contains(reason), "\(line)")
    #expect(
      line.contains("expected JSON with softIron (3x3) and hardIron (3 values in microtesla)"))
    #expect(!line.contains("\n"))
  }

  @Test("a file that cannot be opened is reported with its path and the reason")
  func unreadable() {
    func line(_ path: String) -> String {
      do { return "\(try MagnetometerCalibration(path: path))" } catch { return error.description }
    }
    #expect(line("/nowhere/c.json") == "/nowhere/c.json: cannot be read: no such file")
    #expect(line("/").hasPrefix("/: cannot be read: Is a directory"))
  }

  // Comparing each name with all before it would take some minutes.
  @Test("a calibration with a hundred thousand other names is read")
  func manyNames() throws {
    let others = (0..<100_000).map { "\"n\($0)\":1" }.joined(separator: ",")
    let text = "{\"softIron\":[[1,0,0],[0,1,0],[0,0,1]],\(others),\"hardIron\":[0,1,0]}"
    #expect(try CalibrationFile(json: Array(text.utf8)).result.hardIronMicrotesla.y == 1)
    #expect(throws: ProfileFault.self) {
      try CalibrationFile(json: Array(text.replacing("n99999", with: "n7").utf8))
    }
  }

  @Test("a name of a JSON object is replaced in its place, and removed")
  func names() {
    var object = JSONObject()
    for name in ["a", "b", "c", "d"] { object[name] = .text(name) }
    object["b"] = nil
    object["d"] = .null
    object["b"] = .boolean(true)
    #expect(object.members.map(\.key) == ["a", "c", "d", "b"])
    #expect(object["c"] == .text("c") && object["d"] == .null && object["b"] == .boolean(true))
  }
}
