import CalibrationFit
import Quantities
import TestSupport
import Testing

@Suite struct GyroscopeScaleTests {
  /// Whole turns both ways about each of these axes.
  static func turns(
    _ simulation: inout InertialSimulation, scale: SIMD3<Double>, biasError: SIMD3<Double>,
    axes: [Int], turns: Double,
    secondsPerTurn: Double = 4
  ) throws -> [TurnInterval] {
    let parameters = GyroscopeScaleFit.Parameters()
    var result: [TurnInterval] = []
    for axis in axes {
      for way in [1.0, -1.0] {
        var direction = SIMD3<Double>.zero
        direction[axis] = 1
        let shown = simulation.near(direction, parameters.axisSigma / 2)
        let end = simulation.normal() * 1.5 * degree
        let seconds = turns * secondsPerTurn
        let noise = simulation.normal3(parameters.rateNoise * seconds.squareRoot())
        let truth = direction * (way * 2 * .pi * turns + end)
        let measured = truth / (1 + scale) + biasError * seconds + noise
        result.append(try TurnInterval.counted(measured: measured, axis: shown, seconds: seconds))
      }
    }
    return result
  }

  @Test("the scale lies within two sigma of the truth in 95 of 100 calibrations")
  func coverage() throws {
    var (hits, count) = (0, 0)
    for seed in 0..<200 {
      var simulation = InertialSimulation(seed: seed)
      let scale = simulation.normal3(0.015)
      let biasError = simulation.normal3(0.02 * degree)
      let turns = try Self.turns(
        &simulation, scale: scale, biasError: biasError, axes: [0, 1, 2], turns: 5)
      let found = try GyroscopeScaleFit()(turns)
      #expect(found.unknownAxes.isEmpty)
      for axis in 0..<3 {
        count += 1
        if within(2, found.scale[axis], scale[axis], found.sigma[axis]) { hits += 1 }
        #expect(found.sigma[axis] < 0.001)
      }
    }
    #expect(hits * 100 >= count * 95)
  }

  @Test("turning both ways takes a wrong bias out, and tells it")
  func bothWays() throws {
    var simulation = InertialSimulation(seed: 4)
    let error = SIMD3(0, 0, 0.05 * degree)
    let turns = try Self.turns(
      &simulation, scale: SIMD3(0, 0, 0.02), biasError: error, axes: [2], turns: 10,
      secondsPerTurn: 20)
    let found = try GyroscopeScaleFit()(turns)
    #expect(abs(found.scale.z - 0.02) < 0.001)
    #expect(abs(found.biasCorrection.z - error.z) < 0.02 * degree)
    let rate = SIMD3(0, 0, 1.0)
    #expect(found.correct(rate: rate).z == 1 + found.scale.z)
  }

  @Test("an axis about which nobody turned is named and stays at its prior")
  func unknownAxes() throws {
    var simulation = InertialSimulation(seed: 5)
    let turns = try Self.turns(
      &simulation, scale: SIMD3(0, 0, 0.02), biasError: .zero, axes: [2], turns: 5)
    let found = try GyroscopeScaleFit()(turns)
    #expect(found.unknownAxes == [0, 1])
    #expect(found.sigma.x > 0.014)
  }

  @Test("the end's heading resolves turns that are not whole")
  func partial() throws {
    let truth = Angle(degrees: 400)
    let turn = try TurnInterval.counted(
      measured: SIMD3(0, 0, truth.radians * 0.98), axis: SIMD3(0, 0, 2), end: Angle(degrees: 40),
      seconds: 10)
    #expect(abs(turn.angle - truth.radians) < 1e-9)
    #expect(turn.axis == SIMD3(0, 0, 1))
    let back = try TurnInterval.counted(
      measured: SIMD3(0, 0, -4 * .pi * 1.01), axis: SIMD3(0, 0, 1), seconds: 10)
    #expect(abs(back.angle + 4 * .pi) < 1e-9)
  }

  @Test("a turn that is short, or contradicts, or none, is refused with what to do")
  func refusals() {
    #expect(throws: InertialFitError.self) {
      _ = try TurnInterval.counted(
        measured: SIMD3(0, 0, 0.3), axis: SIMD3(0, 0, 1), seconds: 1)
    }
    #expect(throws: InertialFitError.self) {
      // 450 degrees is no whole turn.
      _ = try TurnInterval.counted(
        measured: SIMD3(0, 0, 2.5 * .pi), axis: SIMD3(0, 0, 1), seconds: 1)
    }
    #expect(throws: InertialFitError.self) {
      // Forty turns less 2 % are nearer to 39 turns than to forty.
      _ = try TurnInterval.counted(
        measured: SIMD3(0, 0, 80 * .pi * 0.98), axis: SIMD3(0, 0, 1), seconds: 100)
    }
    #expect(throws: InertialFitError.noTurn) { _ = try GyroscopeScaleFit()([]) }
    #expect(throws: InertialFitError.unusable) {
      let turn = TurnInterval(
        measured: SIMD3(0, 0, 6), axis: .zero, angle: Angle(degrees: 360),
        angleSigma: Angle(degrees: 1), seconds: 5)
      _ = try GyroscopeScaleFit()([turn])
    }
  }

  @Test("what the gyroscope says is summed less its bias")
  func sum() {
    var sum = TurnSum(bias: SIMD3(0, 0, 0.1))
    for _ in 0..<100 { sum.add(rate: SIMD3(0, 0, 1.1), seconds: 0.01) }
    sum.add(rate: SIMD3(.nan, 0, 0), seconds: 0.01)
    #expect((sum.measured - SIMD3(0, 0, 1)).length < 1e-12)
    #expect(abs(sum.seconds - 1) < 1e-12)
  }
}
