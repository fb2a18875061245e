import CalibrationFit
import Quantities
import TestSupport
import Testing

@Suite(
  "Online calibration on recorded motion",
  .enabled(if: SharedData.path("data/broad") != nil, "the recorded trials are not here"),
  .timeLimit(.minutes(30)))
struct RecordedOnlineTests {
  private static let rotations = ["02", "04", "07", "08"]

  private func trial(_ name: String) throws -> RecordedTurns {
    try #require(RecordedTurns.all[name])
  }

  @Test("from nothing five degrees are reached in 30 s and three in 45 s, in the middle")
  func fromNothing() throws {
    var (five, three): ([Double], [Double]) = ([], [])
    for name in Self.rotations {
      let train = try trial(name)
      let test = try trial(name == "02" ? "04" : "02")
      let clean = train.observations(from: train.begin, to: train.begin + 100)
      for seed in 1...3 as ClosedRange<UInt64> {
        let iron = SimulatedBoard(seed: seed, misalignment: seed % 2 == 0 ? 0 : 5).distortion
        var run = OnlineRun()
        try run.feed(clean.distorted(iron))
        five.append(run.settled(below: 5) { test.headingError($0, of: iron) } ?? 999)
        three.append(run.settled(below: 3) { test.headingError($0, of: iron) } ?? 999)
        #expect(run.steps.isEmpty, "\(name): \(run.steps)")
      }
    }
    // Measured 15 s for both.
    #expect(five.quantile(0.5) <= 30 && five.quantile(1) <= 75, "\(five)")
    #expect(three.quantile(0.5) <= 45, "\(three)")
  }

  @Test("a step of 13 microtesla is detected in 30 s, and heading is correct again in 45 s")
  func step() throws {
    var (noticed, back): ([Double], [Double]) = ([], [])
    var random = NumberSequence(seed: 4)
    for name in Self.rotations {
      let train = try trial(name)
      let test = try trial(name == "02" ? "04" : "02")
      let clean = train.observations(from: train.begin, to: train.begin + 125)
      let begin = try #require(clean.first).timestamp
      for seed in 1...3 as ClosedRange<UInt64> {
        let iron = SimulatedBoard(seed: seed + 10, misalignment: 5).distortion
        var after = iron
        after.offset += random.direction() * 13
        let cut = clean.firstIndex { $0.timestamp.seconds(since: begin) > 60 } ?? clean.endIndex
        var run = OnlineRun()
        try run.feed(Array(clean[..<cut]).distorted(iron) + Array(clean[cut...]).distorted(after))
        #expect(run.steps.allSatisfy { $0.seconds > 60 })
        noticed.append(run.steps.first.map { $0.seconds - 60 } ?? 999)
        let settled = run.settled(below: 5, after: 60) { test.headingError($0, of: after) }
        back.append(settled.map { $0 - 60 } ?? 999)
      }
    }
    #expect(noticed.quantile(0.5) < 30, "\(noticed)")
    #expect(back.quantile(0.5) < 45, "\(back)")
  }

  @Test("no step is detected without an added magnet", arguments: ["10", "12", "16"])
  func noStep(name: String) throws {
    for seed in 1...2 as ClosedRange<UInt64> {
      let iron = SimulatedBoard(seed: seed).distortion
      var run = OnlineRun()
      try run.feed(try trial(name).observations().distorted(iron))
      #expect(run.steps.isEmpty, "\(run.steps)")
    }
  }

  @Test("no step is detected after a correct calibration either", arguments: ["10", "12", "16"])
  func noStepFromEarlier(name: String) throws {
    let iron = SimulatedBoard(seed: 1).distortion
    let right = try ForwardFit().fit(try trial("02").observations().distorted(iron)).estimate
    var known = OnlineRun(OnlineCalibrator(earlier: right))
    try known.feed(try trial(name).observations().distorted(iron))
    #expect(known.steps.isEmpty, "\(known.steps)")
  }
}
