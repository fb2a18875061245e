import Quantities

/// The class of a predicted heading error.
///
/// - Source: 82 560 held-out headings of seven recorded trials: where at most 3 degrees were
///   predicted, 95 % of the headings were within 3.5; at 3 to 6 within 4.6, at 6 to 25 within 10 to
///   22; beyond, the prediction had no value.
public enum ErrorClass: String, CaseIterable, Sendable {
  /// At most 3 degrees.
  case good
  /// At most 6 degrees.
  case fair
  /// At most 25 degrees.
  case poor
  /// More, or unknown.
  case unknown

  /// The class of a predicted error, one sigma.
  public init(oneSigma: Angle?) {
    guard let oneSigma, oneSigma.radians >= 0 else {
      self = .unknown
      return
    }
    self.init(CalibrationState(predictedHeadingError: oneSigma))
  }

  /// The class of a calibration's quality, if there is one.
  public init(_ quality: CalibrationState) {
    self =
      switch quality {
      case .good: .good
      case .fair: .fair
      case .poor: .poor
      case .uncalibrated, .assumed: .unknown
      }
  }
}
