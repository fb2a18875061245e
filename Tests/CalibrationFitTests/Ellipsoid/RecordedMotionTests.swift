import CalibrationFit
import Quantities
import TestSupport
import Testing

@Suite(
  "Ellipsoid fit on recorded motion",
  .enabled(if: SharedData.path("data/broad") != nil, "the recorded trials are not here"),
  .timeLimit(.minutes(30)))
struct RecordedMotionTests {
  private let slow = "02_undisturbed_slow_rotation_B.bin"
  private let fast = "07_undisturbed_fast_rotation_B.bin"
  private let other = "04_undisturbed_slow_rotation_with_breaks_A.bin"

  /// Of five distortions, ascending.
  private func errors(
    train name: String, misalignment: Double, usingGravity: Bool
  ) throws -> [Double] {
    let (train, test) = (try RecordedMotion(name), try RecordedMotion(other))
    var errors: [Double] = []
    for seed in 1...5 as ClosedRange<UInt64> {
      let world = FieldWorld(seed: seed, misalignment: misalignment)
      var observations = train.observations(world.distortion)
      if !usingGravity { for i in observations.indices { observations[i].axes = nil } }
      let estimate = try EllipsoidFit(averagingTime: 0.02).solve(observations).estimate
      errors.append(test.headingError(estimate.distortion, of: world.distortion))
    }
    return errors.sorted()
  }

  @Test("slow turns in all directions calibrate to a degree", arguments: [false, true])
  func slowTurns(usingGravity: Bool) throws {
    let errors = try errors(train: slow, misalignment: 0, usingGravity: usingGravity)
    // The research has a median of 1.05 degrees.
    #expect(errors[2] < 1.05, "\(errors)")
  }

  @Test("gravity corrects a rotation of five degrees")
  func misaligned() throws {
    let plain = try errors(train: slow, misalignment: 5, usingGravity: false)
    let aligned = try errors(train: slow, misalignment: 5, usingGravity: true)
    // The research has 8.9 and 4.1 degrees.
    #expect(plain[2] > 3, "\(plain)")
    #expect(aligned[2] < 2, "\(aligned)")
  }

  @Test("fast turns calibrate as well, since accelerated gravity is not used")
  func fastTurns() throws {
    let errors = try errors(train: fast, misalignment: 0, usingGravity: true)
    #expect(errors[4] < 2, "\(errors)")
  }
}
