import CalibrationFit
import Quantities
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct AccelerometerTests {
  static let gravity = 9.80665

  /// Rests near the six sides, as a sensor with these errors feels them.
  static func positions(
    _ simulation: inout InertialSimulation, _ truth: AccelerometerCalibration,
    _ sides: [AxisDirection], scatter: Double = 0.05, seconds: Double = 5
  ) -> [RestInterval] {
    let parameters = AccelerometerFit.Parameters()
    let inverse = truth.shape.inverse ?? .identity
    let noise = parameters.forceNoise * parameters.forceNoise / seconds
    let sigma = (parameters.positionSigma * parameters.positionSigma + noise).squareRoot()
    return sides.map { side in
      let up = -simulation.near(side.unitVector, scatter)
      let force = AxisMount.standard.rotation.inverse.rotate(up * gravity)
      let felt = inverse * force + truth.bias + simulation.normal3(sigma)
      return RestInterval(
        rate: SIMD3(0.01, 0, 0), force: felt, seconds: seconds, rateSpread: 0.003,
        forceSpread: 0.05)
    }
  }

  static func sensor(_ simulation: inout InertialSimulation) -> AccelerometerCalibration {
    let (s, c) = (simulation.normal3(0.02), simulation.normal3(0.01))
    return AccelerometerCalibration(
      bias: simulation.normal3(0.5),
      shape: Matrix3(
        rows: SIMD3(1 + s.x, 0, 0), SIMD3(c.x, 1 + s.y, 0), SIMD3(c.y, c.z, 1 + s.z)))
  }

  @Test("bias and scale lie within two sigma of the truth in 95 of 100 calibrations")
  func coverage() throws {
    var (hits, count, worst) = (0, 0, 0.0)
    for seed in 0..<200 {
      var simulation = InertialSimulation(seed: seed)
      let truth = Self.sensor(&simulation)
      let sides = AxisDirection.allCases
      let found = try AccelerometerFit()(
        Self.positions(&simulation, truth, sides + sides, scatter: 0.2))
      for axis in 0..<3 {
        count += 1
        let bias = found.calibration.bias[axis]
        if within(2, bias, truth.bias[axis], found.biasSigma[axis]) { hits += 1 }
      }
      // Any direction, not only those that were held.
      let up = simulation.near(SIMD3(0.5, 0.5, 0.7), 0.5)
      let felt = (truth.shape.inverse ?? .identity) * (up * Self.gravity) + truth.bias
      worst = max(worst, abs(found.calibration(felt).length - Self.gravity))
    }
    #expect(hits * 100 >= count * 95)
    #expect(worst < 0.1)
  }

  @Test("six positions near the sides reduce a bias of 0.5 m/s² to a fiftieth")
  func sixPositions() throws {
    for seed in 0..<20 {
      var simulation = InertialSimulation(seed: seed)
      let truth = Self.sensor(&simulation)
      let found = try AccelerometerFit()(
        Self.positions(&simulation, truth, AxisDirection.allCases))
      #expect((found.calibration.bias - truth.bias).length < 0.05)
      #expect(found.positionCount == 6)
      #expect(found.missing.isEmpty)
      #expect(found.levelError.degrees < 0.2)
    }
  }

  @Test("the sides that have not pointed down are named")
  func missing() {
    var simulation = InertialSimulation(seed: 7)
    let positions = Self.positions(&simulation, .none, [.down, .up, .left, .right])
    #expect(AccelerometerFit().missing(positions) == [.forward, .backward])
    #expect(
      throws: InertialFitError.tooFewPositions(
        found: 4, needed: 6, missing: [.forward, .backward])
    ) { _ = try AccelerometerFit()(positions) }
    let error = InertialFitError.tooFewPositions(
      found: 4, needed: 6, missing: [.forward, .backward])
    #expect(
      error.description == "4 of 6 positions at rest: still to point down: forward, backward")
  }

  @Test("positions in which the board moved are excluded")
  func moved() throws {
    var simulation = InertialSimulation(seed: 8)
    let truth = Self.sensor(&simulation)
    let sides = AxisDirection.allCases
    var positions = Self.positions(&simulation, truth, sides + sides)
    positions[2].forceSpread = 0.8
    positions[3].rateSpread = 0.1
    positions[4].rate = SIMD3(0, 0.3, 0)
    positions[5].force = nil
    let found = try AccelerometerFit()(positions)
    #expect(found.rejected == [2, 3, 4, 5])
    #expect((found.calibration.bias - truth.bias).length < 0.05)
  }

  @Test("one disturbed position of twelve has little weight; contradicting positions are rejected")
  func knocked() throws {
    var simulation = InertialSimulation(seed: 9)
    let truth = Self.sensor(&simulation)
    let sides = AxisDirection.allCases
    var positions = Self.positions(&simulation, truth, sides + sides)
    positions[1].force? += SIMD3(0, 0.06, 0.06)
    let found = try AccelerometerFit()(positions)
    #expect((found.calibration.bias - truth.bias).length < 0.05)
    for i in stride(from: 0, to: 12, by: 2) { positions[i].force? += simulation.normal3(0.5) }
    #expect(throws: InertialFitError.self) { _ = try AccelerometerFit()(positions) }
  }

  @Test("a sensor with a wrong unit is distinguished from a correct one")
  func unit() {
    var simulation = InertialSimulation(seed: 10)
    let positions = Self.positions(&simulation, .none, AxisDirection.allCases).map { rest in
      var rest = rest
      rest.force? /= Self.gravity
      return rest
    }
    do throws(InertialFitError) {
      _ = try AccelerometerFit()(positions)
      Issue.record("a force of 1 was taken for gravity")
    } catch {
      guard case .notGravity(let found, let expected) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(abs(found - 1) < 0.01 && expected == Self.gravity)
    }
  }
}
