import CalibrationFit
import Fusion
import Quantities
import RecordedTrials

/// Prints, one JSON object a line, what calibrating costs: a fit of 400 observations by each
/// method, and calibrating during use at 100 samples a second.
func benchmarkCalibration(_ path: String) throws {
  let samples = try CarriedSamples(Trial(path: path))
  let observations = try samples.observations(400)
  let known = FieldPrior.model(EarthField(horizontal: 18, down: 46))
  for (name, prior) in [("place unknown", FieldPrior.unknown), ("place known", known)] {
    let fit = ForwardFit(prior: prior)
    try fitting("forward, \(name)", observations.count) {
      _ = try fit.fit(observations)
    }
    let search = MountSearch(fit: fit)
    try fitting("mount search, \(name)", observations.count) {
      _ = try search.search(observations)
    }
  }
  try fitting("ellipsoid", observations.count) {
    _ = try EllipsoidFit().solve(observations)
  }
  try samples.benchmarkOnline()
}

private func fitting(_ name: String, _ observations: Int, _ fit: () throws -> Void) throws {
  let measurement = try Measurement(rounds: 15) {
    try fit()
    return 1
  }
  try CalibrationReport(name, measurement, count: observations).print()
}

/// A trial as a board would read it 100 times a second, with the orientation that its gyroscope and
/// accelerometer carry, behind iron.
private struct CarriedSamples {
  private static var hertz: Double { 100 }
  /// Hard iron of a third of the field and soft iron of a tenth.
  private static let shape = Matrix3(
    rows: SIMD3(1.08, 0.03, -0.02), SIMD3(0.03, 0.97, 0.04), SIMD3(-0.02, 0.04, 0.95))
  private static let offset = SIMD3(9.0, -8, 7)

  private struct Sample {
    let field: SIMD3<Double>
    let timestamp: Timestamp
    let attitude: Rotation<BodyFrame, MagneticEarthFrame>
    let rate: SIMD3<Double>
  }

  private var inertial: [InertialSample<SensorFrame>] = []
  private var carried: [Sample] = []

  init(_ trial: Trial) throws {
    var orientation = InertialOrientation()
    var due = 0.0
    for i in 0..<trial.count where trial.seconds[i] >= due {
      due += 1 / Self.hertz
      let body = trial.inertial(i)
      let sample = InertialSample<SensorFrame>(
        timestamp: body.timestamp, angularRate: AngularRate(components: trial.rate[i]),
        specificForce: SpecificForce(components: trial.force[i]))
      inertial.append(sample)
      orientation.update(sample)
      guard let attitude = orientation.attitude, let field = trial.field[i] else { continue }
      carried.append(
        Sample(
          field: Self.shape * field + Self.offset, timestamp: body.timestamp, attitude: attitude,
          rate: orientation.rate))
    }
  }

  /// So many, evenly over the trial.
  func observations(_ count: Int) throws -> [FieldObservation] {
    var observer = FieldObserver()
    let all = carried.compactMap { s in
      observer.add(field: s.field, at: s.timestamp, attitude: s.attitude, rate: s.rate)
    }
    guard all.count >= count else {
      throw BenchmarkError(
        "the trial gives \(all.count) observations, at least \(count) are needed")
    }
    return (0..<count).map { all[$0 * all.count / count] }
  }

  /// Orientation by itself, then observer and calibrator with every refit that is due.
  func benchmarkOnline() throws {
    let orienting = Measurement(rounds: 5) {
      var orientation = InertialOrientation()
      for sample in inertial { orientation.update(sample) }
      precondition(orientation.attitude != nil)
      return inertial.count
    }
    try CalibrationReport("orientation", orienting, count: inertial.count, hertz: Self.hertz)
      .print()
    let calibrating = try Measurement(rounds: 5) {
      var observer = FieldObserver()
      var calibrator = OnlineCalibrator()
      for s in carried {
        let observation = observer.add(
          field: s.field, at: s.timestamp, attitude: s.attitude, rate: s.rate)
        guard let observation else { continue }
        _ = calibrator.add(observation)
        if let job = calibrator.startRefit() { _ = calibrator.finish(try job.run()) }
      }
      precondition(calibrator.active != nil)
      return carried.count
    }
    try CalibrationReport("online", calibrating, count: carried.count, hertz: Self.hertz).print()
  }
}
