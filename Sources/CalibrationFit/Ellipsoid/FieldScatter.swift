import Quantities

/// How the raw fields are spread: their mean, the main axes of their scatter and the sphere through them.
struct FieldScatter {
  var mean: SIMD3<Double>
  /// Variances along the main axes, ascending, microtesla squared.
  var variances: SIMD3<Double>
  /// The main axes as columns.
  var axes: Matrix3
  /// The best sphere's centre in the mean's frame, along the main axes.
  var sphere: SIMD3<Double>

  /// - Throws: `CalibrationFitError.notSolvable` where a sample is not finite.
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

  /// Along an axis with less scatter than this, microtesla squared, the sphere's centre is noise.
  private static var noiseVariance: Double { 4 }

  /// The root mean square distance of the samples from the mean.
  var spread: Double { variances.sum().squareRoot() }
}

extension FieldScatter {
  /// Where the search begins: the sphere's centre, and where the samples are flat also the centres to
  /// either side of them, since a flat ring lies on a sphere above it as well as on one below; along both
  /// axes where they are no more than a short arc.
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

  /// A ball's scatter along each axis is a third of its radius squared; below this share of the radius
  /// squared the samples count as flat.
  private static var flatShare: Double { 0.12 }
}
