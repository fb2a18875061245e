import Foundation
import Fusion
import Quantities
import TestSupport
import Testing

/// A short form of `heading-study sets`: whole recorded trials with optical truth, one a group. The
/// limits are the measured figures and a third; nil where iron leaves no heading, and only the
/// stated accuracy counts.
@Suite(
  "Recorded sets",
  .enabled(if: SharedData.path("data/broad") != nil, "the recorded trials are absent"),
  .timeLimit(.minutes(30)))
struct RecordedSetsTests {
  @Test(
    "heading and inclination hold on each set, and accuracy covers large errors",
    arguments: [
      ("broad/08_undisturbed_fast_rotation_with_breaks_A.bin", Trouble.none, 3.0, 1.3),
      ("broad/33_disturbed_attached_magnet_2cm.bin", .none, 4.0, 1.0),
      ("broad/24_disturbed_tapping_A.bin", .gyroscope250, 15.0, 8.0),
      ("broad/07_undisturbed_fast_rotation_B.bin", .gaps, 20.0, 8.0),
      ("broad/02_undisturbed_slow_rotation_B.bin", .iron, 40.0, 1.0),
      ("broad/12_undisturbed_slow_translation_C.bin", .iron, nil, 1.0),
      ("tstick/TStick_Test07_Trial1.bin", .none, 1.6, 0.9),
      ("tstick/TStick_Test05_Trial1.bin", .none, 8.0, 9.0),
    ] as [(String, Trouble, Double?, Double)])
  fileprivate func sets(
    file: String, trouble: Trouble, heading: Double?, inclination: Double
  ) throws {
    let trial = try #require(BinaryTrial("data/" + file))
    let score = trial.run(trouble)
    if let heading { #expect(score.heading < heading, "\(score)") }
    #expect(score.inclination < inclination, "\(score)")
    #expect(score.lie < 10, "\(score)")
  }

  /// The limit of the mean stated accuracy only excludes one that says nothing.
  @Test(
    "without a gyroscope the stated accuracy holds 95 % of the errors, as the mean of a set",
    arguments: [
      (
        "broad/",
        [
          "02_undisturbed_slow_rotation_B", "04_undisturbed_slow_rotation_with_breaks_A",
          "08_undisturbed_fast_rotation_with_breaks_A", "10_undisturbed_slow_translation_A",
          "12_undisturbed_slow_translation_C", "24_disturbed_tapping_A",
        ], 60.0
      ),
      (
        "tstick/TStick_",
        [
          "Test02_Trial1", "Test04_Trial2", "Test05_Trial1", "Test05_Trial2", "Test09_Trial1",
          "Test11_Trial1",
        ], 45
      ),
    ])
  func withoutGyroscope(set: String, files: [String], largest: Double) throws {
    let scores = try files.map { file in
      try #require(BinaryTrial("data/" + set + file + ".bin")).run(.noGyroscope)
    }
    let count = Double(files.count)
    #expect(scores.map(\.within).reduce(0, +) / count > 0.95, "\(scores)")
    #expect(scores.map(\.stated).reduce(0, +) / count < largest, "\(scores)")
  }
}

/// What befalls a trial.
private enum Trouble { case none, gyroscope250, gaps, iron, noGyroscope }

extension BinaryTrial {
  fileprivate struct Score {
    /// Root mean square errors, degrees.
    var (heading, inclination) = (0.0, 0.0)
    /// The share of headings whose error is within the stated accuracy, and its mean, degrees.
    var (within, stated) = (0.0, 0.0)
    /// For how long at a stretch the heading was off by more than 20 degrees while less than 10
    /// were stated, s.
    var lie = 0.0
  }

  fileprivate func run(_ trouble: Trouble) -> Score {
    var estimator = AttitudeEstimator()
    var (score, count, lie) = (Score(), 0.0, 0.0)
    let limit = 250 * Double.pi / 180
    for row in 0..<rows {
      let t = Double(row) / hertz
      if trouble == .gaps, t > 45, t.truncatingRemainder(dividingBy: 20) < 5 { continue }
      var rate = trouble == .noGyroscope ? nil : rate(row)
      if trouble == .gyroscope250 {
        rate?.clamp(
          lowerBound: SIMD3(repeating: -limit), upperBound: SIMD3(repeating: limit))
      }
      let iron = trouble == .iron ? SIMD3(18.0, -20, 13) : .zero
      let at = Timestamp(nanoseconds: UInt64(nanosecondsIn: t))
      estimator.update(
        InertialSample<BodyFrame>(
          timestamp: at, angularRate: rate.map { AngularRate(components: $0) },
          specificForce: SpecificForce(components: force(row))))
      if let field = field(row) {
        estimator.update(
          FieldSample<BodyFrame>(timestamp: at, field: MagneticField(components: field + iron)))
      }
      guard counts(row), let solution = estimator.solution, let truth = truth(row) else {
        continue
      }
      let error = solution.attitude * truth.inverse
      let off = abs(2 * atan(error.v.z / error.w)) * 180 / .pi
      let level = (error.w * error.w + error.v.z * error.v.z).squareRoot()
      let tilt = 2 * acos(min(1, level)) * 180 / .pi
      score.heading += off * off
      score.inclination += tilt * tilt
      count += 1
      let claimed = solution.headingAccuracy?.degrees ?? 180
      if off <= claimed { score.within += 1 }
      score.stated += claimed
      lie = off > 20 && claimed < 10 ? lie + 1 / hertz : 0
      score.lie = max(score.lie, lie)
    }
    score.heading = (score.heading / count).squareRoot()
    score.inclination = (score.inclination / count).squareRoot()
    (score.within, score.stated) = (score.within / count, score.stated / count)
    return score
  }
}
