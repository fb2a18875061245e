import Foundation
import Fusion
import Quantities
import TestSupport
import Testing

/// `AntennaNorth` on recorded samples of an inertial unit and a magnetometer in a moving hand, with
/// headings of two antennas made of the optical truth: 1 degree, most of it lasting for half a
/// minute.
@Suite(
  "Two antennas on recorded motion",
  .enabled(if: SharedData.path("data/broad") != nil, "the recorded trials are absent"),
  .timeLimit(.minutes(30)))
struct AntennaNorthTests {
  private struct Errors {
    var (square, count, inside, stated) = (0.0, 0.0, 0.0, 0.0)

    mutating func add(_ error: Double, stated accuracy: Double) {
      square += error * error
      inside += abs(error) <= accuracy ? 1 : 0
      stated += accuracy
      count += 1
    }

    var rms: Double { (square / max(count, 1)).squareRoot() * 180 / .pi }
    var text: String {
      String(
        format: "rms %.2f, within the stated %.3f, stated %.2f", rms, inside / max(count, 1),
        stated / max(count, 1) * 180 / .pi)
    }
  }

  /// Errors with antennas, in their outage of a minute, and of the attitude filter alone then.
  private func run(
    _ trial: BinaryTrial, seed: UInt64, hasField: Bool, sigma: Double
  ) -> (with: Errors, outage: Errors, alone: Errors) {
    var random = SeededGenerator(seed: seed)
    func gauss() -> Double {
      (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
    }
    let (white, lasting) = (sigma * 0.6, sigma * 0.8)
    var drift = gauss() * lasting
    var estimator = AttitudeEstimator()
    var antennas = AntennaNorth()
    var (with, outage, alone) = (Errors(), Errors(), Errors())
    let every = Int(bounded: (trial.hertz / 5).rounded())
    let end = Double(trial.rows) / trial.hertz
    let begin = end - 70
    for row in 0..<trial.rows {
      let t = Double(row) / trial.hertz
      let at = Timestamp(nanoseconds: UInt64(nanosecondsIn: t))
      estimator.update(
        InertialSample<BodyFrame>(
          timestamp: at, angularRate: AngularRate(components: trial.rate(row)),
          specificForce: SpecificForce(components: trial.force(row))))
      antennas.follow(estimator)
      if hasField, let field = trial.field(row) {
        estimator.update(
          FieldSample<BodyFrame>(timestamp: at, field: MagneticField(components: field)))
        if let accuracy = estimator.solution?.headingAccuracy, t > 5 {
          antennas.update(compassTurn: .zero, sigma: Angle(radians: accuracy.radians / 2), at: at)
        }
      }
      guard let truth = trial.truth(row), let solution = estimator.solution else { continue }
      let real = truth.attitudeAngles
      if row % every == 0, t > 5 {
        drift = drift * exp(-0.2 / 30) + gauss() * lasting * (1 - exp(-0.4 / 30)).squareRoot()
        let measured = real.heading.radians + (drift + gauss() * white) / cos(real.pitch.radians)
        if !(begin..<begin + 60).contains(t), abs(real.pitch.degrees) < 60 {
          antennas.update(
            TrueHeading(Angle(radians: measured).wrappedToTurn), sigma: Angle(radians: sigma),
            with: estimator, at: at)
        }
      }
      guard t > 15, row % 10 == 0, abs(real.pitch.degrees) < 45 else { continue }
      func error(_ turn: Double) -> Double {
        (solution.attitude.attitudeAngles.heading + Angle(radians: turn) - real.heading)
          .wrappedToHalfTurn.radians
      }
      let isOut = (begin..<begin + 60).contains(t)
      if let north = antennas.value(at: at) {
        if isOut {
          outage.add(error(north.radians), stated: 2 * north.sigma)
        } else {
          with.add(error(north.radians), stated: 2 * north.sigma)
        }
      }
      if isOut, hasField, let accuracy = solution.headingAccuracy {
        alone.add(error(0), stated: accuracy.radians)
      }
    }
    return (with, outage, alone)
  }

  @Test(
    "heading errors are within the stated accuracy, and the antennas make it better",
    arguments: [
      "02_undisturbed_slow_rotation_B", "10_undisturbed_slow_translation_A",
      "16_undisturbed_fast_translation_B", "28_disturbed_stationary_magnet_A",
      "35_disturbed_attached_magnet_4cm",
    ], [true, false])
  func recorded(name: String, hasField: Bool) throws {
    let trial = try #require(BinaryTrial("data/broad/\(name).bin"))
    var (with, outage, alone) = (Errors(), Errors(), Errors())
    for seed in UInt64(1)...3 {
      let result = run(trial, seed: seed, hasField: hasField, sigma: .pi / 180)
      func add(_ a: inout Errors, _ b: Errors) {
        a.square += b.square
        a.count += b.count
        a.inside += b.inside
        a.stated += b.stated
      }
      add(&with, result.with)
      add(&outage, result.outage)
      add(&alone, result.alone)
    }
    if ProcessInfo.processInfo.environment["LODESTAR_FIGURES"] != nil {
      print(
        "figure: \(name), field \(hasField): with \(with.text); outage \(outage.text); "
          + "filter alone \(alone.text)")
    }
    #expect(with.count > 1000 && outage.count > 500)
    #expect(with.inside / with.count > 0.9, "\(with.text)")
    #expect(outage.inside / outage.count > 0.85, "\(outage.text)")
    #expect(with.rms < 1.5, "\(with.text)")
  }
}
