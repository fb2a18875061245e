import CalibrationFit
import Quantities
import Testing

@Suite("Properties of the forward fit", .timeLimit(.minutes(30)))
struct ForwardPropertiesTests {
  private let board = SimulatedBoard(seed: 4)

  @Test("the same observations give the same result to the bit")
  func deterministic() throws {
    for kind in SimulatedMotion.Kind.allCases where kind != .rest {
      let observations = board.observations(kind, seconds: 30)
      let first = try ForwardFit().fit(observations)
      #expect(try ForwardFit().fit(observations) == first)
      #expect(board.observations(kind, seconds: 30) == observations)
    }
  }

  @Test("the absolute time has no effect")
  func shiftedTime() throws {
    let observations = board.observations(.leaning, seconds: 30)
    let later = observations.map { o in
      var o = o
      o.timestamp = o.timestamp.advanced(byNanoseconds: 86_400_000_000_000_123)
      return o
    }
    #expect(try ForwardFit().fit(later) == ForwardFit().fit(observations))
  }

  @Test("another origin of yaw turns north and nothing else", arguments: [45.0, 90, -135])
  func yawOrigin(degrees: Double) throws {
    let observations = board.observations(.leaning, seconds: 30)
    // Carried axes that lie further to the left see north further to the right.
    let turned = observations.map { o in
      var o = o
      o.turnYaw(by: Angle(degrees: degrees).radians)
      return o
    }
    let (a, b) = (try ForwardFit().fit(observations), try ForwardFit().fit(turned))
    #expect(abs((b.yaw - a.yaw - Angle(degrees: degrees)).wrappedToHalfTurn.degrees) < 0.1)
    #expect(abs(a.estimate.predictedError() - b.estimate.predictedError()) < 0.05)
    #expect((a.estimate.distortion.offset - b.estimate.distortion.offset).length < 0.1)
  }

  @Test(
    "turning the sensor's axes turns the result with them",
    arguments: [SIMD3(0.0, 0, 0.4), SIMD3(1, -0.5, 0.7), SIMD3(.pi, 0, 0), SIMD3(0, -2, 1)])
  func equivariance(rotation: SIMD3<Double>) throws {
    let turn = FieldWorld.matrix(rotation)
    for seed in 1...6 as ClosedRange<UInt64> {
      let board = SimulatedBoard(seed: seed)
      let observations = board.observations(.free, seconds: 40)
      let other = observations.map { $0.along(turn) }
      let a = try ForwardFit().fit(observations).estimate
      let b = try ForwardFit().fit(other).estimate
      let back = FieldDistortion(
        shape: turn.transposed * b.distortion.shape * turn,
        offset: turn.transposed * b.distortion.offset)
      // Attitudes fall into other cells, which weigh a little differently.
      #expect((back.offset - a.distortion.offset).length < 1)
      #expect(abs(board.headingError(back) - board.headingError(a.distortion)) < 0.6)
      let down = turn * SIMD3(0, 0, 1)
      #expect(abs(b.predictedError(about: down) / a.predictedError() - 1) < 0.2)
    }
  }

  @Test("a scale error of a tenth does not change the heading", arguments: [0.9, 1.1])
  func gauge(scale: Double) throws {
    let observations = board.observations(.free, seconds: 40)
    let louder = observations.map { o in
      var o = o
      o.field *= scale
      return o
    }
    let (a, b) = (try ForwardFit().fit(observations), try ForwardFit().fit(louder))
    let scaled = FieldDistortion(
      shape: b.estimate.distortion.shape * (1 / scale), offset: b.estimate.distortion.offset / scale
    )
    #expect(abs(board.headingError(scaled) - board.headingError(a.estimate.distortion)) < 0.2)
    #expect(abs((b.estimate.earthField.dip - a.estimate.earthField.dip).degrees) < 0.5)
  }

  @Test(
    "the covariance is symmetric and positive",
    arguments: [SimulatedMotion.Kind.free, .leaning, .level])
  func covariance(kind: SimulatedMotion.Kind) throws {
    var random = NumberSequence(seed: 8)
    for seed in 1...6 as ClosedRange<UInt64> {
      let board = SimulatedBoard(seed: seed)
      let covariance = try ForwardFit().fit(board.observations(kind, seconds: 20)).estimate
        .covariance
      let n = DistortionCovariance.order
      var matrix = Matrix(order: n)
      for i in 0..<n {
        for j in 0..<n {
          #expect(covariance[i, j] == covariance[j, i])
          matrix[i, j] = covariance[i, j]
        }
        // Never surer than a tenth of what the prior leaves of a microtesla.
        #expect(covariance[i, i] > 1e-7 && covariance[i, i] < 3600)
      }
      try matrix.factorizeCholesky()
      for _ in 0..<20 {
        let v = (0..<n).map { _ in random.normal() }
        var sum = 0.0
        for i in 0..<n { for j in 0..<n { sum += v[i] * covariance[i, j] * v[j] } }
        #expect(sum > 0)
      }
    }
  }

  @Test("parameters that the motion does not determine remain at the prior")
  func prior() throws {
    // At rest there is one field: iron and earth cannot be separated.
    let estimate = try ForwardFit().fit(board.observations(.rest, seconds: 20)).estimate
    #expect(estimate.predictedError() > 45)
    let parameters = ForwardFit.Parameters()
    for i in [0, 4, 8] {
      let sigma = estimate.covariance[i, i].squareRoot()
      #expect(sigma > 0.8 * parameters.scaleSigma && sigma <= parameters.scaleSigma)
    }
  }
}

extension FieldObservation {
  /// The same along other axes of the sensor.
  func along(_ turn: Matrix3) -> FieldObservation {
    var o = self
    o.field = turn * field
    o.axes = axes.map {
      ReferenceAxes(
        x: turn * $0.x, y: turn * $0.y, down: turn * $0.down, xRate: turn * $0.xRate,
        yRate: turn * $0.yRate, downRate: turn * $0.downRate, isYawCarried: $0.isYawCarried,
        turned: $0.turned)
    }
    return o
  }
}
