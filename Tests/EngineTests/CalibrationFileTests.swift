import Engine
import Foundation
import Quantities
import Testing

@Suite("Calibration files")
struct CalibrationFileTests {
  private func read(_ json: String) throws -> MagnetometerCalibration {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
    try Data(json.utf8).write(to: url)
    defer { do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) } }
    return try MagnetometerCalibration(path: url.path)
  }

  @Test("soft and hard iron are read, and quality and predicted error where they stand")
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

  @Test(
    "what is no calibration is refused with the reason",
    arguments: [
      ("{", "not valid JSON"), ("{}", "softIron"),
      ("{\"softIron\":[[1,0,0],[0,1,0],[0,0,1]]}", "hardIron"),
      ("{\"softIron\":[[1,0],[0,1,0],[0,0,1]],\"hardIron\":[0,0,0]}", "three numbers"),
      ("{\"softIron\":[[1,0,0],[0,1,0]],\"hardIron\":[0,0,0]}", "three rows"),
      ("{\"softIron\":\"none\",\"hardIron\":[0,0,0]}", "wrong type"),
      ("{\"softIron\":[[0,0,0],[0,0,0],[0,0,0]],\"hardIron\":[0,0,0]}", "determinant"),
      (
        "{\"softIron\":[[1,0,0],[0,1,0],[0,0,1]],\"hardIron\":[0,0,0],\"quality\":\"superb\"}",
        "superb"
      ),
    ])
  func refusals(json: String, reason: String) {
    var caught: (any Error)?
    do { _ = try read(json) } catch { caught = error }
    #expect("\(String(describing: caught))".contains(reason))
  }
}
