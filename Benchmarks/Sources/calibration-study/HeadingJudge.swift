import CalibrationFit
import Foundation
import Quantities
import RecordedTrials

/// Judges a calibration on one trial: heading by the optical attitude with the calibrated field
/// against heading with the field as it was recorded, root mean square over the samples in motion,
/// degrees.
struct HeadingJudge: Sendable {
  /// The trial's number.
  let name: String

  private struct Sample {
    let field: SIMD3<Double>
    /// North and east of the optical frame along the sensor's axes.
    let north: SIMD3<Double>
    let east: SIMD3<Double>
    /// The vertical along the sensor's axes.
    let vertical: SIMD3<Double>
  }

  /// Neighbouring samples are nearly equal: one in ten is used.
  private static let stride = 10
  private let samples: [Sample]
  /// Where gravity pointed at the beginning.
  private let down: SIMD3<Double>

  /// `reference` is what the recorded field is of the true one.
  init(_ trial: Trial, reference: DrawnDistortion = .none) {
    name = trial.name
    down = trial.restingDown
    let inverse = reference.shape.inverse ?? .identity
    let measured = trial.field.indices.filter { trial.field[$0] != nil }
    // A magnetometer that is read less often has fewer neighbours to pass over.
    let density = Double(measured.count) / max(trial.duration, 1)
    let step = density > 150 ? Self.stride : 2
    samples = Swift.stride(from: 0, to: measured.count, by: step).compactMap { n in
      let i = measured[n]
      guard trial.isJudged[i], let field = trial.field[i] else { return nil }
      let (north, east, vertical) = trial.truth[i].rows
      return Sample(
        field: inverse * (field - reference.offset), north: north, east: east, vertical: vertical)
    }
  }

  /// What a calibration that takes the distortion `found` off leaves of the one that was put on, up
  /// to a tilt, degrees; nan where the trial hardly goes there. Tilt counts from `level`, nil: from
  /// how the sensor lay at the beginning.
  func error(
    of found: FieldDistortion, under drawn: DrawnDistortion, tilt: Double = 45,
    from level: SIMD3<Double>? = nil
  ) -> Double {
    guard let inverse = found.shape.inverse else { return 180 }
    let shape = inverse * drawn.shape
    let offset = inverse * (drawn.offset - found.offset)
    return rootMeanSquare(tilt, level ?? down) { s in
      let calibrated: SIMD3<Double> = shape * s.field + offset
      let (a, b) = (calibrated.dot(s.north), calibrated.dot(s.east))
      let (c, d) = (s.field.dot(s.north), s.field.dot(s.east))
      return atan2(b * c - a * d, a * c + b * d)
    }
  }

  /// The calibrated field's heading against the optical one, degrees: what disturbed the field is
  /// in it.
  func opticalError(of found: FieldDistortion, under drawn: DrawnDistortion) -> Double {
    guard let inverse = found.shape.inverse else { return 180 }
    let shape = inverse * drawn.shape
    let offset = inverse * (drawn.offset - found.offset)
    return rootMeanSquare(45, down) { s in
      let calibrated: SIMD3<Double> = shape * s.field + offset
      return atan2(calibrated.dot(s.east), calibrated.dot(s.north))
    }
  }

  /// The recorded field's heading against the optical one, degrees.
  var recordedOpticalError: Double {
    rootMeanSquare(45, down) { atan2($0.field.dot($0.east), $0.field.dot($0.north)) }
  }

  private func rootMeanSquare(
    _ tilt: Double, _ level: SIMD3<Double>, _ error: (Sample) -> Double
  ) -> Double {
    let least = cos(tilt * .pi / 180)
    var (sum, count) = (0.0, 0.0)
    for s in samples where s.vertical.dot(level) > least {
      let e = error(s)
      sum += e * e
      count += 1
    }
    return count > 20 ? (sum / count).squareRoot() * 180 / .pi : .nan
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
