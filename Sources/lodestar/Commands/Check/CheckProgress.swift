import BoardCheck
import LinuxIO
import Pipeline
import Quantities
import Recording

/// Runs the steps of a check: passes what a player gives to the session, and shows what to do now.
struct CheckProgress {
  /// Interval of the progress line, s.
  private static let interval = 0.1

  let player: EstimatePlayer
  /// Longest time of the board's clock, seconds.
  let duration: Double
  let isSimulated: Bool
  let format: CheckCommand.Format

  /// Plays until the last step is done, the time has passed or a signal came.
  /// - Parameter recorder: The recording; its end ends the check.
  /// - Returns: The result; nil after a signal.
  /// - Throws: `Failure` where the output is closed or the source has a fault.
  func run(_ recorder: Recorder) throws -> CheckOutcome? {
    let session = Locked(CheckSession(board: player.boardFile, isSimulated: isSimulated))
    let newest = Locked<(first: Timestamp, last: Timestamp)?>(nil)
    let observations = [
      player.observeRows { row in
        session.withLock { $0.add(row) }
        newest.withLock { span in
          span = (span?.first ?? row.timestamp, max(span?.last ?? row.timestamp, row.timestamp))
        }
      },
      player.observe { estimate in session.withLock { $0.add(estimate) } },
      player.observeReceiver { output in
        guard case .bytes(let bytes) = output else { return }
        session.withLock { $0.add(receiver: bytes, at: MonotonicClock.now) }
      },
    ]
    defer { for observation in observations { observation.cancel() } }
    let signals = StopSignals(undoSeconds: { [player] in player.undoSeconds })
    defer { signals.end() }
    let out = OutputStream()
    let line = ProgressLine(name: "check")
    if format == .text, isSimulated { try out.line("SIMULATED") }
    let clocks = SystemClock.reading
    player.start()
    var shown = 0
    var announced: CheckStep?
    while !signals.isStopped, recorder.end == nil, player.end == nil {
      let (guide, status) = (session.withLock { $0.guide }, player.driverStatus)
      while shown < guide.finished.count {
        line.clear()
        try write(done: guide.finished[shown], to: out)
        shown += 1
      }
      guard let step = guide.step else { break }
      let passed = newest.withLock { $0.map { $0.last.seconds(since: $0.first) } ?? 0 }
      // Without a sample the board's clock does not run.
      let waited = MonotonicClock.now.seconds(since: clocks.monotonic)
      guard passed < duration, passed > 0 || waited < step.limitSeconds else { break }
      if announced != step {
        announced = step
        line.clear()
        try write(begun: step, to: out)
      }
      if let status { session.withLock { $0.set(status) } }
      line.show(bar(guide, left: duration - passed))
      signals.wait(seconds: Self.interval)
    }
    line.clear()
    if let status = player.driverStatus { session.withLock { $0.set(status) } }
    let end = SystemClock.reading
    player.stop()
    guard !signals.isStopped else { return nil }
    if case .fault(let error) = player.end { throw Failure.input("\(error)") }
    if !isSimulated {
      let elapsed = end.utc.seconds(since: clocks.utc)
      let step = elapsed - end.monotonic.seconds(since: clocks.monotonic)
      session.withLock { $0.set(clockStep: step) }
    }
    let outcome = session.withLock { $0.outcome() }
    for step in outcome.steps.dropFirst(shown) { try write(done: step, to: out) }
    try out.flush()
    return outcome
  }

  private func bar(_ guide: CheckGuide, left: Double) -> String {
    let (share, text) = guide.progress
    return "\(ProgressLine.bar(share)) \(text), at most \(FieldText.fixed(max(0, left), 0)) s left"
  }

  private func write(begun step: CheckStep, to out: OutputStream) throws {
    guard format == .text else { return }
    let all = CheckStep.allCases
    let number = (all.firstIndex(of: step) ?? 0) + 1
    let text = CheckText(width: DoctorText.width)
    for line in text.hanging("\(number) of \(all.count)  ", step.instruction) { try out.line(line) }
    try out.flush()
  }

  private func write(done step: CheckOutcome.Step, to out: OutputStream) throws {
    switch format {
    case .text:
      let line = "        \(BoardReport.step(step))"
      try out.line(step.reason.map { "\(line): \($0)" } ?? line)
    case .json: try out.line(CheckJSON.step(step, isSimulated: isSimulated))
    }
    try out.flush()
  }
}
