import Quantities
import RealModule

/// The strength of the field from the field alone: the samples of a turned magnetometer lie on a
/// sphere about its hard iron, those of a level turn on a circle.
struct FieldSphere: Sendable {
  /// Least relative change from the sample before that is counted.
  private static let leastChange = 0.02
  /// Largest root mean square distance of the samples from a sphere, as a share of its radius: soft
  /// iron reaches 0.15.
  private static let largestMisfit = 0.2
  /// The least spread of a sphere along its narrowest axis, as a share of the widest; with less,
  /// the samples are a circle.
  private static let leastDepth = 0.1
  /// The least spread along the second axis of a circle: below it the turn is too short.
  private static let leastWidth = 0.2
  /// Least radius as a share of the mean field, below which it is noise: beside iron of ten times
  /// the earth's field it is 0.08.
  private static let leastRadius = 0.05
  private static let offsetWeight = 1e-3

  /// The result of a window.
  struct Window: Sendable {
    /// The radius, in the unit of the samples.
    var radius: Double
    /// False for a circle, whose radius is that of the horizontal field.
    var isSphere: Bool
  }

  /// The newest window that fits; nil after one that does not.
  private(set) var newest: Window?
  private var origin = SIMD3<Double>.zero
  private var last: SIMD3<Double>?
  /// Moments of the field relative to the origin, of 1, and of the field's square.
  private var moments = Moments(size: 5)
  private var vector = [Double](repeating: 0, count: 5)

  /// Adds the mean field of a block.
  /// - Returns: True where a window was judged.
  mutating func add(_ field: SIMD3<Double>) -> Bool {
    guard let last else {
      self.last = field
      return false
    }
    guard (field - last).length > Self.leastChange * field.length else { return false }
    self.last = field
    if moments.count == 0 { origin = field }
    let v = field - origin
    for i in 0..<3 { vector[i] = v[i] }
    (vector[3], vector[4]) = (1, v.lengthSquared)
    vector.withUnsafeBufferPointer { moments.add($0) }
    guard moments.count >= AxisOdds.window else { return false }
    newest = fit()
    moments.clear()
    return true
  }

  private func fit() -> Window? {
    let count = Double(moments.count)
    var mean = SIMD3<Double>.zero
    for i in 0..<3 { mean[i] = moments[i, 3] / count }
    var covariance = Matrix3.zero
    for i in 0..<3 {
      for j in 0..<3 { covariance[i, j] = moments[i, j] / count - mean[i] * mean[j] }
    }
    let (values, axes) = covariance.eigen
    guard values.x > 0, values.y > Self.leastWidth * values.x else { return nil }
    let isSphere = values.z > Self.leastDepth * values.x
    // |v|2 = 2 o.v + k, by least squares about the mean.
    var right = SIMD3<Double>.zero
    let meanSquare = moments[3, 4] / count
    for i in 0..<3 { right[i] = (moments[i, 4] / count - mean[i] * meanSquare) / 2 }
    // The offset along the principal axes; of a circle not along its normal.
    var offset = mean
    let along = axes.transposed * (right - covariance * mean)
    for i in 0..<(isSphere ? 3 : 2) {
      offset += axes.column(i) * (along[i] / (values[i] + Self.offsetWeight * values.x))
    }
    let constant = meanSquare - 2 * offset.dot(mean)
    let square = constant + offset.lengthSquared
    guard square > 0 else { return nil }
    let radius = square.squareRoot()
    guard radius > Self.leastRadius * (origin + mean).length else { return nil }
    // The squares' scatter about 2 o.v + k; near the sphere it is 2 R times the distance.
    var scatter = moments[4, 4] / count - meanSquare * meanSquare
    for i in 0..<3 {
      scatter -= 4 * offset[i] * (moments[i, 4] / count - mean[i] * meanSquare)
      for j in 0..<3 { scatter += 4 * offset[i] * offset[j] * covariance[i, j] }
    }
    guard max(0, scatter).squareRoot() < 2 * radius * radius * Self.largestMisfit else {
      return nil
    }
    return Window(radius: radius, isSphere: isSphere)
  }
}
