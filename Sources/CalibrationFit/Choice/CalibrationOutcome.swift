import Quantities
import RealModule

/// A calibration from samples with its quality.
public struct CalibrationOutcome: Equatable, Sendable {
  /// The distortion and its uncertainty.
  public var estimate: DistortionEstimate
  /// The magnetometer's axes relative to the inertial unit's; nil if the motion did not decide it.
  public var mount: SignedAxes?
  /// One sigma of the heading error at the worst attitude with a tilt below 45 degrees.
  public var predictedHeadingError: Angle
  /// One sigma of the heading error of the level board.
  public var predictedLevelError: Angle
  /// The share of attitudes with a tilt below 45 degrees whose predicted error is fair or better.
  public var coverage: Double
  /// The attitudes for which `quality` is valid.
  public var use = CalibrationUse.anyAttitude
  /// The quality class of the predicted error for the use.
  public var quality: CalibrationState
  /// Magnetic north relative to the gyroscope's reference axes at the last observation; nil without
  /// a gyroscope.
  public var yaw: Angle?
  /// The range of headings that the board was turned through; nil without a gyroscope.
  public var turn: Angle?

  /// One sigma of the heading error for the use.
  public var predictedError: Angle {
    switch use {
    case .anyAttitude: predictedHeadingError
    case .level: predictedLevelError
    }
  }

  /// What makes the calibration better, for the user.
  public var remedy: String {
    switch use {
    case .anyAttitude: return "turn the board further, tilting it on the way"
    case .level:
      guard let turn, turn.degrees < 350 else {
        return "turn the level board slowly through another full circle"
      }
      return
        "the board was turned through \(Int(bounded: turn.degrees.rounded())) of 360 degrees; turn it "
        + "level through a full circle"
    }
  }

  /// The calibration to apply.
  /// - Returns: nil if the shape has no inverse.
  public var calibration: MagnetometerCalibration? {
    estimate.distortion.shape.inverse.map {
      MagnetometerCalibration(
        softIron: $0, hardIron: MagneticField(microtesla: estimate.distortion.offset),
        quality: quality, predictedHeadingError: predictedHeadingError,
        predictedLevelError: predictedLevelError, use: use)
    }
  }
}

extension CalibrationState {
  /// The quality class of a predicted heading error, one sigma at the worst attitude that a user
  /// needs. Of calibrations called good 95 % had an error below 3 degrees, of fair ones below 6.
  /// - Source: the project's measurements on BROAD (doi 10.3390/data6070072).
  public init(predictedHeadingError error: Angle) {
    switch error.degrees {
    case ...3: self = .good
    case ...6: self = .fair
    case ...25: self = .poor
    default: self = .uncalibrated
    }
  }

  /// One class worse.
  var downgraded: CalibrationState {
    switch self {
    case .good: .fair
    case .fair, .assumed: .poor
    case .poor, .uncalibrated: .uncalibrated
    }
  }
}

extension CalibrationOutcome {
  /// Below this share of inliers the quality is one class worse.
  static var leastInliers: Double { 0.9 }

  /// Evaluates an estimate.
  ///
  /// The result is nil if the estimate has no inverse.
  /// - Parameters:
  ///   - estimate: The result of a fit.
  ///   - mount: The mount, if the motion decided it.
  ///   - yaw: Magnetic north relative to the gyroscope's reference axes at the last observation.
  ///   - use: The attitudes for which the quality is judged.
  ///   - down: The unit vector of gravity along the sensor's axes while the board is level.
  public init?(
    _ estimate: DistortionEstimate, mount: SignedAxes? = nil, yaw: Angle? = nil,
    use: CalibrationUse = .anyAttitude, down: SIMD3<Double>
  ) {
    guard let prediction = HeadingErrorPrediction(estimate) else { return nil }
    self.init(
      estimate: estimate, mount: mount,
      predictedHeadingError: Angle(radians: prediction.worst(about: down)),
      predictedLevelError: Angle(radians: prediction.worst(down: down)),
      coverage: prediction.coverage(about: down), use: use, quality: .uncalibrated, yaw: yaw)
    quality = CalibrationState(predictedHeadingError: predictedError)
    if estimate.inlierShare < Self.leastInliers { quality = quality.downgraded }
  }
}

extension HeadingErrorPrediction {
  /// The share of attitudes tilted by at most 45 degrees whose sigma is at most 6 degrees.
  func coverage(about down: SIMD3<Double>) -> Double {
    let limit = Angle(degrees: 6).radians
    var (good, all) = (0.0, 0.0)
    for ring in 0...4 {
      let t = Self.usualTilt.radians * Double(ring) / 4
      // The number of directions is proportional to the ring's length.
      let count = max(1, ring * 6)
      for k in 0..<count {
        all += 1
        let tilted = Self.tilted(down, by: t, towards: k, of: count)
        if worst(down: tilted, bins: 8) <= limit { good += 1 }
      }
    }
    return good / all
  }
}
