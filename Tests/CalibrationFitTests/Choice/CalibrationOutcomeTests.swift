import CalibrationFit
import Quantities
import Testing

@Suite("Outcome of a calibration", .timeLimit(.minutes(30)))
struct CalibrationOutcomeTests {
  @Test(
    "each predicted error has a class",
    arguments: [
      (0.0, CalibrationState.good), (3, .good), (3.001, .fair), (6, .fair), (6.001, .poor),
      (25, .poor), (25.001, .uncalibrated), (180, .uncalibrated), (.nan, .uncalibrated),
    ])
  func words(degrees: Double, word: CalibrationState) {
    // The limit itself, free of rounding from degrees to radians and back.
    let below = Angle(radians: Angle(degrees: degrees).radians * (1 - 1e-12))
    #expect(CalibrationState(predictedHeadingError: below) == word)
  }

  /// An estimate whose offset is uncertain by so much.
  private func estimate(offset sigma: Double, inliers: Double = 1) -> DistortionEstimate {
    var covariance = DistortionCovariance()
    for i in 9..<12 { covariance[i, i] = sigma * sigma }
    return DistortionEstimate(
      method: .forward, distortion: .none, covariance: covariance,
      earthField: EarthField(horizontal: 20, down: 40), residualMicrotesla: 1,
      inlierShare: inliers, observationCount: 100)
  }

  @Test("below nine tenths of inliers the class is one worse")
  func downgraded() throws {
    let down = SIMD3(0.0, 0, 1)
    func word(_ sigma: Double, _ inliers: Double) throws -> CalibrationState {
      try #require(CalibrationOutcome(estimate(offset: sigma, inliers: inliers), down: down))
        .quality
    }
    #expect(try word(0.5, 0.9) == .good && word(0.5, 0.89) == .fair)
    #expect(try word(1.5, 0.9) == .fair && word(1.5, 0.89) == .poor)
    #expect(try word(5, 0.9) == .poor && word(5, 0.89) == .uncalibrated)
    #expect(try word(30, 0.9) == .uncalibrated && word(30, 0.89) == .uncalibrated)
  }

  @Test("coverage is the share of usual attitudes that are fair")
  func coverage() throws {
    let down = SIMD3(0.0, 0, 1)
    #expect(try #require(CalibrationOutcome(estimate(offset: 0.5), down: down)).coverage == 1)
    #expect(try #require(CalibrationOutcome(estimate(offset: 30), down: down)).coverage == 0)
    // Uncertain along z alone: level does not feel it, a tilted board does.
    var tilted = estimate(offset: 0)
    tilted.covariance[11, 11] = 25
    let outcome = try #require(CalibrationOutcome(tilted, down: down))
    #expect(outcome.coverage > 0.1 && outcome.coverage < 0.9)
    #expect(outcome.predictedLevelError.degrees < 1.01)
    #expect(outcome.predictedHeadingError.degrees > 8)
    // Along another axis of the sensor it is the other way about.
    let aside = try #require(CalibrationOutcome(tilted, down: SIMD3(1, 0, 0)))
    #expect(aside.predictedLevelError.degrees > 8)
  }

  @Test("the calibration inverts the distortion, and without an inverse there is none")
  func calibration() throws {
    var found = estimate(offset: 0.5)
    found.distortion = SimulatedBoard(seed: 4).distortion
    let outcome = try #require(CalibrationOutcome(found, down: SIMD3(0, 0, 1)))
    let calibration = try #require(outcome.calibration)
    let field = SIMD3(11.0, -20, 30)
    let raw = found.distortion.shape * field + found.distortion.offset
    #expect((calibration(MagneticField(microtesla: raw)).components - field).length < 1e-9)
    #expect(calibration.quality == outcome.quality)
    found.distortion.shape = .zero
    #expect(CalibrationOutcome(found, down: SIMD3(0, 0, 1)) == nil)
  }
}
