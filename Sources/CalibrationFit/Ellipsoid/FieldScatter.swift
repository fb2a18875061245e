import Quantities

/// The distribution of the raw fields: mean, principal axes of the scatter and the sphere through
/// them.
struct FieldScatter {
  var mean: SIMD3<Double>
  /// Variances along the principal axes, ascending, microtesla squared.
  var variances: SIMD3<Double>
  /// The principal axes as columns.
  var axes: Matrix3
  /// The centre of the best sphere relative to the mean, along the principal axes.
  var sphere: SIMD3<Double>

  /// - Throws: `CalibrationFitError.notSolvable` if a sample is not finite.
  init(_ samples: [EllipsoidSample]) throws(CalibrationFitError) {
    var total = 0.0
    var sum = SIMD3<Double>.zero
    for s in samples {
      sum += s.field * s.weight
      total += s.weight
    }
    let mean = sum / total
    var second = Matrix3.zero
    for s in samples {
      let y = s.field - mean
      second = second + Matrix3.outer(y, y) * s.weight
    }
    var scatter = Matrix(order: 3)
    var vectors = Matrix(order: 3)
    for i in 0..<3 { for j in 0..<3 { scatter[i, j] = second[i, j] / total } }
    do { try scatter.diagonalizeSymmetric(vectors: &vectors) } catch { throw .notSolvable }
    var (axes, variances) = (Matrix3.zero, SIMD3<Double>.zero)
    for i in 0..<3 {
      variances[i] = max(0, scatter[i, i])
      for j in 0..<3 { axes[i, j] = vectors[i, j] }
    }
    // |y - a| = const for all: 2 cov(y) a = mean(|y|² y).
    var third = SIMD3<Double>.zero
    for s in samples {
      let y = s.field - mean
      third += y * (y.lengthSquared * s.weight)
    }
    let moments = axes.transposed * (third / total)
    sphere = moments / (2 * (variances + SIMD3(repeating: Self.noiseVariance)))
    (self.mean, self.variances, self.axes) = (mean, variances, axes)
  }

  /// Scatter along an axis below which the sphere's centre is noise, microtesla squared.
  private static var noiseVariance: Double { 4 }

  /// The root mean square distance of the samples from the mean.
  var spread: Double { variances.sum().squareRoot() }
}

extension FieldScatter {
  /// The starts of the search: the sphere's centre. For flat samples also the centres on both
  /// sides, since a ring lies on a sphere above it and on one below it; for a short arc along both
  /// axes.
  func starts(strength: Double, dip: Double) -> [EllipsoidState] {
    var centres: [SIMD3<Double>] = []
    let limit = Self.flatShare * strength * strength
    if sphere.lengthSquared + variances.sum() < 4 * strength * strength { centres.append(sphere) }
    for axis in 0..<2 where variances[axis] < limit {
      var beside = sphere
      for flat in 0..<2 where variances[flat] < limit { beside[flat] = 0 }
      let ring = beside.lengthSquared + variances.sum() - variances[axis]
      let height = max(0.04 * strength * strength, strength * strength - ring).squareRoot()
      for side in [-height, height] {
        beside[axis] = side
        centres.append(beside)
      }
    }
    if centres.isEmpty { centres.append(sphere) }
    return centres.map {
      let radius = ($0.lengthSquared + variances.sum()).squareRoot()
      return EllipsoidState(
        shape: .identity, offset: mean + axes * $0,
        strength: min(max(radius, 0.5 * strength), 1.5 * strength), dip: dip)
    }
  }

  /// The scatter of a full ball along each axis is a third of its radius squared; below this
  /// fraction of the radius squared samples are flat.
  private static var flatShare: Double { 0.12 }
}
