import Quantities

/// What a sensor may have missed while it was at its limit.
///
/// A sensor that is driven beyond its range gives a flat top. Where the range is not known, a flat top is a
/// value near the largest that was seen, at which the signal stops though it was changing fast: a motion
/// comes to a stop little by little. What is missing above the flat top is taken for a parabola that goes on
/// with the slope of the way up: its area is slope x duration² / 6.
struct SaturationWatch: Equatable, Sendable {
  /// Full scale, the unit of the sensor; nil: it is found in the data.
  var fullScale: Double?
  /// Nothing below is a flat top, the unit of the sensor.
  private let least: Double

  private var axes = (Axis(), Axis(), Axis())
  /// Time since an axis was at its limit, s.
  private(set) var secondsSince = Double.infinity

  /// What an axis gives at each sample.
  struct Missing: Equatable {
    /// Growth of the variance of what is missing, along each axis.
    var variance = SIMD3<Double>.zero
    /// Of each axis: 1 or -1 while it is at its limit, by the sign of its value.
    var sign = SIMD3<Double>.zero
    var isThere = false
  }

  init(fullScale: Double? = nil, least: Double) {
    self.fullScale = fullScale
    self.least = least
  }

  mutating func update(_ x: SIMD3<Double>, seconds dt: Double) -> Missing {
    var missing = Missing()
    secondsSince += dt
    guard dt > 0, dt < Self.longestStep else {
      axes = (Axis(), Axis(), Axis())
      return missing
    }
    axes.0.update(x.x, dt, fullScale, least, 0, &missing)
    axes.1.update(x.y, dt, fullScale, least, 1, &missing)
    axes.2.update(x.z, dt, fullScale, least, 2, &missing)
    if missing.isThere { secondsSince = 0 }
    return missing
  }

  static func == (a: Self, b: Self) -> Bool {
    a.fullScale == b.fullScale && a.secondsSince == b.secondsSince && a.axes == b.axes
  }

  /// A longer step says nothing of the slope, s.
  private static var longestStep: Double { 0.25 }

  private struct Axis: Equatable, Sendable {
    private var last = 0.0
    private var largest = 0.0
    /// The limit as the data show it; infinite: none.
    private var limit = Double.infinity
    /// Low-pass of the absolute slope, per second.
    private var slope = 0.0
    /// The last step of the way up, and the value that it led to.
    private var corner = 0.0
    private var top = 0.0
    /// Samples in a row that were flat.
    private var flat = 0.0
    private var duration = 0.0
    private var missed = 0.0

    /// Part of the limit from which on a value is at it.
    private static var near: Double { 0.98 }
    /// Step on the way up as a part of the value.
    private static var steepness: Double { 0.01 }
    /// Part of that step by which a flat top may change from sample to sample.
    private static var flatness: Double { 0.1 }
    /// So many flat samples in a row are a limit: fewer are the crest of a motion.
    private static var fewest: Double { 4 }
    /// A value that is larger by so much ends it: it was none.
    private static var beyond: Double { 1.03 }
    /// Time constant of the slope, s.
    private static var slopeTime: Double { 0.05 }

    mutating func update(
      _ x: Double, _ dt: Double, _ fullScale: Double?, _ least: Double, _ i: Int,
      _ missing: inout Missing
    ) {
      let change = abs(x - last) / dt
      let size = abs(x)
      defer { last = x }
      largest = max(largest, size)
      if let fullScale {
        limit = fullScale
      } else {
        if size > Self.beyond * limit { limit = .infinity }
        lookForCorner(x, step: abs(x - last), above: least)
        if flat >= Self.fewest, size > Self.near * largest, limit.isInfinite || size > limit {
          limit = size
        }
      }
      let isAtLimit = size > Self.near * limit
      if isAtLimit {
        duration += dt
        let more = 0.3 * min(slope * duration, size) * dt
        missing.variance[i] = more * (2 * missed + more)
        missed += more
        missing.sign[i] = x < 0 ? -1 : 1
        missing.isThere = true
        return
      }
      (duration, missed) = (0, 0)
      slope += (change - slope) * (dt / (dt + Self.slopeTime))
    }

    /// A corner is a steep step outwards and then none.
    private mutating func lookForCorner(_ x: Double, step: Double, above least: Double) {
      if flat > 0, abs(x - top) < Self.flatness * corner, x * top > 0 {
        flat += 1
        top = x
      } else if abs(x) > abs(last), step > Self.steepness * abs(x), abs(x) > least {
        (flat, corner, top) = (1, step, x)
      } else {
        flat = 0
      }
    }

    mutating func code(_ c: inout StateCoder) {
      c.code(&last)
      c.code(&corner)
      c.code(&top)
      c.code(&largest)
      c.code(&limit)
      c.code(&slope)
      c.code(&flat)
      c.code(&duration)
      c.code(&missed)
    }
  }

  mutating func code(_ c: inout StateCoder) {
    axes.0.code(&c)
    axes.1.code(&c)
    axes.2.code(&c)
    c.code(&secondsSince)
  }
}
