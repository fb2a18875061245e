import CalibrationFit
import RecordedTrials

/// The fits that are compared with a peer's: the whole rotation trials under each draw.
struct PeerDraw: Sendable {
  let trial: String
  let misalignment: Double
  let number: Int

  static func all(draws: Int) -> [PeerDraw] {
    [0.0, 5].flatMap { misalignment in
      StudyData.rotations.flatMap { trial in
        (0..<draws).map { PeerDraw(trial: trial, misalignment: misalignment, number: $0) }
      }
    }
  }

  /// As `trials` draws it.
  var drawn: DrawnDistortion {
    DrawnDistortion(seed: 100 * number + trial.hashOfStudy, misalignment: misalignment)
  }

  /// Names the draw between the two programs.
  var id: String { "\(trial)/\(misalignment)/\(number)" }
}
