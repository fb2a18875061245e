import CalibrationFit
import Quantities
import Testing

@Suite("Ellipsoid fit", .timeLimit(.minutes(30)))
struct EllipsoidFitTests {
  @Test("a tumbled board is calibrated to below a degree", arguments: 1...6)
  func tumbled(seed: UInt64) throws {
    var world = FieldWorld(seed: seed)
    let solution = try EllipsoidFit().solve(world.observations(world.tumble()))
    #expect(solution.estimate.method == .ellipsoid)
    #expect(solution.gravity == .absent(found: 0))
    #expect(try world.headingError(solution.estimate, tilt: 30) < 1)
    #expect(solution.estimate.inlierShare > 0.95)
    #expect(solution.estimate.residualMicrotesla < 1)
  }

  @Test(
    "a magnet of several hundred microtesla on the board is calibrated like any other",
    arguments: [100.0, 300, 600])
  func strongMagnet(offset: Double) throws {
    var world = FieldWorld(seed: 3, offset: offset)
    let estimate = try EllipsoidFit().solve(world.observations(world.tumble())).estimate
    #expect((estimate.distortion.offset - world.distortion.offset).length < 1)
    #expect(try world.headingError(estimate, tilt: 30) < 1)
  }

  @Test("one disturbed sample in five changes nothing")
  func disturbedSamples() throws {
    var world = FieldWorld(seed: 4)
    var observations = world.observations(world.tumble())
    for i in stride(from: 0, to: observations.count, by: 5) {
      observations[i].field += world.random.vector() * 30
    }
    let estimate = try EllipsoidFit().solve(observations).estimate
    #expect(try world.headingError(estimate, tilt: 30) < 1)
    #expect(estimate.inlierShare < 0.95)
  }

  @Test("only gravity observes the magnetometer's rotation in its case and corrects it")
  func misalignment() throws {
    var world = FieldWorld(seed: 5, misalignment: 5)
    let attitudes = world.tumble()
    let plain = try EllipsoidFit().solve(world.observations(attitudes))
    let aligned = try EllipsoidFit().solve(world.observations(attitudes, gravityNoise: 0.01))
    #expect(aligned.gravity == .used)
    #expect(aligned.estimate.method == .ellipsoidAndGravity)
    #expect(try world.headingError(plain.estimate, tilt: 10) > 3)
    #expect(try world.headingError(aligned.estimate, tilt: 10) < 1)
    let level = FieldWorld.ring(tilt: 0)[0]
    #expect(try world.predictedError(plain.estimate, level) > 5)
    #expect(try world.predictedError(aligned.estimate, level) < 2)
    #expect(abs(aligned.estimate.earthField.dip.degrees - 66.8) < 1)
  }

  @Test("gravity of an accelerated board is not used")
  func pushed() throws {
    var world = FieldWorld(seed: 6)
    let observations = world.observations(world.tumble(), gravityNoise: 0.3)
    let solution = try EllipsoidFit().solve(observations)
    #expect(solution.estimate.method == .ellipsoid)
    guard case .contradictory(let sigma) = solution.gravity else {
      Issue.record("gravity should contradict itself: \(solution.gravity)")
      return
    }
    #expect(sigma.degrees > 5)
    #expect(try world.headingError(solution.estimate, tilt: 30) < 1)
  }

  @Test("a known place helps if there is little motion")
  func knownPlace() throws {
    var (free, known) = (0.0, 0.0)
    for seed in 10..<20 as Range<UInt64> {
      var world = FieldWorld(seed: seed)
      let observations = world.observations(world.turns(700, tilt: 15), gravityNoise: 0.01)
      let place = EllipsoidPrior(earthField: EarthField(horizontal: 18, down: 42))
      free += try world.headingError(EllipsoidFit().solve(observations).estimate, tilt: 45)
      known += try world.headingError(
        EllipsoidFit(prior: place).solve(observations).estimate, tilt: 45)
    }
    #expect(known < free)
  }

  @Test("without sufficient motion the error is predicted as unknown")
  func coverage() throws {
    var world = FieldWorld(seed: 7)
    let levelOnly = try EllipsoidFit().solve(
      world.observations(world.turns(700, tilt: 1), gravityNoise: 0.01)
    ).estimate
    let tumbled = try EllipsoidFit().solve(
      world.observations(world.tumble(), gravityNoise: 0.01)
    ).estimate
    let tilted = FieldWorld.ring(tilt: 60)
    let unknown = try tilted.map { try world.predictedError(levelOnly, $0) }
    let known = try tilted.map { try world.predictedError(tumbled, $0) }
    #expect((unknown.max() ?? 0) > 25)
    #expect((known.max() ?? 90) < 2)
  }

  @Test("the mean of a fast turn is not taken for a weaker field")
  func fastTurns() throws {
    var world = FieldWorld(seed: 8)
    var observations: [FieldObservation] = []
    var attitude = Matrix3.identity
    var rate = world.random.direction()
    for i in 0..<400 {
      // A fifth of a second at five radians a second, in twenty steps.
      rate = (rate + world.random.vector() * 0.1).normalized ?? rate
      var sum = SIMD3<Double>.zero
      for _ in 0..<20 {
        attitude = attitude * FieldWorld.matrix(rate * 0.05)
        sum += world.measured(attitude)
      }
      observations.append(
        FieldObservation(
          timestamp: Timestamp(nanoseconds: UInt64(i) * 200_000_000),
          field: sum / 20 + world.random.vector() * 0.3))
    }
    let taken = try EllipsoidFit(averagingTime: 0).solve(observations).estimate
    let undone = try EllipsoidFit(averagingTime: 0.2).solve(observations).estimate
    // What strength the fit gives the true field: its scale may differ, so compare the product.
    func strengthShare(_ estimate: DistortionEstimate) -> Double {
      let scale = estimate.distortion.shape.determinant / world.distortion.shape.determinant
      return estimate.earthField.total / world.field.length * cubeRoot(scale)
    }
    #expect(abs(strengthShare(undone) - 1) < 0.01)
    #expect(strengthShare(taken) < 0.98)
  }
}

private func cubeRoot(_ x: Double) -> Double { NumberSequence.cubeRoot(x) }
