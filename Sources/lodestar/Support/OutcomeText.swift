import CalibrationFit
import Quantities
import Storage
import Terminal

/// A calibration as text.
enum OutcomeText {
  /// The summary of a calibration.
  static func lines(_ outcome: CalibrationOutcome) -> [String] {
    let e = outcome.estimate
    var lines = [
      "\(word(outcome.quality)): \(meaning(outcome))",
      "  " + errors(outcome),
      "  hard iron \(vector(e.distortion.offset)) uT, residual \(rounded(e.residualMicrotesla, 2)) uT, "
        + "\(e.observationCount) observations, \(Int(bounded: (e.inlierShare * 100).rounded())) % inliers",
      "  method: \(e.method.rawValue)"
        + (e.latencySeconds.map { "; the magnetometer is \(rounded($0 * 1e3, 1)) ms late" } ?? ""),
    ]
    if let mount = outcome.mount, mount != .identity {
      lines.append(
        "  the magnetometer's x, y and z lie along the inertial unit's \(mount)"
          + (mount.isMirrored
            ? " (mirrored: check the given place, the driver and the wiring)" : ""))
      if outcome.quality == .poor, !mount.isMirrored {
        lines.append(
          "  without the place the mirrored mount fits as well: give --location or --field-down"
        )
      }
    }
    return lines
  }

  /// The predicted errors, that of the use first.
  private static func errors(_ outcome: CalibrationOutcome) -> String {
    let (level, worst) = (outcome.predictedLevelError, outcome.predictedHeadingError)
    return errors(level: level, worst: worst, for: outcome.use)
  }

  /// The predicted errors of a calibration, one sigma.
  static func errors(level: Angle?, worst: Angle?, for use: CalibrationUse) -> String {
    let (level, worst) = (level.map { degrees($0) }, worst.map { degrees($0) })
    let tilted = "at the worst tilt below 45 degrees"
    switch (use, level) {
    case (.anyAttitude, let level?):
      return "predicted heading error, one sigma: \(level) level, \(worst ?? "not known") \(tilted)"
    case (.anyAttitude, nil):
      return "predicted heading error, one sigma: \(worst ?? "not known")"
    case (.level, let level):
      return "level use: \(level ?? "not known") while level, \(worst ?? "not known") tilted by 45 "
        + "(predicted heading error, one sigma)"
    }
  }

  /// The meaning of the quality, and the remedy.
  private static func meaning(_ outcome: CalibrationOutcome) -> String {
    let headings = outcome.use == .level ? "level headings" : "headings"
    return switch outcome.quality {
    case .good: "95 of 100 \(headings) are within 3 degrees"
    case .fair: "95 of 100 \(headings) are within about 5 degrees"
    case .poor where outcome.use == .anyAttitude && outcome.predictedLevelError.degrees <= 6:
      "usable level; the error of the tilted board is large, since the motion hardly tilted it; if it stays level "
        + "in use, give --level"
    case .poor: "\(headings) may be wrong by 10 to 20 degrees; \(outcome.remedy)"
    case .uncalibrated, .assumed: "the motion is not sufficient; \(outcome.remedy)"
    }
  }

  /// The word that calibration files use.
  static func word(_ quality: CalibrationState) -> String {
    quality == .uncalibrated ? "unknown" : quality.rawValue
  }

  static func vector(_ v: SIMD3<Double>, _ decimals: Int = 1) -> String {
    (0..<3).map { rounded(v[$0], decimals) }.joined(separator: " ")
  }

  private static func degrees(_ angle: Angle) -> String {
    angle.degrees < 90 ? "\(rounded(angle.degrees, 1)) degrees" : "not known"
  }

  static func rounded(_ value: Double, _ decimals: Int) -> String {
    FixedPoint(value, decimals: decimals)?.text ?? "-"
  }
}
