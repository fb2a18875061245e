import Quantities
import RealModule

/// A vector of the earth against the gyroscope, both along sensor axes.
///
/// Model: `dv/dt = (v - o) x (H w)`, where H is one of the 48 axes times a scale, and o the
/// sensor's offset. The means of two neighbouring blocks differ by the integral, which is linear in
/// the products of v and w: nine sums of `v w`, three of `w` and the change itself are enough for
/// all H, o and scales, and no small angle is assumed.
struct RotationRelation: Sendable {
  /// The length of a block, s. Small: noise; large: a fast turn with a late field does not fit.
  private static let blockSeconds = 0.25
  /// Least relative change, or turn, of a block with information.
  private static let leastTurn = 0.02
  /// Largest change of an earth vector, relative to its length: `perTurn` for each radian of
  /// measured turn, which another range makes up to four times too small, plus `share`.
  private static let largestChange = (perTurn: 5.0, share: 0.1)
  /// The share of the change that the best axes may leave unexplained.
  private static let largestRest = 0.2
  /// Largest sigma of the scale, as a share of it: above it the window shows noise only, which any
  /// axes fit, as on a straight road.
  private static let largestSigma = 0.6
  /// The least squared turn about a second axis, as a share of that about the first, from which all
  /// three components of the offset are known.
  private static let leastSecondTurn = 0.05
  /// The share of a window's squared change that a single block may have: with more, a magnet was
  /// moved.
  private static let largestShare = 0.35
  /// A floor of the squared error, as a share of the change: what explains 97 % of it is as good as
  /// what explains all.
  private static let floor = 0.03
  /// Weight of the prior of an offset near the origin, as a share of the sums.
  private static let offsetWeight = 1e-3

  /// The result of a window.
  struct Window: Equatable, Sendable {
    /// The best axes.
    var axes: SignedAxes
    /// The scale of the rate, true by measured, of the best axes, and its sigma.
    var scale: Double
    var sigma: Double
    /// The offset of the vector.
    var offset: SIMD3<Double>
    /// The squared error as a share of the change.
    var rest: Double
    /// The root mean square length of the vector without the offset.
    var length: Double
  }

  private(set) var odds = AxisOdds()
  /// The newest explained window with turns about two axes, which determine the whole offset.
  private(set) var newest: Window?
  /// The window that was judged last; nil where nothing explains it.
  private(set) var judged: Window?

  private let hasOffset: Bool
  /// The value that is subtracted from every vector: a mean shortly before the window.
  private(set) var origin: SIMD3<Double>?
  /// Integrals since the start of the block: products of v and w by rows, then w.
  private var products = Matrix3.zero
  private var turn = SIMD3<Double>.zero
  private var sums = (products: Matrix3.zero, turn: SIMD3<Double>.zero, value: SIMD3<Double>.zero)
  private var count = 0.0
  private var start: Timestamp?
  /// What is left of the block before: its whole integrals less their means, and its mean value.
  private var before: (products: Matrix3, turn: SIMD3<Double>, value: SIMD3<Double>)?
  private var moments = Moments(size: 15)
  /// The sums of the values of the window.
  private var spread = (square: 0.0, sum: SIMD3<Double>.zero)
  /// The largest squared change of a block of the window.
  private var largest = 0.0
  /// The sum of the vector's squared lengths.
  private var sizes = 0.0
  private var vector = [Double](repeating: 0, count: 15)
  private var errors = [Double](repeating: 0, count: SignedAxes.count)

  /// - Parameter hasOffset: Whether the vector has an unknown offset, as a magnetometer's hard
  ///   iron.
  init(hasOffset: Bool) { self.hasOffset = hasOffset }

  /// Adds the integrals from the value before to this one.
  /// - Parameters:
  ///   - value: The vector now.
  ///   - p: The integral of `(v - origin) w`, by rows of v.
  ///   - w: The integral of the rate, rad.
  ///   - t: When.
  ///   - isUsable: False where the vector is not the earth's alone.
  /// - Returns: True where a window was judged.
  mutating func add(
    _ value: SIMD3<Double>, products p: Matrix3, turn w: SIMD3<Double>, at t: Timestamp,
    isUsable: (SIMD3<Double>) -> Bool
  ) -> Bool {
    let v = value - (origin ?? .zero)
    products = products + p
    turn += w
    sums = (sums.products + products, sums.turn + turn, sums.value + v)
    count += 1
    guard let start else {
      self.start = t
      return false
    }
    guard t.seconds(since: start) >= Self.blockSeconds else { return false }
    return endBlock(at: t, isUsable: isUsable)
  }

  /// Sets the origin, unless it is set: the given value, or zero for a vector without an offset.
  mutating func begin(at value: SIMD3<Double>) {
    if origin == nil { origin = hasOffset ? value : .zero }
  }

  /// A pause: the turn in it is unknown.
  mutating func interrupt() {
    (products, turn, count, start, before) = (.zero, .zero, 0, nil, nil)
    sums = (.zero, .zero, .zero)
  }

  private mutating func endBlock(at t: Timestamp, isUsable: (SIMD3<Double>) -> Bool) -> Bool {
    let mean = (
      products: sums.products * (1 / count), turn: sums.turn / count, value: sums.value / count
    )
    let isGood = isUsable(mean.value + (origin ?? .zero))
    defer {
      before = isGood ? (products - mean.products, turn - mean.turn, mean.value) : nil
      (products, turn, count, start) = (.zero, .zero, 0, t)
      sums = (.zero, .zero, .zero)
      if moments.count == 0 { moveOrigin(by: mean.value) }
    }
    guard isGood, let before else { return false }
    let z = before.products + mean.products
    let w = before.turn + mean.turn
    let change = mean.value - before.value
    let size = (mean.value + (origin ?? .zero)).length
    guard size > 0 else { return false }
    let moved = max(change.length, z.largest) / size
    guard moved > Self.leastTurn || hasOffset && w.length > Self.leastTurn else { return false }
    let limit = Self.largestChange.perTurn * w.length + Self.largestChange.share
    guard change.length < limit * size else { return false }
    for row in 0..<3 {
      for column in 0..<3 { vector[row * 3 + column] = z[row, column] }
      vector[9 + row] = w[row]
      vector[12 + row] = change[row]
    }
    vector.withUnsafeBufferPointer { moments.add($0) }
    spread.square += mean.value.lengthSquared
    spread.sum += mean.value
    sizes += size * size
    largest = max(largest, change.lengthSquared)
    guard moments.count >= AxisOdds.window else { return false }
    judge()
    moments.clear()
    (spread, largest, sizes) = ((0, .zero), 0, 0)
    return true
  }

  /// Moves the origin by a step before a window: the very first value may have been measured beside
  /// a magnet, far from the others.
  private mutating func moveOrigin(by value: SIMD3<Double>) {
    guard hasOffset, let old = origin else { return }
    origin = old + value
    if let last = before {
      before = (last.products - .outer(value, last.turn), last.turn, last.value - value)
    }
  }

  private mutating func judge() {
    judged = nil
    let change = (12..<15).reduce(0) { $0 + moments[$1, $1] }
    // At rest the gyroscope's offset looks like a turn that the vector does not follow, which
    // proves nothing.
    let isAtRest = change < Self.leastTurn * Self.leastTurn * sizes
    func reject() { if !isAtRest { odds.fade() } }
    guard largest < Self.largestShare * change else { return reject() }
    var best: (error: Double, fit: Fit, axes: SignedAxes)?
    for index in 0..<SignedAxes.count {
      let axes = SignedAxes(index: index)
      let fit = fit(axes, change)
      errors[index] = fit.error + Self.floor * change
      if fit.error < best?.error ?? .infinity { best = (fit.error, fit, axes) }
    }
    guard let best, best.error < Self.largestRest * change,
      best.fit.sigma < Self.largestSigma * best.fit.scale
    else { return reject() }
    let count = moments.count
    odds.add(errors, weight: Double(count) / 2)
    let fit = best.fit
    let offset = fit.offset / fit.scale
    let mean = spread.sum / Double(count)
    let square =
      spread.square / Double(count) - 2 * mean.dot(offset) + offset.lengthSquared
    judged = Window(
      axes: best.axes, scale: fit.scale, sigma: fit.sigma, offset: (origin ?? .zero) + offset,
      rest: fit.error / change, length: max(0, square).squareRoot())
    if isTurnedAboutTwoAxes { newest = judged }
  }

  private var isTurnedAboutTwoAxes: Bool {
    var turns = Matrix3.zero
    for i in 0..<3 {
      for j in 0..<3 { turns[i, j] = moments[9 + i, 9 + j] }
    }
    let (values, _) = turns.eigen
    return values.y > Self.leastSecondTurn * values.x
  }

  private struct Fit {
    var error: Double
    var scale = 0.0
    var sigma = Double.infinity
    /// The offset times the scale.
    var offset = SIMD3<Double>.zero
  }

  /// The best scale and offset of axes.
  private func fit(_ axes: SignedAxes, _ change: Double) -> Fit {
    let (p, s) = (axes.axes, axes.signs)
    let unknowns = hasOffset ? 4 : 1
    var (normal, right) = (Matrix4.zero, SIMD4<Double>.zero)
    for k in 0..<3 {
      let (a, b) = ((k + 1) % 3, (k + 2) % 3)
      func form(_ unknown: Int) -> LinearForm {
        var form = LinearForm()
        switch unknown {
        case 0:
          form.add(a * 3 + p[b], Double(s[b]))
          form.add(b * 3 + p[a], -Double(s[a]))
        case 1 + a: form.add(9 + p[b], -Double(s[b]))
        case 1 + b: form.add(9 + p[a], Double(s[a]))
        default: break
        }
        return form
      }
      var y = LinearForm()
      y.add(12 + k, 1)
      for i in 0..<unknowns {
        let one = form(i)
        right[i] += moments.product(one, y)
        for j in i..<unknowns { normal[i, j] += moments.product(one, form(j)) }
      }
    }
    let weight = Self.offsetWeight * (normal[1, 1] + normal[2, 2] + normal[3, 3]) / 3
    for i in 1..<4 { normal[i, i] += unknowns == 1 ? 1 : weight + 1e-12 }
    normal[0, 0] += 1e-12
    guard let factor = normal.cholesky else { return Fit(error: change) }
    let solution = factor.solve(right)
    // A negative scale is that of the opposite axes.
    guard solution[0] > 0 else { return Fit(error: change) }
    var error = change
    for i in 0..<unknowns { error -= solution[i] * right[i] }
    error = max(0, error)
    let variance = error / Double(max(1, 3 * moments.count - unknowns))
    let sigma = (variance * factor.solve(SIMD4(1, 0, 0, 0))[0]).squareRoot()
    return Fit(
      error: error, scale: solution[0], sigma: sigma,
      offset: SIMD3(solution[1], solution[2], solution[3]))
  }
}

extension Matrix3 {
  fileprivate var largest: Double {
    let (a, b, c) = (r0, r1, r2)
    return max(
      max(abs(a.x), abs(a.y), abs(a.z)), max(abs(b.x), abs(b.y), abs(b.z)),
      max(abs(c.x), abs(c.y), abs(c.z)))
  }
}
