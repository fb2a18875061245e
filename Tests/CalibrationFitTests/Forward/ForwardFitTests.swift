import CalibrationFit
import Foundation
import Quantities
import Testing

@Suite("Forward fit", .timeLimit(.minutes(30)))
struct ForwardFitTests {
  @Test("iron, a rotation of five degrees and a latency are found anywhere on earth")
  func findsEverything() throws {
    var errors: [Double] = []
    for seed in 1...30 as ClosedRange<UInt64> {
      var board = SimulatedBoard(seed: seed)
      board.bend = 0.5
      let estimate = try ForwardFit().fit(board.observations(.free, seconds: 60)).estimate
      errors.append(board.headingError(estimate.distortion))
      let late = try #require(estimate.latencySeconds)
      #expect(abs(late - 0.012) < 0.004, "\(late)")
      #expect(estimate.method == .forward && estimate.observationCount > 280)
      #expect(estimate.inlierShare > 0.95 && estimate.residualMicrotesla < 1)
    }
    #expect(errors.quantile(0.5) < 0.7 && errors.quantile(1) < 1.5, "\(errors.sorted())")
  }

  @Test("the iron itself is found, not only the direction behind it")
  func findsIron() throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      let board = SimulatedBoard(seed: seed)
      let found = try ForwardFit(prior: .model(board.earth))
        .fit(board.observations(.free, seconds: 60)).estimate
      #expect((found.distortion.offset - board.distortion.offset).length < 2.5)
      // Shape and field share one scale: their product has none.
      let scaled = found.distortion.shape * (found.earthField.total / board.earth.total)
      let apart: Matrix3 = scaled - board.distortion.shape
      for i in 0..<3 { for j in 0..<3 { #expect(abs(apart[i, j]) < 0.05) } }
    }
  }

  @Test(
    "any unknown place is found",
    arguments: [
      EarthField(horizontal: 18, down: 45), EarthField(horizontal: 20, down: -50),
      EarthField(horizontal: 30, down: 2), EarthField(horizontal: 38, down: -15),
      EarthField(horizontal: 27, down: 30), EarthField(horizontal: 13, down: -24),
    ])
  func places(earth: EarthField) throws {
    for seed in 1...8 as ClosedRange<UInt64> {
      var board = SimulatedBoard(seed: seed)
      board.earth = earth
      board.bend = 0.5
      let estimate = try ForwardFit().fit(board.observations(.free, seconds: 60)).estimate
      #expect(abs((estimate.earthField.dip - earth.dip).degrees) < 2)
      #expect(board.headingError(estimate.distortion) < 1.5 * max(1, 18 / earth.horizontal))
    }
  }

  @Test("a gyroscope scale error of three per cent has little effect", arguments: [0.97, 1.03])
  func gyroscopeScale(scale: Double) throws {
    for seed in 1...8 as ClosedRange<UInt64> {
      var board = SimulatedBoard(seed: seed)
      board.rateScale = scale
      let estimate = try ForwardFit().fit(board.observations(.free, seconds: 60)).estimate
      #expect(board.headingError(estimate.distortion) < 1.9)
    }
  }

  @Test(
    "the gyroscope's scale error about the vertical is estimated", arguments: [-0.015, 0.015])
  func yawScale(share: Double) throws {
    let board = SimulatedBoard(seed: 3)
    var observations = board.observations(.leaning, seconds: 60)
    for i in observations.indices {
      let turned = try #require(observations[i].axes).turned
      observations[i].turnYaw(by: share * turned)
    }
    let plain = try ForwardFit().fit(board.observations(.leaning, seconds: 60))
    let fit = try ForwardFit().fit(observations)
    // A steady drift looks nearly the same in a steady turn: together they are right.
    #expect((fit.rateScale - plain.rateScale) * share > 0)
    #expect(board.headingError(fit.estimate.distortion) < 2)
  }

  @Test("a yaw that drifts is followed to its end", arguments: [-0.4, -0.1, 0.2, 0.4])
  func drift(degreesPerSecond: Double) throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      var board = SimulatedBoard(seed: seed)
      board.yawDrift = degreesPerSecond * .pi / 180
      let observations = board.observations(.free, seconds: 60)
      let fit = try ForwardFit().fit(observations)
      #expect(board.headingError(fit.estimate.distortion) < 1.9)
      // The direction of north on the carried axes by the calibrated field.
      var sum = 0.0
      for o in observations.suffix(20) {
        let inverse = try #require(fit.estimate.distortion.shape.inverse)
        let c = inverse * (o.field - fit.estimate.distortion.offset)
        let axes = try #require(o.axes)
        let north = Angle(radians: atan2(c.dot(axes.y), c.dot(axes.x)))
        sum += (north - fit.yaw).wrappedToHalfTurn.degrees / 20
      }
      #expect(abs(sum) < 3, "\(sum)")
    }
  }

  @Test("a tenth of samples 30 microtesla off is excluded and reported")
  func disturbed() throws {
    for seed in 1...12 as ClosedRange<UInt64> {
      let board = SimulatedBoard(seed: seed)
      var observations = board.observations(.free, seconds: 60)
      var random = NumberSequence(seed: seed)
      for i in observations.indices where random.uniform(0, 1) < 0.1 {
        observations[i].field += random.direction() * 30
      }
      let estimate = try ForwardFit().fit(observations).estimate
      #expect(board.headingError(estimate.distortion) < 1.9)
      #expect(estimate.inlierShare > 0.8 && estimate.inlierShare < 0.97)
    }
  }

  @Test("an earlier calibration adds what little motion does not observe")
  func anchored() throws {
    for seed in 1...8 as ClosedRange<UInt64> {
      let board = SimulatedBoard(seed: seed)
      let earlier = try ForwardFit().fit(board.observations(.free, seconds: 60)).estimate
      let short = board.observations(SimulatedMotion(.level, seed: seed + 50), seconds: 10)
      var fit = ForwardFit()
      let plain = try fit.fit(short).estimate
      fit.anchor = DistortionAnchor(earlier, shapeDrift: 0.01, offsetDrift: 5)
      let anchored = try fit.fit(short).estimate
      #expect(anchored.predictedError() < 0.7 * plain.predictedError())
      #expect(
        board.headingError(anchored.distortion) < 2 * anchored.predictedError())
    }
  }

  @Test("with too few observations with axes the error has their number")
  func tooFew() throws {
    let observations = SimulatedBoard(seed: 1).observations(.free, seconds: 20)
    #expect(throws: CalibrationFitError.tooFewSamples(found: 19, needed: 20)) {
      try ForwardFit().fit(Array(observations.prefix(19)))
    }
    var bare = observations
    for i in bare.indices where i % 10 != 0 { bare[i].axes?.isYawCarried = false }
    for i in bare.indices where i % 20 == 0 { bare[i].axes = nil }
    let left = bare.count { $0.axes?.isYawCarried == true }
    #expect(throws: CalibrationFitError.tooFewSamples(found: left, needed: 20)) {
      try ForwardFit().fit(bare)
    }
    #expect(throws: CalibrationFitError.tooFewSamples(found: 0, needed: 20)) {
      try ForwardFit().fit([])
    }
  }
}

extension FieldObservation {
  /// Rotates the gyroscope's axes about the vertical by a relative scale error, radians.
  mutating func turnYaw(by angle: Double) {
    guard var a = axes else { return }
    let (c, s) = (cos(angle), sin(angle))
    (a.x, a.y) = (a.x * c - a.y * s, a.y * c + a.x * s)
    (a.xRate, a.yRate) = (a.xRate * c - a.yRate * s, a.yRate * c + a.xRate * s)
    axes = a
  }
}
