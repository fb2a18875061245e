import CalibrationFit
import Foundation
import Quantities
import Testing

@Suite("Online calibration", .timeLimit(.minutes(30)))
struct OnlineCalibratorTests {
  @Test("from nothing five degrees are reached in 30 s and three in 45 s")
  func fromNothing() throws {
    var (five, three): ([Double], [Double]) = ([], [])
    for seed in 1...16 as ClosedRange<UInt64> {
      let board = SimulatedBoard(seed: seed)
      var run = OnlineRun()
      try run.feed(board.observations(.free, seconds: 70))
      five.append(run.settled(below: 5) { board.headingError($0) } ?? 999)
      three.append(run.settled(below: 3) { board.headingError($0) } ?? 999)
      #expect(run.steps.isEmpty && run.commits >= 1)
      // The first commit is not grossly wrong.
      let begin = try #require(run.events.first)
      let first = try #require(begin.event.calibration)
      #expect(board.headingError(first.estimate.distortion) < 12)
      #expect(try #require(first.seenError).degrees <= 10 && first.committedAt != nil)
    }
    #expect(five.quantile(0.5) <= 30 && five.quantile(1) <= 45, "\(five)")
    #expect(three.quantile(0.5) <= 45, "\(three)")
  }

  @Test("a turn beyond the gyroscope's range ends a stretch and causes no wrong commit")
  func beyondRange() throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let board = SimulatedBoard(seed: seed)
      var observations = board.observations(.free, seconds: 120)
      // Every fifteen seconds yaw continues with another offset.
      for i in observations.indices {
        let stretch = i / 75
        let (c, s) = (cos(2.4 * Double(stretch)), sin(2.4 * Double(stretch)))
        observations[i].stretch = stretch
        guard let a = observations[i].axes else { continue }
        observations[i].axes?.x = a.x * c + a.y * s
        observations[i].axes?.y = a.y * c - a.x * s
        observations[i].axes?.xRate = a.xRate * c + a.yRate * s
        observations[i].axes?.yRate = a.yRate * c - a.xRate * s
      }
      var run = OnlineRun()
      try run.feed(observations)
      let limit = 12.0
      for (_, event) in run.events {
        guard let found = event.calibration else { continue }
        #expect(board.headingError(found.estimate.distortion) < limit)
      }
    }
  }

  @Test("the same observations give the same events and the same calibration")
  func deterministic() throws {
    let observations = SimulatedBoard(seed: 3).observations(.free, seconds: 50)
    var (a, b) = (OnlineRun(), OnlineRun())
    try a.feed(observations)
    try b.feed(observations)
    #expect(a.events.count > 0 && a.events.map { $0.event } == b.events.map { $0.event })
    #expect(a.calibrator.active == b.calibrator.active)
  }

  @Test(
    "in twenty minutes the store stays bounded, old observations are removed, heading stays right")
  func longUse() throws {
    let board = SimulatedBoard(seed: 6)
    var run = OnlineRun()
    for part in 0..<5 {
      // Another motion every four minutes, each with its own yaw. After the first the board is
      // never upside down again, so only their age removes those attitudes.
      let motion = SimulatedMotion(part == 0 ? .free : .leaning, seed: UInt64(part + 1))
      try run.feed(board.observations(motion, seconds: 240).later(by: 245 * Double(part)))
      for (label, count) in run.kept { #expect(count <= 600, "\(label)") }
      #expect((run.kept["store"] ?? 0) > 100)
      #expect((run.kept["recent"] ?? 999) <= 45 && (run.kept["validation"] ?? 999) <= 90)
      let active = try #require(run.calibrator.active)
      #expect(board.headingError(active.estimate.distortion) < 3)
    }
    #expect(run.steps.isEmpty && run.calibrator.previous.count <= 4)
    let store = Mirror(reflecting: run.calibrator).descendant("store", "observations")
    let kept = try #require(store as? [FieldObservation])
    let (oldest, newest) = (try #require(kept.first), try #require(kept.last))
    #expect(newest.timestamp.seconds(since: oldest.timestamp) <= 605)
    let fit = try run.calibrator.nextFit()
    #expect(try #require(fit).estimate.observationCount <= 600)
  }

  @Test("slowly changing iron is followed over a quarter of an hour")
  func creep() throws {
    var board = SimulatedBoard(seed: 8)
    var run = OnlineRun()
    let offset = board.distortion.offset
    for part in 0..<4 {
      board.distortion.offset = offset + SIMD3(0.6, 0.8, 0) * (2.5 * Double(part))
      let motion = SimulatedMotion(.leaning, seed: UInt64(part + 1))
      try run.feed(board.observations(motion, seconds: 240).later(by: 245 * Double(part)))
      let active = try #require(run.calibrator.active)
      #expect(board.headingError(active.estimate.distortion, tilt: 20) < 6, "part \(part)")
    }
  }

  @Test("a board at rest commits nothing and detects no step, also in a distorted field")
  func rest() throws {
    var run = OnlineRun()
    let board = SimulatedBoard(seed: 2)
    try run.feed(board.observations(.rest, seconds: 300))
    #expect(run.events.isEmpty && run.calibrator.active == nil)
    // A known calibration, laid down beside a radiator.
    var known = OnlineRun()
    try known.feed(board.observations(.free, seconds: 60))
    let before = known.events.count
    var bent = board
    bent.earth = EarthField(horizontal: 30, down: 38)
    let motion = SimulatedMotion(.rest, seed: 2)
    try known.feed(bent.observations(motion, seconds: 300).later(by: 70))
    #expect(known.events.count == before)
  }

  @Test("a level turn alone is predicted to be good only near level")
  func level() throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      let board = SimulatedBoard(seed: seed)
      var run = OnlineRun()
      try run.feed(board.observations(.level, seconds: 60))
      guard let active = run.calibrator.active else { continue }
      // Right where it was seen, and honest elsewhere.
      #expect(board.headingError(active.estimate.distortion, tilt: 4) < 6)
      let predicted = active.estimate.predictedError()
      #expect(predicted > 6 && board.headingError(active.estimate.distortion) < 2 * predicted)
    }
  }

  @Test("an earlier calibration is used at once and does not get worse")
  func earlier() throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      let board = SimulatedBoard(seed: seed)
      let estimate = try ForwardFit().fit(board.observations(.free, seconds: 60)).estimate
      var run = OnlineRun(OnlineCalibrator(earlier: estimate))
      let active = try #require(run.calibrator.active)
      #expect(active.estimate == estimate && active.committedAt == nil)
      try run.feed(board.observations(SimulatedMotion(.leaning, seed: seed + 9), seconds: 60))
      #expect(run.steps.isEmpty)
      for (_, event) in run.events {
        let calibration = try #require(event.calibration)
        #expect(board.headingError(calibration.estimate.distortion) < 2.5)
      }
    }
  }

  @Test("unusable observations change nothing")
  func refused() throws {
    var run = OnlineRun()
    let observations = SimulatedBoard(seed: 1).observations(.free, seconds: 20)
    try run.feed(observations)
    let before = run.kept
    let last = try #require(observations.last)
    var bad: [FieldObservation] = []
    for _ in 0..<5 { bad.append(last) }
    bad[0].axes = nil
    bad[1].axes?.isYawCarried = false
    bad[2].field.y = .nan
    bad[3].rate = 6.01
    bad[4] = observations[3]
    for o in bad { #expect(run.calibrator.add(o) == nil) }
    #expect(run.kept == before)
    #expect(OnlineCalibrator().active == nil && OnlineCalibrator().previous.isEmpty)
  }
}

extension OnlineCalibrator {
  /// The next fit, with the observations moved on until one falls due.
  fileprivate func nextFit() throws -> ForwardSolution? {
    var copy = self
    let last = Mirror(reflecting: self).descendant("newest") as? Timestamp
    guard let last else { return nil }
    for k in 1...10 as ClosedRange<UInt64> {
      let o = FieldObservation(
        timestamp: last.advanced(byNanoseconds: k * 1_000_000_000), field: .zero,
        axes: ReferenceAxes(
          x: SIMD3(1, 0, 0), y: SIMD3(0, 1, 0), down: SIMD3(0, 0, 1), isYawCarried: true))
      _ = copy.add(o)
      if let job = copy.startRefit() { return try job.run() }
    }
    return nil
  }
}
