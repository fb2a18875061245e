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
}

/// What befalls a trial.
private enum Trouble { case none, gyroscope250, gaps, iron }

extension BinaryTrial {
  /// Root mean square errors, degrees, and for how long at a stretch the heading was off by more
  /// than 20 degrees while less than 10 were stated, s.
  fileprivate func run(_ trouble: Trouble) -> (heading: Double, inclination: Double, lie: Double) {
    var estimator = AttitudeEstimator()
    var (heading, inclination, count) = (0.0, 0.0, 0.0)
    var (lie, longest) = (0.0, 0.0)
    let limit = 250 * Double.pi / 180
    for row in 0..<rows {
      let t = Double(row) / hertz
      if trouble == .gaps, t > 45, t.truncatingRemainder(dividingBy: 20) < 5 { continue }
      var rate = rate(row)
      if trouble == .gyroscope250 {
        rate.clamp(
          lowerBound: SIMD3(repeating: -limit), upperBound: SIMD3(repeating: limit))
      }
      let iron = trouble == .iron ? SIMD3(18.0, -20, 13) : .zero
      let at = Timestamp(nanoseconds: UInt64(nanosecondsIn: t))
      estimator.update(
        InertialSample<BodyFrame>(
          timestamp: at, angularRate: AngularRate(components: rate),
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
      heading += off * off
      inclination += tilt * tilt
      count += 1
      let claimed = solution.headingAccuracy?.degrees ?? 180
      lie = off > 20 && claimed < 10 ? lie + 1 / hertz : 0
      longest = max(longest, lie)
    }
    return ((heading / count).squareRoot(), (inclination / count).squareRoot(), longest)
  }
}
