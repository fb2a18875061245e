import Fusion
import RecordedTrials

func benchmarkHeading(_ path: String) throws {
  let trial = try Trial(path: path)
  let inertial = (0..<trial.count).map { trial.inertial($0) }
  let field = (0..<trial.count).compactMap { trial.fieldSample($0) }
  let measurement = Measurement(rounds: 15) {
    var filter = StrapdownFilter()
    for i in inertial.indices {
      filter.update(inertial[i])
      filter.update(field[i])
    }
    precondition(filter.solution != nil)
    return inertial.count
  }
  try measurement.report()
}
