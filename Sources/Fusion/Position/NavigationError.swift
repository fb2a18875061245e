import Quantities

/// The order of the 16 errors that the position filter estimates, along true north, east and down.
enum NavigationError {
  /// Position, metres, two.
  static var position: Int { 0 }
  /// Velocity, m/s, two.
  static var velocity: Int { 2 }
  /// Attitude, rad, three: R_true = (1 + [attitude]x) R.
  static var attitude: Int { 4 }
  /// The third attitude error, about the vertical.
  static var heading: Int { 6 }
  /// Gyroscope bias, rad/s, body frame, three.
  static var rate: Int { 7 }
  /// Accelerometer bias, m/s², body frame, three.
  static var force: Int { 10 }
  /// The slow error of the receiver's position, metres, two.
  static var receiver: Int { 13 }
  /// The age of the receiver's velocity, s.
  static var delay: Int { 15 }
  static var count: Int { 16 }
}

extension ErrorCovariance {
  /// Propagates the errors over an interval: position += velocity · seconds, velocity += attitude x
  /// push - turned · force bias, attitude -= turned · rate bias.
  ///
  /// - Parameters:
  ///   - push: Integral of the specific force along the earth's axes, m/s; nil without an inertial
  ///     unit.
  ///   - turned: Integral of the rotation from body to earth, seconds.
  ///   - seconds: The length of the interval.
  mutating func propagate(
    push: SIMD3<Double>?, turned: Matrix3, seconds: Double
  ) {
    typealias E = NavigationError
    let (p, v, a, w, f) = (E.position, E.velocity, E.attitude, E.rate, E.force)
    withRows { rows in
      // Each line uses errors from before the interval, so that the order is that of their use.
      rows[p].add(rows[v], times: seconds)
      rows[p + 1].add(rows[v + 1], times: seconds)
      if let push {
        rows[v].add(rows[a + 1], times: push.z)
        rows[v].add(rows[a + 2], times: -push.y)
        rows[v + 1].add(rows[a + 2], times: push.x)
        rows[v + 1].add(rows[a], times: -push.z)
        for k in 0..<3 {
          let row = k == 0 ? turned.r0 : k == 1 ? turned.r1 : turned.r2
          for i in 0..<3 {
            if k < 2 { rows[v + k].add(rows[f + i], times: -row[i]) }
            rows[a + k].add(rows[w + i], times: -row[i])
          }
        }
      }
      // The same from the right.
      for i in rows.indices {
        var row = rows[i]
        row[p] += seconds * row[v]
        row[p + 1] += seconds * row[v + 1]
        if let push {
          let (tilt, bias) = (row[block: a], row[block: f])
          row[v] += push.z * tilt.y - push.y * tilt.z - turned.r0.dot(bias)
          row[v + 1] += push.x * tilt.z - push.z * tilt.x - turned.r1.dot(bias)
          row[block: a] = tilt - turned * row[block: w]
        }
        rows[i] = row
      }
    }
  }

  /// Multiplies an error by a factor.
  mutating func shrink(_ i: Int, by factor: Double) {
    withRows { rows in
      rows[i] = rows[i] * factor
      for k in rows.indices { rows[k][i] *= factor }
    }
  }

  /// The covariances of a sum of errors, each with a weight, with all errors.
  func column(_ h: ErrorVector) -> ErrorVector {
    var g = ErrorVector.zero
    for i in rows.indices where h[i] != 0 { g.add(rows[i], times: h[i]) }
    return g
  }

  /// Turns pairs of horizontal errors, and those of attitude, into axes that are turned clockwise
  /// by an angle.
  mutating func turnAxes(cosine c: Double, sine s: Double) {
    typealias E = NavigationError
    withRows { rows in
      for start in [E.position, E.velocity, E.attitude, E.receiver] {
        let (x, y) = (rows[start], rows[start + 1])
        var north = x * c
        north.add(y, times: s)
        var east = y * c
        east.add(x, times: -s)
        (rows[start], rows[start + 1]) = (north, east)
        for i in rows.indices {
          let (x, y) = (rows[i][start], rows[i][start + 1])
          rows[i][start] = c * x + s * y
          rows[i][start + 1] = c * y - s * x
        }
      }
    }
  }
}
