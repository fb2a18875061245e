import CalibrationFit
import Quantities
import Testing

@Suite("The predicted errors of the forward fit", .timeLimit(.minutes(30)))
struct ForwardHonestyTests {
  /// Predicted and true error in degrees of many fits, below 45 degrees of tilt and below 8.
  private func draws(
    _ kind: SimulatedMotion.Kind, seconds: Double, seeds: ClosedRange<UInt64> = 1...40
  ) throws -> [[(predicted: Double, error: Double)]] {
    try seeds.map { seed in
      let board = SimulatedBoard(seed: seed, misalignment: seed % 2 == 0 ? 5 : 2)
      let prior: FieldPrior =
        seed % 3 == 0 ? .model(EarthField(horizontal: 20, down: 44)) : .unknown
      let estimate = try ForwardFit(prior: prior)
        .fit(board.observations(kind, seconds: seconds)).estimate
      return [45.0, 8].map { tilt in
        (
          estimate.predictedError(tilt: Angle(degrees: tilt)),
          board.headingError(estimate.distortion, tilt: tilt)
        )
      }
    }
  }

  @Test(
    "95 % of fits that predict below six degrees have an error below twice that",
    arguments: [SimulatedMotion.Kind.free, .leaning, .level])
  func honest(kind: SimulatedMotion.Kind) throws {
    var both: [[(predicted: Double, error: Double)]] = []
    for seconds in [8.0, 14, 25, 50] { both += try draws(kind, seconds: seconds) }
    for (n, tilt) in [45, 8].enumerated() {
      let all = both.map { $0[n] }
      let reported = all.filter { $0.predicted < 6 }
      // A level turn contains no information about the tilted board.
      if kind != .level || tilt < 45 { #expect(reported.count >= 60, "\(reported.count)") }
      let kept = reported.count { $0.error < 2 * $0.predicted }
      #expect(
        Double(kept) >= 0.95 * Double(reported.count), "\(tilt): \(kept) of \(reported.count)")
      // A large error is possible with little motion, but not far above the prediction.
      let wild = all.count { $0.error > 3 * $0.predicted }
      #expect(wild <= 1, "\(tilt): \(wild)")
    }
  }

  @Test("a free turn is trusted, a level one only while level")
  func words() throws {
    let free = try draws(.free, seconds: 40, seeds: 1...20).map { $0[0].predicted }
    #expect(free.quantile(1) < 3, "\(free.quantile(1))")
    let level = try draws(.level, seconds: 40, seeds: 1...20)
    let tilted = level.map { $0[0].predicted }
    let flat = level.map { $0[1].predicted }
    #expect(tilted.quantile(0) > 6, "\(tilted.quantile(0))")
    #expect(flat.quantile(0.5) < 6 && flat.quantile(0.5) < 0.5 * tilted.quantile(0.5))
  }

  @Test("contradicting stretches increase the prediction, consistent ones hardly")
  func contradiction() throws {
    var alone = ForwardFit.Parameters()
    alone.scatterGain = 0
    var (plain, bent): ([Double], [Double]) = ([], [])
    for seed in 1...8 as ClosedRange<UInt64> {
      var board = SimulatedBoard(seed: seed)
      for isBent in [false, true] {
        // A magnet beside the path bends the field for ten seconds of forty.
        board.iron = { isBent && $0 > 15 && $0 < 25 ? SIMD3(3, -2, 2) : .zero }
        let observations = board.observations(.free, seconds: 40)
        let with = try ForwardFit().fit(observations).estimate.predictedError()
        let without = try ForwardFit(parameters: alone).fit(observations).estimate.predictedError()
        if isBent { bent.append(with / without) } else { plain.append(with / without) }
      }
    }
    #expect(plain.quantile(0.5) < 1.6 && plain.quantile(0) >= 1, "\(plain)")
    #expect(bent.quantile(0.5) > 1.2 * plain.quantile(0.5), "\(bent) \(plain)")
  }

  @Test(
    "more of a motion never predicts worse by much",
    arguments: [SimulatedMotion.Kind.free, .leaning, .level])
  func moreMotion(kind: SimulatedMotion.Kind) throws {
    for seed in 1...12 as ClosedRange<UInt64> {
      let board = SimulatedBoard(seed: seed)
      let whole = board.observations(kind, seconds: 60)
      var last = Double.infinity
      for count in stride(from: 40, through: whole.count, by: 40) {
        let predicted = try ForwardFit(prior: .model(EarthField(horizontal: 18, down: 44)))
          .fit(Array(whole.prefix(count))).estimate.predictedError()
        #expect(predicted < 1.25 * last, "\(seed), \(count): \(last) to \(predicted)")
        last = min(last, predicted)
      }
    }
  }
}
