import CalibrationFit
import Foundation
import Quantities

/// Attitudes of a board spread evenly over headings and tilts, with the error of a calibration in
/// each and its prediction.
struct AttitudeGrid: Sendable {
  private var attitudes: [(north: SIMD3<Double>, down: SIMD3<Double>)] = []

  /// Makes a grid of the tilts between two, degrees.
  init(tilts: [Double]) {
    for tilt in tilts {
      for k in 0..<12 {
        let side = Double(k) * .pi / 6
        let lean = Rotation<BodyFrame, BodyFrame>(
          rotationVector: SIMD3(cos(side), sin(side), 0) * (tilt * .pi / 180))
        for h in 0..<24 {
          let heading = Rotation<BodyFrame, BodyFrame>(
            rotationVector: SIMD3(0, 0, Double(h) * .pi / 12))
          let (north, _, down) = (heading * lean).rows
          attitudes.append((north, down))
        }
      }
    }
  }

  /// The heading's error, root mean square, degrees.
  func error(
    of found: FieldDistortion, under drawn: DrawnDistortion, field: EarthField
  ) -> Double {
    guard let inverse = found.shape.inverse else { return 180 }
    var sum = 0.0
    for (north, down) in attitudes {
      let v: SIMD3<Double> = north * field.horizontal + down * field.down
      let calibrated = inverse * (drawn.shape * v + drawn.offset - found.offset)
      let error = atan2(calibrated.dot(down.cross(north)), calibrated.dot(north))
      sum += error * error
    }
    return (sum / Double(attitudes.count)).squareRoot() * 180 / .pi
  }

  /// The predicted error for the same attitudes, root mean square, degrees.
  func predicted(_ estimate: DistortionEstimate) -> Double {
    guard let prediction = HeadingErrorPrediction(estimate) else { return 180 }
    var sum = 0.0
    for (north, down) in attitudes {
      let sigma = prediction.sigma(down: down, north: north)
      sum += sigma * sigma
    }
    return (sum / Double(attitudes.count)).squareRoot() * 180 / .pi
  }
}
