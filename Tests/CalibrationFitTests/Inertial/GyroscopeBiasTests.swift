import CalibrationFit
import Quantities
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct GyroscopeBiasTests {
  /// Rests of a gyroscope with the noise of the estimator's parameters.
  static func rests(
    _ simulation: inout InertialSimulation, bias: SIMD3<Double>, slope: SIMD3<Double>,
    celsius: [Double?]
  ) -> [RestInterval] {
    let parameters = GyroscopeBiasEstimator.Parameters()
    return celsius.map { celsius in
      let seconds = simulation.uniform(2...20)
      let walk = parameters.rateNoise * parameters.rateNoise / seconds
      let sigma = (walk + parameters.wander * parameters.wander).squareRoot()
      let noise = simulation.normal3(sigma)
      return RestInterval(
        rate: bias + slope * ((celsius ?? 25) - 25) + noise, seconds: seconds, celsius: celsius)
    }
  }

  static func estimate(_ rests: [RestInterval]) throws -> GyroscopeBias {
    var estimator = GyroscopeBiasEstimator()
    for rest in rests { try estimator.add(rest) }
    return try estimator.estimate()
  }

  @Test("bias and slope lie within two sigma of the truth in 95 of 100 calibrations")
  func coverage() throws {
    var (biasHits, slopeHits, count) = (0, 0, 0)
    for seed in 0..<200 {
      var simulation = InertialSimulation(seed: seed)
      let bias = simulation.normal3(1 * degree)
      let slope = simulation.normal3(0.03 * degree)
      let celsius = (0..<6).map { Double?.some(20 + 4 * Double($0)) }
      let found = try Self.estimate(
        Self.rests(&simulation, bias: bias, slope: slope, celsius: celsius))
      #expect(found.slopeState == .known)
      let (now, sigma) = (found.bias(celsius: 30), found.sigma(celsius: 30))
      let truth = bias + slope * 5
      for axis in 0..<3 {
        count += 1
        if within(2, now[axis], truth[axis], sigma[axis]) { biasHits += 1 }
        if within(2, found.slope[axis], slope[axis], found.slopeSigma[axis]) { slopeHits += 1 }
      }
    }
    #expect(biasHits * 100 >= count * 95)
    #expect(slopeHits * 100 >= count * 95)
  }

  @Test("similar temperatures give no slope, report it, and widen the bias away from them")
  func alike() throws {
    var simulation = InertialSimulation(seed: 1)
    let found = try Self.estimate(
      Self.rests(
        &simulation, bias: SIMD3(0.01, 0, 0), slope: .zero, celsius: [25, 25.4, 25.2]))
    guard case .temperaturesAlike(let span) = found.slopeState else {
      Issue.record("the slope counts as \(found.slopeState)")
      return
    }
    #expect(abs(span - 0.4) < 1e-9)
    #expect(found.slopeState.description.contains("0.40 kelvin"))
    #expect(found.sigma(celsius: 45).x > 10 * found.sigma(celsius: 25).x)
  }

  @Test("without temperatures the bias is the weighted mean, valid at today's temperature")
  func noTemperature() throws {
    var simulation = InertialSimulation(seed: 2)
    let bias = SIMD3(0.02, -0.01, 0.005)
    let found = try Self.estimate(
      Self.rests(&simulation, bias: bias, slope: .zero, celsius: [nil, nil, nil]))
    #expect(found.slopeState == .temperatureUnknown)
    #expect(found.referenceCelsius == nil)
    #expect((found.bias - bias).length < 3 * found.sigma.length)
    #expect(found.bias(celsius: 70) == found.bias)
  }

  @Test("a rest with a slow turn has little weight")
  func outlier() throws {
    var simulation = InertialSimulation(seed: 3)
    let bias = SIMD3(0.02, -0.01, 0.005)
    var rests = Self.rests(
      &simulation, bias: bias, slope: .zero, celsius: Array(repeating: nil, count: 8))
    rests[3].rate.z += 1 * degree
    let found = try Self.estimate(rests)
    #expect((found.bias - bias).length < 0.03 * degree)
  }

  @Test("a turn is rejected, and without rests there is no bias")
  func refusals() throws {
    var estimator = GyroscopeBiasEstimator()
    #expect(throws: InertialFitError.noRest) { _ = try estimator.estimate() }
    #expect(throws: InertialFitError.self) {
      try estimator.add(RestInterval(rate: SIMD3(0, 0, 0.2), seconds: 5))
    }
    #expect(throws: InertialFitError.unusable) {
      try estimator.add(RestInterval(rate: SIMD3(0, .nan, 0), seconds: 5))
    }
    #expect(throws: InertialFitError.unusable) {
      try estimator.add(RestInterval(rate: .zero, seconds: 0))
    }
    #expect(estimator.rests.isEmpty)
  }
}
