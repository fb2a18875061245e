import Quantities
import RealModule

/// The field against gravity: the angle between them is the same in every attitude.
///
/// Model: `(m - o) . P d = F sin(dip)` with P one of the 48 axes, d the direction of gravity by the
/// accelerometer, and o the hard iron. With a gyroscope o is known (`RotationRelation`), and P
/// shows by the scatter of the product. Without one o is unknown: the product is then fitted by
/// three numbers times d and a constant.
struct DipRelation: Sendable {
  /// The scatter that soft iron and accelerations cause, as a share of the field: a bicycle that
  /// leans in turns reaches 0.3.
  private static let floor = (knownIron: 0.35, unknownIron: 0.1)
  /// Scatter with the best axes above which a window is not used.
  private static let largest = (knownIron: 0.42, unknownIron: 0.13)
  /// Weight of the prior of no further iron, relative to the samples.
  private static let ironWeight = 0.01
  /// Least magnitude of the sine of the dip whose sign is compared with that at the place.
  private static let leastDip = 0.2
  /// The factor of the squared error of axes with the wrong sign.
  private static let wrongSign = 4.0
  /// Least change of the direction of gravity, or of the field as a share of it, from the block
  /// counted before: a board at rest shows the same angle again and again, which proves nothing.
  private static let leastChange = 0.03
  /// The least spread of an arc of fields along its second axis, as a share of that along its
  /// first: that of a turn by two radians.
  private static let leastArc = 0.05

  private(set) var odds = AxisOdds()
  /// The sine of the dip in the newest window, with unchanged axes.
  private(set) var sineOfDip: Double?
  /// Products of field and gravity by rows of the field, gravity, one.
  private var moments = Moments(size: 13)
  /// The block that was counted last, and the first field of a window, which is subtracted from all
  /// its fields.
  private var last: (field: SIMD3<Double>, down: SIMD3<Double>)?
  private var origin = SIMD3<Double>.zero
  /// The sine of the dip of the place; nil if it is unknown.
  private var place: Double?
  /// The sines of all axes, of the newest window before the place was known.
  private var sines = [Double](repeating: 0, count: SignedAxes.count)
  private var hasSines = false
  /// The sums of the window's fields and of their outer products.
  private var (sum, squares) = (SIMD3<Double>.zero, Matrix3.zero)
  private var vector = [Double](repeating: 0, count: 13)
  private var errors = [Double](repeating: 0, count: SignedAxes.count)

  /// Adds a block, which counts where the field or gravity has changed since the one counted
  /// before.
  /// - Parameters:
  ///   - measured: The mean field.
  ///   - down: The mean direction of gravity, about a unit vector.
  ///   - iron: The hard iron, and the strength of the earth's field; nil without a gyroscope.
  ///   - showsSign: Whether the sign of the dip counts: false where an earlier motion has shown the
  ///     hard iron.
  /// - Returns: True where a window was judged.
  mutating func add(
    field measured: SIMD3<Double>, down: SIMD3<Double>,
    iron: (offset: SIMD3<Double>, strength: Double)?, showsSign: Bool
  ) -> Bool {
    if let last {
      guard
        (down - last.down).length > Self.leastChange
          || (measured - last.field).length > Self.leastChange * measured.length
      else { return false }
    }
    last = (measured, down)
    if moments.count == 0 { origin = measured }
    let field = measured - origin
    for i in 0..<3 {
      for j in 0..<3 { vector[i * 3 + j] = field[i] * down[j] }
      vector[9 + i] = down[i]
    }
    vector[12] = 1
    vector.withUnsafeBufferPointer { moments.add($0) }
    sum += field
    squares = squares + .outer(field, field)
    guard moments.count >= AxisOdds.window else { return false }
    defer { clear() }
    guard isTurned else { return false }
    judge(iron.map { ($0.offset - origin, $0.strength) }, showsSign)
    return true
  }

  /// Begins a window.
  mutating func clear() {
    moments.clear()
    (sum, squares) = (.zero, .zero)
  }

  /// Whether the blocks of the window are those of a turn: gravity moves, or the field moves on an
  /// arc. A current that is switched beside a board at rest moves the field on a line.
  private var isTurned: Bool {
    let n = Double(moments.count)
    var tilt = 0.0
    for i in 9..<12 { tilt += moments[i, i] / n - (moments[i, 12] / n) * (moments[i, 12] / n) }
    if tilt > Self.leastChange * Self.leastChange { return true }
    let mean = sum / n
    let (values, _) = (squares * (1 / n) + .outer(mean, mean) * -1).eigen
    return values.y > Self.leastArc * values.x
  }

  /// Sets the sine of the dip of the place, and compares the signs of the window before with it.
  /// - Returns: True where this has changed the odds.
  mutating func expect(sineOfDip: Double) -> Bool {
    place = sineOfDip
    guard hasSines, abs(sineOfDip) > Self.leastDip else { return false }
    hasSines = false
    for index in errors.indices {
      let isWrong = abs(sines[index]) > Self.leastDip && sines[index] * sineOfDip < 0
      errors[index] = isWrong ? Self.wrongSign : 1
    }
    odds.add(errors, weight: Double(AxisOdds.window) / 4)
    return true
  }

  private mutating func judge(
    _ iron: (offset: SIMD3<Double>, strength: Double)?, _ showsSign: Bool
  ) {
    let count = Double(moments.count)
    let mean = sum / count
    let square = squares[0, 0] + squares[1, 1] + squares[2, 2]
    let variance = square / count - mean.lengthSquared
    let strength = iron?.strength ?? max(0, variance).squareRoot()
    guard strength > 0 else { return }
    let isKnown = iron != nil
    let floor = isKnown ? Self.floor.knownIron : Self.floor.unknownIron
    let limit = isKnown ? Self.largest.knownIron : Self.largest.unknownIron
    var least = Double.infinity
    if showsSign, place == nil { hasSines = true }
    for index in 0..<SignedAxes.count {
      let axes = SignedAxes(index: index)
      let (error, constant) =
        iron.map { known(axes, $0.offset) } ?? fitted(axes, mean)
      let sine = constant / (count * strength)
      if index == 0 { sineOfDip = sine }
      errors[index] = error + count * floor * floor * strength * strength
      least = min(least, errors[index])
      if showsSign, place == nil { sines[index] = sine }
      if showsSign, let place, abs(place) > Self.leastDip, abs(sine) > Self.leastDip,
        sine * place < 0
      {
        errors[index] *= Self.wrongSign
      }
    }
    guard least < count * limit * limit * strength * strength else { return odds.fade() }
    odds.add(errors, weight: count / 4)
  }

  /// The product of field and gravity, less that of an offset of the field.
  private func product(_ axes: SignedAxes, _ offset: SIMD3<Double>) -> LinearForm {
    let (p, s) = (axes.axes, axes.signs)
    var form = LinearForm()
    for i in 0..<3 {
      form.add(i * 3 + p[i], Double(s[i]))
      form.add(9 + p[i], -Double(s[i]) * offset[i])
    }
    return form
  }

  private static var one: LinearForm {
    var form = LinearForm()
    form.add(12, 1)
    return form
  }

  /// The scatter of the product about its mean, and its sum.
  private func known(_ axes: SignedAxes, _ offset: SIMD3<Double>) -> (Double, Double) {
    let form = product(axes, offset)
    let sum = moments.product(form, Self.one)
    let scatter = moments.product(form, form) - sum * sum / Double(moments.count)
    return (max(0, scatter), sum)
  }

  /// The scatter of the product about a constant and a linear function of gravity, and the constant
  /// times the count.
  private func fitted(_ axes: SignedAxes, _ mean: SIMD3<Double>) -> (Double, Double) {
    let form = product(axes, mean)
    let count = Double(moments.count)
    var (normal, right) = (Matrix4.zero, SIMD4<Double>.zero)
    for i in 0..<4 {
      var one = LinearForm()
      one.add(9 + i, 1)
      right[i] = moments.product(form, one)
      for j in i..<4 { normal[i, j] = moments[9 + i, 9 + j] }
      normal[i, i] += i < 3 ? Self.ironWeight * count : 1e-9
    }
    let square = moments.product(form, form)
    guard let solution = normal.cholesky?.solve(right) else { return (square, 0) }
    // The short formula for the sum of squares does not hold with a prior in the normal matrix.
    var error = square
    for i in 0..<4 {
      error -= 2 * solution[i] * right[i]
      for j in 0..<4 { error += solution[i] * solution[j] * moments[9 + i, 9 + j] }
    }
    return (max(0, error), solution[3] * count)
  }
}
