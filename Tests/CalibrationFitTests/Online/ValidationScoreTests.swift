import CalibrationFit
import Foundation
import Quantities
import Testing

@Suite("Scores and steps", .timeLimit(.minutes(30)))
struct ValidationScoreTests {
  private func calibrated(_ seed: UInt64) throws -> (SimulatedBoard, DistortionEstimate) {
    let board = SimulatedBoard(seed: seed)
    return (board, try ForwardFit().fit(board.observations(.free, seconds: 60)).estimate)
  }

  @Test("the score is the residual of observations that the fit has not used")
  func score() throws {
    for seed in 1...8 as ClosedRange<UInt64> {
      let (board, right) = try calibrated(seed)
      let other = board.observations(SimulatedMotion(.free, seed: seed + 30), seconds: 20)
      let own = try #require(ValidationScore(right, on: other))
      #expect(own.error.degrees < 4 && own.count == other.count && own.spread.degrees > 40)
      var wrong = right
      wrong.distortion.offset += SIMD3(4, -4, 4)
      #expect(try #require(ValidationScore(wrong, on: other)).error.radians > 2 * own.error.radians)
      wrong = right
      let bent = Matrix3(rows: SIMD3(1, 0.15, 0), SIMD3(0, 1, -0.15), SIMD3(0.1, 0, 1))
      wrong.distortion.shape = wrong.distortion.shape * bent
      #expect(
        try #require(ValidationScore(wrong, on: other)).error.radians > 1.5 * own.error.radians)
    }
  }

  @Test("a steady drift of yaw, its origin and a passing magnet change a score little")
  func robust() throws {
    let (board, right) = try calibrated(3)
    let other = board.observations(SimulatedMotion(.free, seed: 40), seconds: 20)
    let own = try #require(ValidationScore(right, on: other)).error.degrees
    var drifting = other
    var passed = other
    for i in other.indices {
      drifting[i].turnYaw(by: 2 + 0.005 * other[i].timestamp.seconds)
      if i < other.count / 20 { passed[i].field += SIMD3(30, 0, 0) }
    }
    #expect(abs(try #require(ValidationScore(right, on: drifting)).error.degrees - own) < 0.5)
    #expect(abs(try #require(ValidationScore(right, on: passed)).error.degrees - own) < 2)
  }

  @Test("spread is the rotation range of the board")
  func spread() throws {
    let (board, right) = try calibrated(2)
    func spread(_ kind: SimulatedMotion.Kind) throws -> Double {
      try #require(ValidationScore(right, on: board.observations(kind, seconds: 20))).spread.degrees
    }
    #expect(try spread(.rest) < 1)
    #expect(try spread(.level) > 30 && spread(.level) < spread(.free))
  }

  @Test("too few observations, or a shape without inverse, have no score")
  func refused() throws {
    let (board, right) = try calibrated(1)
    let other = board.observations(.free, seconds: 10)
    #expect(ValidationScore(right, on: Array(other.prefix(7))) == nil)
    #expect(ValidationScore(right, on: Array(other.prefix(8))) != nil)
    #expect(
      ValidationScore(
        right,
        on: other.map { FieldObservation(timestamp: $0.timestamp, field: $0.field) }) == nil)
    var flat = right
    flat.distortion.shape = .zero
    #expect(ValidationScore(flat, on: other) == nil)
  }

  @Test(
    "eight seconds of turning give the change of the iron", arguments: [0.0, 6, 13, 40])
  func step(size: Double) throws {
    var random = NumberSequence(seed: 3)
    for seed in 1...10 as ClosedRange<UInt64> {
      var (board, right) = try calibrated(seed)
      let change = random.direction() * size
      board.distortion.offset += change
      let part = board.observations(SimulatedMotion(.free, seed: seed + 60), seconds: 8)
      let step = try #require(OffsetStep(right, in: part))
      #expect((step.change - change).length < 4, "\((step.change - change).length)")
      #expect(step.residualAfter <= step.residualBefore && step.residualAfter < 2.5)
      if size >= 13 { #expect(step.residualAfter < 0.6 * step.residualBefore) }
      #expect(step.sigma > 0 && step.sigma < 1.5)
    }
  }

  @Test("a few observations, or one attitude, give no iron change")
  func noStep() throws {
    let (board, right) = try calibrated(5)
    let part = board.observations(.free, seconds: 10)
    #expect(OffsetStep(right, in: Array(part.prefix(14))) == nil)
    #expect(OffsetStep(right, in: board.observations(.rest, seconds: 20)) == nil)
  }
}
