import ArgumentParser
import CalibrationFit
import Foundation
import RecordedTrials

/// Observations and draws for another program to fit.
struct ObservationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "observations",
    abstract:
      "Writes the observations of the rotation trials and the draws that `score` judges as JSON.")

  @OptionGroup var options: StudyOptions

  func run() throws {
    let data = try options.data()
    var trials: [String: [PeerObservation]] = [:]
    var fields: [String: [[Double]]] = [:]
    for name in StudyData.rotations {
      let trial = try data.trial(name)
      trials[name] = trial.observations().compactMap { PeerObservation($0) }
      fields[name] = trial.gravityObservations().map { [$0.field.x, $0.field.y, $0.field.z] }
    }
    let draws = PeerDraw.all(draws: options.draws).map { PeerDistortion($0) }
    let all = PeerInput(trials: trials, fields: fields, draws: draws)
    FileHandle.standardOutput.write(try JSONEncoder().encode(all))
  }
}

/// All that is written.
private struct PeerInput: Encodable {
  let trials: [String: [PeerObservation]]
  /// Fields of so short a time that no turn shortens them, as a board without a gyroscope takes
  /// them.
  let fields: [String: [[Double]]]
  let draws: [PeerDistortion]
}

/// An observation as it was recorded, along the sensor's axes.
private struct PeerObservation: Encodable {
  /// Seconds.
  let time: Double
  /// Microtesla.
  let field: [Double]
  /// The reference axes x, y and down, and how each changes in a second.
  let axes: [[Double]]
  /// Radians.
  let turned: Double
  /// Radians a second.
  let rate: Double

  init?(_ o: FieldObservation) {
    guard let a = o.axes, let rate = o.rate else { return nil }
    func list(_ v: SIMD3<Double>) -> [Double] { [v.x, v.y, v.z] }
    time = o.timestamp.seconds
    field = list(o.field)
    axes = [a.x, a.y, a.down, a.xRate, a.yRate, a.downRate].map(list)
    turned = a.turned
    self.rate = rate
  }
}

/// A draw: the distorted field is shape * field + offset.
private struct PeerDistortion: Encodable {
  let id: String
  let trial: String
  let shape: [[Double]]
  let offset: [Double]

  init(_ draw: PeerDraw) {
    let drawn = draw.drawn
    (id, trial) = (draw.id, draw.trial)
    shape = (0..<3).map { r in (0..<3).map { drawn.shape[r, $0] } }
    offset = (0..<3).map { drawn.offset[$0] }
  }
}
