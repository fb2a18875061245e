import CalibrationFit
import Foundation
import Quantities
import TestSupport

/// A vehicle with known iron, and the epochs of its way.
struct SimulatedVehicle {
  /// The earth's horizontal field, microtesla.
  var field = 20.0
  /// Approximate coefficients in degrees, positive east; for small ones they are the exact curve's.
  var (a, b, c, d, e) = (3.0, 12.0, 8.0, 4.0, 2.0)
  /// The vehicle's own field in addition to B and C, microtesla.
  var offset = SIMD2<Double>.zero
  /// Of the board, degrees clockwise of the bow.
  var boardYaw = 0.0
  /// Standard deviations: field in microtesla, course and leeway in degrees.
  var (fieldNoise, courseNoise, leeway) = (0.7, 1.0, 0.3)
  /// Share of epochs whose field is bent by up to 40 microtesla.
  var outliers = 0.0
  /// A current's drift angle in degrees at its largest, and where it sets.
  var (drift, set) = (0.0, 0.0)
  var speed = 15.0
  private(set) var seconds = 0.0
  private var slip = 0.0
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  func field(onHeading degrees: Double) -> SIMD2<Double> {
    let rad = Double.pi / 180
    let psi = degrees * rad
    let (cosine, sine) = (cos(psi), sin(psi))
    let forward = (1 + d * rad) * cosine + (a - e) * rad * sine + sin(b * rad)
    let rightward = (a + e) * rad * cosine - (1 - d * rad) * sine + sin(c * rad)
    let bow = SIMD2(forward, rightward) * field + offset
    let (y, x) = (sin(boardYaw * rad), cos(boardYaw * rad))
    return SIMD2(x * bow.x + y * bow.y, x * bow.y - y * bow.x)
  }

  mutating func gauss() -> Double {
    let u = Double.random(in: 1e-12..<1, using: &random)
    return (-2 * log(u)).squareRoot() * cos(.random(in: 0..<2 * .pi, using: &random))
  }

  mutating func within(_ range: Range<Double>) -> Double { .random(in: range, using: &random) }

  /// The next second, or after as many, on a heading in degrees.
  mutating func epoch(_ heading: Double, after pause: Double = 1) -> DeviationEpoch {
    seconds += pause
    // Leeway varies with a time constant of a minute.
    let stay = exp(-pause / 60)
    slip = stay * slip + (1 - stay * stay).squareRoot() * leeway * gauss()
    let current = drift * sin((set - heading) * .pi / 180)
    var measured = field(onHeading: heading) + SIMD2(gauss(), gauss()) * fieldNoise
    if within(0..<1) < outliers { measured += SIMD2(within(-40..<40), within(-40..<40)) }
    return DeviationEpoch(
      timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds)), levelField: measured,
      course: Angle(degrees: heading + slip + current + courseNoise * gauss()),
      courseAccuracy: Angle(degrees: courseNoise), speedMetresPerSecond: speed,
      rateOfTurn: AngularSpeed(radiansPerSecond: 0), tilt: .zero)
  }

  /// Legs of 40 s on random headings of an arc.
  mutating func drive(
    _ learner: inout DeviationLearner, seconds: Int, from start: Double = 0, arc: Double = 360
  ) -> [DeviationVerdict] {
    var verdicts: [DeviationVerdict] = []
    var heading = start
    for k in 0..<seconds {
      if k % 40 == 0 { heading = start + within(0..<1) * arc }
      verdicts.append(learner.learn(epoch(heading)))
    }
    return verdicts
  }

  /// Root mean square heading error of a model over all headings, degrees.
  func error(of model: DeviationModel) -> Double {
    var square = 0.0
    for k in 0..<72 {
      let heading = Angle(degrees: Double(k) * 5)
      let predicted = model.heading(ofField: field(onHeading: heading.degrees))
      let error = predicted.map { ($0 - heading).wrappedToHalfTurn.degrees } ?? 180
      square += error * error / 72
    }
    return square.squareRoot()
  }
}
