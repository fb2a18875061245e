import CalibrationFit
import EarthModel
import Quantities

/// An online calibration beside the way of the samples: it sees what the board told, and says when another
/// calibration is to be used.
struct OnlineCalibration: Sendable {
  /// Faults of the sensors are looked for in stretches of so long, s.
  private static let checkTime = 120.0

  private var maker: ObservationMaker
  private var checkedSince: Timestamp?
  private var calibrator: OnlineCalibrator
  /// Where fits run; nil: at once, so that a replay gives the same every time.
  private let runner: (any RefitRunner)?

  init(
    earlier: DistortionEstimate?, fullScale: SensorFullScale, runner: (any RefitRunner)?
  ) {
    maker = ObservationMaker(fullScale: fullScale)
    calibrator = OnlineCalibrator(earlier: earlier)
    self.runner = runner
  }

  /// Says which field the magnetic model expects.
  mutating func expect(_ elements: MagneticElements) {
    calibrator.prior = .model(elements.earthField)
  }

  /// Goes on from another calibration; nil: from nothing.
  mutating func restart(from earlier: DistortionEstimate?) {
    calibrator = OnlineCalibrator(earlier: earlier, prior: calibrator.prior)
  }

  mutating func add(_ sample: InertialSample<SensorFrame>) { maker.add(sample) }

  /// - Returns: What has changed; nil for nothing.
  mutating func add(_ sample: FieldSample<SensorFrame>) -> OnlineCalibrationEvent? {
    if let found = runner?.take(), let event = calibrator.finish(found) { return event }
    let begin = checkedSince ?? sample.timestamp
    checkedSince = begin
    if sample.timestamp.seconds(since: begin) > Self.checkTime {
      maker.forgetFaults()
      checkedSince = sample.timestamp
    }
    guard let observation = maker.add(sample), maker.checks.fault == nil else { return nil }
    if let event = calibrator.add(observation) { return event }
    guard let job = calibrator.takeRefit() else { return nil }
    if let runner {
      runner.begin(job)
      return nil
    }
    do {
      return calibrator.finish(try job.run())
    } catch {
      // A fit that does not settle is no news: the next one has more to go by.
      return nil
    }
  }
}

/// A calibration as the pipeline applies it, with what it predicts for each attitude.
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

  /// The heading error that it leaves, one sigma, with the sensor at this attitude.
  func error(at attitude: Rotation<SensorFrame, MagneticEarthFrame>) -> Angle {
    let (north, _, down) = attitude.rows
    if let prediction { return Angle(radians: prediction.sigma(down: down, north: north)) }
    return calibration.predictedHeadingError ?? calibration.quality.impliedError
  }
}
