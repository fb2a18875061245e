import Quantities

/// The full covariance of the errors of a filter, at most 16: 1.8 kB for those of `ErrorState`,
/// allocated once.
struct ErrorCovariance: Equatable, Sendable {
  private(set) var rows: [ErrorVector]

  /// Independent errors of these variances.
  init(diagonal: ErrorVector, count: Int = ErrorState.count) {
    rows = [ErrorVector](repeating: .zero, count: count)
    for i in 0..<count { rows[i][i] = diagonal[i] }
  }

  /// The covariance of two errors.
  subscript(i: Int, j: Int) -> Double {
    get { rows[i][j] }
    set { rows[i][j] = newValue }
  }

  /// The covariances of one error with all errors.
  subscript(i: Int) -> ErrorVector { rows[i] }

  /// Changes the rows without a copy.
  mutating func withRows(_ body: (UnsafeMutableBufferPointer<ErrorVector>) -> Void) {
    rows.withUnsafeMutableBufferPointer { body($0) }
  }

  // MARK: Growing and resetting

  /// Adds variance to each of the `count` errors that begin at `i`.
  mutating func grow(_ i: Int, count: Int = 1, by variance: Double) {
    for k in i..<i + count { rows[k][k] += variance }
  }

  /// Makes an error's standard deviation at least `sigma`.
  mutating func raise(_ i: Int, to sigma: Double) { rows[i][i] = max(rows[i][i], sigma * sigma) }

  /// Removes the correlations of `i` and sets its variance.
  mutating func reset(_ i: Int, variance: Double) {
    rows[i] = .zero
    for k in 0..<rows.count { rows[k][i] = 0 }
    rows[i][i] = variance
  }

  /// Rotates attitude and velocity errors after the earth frame was turned about the vertical.
  mutating func turnEarth(by r: Matrix3) {
    for start in [ErrorState.attitude, ErrorState.velocity] {
      let old = (rows[start], rows[start + 1])
      for k in 0..<2 {
        var row = old.0 * r[row: k].x
        row.add(old.1, times: r[row: k].y)
        rows[start + k] = row
      }
      for i in 0..<ErrorState.count {
        let (x, y) = (rows[i][start], rows[i][start + 1])
        rows[i][start] = r.r0.x * x + r.r0.y * y
        rows[i][start + 1] = r.r1.x * x + r.r1.y * y
      }
    }
  }

  /// Replaces error `j` by a copy of error `i` with an independent error of a variance added.
  mutating func copy(_ i: Int, to j: Int, adding variance: Double) {
    rows[j] = rows[i]
    for k in rows.indices { rows[k][j] = rows[k][i] }
    rows[j][j] = rows[i][i] + variance
  }

  /// Adds a multiple of error `j` to error `i`.
  mutating func add(_ j: Int, to i: Int, times factor: Double) {
    withRows { rows in
      rows[i].add(rows[j], times: factor)
      for k in rows.indices { rows[k][i] += factor * rows[k][j] }
    }
  }

  // MARK: Steps

  /// Propagates the errors over an interval: attitude += -turned · bias + swept · scale, velocity
  /// -= pushed x tilt, where `pushed` is downward. The earth frame and the velocity in it turn with
  /// the heading, so the heading error does not affect velocity.
  mutating func propagate(_ interval: CorrectionInterval) {
    let pushed = interval.pushed.z
    let (theta, v) = (ErrorState.attitude, ErrorState.velocity)
    rows.withUnsafeMutableBufferPointer { p in
      // Velocity uses the attitude error before the interval, so its rows come first.
      p[v].add(p[theta + 1], times: pushed)
      p[v + 1].add(p[theta], times: -pushed)
      let (t, s, o) = (interval.turned, interval.swept, interval.sheared)
      for k in 0..<3 {
        Self.add(p, to: theta + k, from: ErrorState.bias, t[row: k], -1)
        Self.add(p, to: theta + k, from: ErrorState.scale, s[row: k], 1)
        Self.add(p, to: theta + k, from: ErrorState.scale + 3, o[row: k], 1)
      }
      // The same from the right, for the five changed rows.
      for n in 0..<5 {
        let i = n < 3 ? theta + n : v + n - 3
        var row = p[i]
        row[v] += pushed * row[theta + 1]
        row[v + 1] -= pushed * row[theta]
        row[block: theta] +=
          s * row[block: ErrorState.scale] + o * row[block: ErrorState.scale + 3]
          - t * row[block: ErrorState.bias]
        p[i] = row
      }
      for j in 0..<ErrorState.count where !(j < 3 || (j >= v && j < v + 2)) {
        for k in 0..<3 { p[j][theta + k] = p[theta + k][j] }
        for k in 0..<2 { p[j][v + k] = p[v + k][j] }
      }
    }
  }

  @inline(__always)
  private static func add(
    _ p: UnsafeMutableBufferPointer<ErrorVector>, to i: Int, from j: Int, _ x: SIMD3<Double>,
    _ sign: Double
  ) {
    p[i].add(p[j], times: sign * x.x)
    p[i].add(p[j + 1], times: sign * x.y)
    p[i].add(p[j + 2], times: sign * x.z)
  }

  /// Applies a scalar measurement.
  ///
  /// - Parameters:
  ///   - k: The gain; Joseph's form keeps the covariance valid for a gain that is not optimal.
  ///   - g: The covariance of the measurement with the errors.
  ///   - s: The variance of the innovation, noise included.
  mutating func update(gain k: ErrorVector, covariance g: ErrorVector, variance s: Double) {
    var u = g
    u.add(k, times: -0.5 * s)
    rows.withUnsafeMutableBufferPointer { p in
      for i in p.indices {
        p[i].add(u, times: -k[i])
        p[i].add(k, times: -u[i])
      }
    }
  }
}

extension Matrix3 {
  @inline(__always)
  fileprivate subscript(row i: Int) -> SIMD3<Double> { i == 0 ? r0 : i == 1 ? r1 : r2 }
}

extension ErrorCovariance {
  mutating func code(_ c: inout StateCoder) {
    for i in 0..<ErrorState.count {
      for j in 0..<ErrorState.count { c.code(&self[i, j]) }
    }
  }
}
