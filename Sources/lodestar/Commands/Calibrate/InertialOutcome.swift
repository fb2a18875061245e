import CalibrationFit
import JSON
import LinuxIO
import Quantities

/// What the periods at rest give for gyroscope and accelerometer, or why they give nothing.
struct InertialOutcome {
  let bias: GyroscopeBias?
  let accelerometer: AccelerometerEstimate?
  private let biasFault: String?
  private let accelerometerFault: String?

  init(_ rests: RestPositions) {
    do throws(InertialFitError) {
      var estimator = GyroscopeBiasEstimator()
      for rest in rests.rests { try estimator.add(rest) }
      (bias, biasFault) = (try estimator.estimate(), nil)
    } catch {
      (bias, biasFault) = (nil, "\(error)")
    }
    do throws(InertialFitError) {
      (accelerometer, accelerometerFault) = (try AccelerometerFit()(rests.positions), nil)
    } catch {
      (accelerometer, accelerometerFault) = (nil, "\(error)")
    }
  }

  /// The lines for people.
  var lines: [String] {
    var lines: [String] = []
    if let bias {
      lines.append(
        "gyroscope bias \(OutcomeText.vector(bias.bias * (180 / .pi), 3)) deg/s from "
          + "\(bias.restCount) rests; \(bias.slopeState)")
    }
    if let biasFault { lines.append("gyroscope: \(biasFault)") }
    if let accelerometer {
      lines.append(
        "accelerometer bias \(OutcomeText.vector(accelerometer.calibration.bias, 3)) m/s2 from "
          + "\(accelerometer.positionCount) positions; level is good to "
          + "\(OutcomeText.rounded(accelerometer.levelError.degrees, 2)) degrees")
      if !accelerometer.missing.isEmpty {
        let sides = accelerometer.missing.map(\.rawValue).joined(separator: ", ")
        lines.append("  sides that have not pointed down yet: \(sides)")
      }
    }
    if let accelerometerFault { lines.append("accelerometer: \(accelerometerFault)") }
    return lines
  }

  /// One JSON object.
  var object: [UInt8] {
    JSONWriter.record(at: SystemClock.civilTime) { json in
      if let bias {
        let degrees = bias.bias * (180 / .pi)
        json.add("gyroscopeBias_deg_per_s", [degrees.x, degrees.y, degrees.z], decimals: 5)
        json.add("rests", bias.restCount)
      }
      json.add("gyroscopeFault", biasFault)
      if let accelerometer {
        let bias = accelerometer.calibration.bias
        json.add("accelerometerBias_m_per_s2", [bias.x, bias.y, bias.z], decimals: 5)
        json.add("positions", accelerometer.positionCount)
        json.add("levelError_deg", accelerometer.levelError.degrees, decimals: 3)
        json.add("missing", accelerometer.missing.map(\.rawValue))
      }
      json.add("accelerometerFault", accelerometerFault)
    }
  }
}
