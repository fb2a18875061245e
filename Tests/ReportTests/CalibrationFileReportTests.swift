import CalibrationFit
import Quantities
import Report
import Storage
import Testing

@Suite("The report of a calibration file", .timeLimit(.minutes(30)))
struct CalibrationFileReportTests {
  private var plain: CalibrationFile {
    CalibrationFile(
      result: CalibrationResult(
        softIron: Matrix3(diagonal: SIMD3(1 / 1.2, 1, 1)), hardIronMicrotesla: SIMD3(30, -40, 0),
        quality: .fair, coverage: 0.625, residualMicrotesla: 0.5,
        predictedHeadingErrorDegrees: 4.2))
  }

  @Test("offset, distortion, coverage and residual are those of the file")
  func figures() throws {
    let sections = CalibrationFileReport.sections(plain)
    let sphere = try #require(sections.first { $0.name == .sphere })
    #expect(
      sphere.sentence
        == "The calibration removes an offset of 50.0 µT and a distortion that makes the field up to 20.0 % stronger in one direction "
        + "than in another; 63 % of the attitudes were covered, and 0.50 µT remain (root mean square)."
    )
    #expect(sphere.plots.count == 4)
    // Before: an ellipse of 1.2 by 1 about the offset. After: the circle.
    guard case .lines(let before) = sphere.plots[0].marks[0].shape,
      case .lines(let after) = sphere.plots[1].marks[0].shape
    else {
      Issue.record("no lines")
      return
    }
    let x = before.joined().map(\.x)
    #expect(abs((x.max() ?? 0) - 90) < 0.1 && abs((x.min() ?? 0) + 30) < 0.1)
    for point in after.joined() {
      #expect(abs((point.x * point.x + point.y * point.y).squareRoot() - 50) < 1e-9)
    }
  }

  @Test("what a plain file without covariance does not say is left out with the reason")
  func leftOut() throws {
    let sections = CalibrationFileReport.sections(plain)
    let prediction = try #require(sections.first { $0.name == .prediction })
    #expect(prediction.isLeftOut)
    #expect(prediction.sentence.contains("quality fair, with a predicted heading error of 4.2°"))
    #expect(try #require(sections.first { $0.name == .calibration }).isLeftOut)
  }

  @Test("a profile has its number and origin, and the stored ones beside it")
  func history() throws {
    func profile(_ generation: Int, _ error: Double) -> CalibrationProfile {
      var result = plain.result
      result.predictedHeadingErrorDegrees = error
      var profile = CalibrationProfile(
        made: UTCTime(nanosecondsSince1970: Int64(1_790_000_000 + generation) * 1_000_000_000),
        identity: ProfileIdentity(
          sensor: SensorIdentity(part: "LIS3MDL", bus: "/dev/i2c-1", address: 0x1C), board: "b"),
        conditions: CalibrationConditions(origin: .guided), result: result)
      profile.generation = generation
      return profile
    }
    let all = [profile(1, 5), profile(2, 2.5)]
    let sections = CalibrationFileReport.sections(plain, profile: all[1], history: all)
    let section = try #require(sections.first { $0.name == .calibration })
    #expect(section.sentence.hasPrefix("This is number 2 of the calibrations of its board"))
    #expect(
      section.sentence.contains("from a guided session; 2 calibrations of the board are stored"))
    #expect(section.table.count == 3 && section.plots.count == 1)
    let alone = CalibrationFileReport.sections(plain, profile: all[0])
    #expect(alone.last?.sentence.contains("no other of them is stored") == true)
    #expect(alone.last?.plots.isEmpty == true && alone.last?.table.count == 2)
  }
}
