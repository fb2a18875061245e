import CalibrationFit
import Foundation
import Quantities
import RecordedTrials

/// Judges a calibration on one trial: heading by the optical attitude with the calibrated field against
/// heading with the field as it was recorded, root mean square over the samples in motion, degrees.
struct HeadingJudge: Sendable {
  /// The trial's number.
  let name: String

  private struct Sample {
    let field: SIMD3<Double>
    /// North and east of the optical frame along the sensor's axes.
    let north: SIMD3<Double>
    let east: SIMD3<Double>
    /// The cosine of the tilt against how the sensor lay at the beginning.
    let upright: Double
  }

  /// Of neighbouring samples one tells as much as all.
  private static let stride = 10
  private let samples: [Sample]

  init(_ trial: Trial) {
    name = trial.name
    let down = trial.restingDown
    samples = Swift.stride(from: 0, to: trial.count, by: Self.stride).compactMap { i in
      guard trial.isJudged[i], let field = trial.field[i] else { return nil }
      let (north, east, vertical) = trial.truth[i].rows
      return Sample(field: field, north: north, east: east, upright: vertical.dot(down))
    }
  }

  /// What a calibration that takes the distortion `found` off leaves of the one that was put on, up to a
  /// tilt, degrees.
  func error(
    of found: FieldDistortion, under drawn: DrawnDistortion, tilt: Double = 45
  ) -> Double {
    guard let inverse = found.shape.inverse else { return 180 }
    let shape = inverse * drawn.shape
    let offset = inverse * (drawn.offset - found.offset)
    return rootMeanSquare(tilt) { s in
      let calibrated: SIMD3<Double> = shape * s.field + offset
      let (a, b) = (calibrated.dot(s.north), calibrated.dot(s.east))
      let (c, d) = (s.field.dot(s.north), s.field.dot(s.east))
      return atan2(b * c - a * d, a * c + b * d)
    }
  }

  /// The calibrated field's heading against the optical one, degrees: what disturbed the field is in it.
  func opticalError(of found: FieldDistortion, under drawn: DrawnDistortion) -> Double {
    guard let inverse = found.shape.inverse else { return 180 }
    let shape = inverse * drawn.shape
    let offset = inverse * (drawn.offset - found.offset)
    return rootMeanSquare(45) { s in
      let calibrated: SIMD3<Double> = shape * s.field + offset
      return atan2(calibrated.dot(s.east), calibrated.dot(s.north))
    }
  }

  /// The recorded field's heading against the optical one, degrees.
  var recordedOpticalError: Double {
    rootMeanSquare(45) { atan2($0.field.dot($0.east), $0.field.dot($0.north)) }
  }

  private func rootMeanSquare(_ tilt: Double, _ error: (Sample) -> Double) -> Double {
    let least = cos(tilt * .pi / 180)
    var (sum, count) = (0.0, 0.0)
    for s in samples where s.upright > least {
      let e = error(s)
      sum += e * e
      count += 1
    }
    return count > 0 ? (sum / count).squareRoot() * 180 / .pi : .nan
  }
}

extension Trial {
  /// Where gravity points along the sensor's axes in the first seconds, at rest.
  var restingDown: SIMD3<Double> {
    let sum = force.prefix(Int(3 * hertz)).reduce(.zero, +)
    return -sum / sum.length
  }

  /// When the motion begins, seconds.
  var motionStart: Double { isJudged.firstIndex(of: true).map { seconds[$0] } ?? 0 }
}
