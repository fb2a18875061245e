import BoardCheck
import Configuration
import Engine
import Quantities
import Simulation

/// The acceptance of a simulated board, as fast as it can be computed.
struct CheckedBoard {
  var board = Board.simulated
  var scenario = Scenario.acceptance
  var fault: BoardFault?
  var calibration = CalibrationChoice.assumed

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
    var session = CheckSession(board: board, isSimulated: true)
    let status = rows.boardStatus
    var due = 0.0
    while session.guide.step != nil, let row = try rows.next() {
      for output in rows.takeReceiverOutput(collecting: true) {
        if case .bytes(let bytes) = output { session.add(receiver: bytes, at: row.timestamp) }
      }
      pipeline.process(row)
      session.add(row)
      if row.timestamp.seconds >= due {
        due = row.timestamp.seconds + 0.1
        session.add(pipeline.estimate)
      }
    }
    session.set(status())
    return session.outcome()
  }
}
