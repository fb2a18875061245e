import CalibrationFit
import Quantities
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct RestPositionsTests {
  static let bias = SIMD3(0.01, -0.02, 0.005)

  /// Adds a rest of the board on one side, at 100 hertz.
  static func rest(
    _ positions: inout RestPositions, _ simulation: inout InertialSimulation,
    down: AxisDirection, seconds: Double, celsius: Double? = nil
  ) {
    let force = AxisMount.standard.rotation.inverse.rotate(down.unitVector * -9.81)
    for _ in 0..<Int(bounded: seconds * 100) {
      positions.update(
        rate: bias + simulation.normal3(0.1 * degree),
        force: force + simulation.normal3(0.05), celsius: celsius, seconds: 0.01)
    }
  }

  /// The board is turned over in a second.
  static func turn(_ positions: inout RestPositions, _ simulation: inout InertialSimulation) {
    for i in 0..<100 {
      let force = simulation.near(SIMD3(0, Double(i) / 100, 1), 0.1) * 9.81
      positions.update(rate: SIMD3(1.5, 0.2, 0), force: force, seconds: 0.01)
    }
  }

  @Test("six sides in turn give six positions, a bias and a calibrated accelerometer")
  func guided() throws {
    var (positions, simulation) = (RestPositions(), InertialSimulation(seed: 1))
    let fit = AccelerometerFit()
    for (i, side) in AxisDirection.allCases.enumerated() {
      Self.rest(&positions, &simulation, down: side, seconds: 5)
      #expect(positions.current != nil)
      #expect(fit.missing(positions.positions).count == 5 - i)
      Self.turn(&positions, &simulation)
      #expect(positions.current == nil)
    }
    #expect(positions.positions.count == 6)
    var estimator = GyroscopeBiasEstimator()
    for rest in positions.rests { try estimator.add(rest) }
    #expect((try estimator.estimate().bias - Self.bias).length < 0.02 * degree)
    let found = try fit(positions.positions)
    #expect(found.calibration.bias.length < 0.03)
  }

  @Test("samples just before a detected motion are not in the rest")
  func edges() throws {
    var (positions, simulation) = (RestPositions(), InertialSimulation(seed: 2))
    Self.rest(&positions, &simulation, down: .down, seconds: 5)
    // Below the threshold for a third of a second.
    for _ in 0..<33 {
      positions.update(
        rate: Self.bias + SIMD3(0.9 * degree, 0, 0), force: SIMD3(0, 0, 9.81), seconds: 0.01)
    }
    Self.turn(&positions, &simulation)
    let rest = try #require(positions.ended.first)
    #expect((rest.rate - Self.bias).length < 0.02 * degree)
    #expect(rest.seconds > 3.5)
  }

  @Test("a turn below the rate threshold is not rest")
  func slowTurn() {
    var positions = RestPositions()
    for i in 0..<1000 {
      // Two degrees a second about a level axis: the force leaves its mean.
      let angle = Double(i) * 0.01 * 2 * degree
      let up = Rotation<SensorFrame, SensorFrame>(rotationVector: SIMD3(angle, 0, 0))
      positions.update(
        rate: SIMD3(2 * degree, 0, 0), force: up.rotate(SIMD3(0, 0, 9.81)), seconds: 0.01)
    }
    #expect(positions.rests.isEmpty)
  }

  @Test("a long rest while the sensor warms up gives several, with their temperatures")
  func warming() throws {
    var (positions, simulation) = (RestPositions(), InertialSimulation(seed: 3))
    for minute in 0..<4 {
      Self.rest(
        &positions, &simulation, down: .down, seconds: 60, celsius: 20 + 5 * Double(minute))
    }
    #expect(positions.rests.count >= 7)
    #expect(positions.positions.count == 1)
    var estimator = GyroscopeBiasEstimator()
    for rest in positions.rests { try estimator.add(rest) }
    #expect(try estimator.estimate().slopeState == .known)
  }

  @Test("a gap, a fast turn and invalid numbers end a rest and start none")
  func awkward() {
    var (positions, simulation) = (RestPositions(), InertialSimulation(seed: 4))
    Self.rest(&positions, &simulation, down: .down, seconds: 5)
    positions.update(rate: Self.bias, force: SIMD3(0, 0, 9.81), seconds: 5)
    #expect(positions.current == nil && positions.ended.count == 1)
    Self.rest(&positions, &simulation, down: .down, seconds: 5)
    positions.update(rate: SIMD3(.nan, 0, 0), force: nil, seconds: 0.01)
    #expect(positions.current == nil && positions.ended.count == 2)
    for _ in 0..<1000 {
      positions.update(rate: SIMD3(0, 0, 0.3), force: SIMD3(0, 0, 9.81), seconds: 0.01)
    }
    #expect(positions.rests.count == 2)
  }

  @Test("at most `capacity` rests are stored")
  func capacity() {
    var parameters = RestPositions.Parameters()
    parameters.capacity = 3
    var (positions, simulation) = (
      RestPositions(parameters: parameters), InertialSimulation(seed: 5)
    )
    for _ in 0..<5 {
      Self.rest(&positions, &simulation, down: .down, seconds: 4)
      Self.turn(&positions, &simulation)
    }
    #expect(positions.ended.count == 3)
  }
}
