import CalibrationFit
import Quantities

/// A forward fit under one random distortion, with its errors on the other undisturbed trials.
struct FittedDraw: Sendable {
  /// The result of the fit.
  let solution: ForwardSolution
  /// By other trial: up to a tilt of 45 degrees, and up to 10. Degrees.
  let errors: [Double]
  let nearErrors: [Double]
  /// One sigma of the worst attitude up to a tilt of 45 degrees, and up to 10. Degrees.
  let predicted: Double
  let nearPredicted: Double

  /// Fits the observations after distorting them; they are passed undistorted. `down` is the
  /// direction of gravity while the sensor is level. nil where the fit is refused.
  init?(
    _ observations: [FieldObservation], _ drawn: DrawnDistortion, _ fit: ForwardFit,
    down: SIMD3<Double>, judges: [HeadingJudge]
  ) {
    let solution: ForwardSolution
    do { solution = try fit.fit(drawn(observations)) } catch { return nil }
    self.solution = solution
    let found = solution.estimate.distortion
    errors = judges.map { $0.error(of: found, under: drawn) }
    nearErrors = judges.map { $0.error(of: found, under: drawn, tilt: 10) }
    let prediction = HeadingErrorPrediction(solution.estimate)
    predicted = prediction.map { $0.worst(about: down).degrees } ?? 180
    nearPredicted =
      prediction.map { $0.worst(about: down, tilt: Angle(degrees: 10)).degrees } ?? 180
  }

  /// True where the shape turns the field round, which no iron does.
  var isInsideOut: Bool { solution.estimate.distortion.shape.determinant < 0 }

  /// Predicted and actual error of each other trial.
  var pairs: [(predicted: Double, actual: Double)] { errors.map { (predicted, $0) } }
}

extension Double {
  /// Radians as degrees.
  var degrees: Double { self * 180 / .pi }
}
