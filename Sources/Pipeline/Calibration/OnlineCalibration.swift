import CalibrationFit
import EarthModel
import Quantities
import RealModule

/// The online calibration of a pipeline: it observes the samples and reports when another
/// calibration must be used.
struct OnlineCalibration: Sendable {
  /// Interval over which sensor faults are collected, s.
  private static let checkTime = 120.0

  private var maker: ObservationMaker
  private var checkedSince: Timestamp?
  private var calibrator: OnlineCalibrator
  /// Runs the fits; nil to run them at once, so that a replay is deterministic.
  private let runner: (any RefitRunner)?

  init(
    earlier: DistortionEstimate?, fullScale: SensorFullScale, runner: (any RefitRunner)?
  ) {
    maker = ObservationMaker(fullScale: fullScale)
    calibrator = OnlineCalibrator(earlier: earlier)
    self.runner = runner
  }

  /// Sets the field of the magnetic model.
  mutating func expect(_ elements: MagneticElements) {
    calibrator.prior = .model(elements.earthField)
  }

  /// Continues from another calibration; nil starts without one.
  mutating func restart(from earlier: DistortionEstimate?) {
    calibrator = OnlineCalibrator(earlier: earlier, prior: calibrator.prior)
  }

  mutating func add(_ sample: InertialSample<SensorFrame>) { maker.add(sample) }

  /// - Returns: The change of the calibration; nil if there is none.
  mutating func add(_ sample: FieldSample<SensorFrame>) -> OnlineCalibrationEvent? {
    if let found = runner?.nextResult(), let event = calibrator.finish(found) { return event }
    let begin = checkedSince ?? sample.timestamp
    checkedSince = begin
    if sample.timestamp.seconds(since: begin) > Self.checkTime {
      maker.forgetFaults()
      checkedSince = sample.timestamp
    }
    guard let observation = maker.add(sample), maker.checks.fault == nil else { return nil }
    if let event = calibrator.add(observation) { return event }
    guard let job = calibrator.startRefit() else { return nil }
    if let runner {
      runner.begin(job)
      return nil
    }
    do {
      return calibrator.finish(try job.run())
    } catch {
      // A fit that does not converge is ignored: the next one has more observations.
      return nil
    }
  }
}

/// A calibration as the pipeline applies it, with the predicted error for each attitude.
struct AppliedCalibration: Sendable {
  let calibration: MagnetometerCalibration
  private let prediction: HeadingErrorPrediction?

  init(_ calibration: MagnetometerCalibration, estimate: DistortionEstimate?) {
    self.calibration = calibration
    prediction = estimate.flatMap { HeadingErrorPrediction($0) }
  }

  /// A calibration from an online one; nil where it cannot be applied.
  init?(_ committed: CommittedCalibration) {
    guard let inverse = committed.estimate.distortion.shape.inverse else { return nil }
    let error = committed.seenError ?? Angle(degrees: 180)
    self.init(
      MagnetometerCalibration(
        softIron: inverse,
        hardIron: MagneticField(microtesla: committed.estimate.distortion.offset),
        quality: CalibrationState(predictedHeadingError: error), predictedHeadingError: error),
      estimate: committed.estimate)
  }

  /// The remaining heading error at this attitude of the sensor, one sigma.
  /// - Parameters:
  ///   - attitude: The sensor's attitude.
  ///   - tilt: The angle between the body's vertical axis and gravity.
  /// - Returns: The error; at most half a turn.
  func error(at attitude: Rotation<SensorFrame, MagneticEarthFrame>, tilt: Angle) -> Angle {
    let (north, _, down) = attitude.rows
    if let prediction { return Angle(radians: prediction.sigma(down: down, north: north)) }
    return error(tilt: tilt)
  }

  /// The error without a covariance. For level use it grows with the vertical field's error, which
  /// the tilt turns into the level plane: from the error of the level board to that at the worst
  /// tilt.
  private func error(tilt: Angle) -> Angle {
    guard calibration.use == .level else {
      return calibration.predictedHeadingError ?? calibration.quality.impliedError
    }
    let level = (calibration.predictedLevelError ?? calibration.quality.impliedError).radians
    let worst = max(
      level,
      (calibration.predictedHeadingError ?? CalibrationState.uncalibrated.impliedError).radians)
    // Beyond 90 degrees the board is upside down, which level use does not cover either.
    let share =
      tilt.radians < .pi / 2
      ? Double.sin(tilt.radians) / Double.sin(HeadingErrorPrediction.usualTilt.radians)
      : 1 / Double.sin(HeadingErrorPrediction.usualTilt.radians)
    let added = (worst * worst - level * level) * share * share
    return Angle(radians: min(.pi, (level * level + added).squareRoot()))
  }
}
