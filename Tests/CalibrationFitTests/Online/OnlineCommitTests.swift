import CalibrationFit
import Quantities
import Testing

@Suite("Commit, rollback and steps of an online calibration", .timeLimit(.minutes(30)))
struct OnlineCommitTests {
  private let board = SimulatedBoard(seed: 7)

  /// A calibrator that has seen a minute of turning, and a fit of it.
  private func settled() throws -> (run: OnlineRun, fit: ForwardSolution) {
    let observations = board.observations(.free, seconds: 60)
    var run = OnlineRun()
    try run.feed(observations)
    return (run, try ForwardFit().fit(observations))
  }

  private func bent(_ fit: ForwardSolution) -> ForwardSolution {
    var worse = fit
    let skew = Matrix3(rows: SIMD3(1, 0.12, 0), SIMD3(0.1, 1, -0.15), SIMD3(0.1, 0, 1))
    worse.estimate.distortion.shape = worse.estimate.distortion.shape * skew
    return worse
  }

  @Test("a fit is due every five seconds, once")
  func refits() throws {
    var calibrator = OnlineCalibrator()
    var due: [Double] = []
    let observations = board.observations(.free, seconds: 31)
    for o in observations {
      _ = calibrator.add(o)
      if calibrator.startRefit() != nil {
        due.append(o.timestamp.seconds(since: observations[0].timestamp))
        #expect(calibrator.startRefit() == nil)
      }
    }
    // At the start there is nothing to fit.
    #expect(due.count == 6)
    for (n, at) in due.enumerated() { #expect(abs(at - 5 * Double(n + 1)) < 0.5) }
  }

  @Test("a fit that explains the validation worse is not committed")
  func worseIsRefused() throws {
    var (run, fit) = try settled()
    let active = run.calibrator.active
    #expect(run.calibrator.finish(bent(fit)) == nil)
    fit.estimate.inlierShare = 0.79
    #expect(run.calibrator.finish(fit) == nil)
    #expect(run.calibrator.active == active)
  }

  @Test("nothing is committed before validation has enough attitudes")
  func unjudged() throws {
    let fit = try ForwardFit().fit(board.observations(.free, seconds: 60))
    var calibrator = OnlineCalibrator()
    // No fifth block yet.
    for o in board.observations(.free, seconds: 7) { _ = calibrator.add(o) }
    #expect(calibrator.finish(fit) == nil && calibrator.active == nil)
    for o in board.observations(.free, seconds: 30) { _ = calibrator.add(o) }
    guard case .committed(let commit) = calibrator.finish(fit) else {
      Issue.record("nothing was committed")
      return
    }
    #expect(commit == calibrator.active && commit.estimate == fit.estimate)
    // At rest there is only one attitude for the comparison.
    var resting = OnlineCalibrator()
    for o in board.observations(.rest, seconds: 60) { _ = resting.add(o) }
    #expect(resting.finish(fit) == nil)
  }

  @Test("a calibration worse than the previous one is rolled back")
  func rollback() throws {
    var (run, fit) = try settled()
    let good = try #require(run.calibrator.active)
    let usual = run.calibrator.parameters
    run.calibrator.parameters.toleratedScore = 1e9
    run.calibrator.parameters.betterError = 1e9
    let taken = run.calibrator.finish(bent(fit))
    #expect(taken != nil && run.calibrator.previous.last == good)
    run.calibrator.parameters = usual
    // No fit is made meanwhile, so only a rollback can correct it.
    var events: [OnlineCalibrationEvent] = []
    let more = board.observations(SimulatedMotion(.free, seed: 77), seconds: 60).later(by: 70)
    for o in more {
      if let event = run.calibrator.add(o) { events.append(event) }
      _ = run.calibrator.startRefit()
    }
    #expect(events.contains(.rolledBack(good)))
    #expect(run.calibrator.active == good)
  }

  @Test("a rollback never makes a calibration worse by more than a degree")
  func harmlessRollback() throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      let board = SimulatedBoard(seed: seed)
      var run = OnlineRun()
      try run.feed(board.observations(.free, seconds: 120))
      var last = 180.0
      for (_, event) in run.events {
        let calibration = try #require(event.calibration)
        let error = board.headingError(calibration.estimate.distortion)
        if case .rolledBack = event { #expect(error < last + 1, "seed \(seed)") }
        last = error
      }
      #expect(run.calibrator.previous.count <= 4 && last < 2)
    }
  }

  @Test("added iron of 13 microtesla is detected in 20 s and heading is correct in 45 s")
  func step() throws {
    var (noticed, back): ([Double], [Double]) = ([], [])
    var random = NumberSequence(seed: 9)
    for seed in 1...12 as ClosedRange<UInt64> {
      var board = SimulatedBoard(seed: seed)
      let change = random.direction() * 13
      board.iron = { $0 > 63 ? change : .zero }
      var run = OnlineRun()
      try run.feed(board.observations(.free, seconds: 130))
      #expect(run.steps.allSatisfy { $0.seconds > 59 })
      let step = run.steps.first
      noticed.append(step.map { $0.seconds - 60 } ?? 999)
      if let step { #expect((step.change - change).length < 7) }
      board.distortion.offset += change
      back.append(
        run.settled(below: 5, after: 60) { board.headingError($0) }.map { $0 - 60 } ?? 999)
    }
    #expect(noticed.quantile(0.5) < 20, "\(noticed)")
    #expect(back.quantile(0.5) < 45 && back.quantile(0.9) < 60, "\(back)")
  }

  @Test("an earlier calibration with changed iron is corrected")
  func earlierIsOff() throws {
    for seed in 1...8 as ClosedRange<UInt64> {
      var board = SimulatedBoard(seed: seed)
      let estimate = try ForwardFit().fit(board.observations(.free, seconds: 60)).estimate
      board.distortion.offset += SIMD3(8, -7, 8)
      var run = OnlineRun(OnlineCalibrator(earlier: estimate))
      try run.feed(board.observations(SimulatedMotion(.free, seed: seed + 20), seconds: 60))
      let active = try #require(run.calibrator.active)
      #expect(board.headingError(active.estimate.distortion) < 4)
    }
  }

  @Test("a magnet passed within two seconds is not a step")
  func passed() throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      var board = SimulatedBoard(seed: seed)
      board.iron = { $0 > 63 && $0 < 64.5 ? SIMD3(15, -10, 5) : .zero }
      var run = OnlineRun()
      try run.feed(board.observations(.free, seconds: 90))
      #expect(run.steps.isEmpty, "\(seed): \(run.steps)")
    }
  }
}
