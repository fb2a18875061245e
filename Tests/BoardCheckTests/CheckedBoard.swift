import Board
import BoardCheck
import Configuration
import Pipeline
import Quantities
import Simulation

extension Scenario {
  /// A hand that shakes in turn and tilt: 6 degrees and 5 centimetres to and fro within a second,
  /// 1.2 m/s².
  mutating func shake() {
    for half in 0..<112 {
      let (from, sign) = (28 + Double(half) / 2, half % 2 == 0 ? 1.0 : -1.0)
      func ramp(_ change: Double) -> Ramp {
        Ramp(fromSeconds: from, seconds: 0.5, change: change * sign)
      }
      motion.roll.ramps.append(ramp(Angle(degrees: 6).radians))
      motion.pitch.ramps.append(ramp(Angle(degrees: -4).radians))
      motion.north.ramps.append(ramp(0.05))
      motion.up.ramps.append(ramp(0.05))
    }
  }
}

/// The acceptance of a simulated board, as fast as it can be computed.
struct CheckedBoard {
  var board = Board.simulated
  var scenario = Scenario.acceptance
  var fault: BoardFault?
  var calibration = CalibrationChoice.assumed
  /// Whether its recording is judged, without a prompt and without counters.
  var isRecording = false
  /// Whether the mount is stated beside the recording.
  var isMountStated = true
  /// Duration of the recording, seconds.
  var recordingSeconds = 160.0

  /// 2026-06-01.
  private static let start = UTCTime(nanosecondsSince1970: 1_780_272_000_000_000_000)
  /// Longer than all steps.
  private static let seconds = 300.0

  /// The seeds of a test: fewer without optimisation, which takes twenty times as long.
  static func seeds(atMost most: UInt64) -> Range<UInt64> {
    var count = most
    // The body of an assertion runs only in a debug build.
    assert(
      {
        count = min(most, 1)
        return true
      }())
    return 1..<count + 1
  }

  func outcome(seed: UInt64) throws -> CheckOutcome {
    var scenario = scenario
    scenario.durationSeconds = Self.seconds
    var rows = try SimulatedBoardSamples(
      board, scenario: scenario, seed: seed, startUTC: Self.start, fault: fault)
    var configuration = PipelineConfiguration()
    configuration.board = board
    configuration.calibration = calibration
    configuration.isSimulated = true
    configuration.utcAtStart = Self.start
    var pipeline = Pipeline(configuration: configuration)
    var session =
      isRecording
      ? CheckSession(recordingOf: board, isMountStated: isMountStated, isSimulated: true)
      : CheckSession(board: board, isSimulated: true)
    let status = rows.boardStatus
    var due = 0.0
    while session.guide.step != nil, let row = try rows.next() {
      if isRecording, row.timestamp.seconds > recordingSeconds { break }
      for output in rows.removeReceiverOutput(collecting: true) {
        if case .bytes(let bytes) = output { session.add(receiver: bytes, at: row.timestamp) }
      }
      pipeline.process(row)
      session.add(row)
      if row.timestamp.seconds >= due {
        due = row.timestamp.seconds + 0.1
        session.add(pipeline.estimate)
      }
    }
    if !isRecording { session.set(status()) }
    return session.outcome()
  }
}
