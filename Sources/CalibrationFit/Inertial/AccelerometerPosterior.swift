import Quantities
import RealModule

/// The mathematics of the six-position fit.
struct AccelerometerPosterior {
  private let parameters: AccelerometerFit.Parameters
  private var forces: [SIMD3<Double>] = []
  private var variances: [Double] = []
  /// Bias (m/s²), then the shape's xx, yx, yy, zx, zy, zz.
  private var unknowns: [Double] = [0, 0, 0, 1, 0, 1, 0, 0, 1]
  private(set) var covariance: [Double] = []

  init(parameters: AccelerometerFit.Parameters) { self.parameters = parameters }

  mutating func add(_ force: SIMD3<Double>, _ seconds: Double) {
    forces.append(force)
    let position = parameters.positionSigma * parameters.positionSigma
    variances.append(position + parameters.forceNoise * parameters.forceNoise / seconds)
  }

  var calibration: AccelerometerCalibration {
    let u = unknowns
    return AccelerometerCalibration(
      bias: SIMD3(u[0], u[1], u[2]),
      shape: Matrix3(rows: SIMD3(u[3], 0, 0), SIMD3(u[4], u[5], 0), SIMD3(u[6], u[7], u[8])))
  }

  /// Root mean square residual of gravity, m/s².
  var residual: Double {
    let calibration = calibration
    var sum = 0.0
    for force in forces {
      let left = calibration(force).length - parameters.gravity
      sum += left * left
    }
    return (sum / Double(max(1, forces.count))).squareRoot()
  }

  /// The problem is nearly linear: four steps reach full precision, the others converge the
  /// weights.
  mutating func solve() throws(MatrixError) {
    for _ in 0..<12 { try step() }
  }

  private mutating func step() throws(MatrixError) {
    let calibration = calibration
    let start: [Double] = [0, 0, 0, 1, 0, 1, 0, 0, 1]
    var posterior = LinearPosterior(order: 9)
    for i in 0..<9 {
      // 3, 5 and 8 are the shape's diagonal.
      let sigma =
        i < 3
        ? parameters.biasPrior
        : i == 3 || i == 5 || i == 8 ? parameters.scalePrior : parameters.crossPrior
      posterior.addPrior(i, mean: start[i], sigma: sigma)
    }
    for (force, variance) in zip(forces, variances) {
      let calibrated = calibration(force)
      guard let direction = calibrated.normalized else { continue }
      let row = Self.row(direction, force - calibration.bias, calibration.shape)
      let left = parameters.gravity - calibrated.length
      var value = left
      for i in 0..<9 { value += row[i] * unknowns[i] }
      let weight = robustWeight(left * left / variance, dimensions: 1)
      posterior.add(row, value, weight: weight / variance)
    }
    (unknowns, covariance) = try posterior.solve()
  }

  /// Derivative of the component along `direction` of the calibrated force by the unknowns.
  private static func row(
    _ direction: SIMD3<Double>, _ d: SIMD3<Double>, _ shape: Matrix3
  ) -> [Double] {
    let bias = -(shape.transposed * direction)
    let (x, y, z) = (direction.x, direction.y, direction.z)
    return [bias.x, bias.y, bias.z, x * d.x, y * d.x, y * d.y, z * d.x, z * d.y, z * d.z]
  }

  /// Error of gravity's direction, one sigma, where `up` points up.
  func levelError(up: SIMD3<Double>) -> Angle {
    let force = up * parameters.gravity
    var variance = 0.0
    for axis in 0..<3 {
      var side = SIMD3<Double>.zero
      side[axis] = 1
      side -= up * up[axis]
      let row = Self.row(side, force, calibration.shape)
      for i in 0..<9 {
        for j in 0..<9 { variance += row[i] * covariance[i * 9 + j] * row[j] }
      }
    }
    return Angle(radians: max(0, variance).squareRoot() / parameters.gravity)
  }
}

extension SIMD3 where Scalar == Double {
  /// The angle to another vector, 0 to pi, exact also near both ends.
  func angle(to other: Self) -> Double { Double.atan2(y: cross(other).length, x: dot(other)) }
}
