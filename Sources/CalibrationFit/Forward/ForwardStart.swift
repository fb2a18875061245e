import Quantities
import RealModule

/// The starts of the fit: the best distortion for each of many fields and yaws, from sums over the
/// observations. For a given field and yaw the model is linear, row by row.
struct ForwardStart: Sendable {
  private var weight = 0.0
  private var m = SIMD3<Double>.zero
  private var mm = 0.0
  private var x = SIMD3<Double>.zero
  private var y = SIMD3<Double>.zero
  private var d = SIMD3<Double>.zero
  private var xx = Matrix3.zero
  private var yy = Matrix3.zero
  private var dd = Matrix3.zero
  private var xy = Matrix3.zero
  private var xd = Matrix3.zero
  private var yd = Matrix3.zero
  private var mx = Matrix3.zero
  private var my = Matrix3.zero
  private var md = Matrix3.zero

  /// One start and its cost: twice the negative logarithm of its probability.
  struct Candidate: Sendable {
    var cost: Double
    var distortion: FieldDistortion
    var field: EarthField
    var yaw: Double
  }

  mutating func add(_ field: SIMD3<Double>, _ axes: ReferenceAxes, weight w: Double) {
    weight += w
    m += field * w
    mm += w * field.lengthSquared
    x += axes.x * w
    y += axes.y * w
    d += axes.down * w
    xx = xx + Matrix3.outer(axes.x, axes.x) * w
    yy = yy + Matrix3.outer(axes.y, axes.y) * w
    dd = dd + Matrix3.outer(axes.down, axes.down) * w
    let cross = Matrix3.outer(axes.x, axes.y)
    xy = xy + (cross + cross.transposed) * w
    let xDown = Matrix3.outer(axes.x, axes.down)
    xd = xd + (xDown + xDown.transposed) * w
    let yDown = Matrix3.outer(axes.y, axes.down)
    yd = yd + (yDown + yDown.transposed) * w
    mx = mx + Matrix3.outer(field, axes.x) * w
    my = my + Matrix3.outer(field, axes.y) * w
    md = md + Matrix3.outer(field, axes.down) * w
  }

  /// The best distortion near the mount at every yaw, one list for each field.
  func candidates(
    _ fields: [EarthField], mount: Matrix3 = .identity, _ p: ForwardFit.Parameters
  ) -> [[Candidate]] {
    fields.map { field in
      (0..<p.startYaws).compactMap { k in
        let yaw = 2 * Double.pi * Double(k) / Double(p.startYaws)
        return candidate(field, yaw: yaw, mount: mount, p)
      }
    }
  }

  /// The best distortion near the mount with this field and yaw.
  func candidate(
    _ field: EarthField, yaw: Double, mount: Matrix3 = .identity, _ p: ForwardFit.Parameters
  ) -> Candidate? {
    let a = field.horizontal * Double.cos(yaw)
    let b = field.horizontal * Double.sin(yaw)
    let z = field.down
    let direct: Matrix3 = xx * (a * a) + yy * (b * b) + dd * (z * z)
    let mixed: Matrix3 = xy * (a * b) + xd * (a * z) + yd * (b * z)
    let vSum: SIMD3<Double> = x * a + y * b + d * z
    let mv: Matrix3 = mx * a + my * b + md * z
    let shapePrecision = 1 / (p.scaleSigma * p.scaleSigma)
    let offsetPrecision = weight + 1 / (p.offsetSigma * p.offsetSigma)
    // The offset is eliminated; the remaining three by three system is the same for each row of the
    // shape.
    let prior = Matrix3(diagonal: SIMD3(repeating: shapePrecision))
    let normal: Matrix3 =
      direct + mixed + prior + Matrix3.outer(vSum, vSum) * (-1 / offsetPrecision)
    guard let inverse = normal.inverse else { return nil }
    let right: Matrix3 =
      mv + mount * shapePrecision + Matrix3.outer(m, vSum) * (-1 / offsetPrecision)
    let shape = right * inverse.symmetrized
    let offset = (m - shape * vSum) / offsetPrecision
    var explained = 0.0
    for i in 0..<3 {
      let row = SIMD3(shape[i, 0], shape[i, 1], shape[i, 2])
      let rightRow = SIMD3(
        mv[i, 0] + mount[i, 0] * shapePrecision, mv[i, 1] + mount[i, 1] * shapePrecision,
        mv[i, 2] + mount[i, 2] * shapePrecision)
      explained += row.dot(rightRow) + offset[i] * m[i]
    }
    // The square of the mount is the same for every candidate: each has three ones.
    return Candidate(
      cost: mm + 3 * shapePrecision - explained,
      distortion: FieldDistortion(shape: shape, offset: offset), field: field, yaw: yaw)
  }
}
