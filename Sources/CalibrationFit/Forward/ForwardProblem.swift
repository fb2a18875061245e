import Quantities
import RealModule

/// The data of one fit: observations, weights, and the steps to the best state.
struct ForwardProblem {
  let parameters: ForwardFit.Parameters
  let prior: FieldPrior
  private var fields: [SIMD3<Double>] = []
  private var axes: [ReferenceAxes] = []
  private var knots: [KnotPlace] = []
  /// The weight of each observation by the number at its attitude, 0 to 1.
  private var shares: [Double] = []
  /// The expected error of each observation as a multiple of the common sigma.
  private var spreads: [Double] = []
  /// Times since the first observation, s.
  private var seconds: [Double] = []
  private let grid: KnotGrid
  private let priors: ForwardPriors

  init(
    _ observations: [FieldObservation], _ prior: FieldPrior, _ p: ForwardFit.Parameters,
    anchor: DistortionAnchor? = nil, mount: SignedAxes = .identity
  ) throws(CalibrationFitError) {
    (parameters, self.prior) = (p, prior)
    var cells = AttitudeCells()
    var places: [AttitudeCell] = []
    var stamps: [Timestamp] = []
    for o in observations {
      guard let axes = o.axes, axes.isYawCarried else { continue }
      let cell = AttitudeCell(axes)
      cells.count(cell)
      places.append(cell)
      stamps.append(o.timestamp)
      fields.append(o.field)
      self.axes.append(mount == .identity ? axes : axes.turned(by: mount.matrix))
      let moving = p.rateNoise * (o.rate ?? 0) / p.leastSigma
      spreads.append((1 + moving * moving).squareRoot())
    }
    guard fields.count >= p.fewestObservations, let first = stamps.first, let last = stamps.last
    else { throw .tooFewSamples(found: fields.count, needed: p.fewestObservations) }
    grid = KnotGrid(from: first, to: last, p)
    priors = ForwardPriors(
      field: prior, anchor: anchor, parameters: p, knotInterval: grid.interval)
    for (cell, stamp) in zip(places, stamps) {
      shares.append(min(1, p.fullWeightCount / Double(cells[cell])))
      knots.append(grid.place(of: stamp))
      seconds.append(stamp.seconds(since: first))
    }
  }

  // MARK: Solving

  func solve() throws(CalibrationFitError) -> ForwardSolution {
    var best: (state: ForwardState, cost: Double)?
    for start in try starts() {
      let found = try follow(start)
      if found.cost < best?.cost ?? .infinity { best = found }
    }
    guard let best else { throw .notSolvable }
    return try solution(at: best.state, cost: best.cost)
  }

  /// The sums from which starts are computed.
  var sums: ForwardStart {
    var sums = ForwardStart()
    // Before the fit the residual is assumed to be that of the most distorted place in a room.
    let precision = 1 / (25 * parameters.leastSigma * parameters.leastSigma)
    for i in fields.indices {
      sums.add(fields[i], axes[i], weight: shares[i] / (spreads[i] * spreads[i]) * precision)
    }
    return sums
  }

  /// The best starts by the robust cost, each with another field or another direction of north.
  private func starts() throws(CalibrationFitError) -> [ForwardState] {
    let p = parameters
    var candidates: [ForwardStart.Candidate] = []
    for ofField in sums.candidates(prior.starts, p) {
      // A field and a shape that are both inverted give the same measurements, but no sensor is
      // inverted.
      let possible = ofField.filter { $0.cost.isFinite && $0.distortion.shape.determinant > 0 }
      if prior.isPlaceKnown {
        candidates += possible
      } else if let best = possible.min(by: { $0.cost < $1.cost }) {
        // Only the best yaw of each field: the others converge to it.
        candidates.append(best)
      }
    }
    candidates = Array(candidates.sorted { $0.cost < $1.cost }.prefix(2 * p.followedStarts))
    if let anchor = priors.anchor { candidates += anchored(anchor) }
    var states: [(state: ForwardState, cost: Double)] = []
    for c in candidates {
      var state = ForwardState()
      state.distortion = c.distortion
      state.field = c.field
      state.yaw = Array(repeating: c.yaw, count: grid.count)
      let sigma = sigma(at: state)
      states.append((state, cost(at: state, sigma: sigma) + normalisation(sigma)))
    }
    return states.sorted { $0.cost < $1.cost }.prefix(p.followedStarts).map { $0.state }
  }

  /// The earlier distortion at all yaws.
  private func anchored(_ anchor: DistortionAnchor) -> [ForwardStart.Candidate] {
    (0..<parameters.startYaws).map { k in
      ForwardStart.Candidate(
        cost: 0, distortion: anchor.distortion, field: anchor.earthField,
        yaw: 2 * Double.pi * Double(k) / Double(parameters.startYaws))
    }
  }

  private func follow(
    _ start: ForwardState
  ) throws(CalibrationFitError) -> (state: ForwardState, cost: Double) {
    let p = parameters
    var x = start
    let n = x.order
    var a = Matrix(order: n)
    var right = Matrix(rows: n, columns: 1)
    var b = [Double](repeating: 0, count: n)
    for _ in 0..<p.mostSteps {
      let sigma = sigma(at: x)
      let before = cost(at: x, sigma: sigma)
      assemble(&a, &b, at: x, sigma: sigma)
      do { try a.factorizeCholesky() } catch { throw .notSolvable }
      for i in 0..<n { right[i, 0] = b[i] }
      a.solve(into: &right)
      var scale = 1.0
      for i in ForwardState.yaw..<n where abs(right[i, 0]) > 0 {
        // A yaw step above half a radian is not valid.
        scale = min(scale, 0.5 / abs(right[i, 0]))
      }
      var next = x
      var isBetter = false
      for _ in 0..<6 {
        next = x
        for i in 0..<n { next[i] += scale * right[i, 0] }
        if next.distortion.shape.determinant > 0, cost(at: next, sigma: sigma) <= before {
          isBetter = true
          break
        }
        scale /= 2
      }
      guard isBetter else { break }
      x = next
      var size = 0.0
      for i in 0..<9 { size = max(size, abs(right[i, 0])) }
      for i in ForwardState.yaw..<n { size = max(size, abs(right[i, 0])) }
      if scale == 1, size < 2e-4 { break }
    }
    let sigma = sigma(at: x)
    return (x, cost(at: x, sigma: sigma) + normalisation(sigma))
  }

  // MARK: The cost

  private func residual(_ i: Int, _ x: ForwardState) -> SIMD3<Double> {
    let v = ForwardPrediction(axes[i], x, knots[i]).field
    return fields[i] - x.distortion.shape * v - x.distortion.offset
  }

  /// The common sigma from the median residual: for three normal components its square is 2.366.
  private func sigma(at x: ForwardState) -> Double {
    var squares: [Double] = []
    squares.reserveCapacity(fields.count)
    for i in fields.indices {
      squares.append(residual(i, x).lengthSquared / (spreads[i] * spreads[i]))
    }
    squares.sort()
    return max(parameters.leastSigma, (squares[squares.count / 2] / 2.366).squareRoot())
  }

  private func cost(at x: ForwardState, sigma: Double) -> Double {
    let p = parameters
    var sum = priors.cost(x)
    for i in fields.indices {
      let s = sigma * spreads[i]
      let q = residual(i, x).lengthSquared / (s * s)
      sum += shares[i] * (p.freedom + 3) * Double.log(1 + q / p.freedom)
    }
    return sum
  }

  /// The cost of a larger sigma: without it a bad fit with a large sigma would look good.
  private func normalisation(_ sigma: Double) -> Double {
    6 * Double.log(sigma) * shares.reduce(0, +)
  }

  private func weight(_ i: Int, _ squared: Double, sigma: Double) -> Double {
    let p = parameters
    let s = sigma * spreads[i]
    return shares[i] * (p.freedom + 3) / (p.freedom + squared / (s * s)) / (s * s)
  }

  /// The normal matrix and the right side. A row of an observation has ten elements that are not
  /// zero.
  private func assemble(_ a: inout Matrix, _ b: inout [Double], at x: ForwardState, sigma: Double) {
    a.clear()
    for i in b.indices { b[i] = 0 }
    priors.add(to: &a, &b, at: x)
    let shape = x.distortion.shape
    // The unknowns that all three components of an observation share; set again for each.
    var places = [
      ForwardState.horizontal, ForwardState.down, ForwardState.latency, ForwardState.rateScale, 0,
      0,
    ]
    var slopes = [SIMD3<Double>](repeating: .zero, count: places.count)
    for i in fields.indices {
      let prediction = ForwardPrediction(axes[i], x, knots[i])
      let v = prediction.field
      let r: SIMD3<Double> = fields[i] - shape * v - x.distortion.offset
      let w = weight(i, r.lengthSquared, sigma: sigma)
      let byYaw = shape * prediction.byYaw
      let share = knots[i].share
      places[4] = ForwardState.yaw + knots[i].index
      places[5] = places[4] + 1
      slopes[0] = shape * prediction.byHorizontal
      slopes[1] = shape * prediction.byDown
      slopes[2] = shape * prediction.byLatency
      slopes[3] = byYaw * axes[i].turned
      slopes[4] = byYaw * (1 - share)
      slopes[5] = byYaw * share
      let outer = Matrix3.outer(v, v) * w
      for k in 0..<3 {
        let (s, o) = (3 * k, ForwardState.offset + k)
        for p in 0..<3 {
          for q in 0...p { a[s + p, s + q] += outer[p, q] }
          a[o, s + p] += w * v[p]
          b[s + p] += w * v[p] * r[k]
        }
        a[o, o] += w
        b[o] += w * r[k]
        for n in places.indices {
          let f = w * slopes[n][k]
          for q in 0..<3 { a[places[n], s + q] += f * v[q] }
          a[places[n], o] += f
        }
      }
      for n in places.indices {
        b[places[n]] += w * slopes[n].dot(r)
        for m in 0...n { a[places[n], places[m]] += w * slopes[n].dot(slopes[m]) }
      }
    }
  }

  // MARK: Result

  private func solution(
    at x: ForwardState, cost: Double
  ) throws(CalibrationFitError) -> ForwardSolution {
    let p = parameters
    let n = x.order
    var a = Matrix(order: n)
    var b = [Double](repeating: 0, count: n)
    let sigma = sigma(at: x)
    assemble(&a, &b, at: x, sigma: sigma)
    do { try a.factorizeCholesky() } catch { throw .notSolvable }
    let order = DistortionCovariance.order
    var columns = Matrix(rows: n, columns: order + 1)
    for i in 0..<order { columns[i, i] = 1 }
    columns[ForwardState.latency, order] = 1
    a.solve(into: &columns)
    var covariance = scatter(a, at: x, sigma: sigma)
    for i in 0..<order {
      for j in 0..<order { covariance[i, j] += (columns[i, j] + columns[j, i]) / 2 }
    }
    let latencyVariance = columns[ForwardState.latency, order]
    var inliers = 0.0
    var squares = 0.0
    for i in fields.indices {
      let r = residual(i, x).length / spreads[i]
      // Three components: 3 sigma in each is 1.5 times as far in total.
      guard r < p.inlierSigmas * 1.5 * max(sigma, p.leastSigma) else { continue }
      inliers += 1
      squares += r * r / 3
    }
    let estimate = DistortionEstimate(
      method: .forward, distortion: x.distortion, covariance: covariance, earthField: x.field,
      latencySeconds: x.latency, residualMicrotesla: (squares / max(inliers, 1)).squareRoot(),
      inlierShare: inliers / Double(fields.count), observationCount: fields.count)
    let yaw = x.yaw[x.yaw.count - 1] + x.rateScale * (axes.last?.turned ?? 0)
    return ForwardSolution(
      estimate: estimate, yaw: Angle(radians: yaw).wrappedToTurn, rateScale: x.rateScale,
      latencySigma: max(0, latencyVariance).squareRoot(), cost: cost)
  }

  /// The covariance of the solution from the scatter of the gradients of consecutive stretches.
  ///
  /// Residuals of a distorted field or a wrong level are correlated for seconds. Many observations
  /// then have the information of one, and the loss, which assumes independence, gives too small a
  /// covariance. The gradient of each stretch, summed before it is squared, includes the
  /// correlation. Source: Liang and Zeger, doi 10.1093/biomet/73.1.13, equation 5.
  private func scatter(
    _ normal: borrowing Matrix, at x: ForwardState, sigma: Double
  ) -> DistortionCovariance {
    var result = DistortionCovariance()
    let p = parameters
    guard p.scatterGain > 0 else { return result }
    let (n, order) = (x.order, DistortionCovariance.order)
    var shift = Matrix(rows: n, columns: 1)
    var gradient = [Double](repeating: 0, count: n)
    var begin = 0.0
    var stretches = 0.0
    for i in fields.indices {
      addGradient(of: i, to: &gradient, at: x, sigma: sigma)
      let isLast = i == fields.count - 1
      guard isLast || seconds[i + 1] - begin > p.scatterLength else { continue }
      for k in 0..<n {
        shift[k, 0] = gradient[k]
        gradient[k] = 0
      }
      normal.solve(into: &shift)
      for k in 0..<order { for l in 0..<order { result[k, l] += shift[k, 0] * shift[l, 0] } }
      stretches += 1
      if !isLast { begin = seconds[i + 1] }
    }
    // With few stretches the solution has adapted to each of them.
    let gain = p.scatterGain * stretches / max(stretches - 1, 1)
    for k in 0..<order { for l in 0..<order { result[k, l] *= gain } }
    return result
  }

  /// Adds the gradient of one observation for each unknown.
  private func addGradient(
    of i: Int, to gradient: inout [Double], at x: ForwardState, sigma: Double
  ) {
    let prediction = ForwardPrediction(axes[i], x, knots[i])
    let v = prediction.field
    let shape = x.distortion.shape
    let r: SIMD3<Double> = fields[i] - shape * v - x.distortion.offset
    let w = weight(i, r.lengthSquared, sigma: sigma)
    for k in 0..<3 {
      for p in 0..<3 { gradient[3 * k + p] += w * v[p] * r[k] }
      gradient[ForwardState.offset + k] += w * r[k]
    }
    let back: SIMD3<Double> = shape.transposed * r * w
    gradient[ForwardState.horizontal] += prediction.byHorizontal.dot(back)
    gradient[ForwardState.down] += prediction.byDown.dot(back)
    gradient[ForwardState.latency] += prediction.byLatency.dot(back)
    let byYaw = prediction.byYaw.dot(back)
    gradient[ForwardState.rateScale] += byYaw * axes[i].turned
    let knot = ForwardState.yaw + knots[i].index
    gradient[knot] += byYaw * (1 - knots[i].share)
    gradient[knot + 1] += byYaw * knots[i].share
  }
}
