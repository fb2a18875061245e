import CalibrationFit
import Quantities
import RecordedTrials

/// An online calibration of one trial, from nothing and from the beginning of the motion.
struct OnlineReplay {
  /// A calibration that was put to use.
  struct Change {
    /// Seconds since the motion began.
    let at: Double
    let event: OnlineCalibrationEvent
    /// Its error on another trial, degrees.
    let error: Double
  }

  /// In their order.
  private(set) var changes: [Change] = []
  /// The error, after the step, of the calibration that was in use at the step, degrees; nil
  /// without either.
  private(set) var errorAfterStep: Double?
  /// The distortion that was put on.
  let drawn: DrawnDistortion

  /// Replays the observations from when the motion began, `start`. After a step, so many seconds
  /// later, another distortion holds.
  init(
    _ observations: [FieldObservation], from start: Double, prior: FieldPrior,
    drawn: DrawnDistortion, step: (at: Double, drawn: DrawnDistortion)? = nil,
    judge: HeadingJudge
  ) {
    self.drawn = drawn
    var calibrator = OnlineCalibrator(prior: prior)
    for plain in observations {
      let at = plain.timestamp.seconds - start
      let isStepped = step.map { at > $0.at } ?? false
      let iron = isStepped ? step?.drawn ?? drawn : drawn
      if isStepped, errorAfterStep == nil, let active = calibrator.active {
        errorAfterStep = judge.error(of: active.estimate.distortion, under: iron)
      }
      var events: [OnlineCalibrationEvent] = []
      if let event = calibrator.add(iron(plain)) { events.append(event) }
      if let job = calibrator.startRefit() {
        // A fit that is refused changes nothing.
        do {
          if let event = calibrator.finish(try job.run()) { events.append(event) }
        } catch {}
      }
      for event in events {
        // Without a calibration the heading is as it was before the first.
        let distortion = event.calibration?.estimate.distortion ?? .none
        let error = judge.error(of: distortion, under: iron)
        changes.append(Change(at: at, event: event, error: error))
      }
    }
  }

  /// When the error came below a limit to stay there; infinite where it never did.
  func settled(below limit: Double, after begin: Double = 0) -> Double {
    var since: Double?
    for change in changes where change.at > begin {
      since = change.error <= limit ? since ?? change.at - begin : nil
    }
    return since ?? .infinity
  }
}

extension OnlineCalibrationEvent {
  var isStep: Bool { if case .steppedTo = self { true } else { false } }
  var isRollback: Bool { if case .rolledBack = self { true } else { false } }
}
