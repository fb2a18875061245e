import ArgumentParser
import CalibrationFit
import Fusion
import Quantities
import RecordedTrials
import Study

/// What online calibration makes of a gyroscope at the end of its range.
struct SaturationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "saturation",
    abstract:
      "Online calibration on the T-stick, and on BROAD with a gyroscope of 250 degrees a second.")

  @OptionGroup var options: StudyOptions

  func run() throws {
    let recordings = try RecordedSets.load(shared: options.shared)
    var table = TextTable(
      "recording", "at the limit %", "commits", "word", "stated", "error on itself",
      "without checks: word",
      "stated", "error on itself")
    let runs: [(name: String, trial: Trial)] = recordings.compactMap { recording in
      switch recording.set {
      case "T-stick": (recording.trial.name, recording.trial)
      case "BROAD" where StudyData.undisturbed.contains(recording.trial.name):
        ("BROAD \(recording.trial.name), 250 deg/s", recording.trial.clipped(at: 250 * .pi / 180))
      default: nil
      }
    }
    for (name, trial) in runs {
      let judge = HeadingJudge(trial)
      let drawn = DrawnDistortion(seed: trial.name.hashOfStudy, misalignment: 0)
      let with = OnlineEnd(trial, drawn, judge, checks: true)
      let without = OnlineEnd(trial, drawn, judge, checks: false)
      table.add([
        name, percent(with.share), "\(with.commits)", with.word, word(with.stated),
        word(with.error),
        without.word, word(without.stated), word(without.error),
      ])
    }
    table.showMarkdown()
  }
}

/// Where an online calibration of a whole trial ends.
private struct OnlineEnd {
  var share = 0.0
  var commits = 0
  var word = "none"
  var stated = Double.nan
  var error = Double.nan

  init(_ trial: Trial, _ drawn: DrawnDistortion, _ judge: HeadingJudge, checks isChecking: Bool) {
    var orientation = InertialOrientation()
    var observer = FieldObserver()
    var checks = SampleChecks()
    var turning = SampleChecks()
    var calibrator = OnlineCalibrator()
    var nextLook = 120.0
    for i in 0..<trial.count {
      let sample = trial.inertial(i)
      orientation.update(
        InertialSample<SensorFrame>(
          timestamp: sample.timestamp, angularRate: AngularRate(components: trial.rate[i]),
          specificForce: SpecificForce(components: trial.force[i])))
      let loss = checks.add(rate: trial.rate[i], force: trial.force[i], at: sample.timestamp)
      turning.add(rate: trial.rate[i], force: trial.force[i], at: sample.timestamp)
      if let loss, isChecking { observer.interrupt(at: sample.timestamp, loss) }
      if trial.seconds[i] > nextLook {
        nextLook += 120
        checks.forget()
      }
      guard let m = trial.fieldSample(i), let attitude = orientation.attitude else { continue }
      let field: SIMD3<Double> = drawn.shape * m.field.components + drawn.offset
      checks.add(field: field)
      let observation = observer.add(
        field: field, at: m.timestamp, attitude: attitude, rate: orientation.rate)
      guard let observation, !isChecking || checks.fault == nil else { continue }
      if case .committed? = calibrator.add(observation) { commits += 1 }
      guard let job = calibrator.startRefit() else { continue }
      // A fit that is refused changes nothing.
      do { if case .committed? = calibrator.finish(try job.run()) { commits += 1 } } catch {}
    }
    share = turning.shareAtRateEnd
    guard let active = calibrator.active else { return }
    let seen = active.seenError ?? Angle(degrees: 180)
    word = "\(CalibrationState(predictedHeadingError: seen))"
    stated = seen.degrees
    error = judge.error(of: active.estimate.distortion, under: drawn, tilt: 180)
  }
}

extension Trial {
  /// A gyroscope of a narrower range, rad/s.
  fileprivate func clipped(at range: Double) -> Trial {
    var t = self
    let end = SIMD3<Double>(repeating: range)
    t.rate = rate.map { $0.clamped(lowerBound: -end, upperBound: end) }
    return t
  }
}
