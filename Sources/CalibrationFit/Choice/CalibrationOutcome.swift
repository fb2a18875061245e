import Quantities
import RealModule

/// A calibration as it comes out of samples, with all that a person or a filter wants to know of it.
public struct CalibrationOutcome: Equatable, Sendable {
  /// The distortion and how uncertain it is.
  public var estimate: DistortionEstimate
  /// How the magnetometer's axes lie along the inertial unit's, where the motion has decided.
  public var mount: SignedAxes?
  /// One sigma of the heading error at the worst attitude tilted by less than 45 degrees.
  public var predictedHeadingError: Angle
  /// The same of the level board.
  public var predictedLevelError: Angle
  /// The share of the attitudes tilted by less than 45 degrees whose predicted error is fair or better.
  public var coverage: Double
  /// What it may be called.
  public var quality: CalibrationState
  /// Magnetic north on the carried axes at the last observation; nil without a gyroscope.
  public var yaw: Angle?

  /// The calibration, for whoever applies it.
  /// - Returns: nil where the shape has no inverse.
  public var calibration: MagnetometerCalibration? {
    estimate.distortion.shape.inverse.map {
      MagnetometerCalibration(
        softIron: $0, hardIron: MagneticField(microtesla: estimate.distortion.offset),
        quality: quality, predictedHeadingError: predictedHeadingError)
    }
  }
}

extension CalibrationState {
  /// The word for a predicted heading error, one sigma at the worst attitude that a user needs. Of
  /// calibrations called good 95 % were off by less than 3 degrees, of fair ones by less than 6.
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
  /// The share of inliers below which a calibration is called one class worse.
  static var leastInliers: Double { 0.9 }

  /// Judges an estimate.
  ///
  /// It is nil where the estimate has no inverse.
  /// - Parameters:
  ///   - estimate: What a fit has found.
  ///   - mount: The mount, where the motion has decided.
  ///   - yaw: Magnetic north on the carried axes at the last observation.
  ///   - down: Where gravity points along the sensor's axes while the board is level, of length 1.
  public init?(
    _ estimate: DistortionEstimate, mount: SignedAxes? = nil, yaw: Angle? = nil,
    down: SIMD3<Double>
  ) {
    guard let prediction = HeadingErrorPrediction(estimate) else { return nil }
    let worst = Angle(radians: prediction.worst(about: down))
    var quality = CalibrationState(predictedHeadingError: worst)
    if estimate.inlierShare < Self.leastInliers { quality = quality.downgraded }
    self.init(
      estimate: estimate, mount: mount, predictedHeadingError: worst,
      predictedLevelError: Angle(radians: prediction.worst(down: down)),
      coverage: prediction.coverage(about: down), quality: quality, yaw: yaw)
  }
}

extension HeadingErrorPrediction {
  /// The share of attitudes tilted by at most 45 degrees whose sigma is at most 6 degrees.
  func coverage(about down: SIMD3<Double>) -> Double {
    let limit = Angle(degrees: 6).radians
    var (good, all) = (0.0, 0.0)
    for ring in 0...4 {
      let t = Self.usualTilt.radians * Double(ring) / 4
      // As many directions as the ring is long.
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
