import CalibrationFit
import Quantities
import TestSupport
import Testing

@Suite(
  .enabled(if: SharedData.path("data/drives") != nil, "needs the recorded drives of shared/data"),
  .timeLimit(.minutes(30)))
struct RecordedDriveTests {
  /// Measured: 4.8 and 3.7 degrees in the median, 16.5 and 10.1 root mean square; a constant
  /// heading 78 and 31, 74 and 53. Single seconds beside trucks and under bridges make the
  /// difference of the two.
  @Test(
    "a model one minute old gives the heading on another course",
    arguments: [
      ("2023-08-09_16-37-41.csv", 5.5, 20.0, 0.6), ("2025-07-18_23-13-43.csv", 4.5, 13.0, 0.9),
    ])
  func learnt(name: String, median: Double, rms: Double, share: Double) throws {
    let score = DriveScore(try #require(RecordedDrive(name)))
    #expect(Double(score.errors.count) > share * Double(score.candidates))
    #expect(DriveScore.median(score.errors) < median)
    #expect(DriveScore.rms(score.errors) < rms)
    #expect(DriveScore.median(score.errors) < 0.3 * DriveScore.median(score.constantErrors))
    #expect(DriveScore.rms(score.errors) < 0.5 * DriveScore.rms(score.constantErrors))
  }

  /// The phone reported fields that jumped by up to 170 microtesla, on headings that covered less
  /// than half a turn between two jumps. Its course has an error of at least 7 degrees.
  @Test("a phone with jumping iron gets no model instead of a wrong one")
  func unlearnable() throws {
    var parameters = DeviationLearner.Parameters.road
    parameters.worstCourse = 12 * .pi / 180
    let drive = try #require(RecordedDrive("2025-07-08_14-12-53.csv"))
    let score = DriveScore(drive, parameters)
    #expect(score.candidates > 300)
    #expect(score.errors.isEmpty)
    #expect(score.verdicts.contains(.stepDetected) && score.verdicts.contains(.startedAnew))
    #expect(DriveScore(drive).verdicts.count < 10, "courses worse than 6 degrees are left out")
  }
}
