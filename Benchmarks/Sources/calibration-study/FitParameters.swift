import CalibrationFit
import Study

/// The forward fit's parameters by name, for `--set`.
enum FitParameters {
  typealias Place = WritableKeyPath<ForwardFit.Parameters, Double> & Sendable

  private static let paths: [String: Place] = [
    "scaleSigma": \.scaleSigma, "skewSigma": \.skewSigma, "alignmentSigma": \.alignmentSigma,
    "offsetSigma": \.offsetSigma, "latencySigma": \.latencySigma,
    "rateScaleSigma": \.rateScaleSigma, "driftSigma": \.driftSigma, "yawNoise": \.yawNoise,
    "knotInterval": \.knotInterval, "leastSigma": \.leastSigma, "rateNoise": \.rateNoise,
    "freedom": \.freedom, "fullWeightCount": \.fullWeightCount, "inlierSigmas": \.inlierSigmas,
    "scatterLength": \.scatterLength, "scatterGain": \.scatterGain,
  ]

  /// The default tuning with settings such as `rateNoise=0.1` in it.
  static func changed(by settings: [String]) throws -> ForwardFit.Parameters {
    var parameters = ForwardFit.Parameters()
    for setting in settings {
      let parts = setting.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let value = Double(parts[1]), value.isFinite else {
        throw StudyError("--set \(setting): expected name=value with a number as value")
      }
      guard let path = paths[String(parts[0])] else {
        throw StudyError(
          "--set \(setting): known are \(paths.keys.sorted().joined(separator: ", "))")
      }
      parameters[keyPath: path] = value
    }
    return parameters
  }
}
