import CalibrationFit
import RecordedTrials

/// A part of a trial, any place in it, and the distortion under which it is fitted.
struct Segment: Sendable {
  let name: String
  let seconds: Double
  let drawn: DrawnDistortion
  let observations: [FieldObservation]
  let down: SIMD3<Double>

  /// Draws a segment of a trial; one longer than the trial is all of it. An even number has no
  /// misalignment, an odd one has 5 degrees.
  init(
    of trial: Trial, seconds: Double, number: Int, gyroscope: GyroscopeTrouble = .none
  ) {
    name = trial.name
    self.seconds = seconds
    var draws = Draws(seed: name.hashOfStudy * 977 + Int(seconds) + 100_003 * number)
    // The first seconds lie still.
    let (first, last) = (12.0, trial.duration - seconds - 4)
    let start = last > first ? first + draws.uniform() * (last - first) : 0
    observations = trial.observations(from: start, to: start + seconds, gyroscope: gyroscope)
    drawn = DrawnDistortion(
      seed: 1000 * number + name.hashOfStudy + Int(seconds) * 17,
      misalignment: number.isMultiple(of: 2) ? 0 : 5)
    down = trial.restingDown
  }

  func fitted(_ fit: ForwardFit, _ data: StudyData) -> FittedDraw? {
    FittedDraw(observations, drawn, fit, down: down, judges: data.judges(except: name))
  }
}
