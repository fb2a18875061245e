import BoardCheck
import Formats
import Pipeline
import Quantities

/// The judgement of a recording by the rules of a check.
struct RecordingJudgement {
  /// The most rows that are judged: 100 minutes at 100 Hz, about 150 MB.
  private static let mostRows = 600_000
  /// Interval of the estimates, s.
  private static let estimateInterval = 0.1

  let path: String
  let reading: RecordingOptions
  let board: BoardOptions

  func outcome() throws(Failure) -> CheckOutcome {
    var recording = try reading.open(path)
    let recorded = recording.exact?.configuration
    var configuration = recorded ?? PipelineConfiguration()
    try board.apply(to: &configuration)
    configuration.utcAtStart = configuration.utcAtStart ?? recording.startTime
    (configuration.onlineCalibration, configuration.refitRunner) = (false, nil)
    var pipeline = Pipeline(configuration: configuration)
    var session = CheckSession(
      recordingOf: configuration.board,
      isMountStated: recorded != nil || board.board != nil || board.mount != nil,
      isSimulated: configuration.isSimulated)
    var fault: RecordingError?
    var (rows, due): (Int, Timestamp?) = (0, nil)
    var progress = ReadingProgress(of: path, "rows")
    do throws(RecordingError) {
      while rows < Self.mostRows, let row = try recording.next() {
        for output in recording.removeReceiverOutput(collecting: true) {
          if case .bytes(let bytes) = output { session.add(receiver: bytes, at: row.timestamp) }
        }
        pipeline.process(row)
        session.add(row)
        rows += 1
        if row.timestamp >= due ?? row.timestamp {
          due = row.timestamp.advanced(bySeconds: Self.estimateInterval)
          session.add(pipeline.estimate)
        }
        progress.update(recording.fractionRead)
      }
    } catch {
      fault = error
    }
    progress.clear()
    guard rows > 0 else {
      throw .input(
        fault.map { "\($0)" }
          ?? "\(path): nothing can be judged: \(recording.notes ?? "the file has no samples")")
    }
    // The rows before the fault are valid.
    if let fault { StandardError.say("\(fault); the rows before it were used") }
    if rows == Self.mostRows {
      StandardError.say("\(path): only its first \(rows) rows are judged")
    }
    return session.outcome()
  }
}
