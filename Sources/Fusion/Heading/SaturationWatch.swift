import Quantities

/// Estimates the signal lost while a sensor was at its limit. Above the flat top the signal is
/// assumed to be a parabola that continues the slope of the rise; its area is slope x duration² /
/// 6.
struct SaturationWatch: Equatable, Sendable {
  private var detector: FullScaleDetector
  private var axes = (Axis(), Axis(), Axis())
  /// Time since an axis was at its limit, s.
  private(set) var secondsSince = Double.infinity

  /// The signal lost in one sample.
  struct Missing: Equatable {
    /// Growth of the variance of the lost signal, along each axis.
    var variance = SIMD3<Double>.zero
    /// For each axis: 1 or -1 while it is at its limit, by the sign of its value.
    var sign = SIMD3<Double>.zero
    var isThere: Bool { sign != .zero }
  }

  /// - Parameters:
  ///   - fullScale: The limit in the sensor's unit; nil: detected from the samples.
  ///   - least: The smallest possible limit of a sensor, in the same unit.
  init(fullScale: Double?, least: Double) {
    detector = FullScaleDetector(fullScale: fullScale, least: least)
  }

  mutating func update(_ x: SIMD3<Double>, seconds dt: Double) -> Missing {
    secondsSince += dt
    guard dt > 0, dt < Self.longestStep else {
      interrupt()
      return Missing()
    }
    var missing = Missing(sign: detector.add(x))
    missing.variance.x = axes.0.update(x.x, isAtLimit: missing.sign.x != 0, seconds: dt)
    missing.variance.y = axes.1.update(x.y, isAtLimit: missing.sign.y != 0, seconds: dt)
    missing.variance.z = axes.2.update(x.z, isAtLimit: missing.sign.z != 0, seconds: dt)
    if missing.isThere { secondsSince = 0 }
    return missing
  }

  /// Resets the slopes after missing samples.
  mutating func interrupt() {
    axes = (Axis(), Axis(), Axis())
    detector.interrupt()
  }

  static func == (a: Self, b: Self) -> Bool {
    a.detector == b.detector && a.secondsSince == b.secondsSince && a.axes == b.axes
  }

  /// After a longer step the slope is unknown, s.
  private static var longestStep: Double { 0.25 }

  private struct Axis: Equatable, Sendable {
    private var last: Double?
    /// Low-pass of the absolute slope, per second.
    private var slope = 0.0
    private var duration = 0.0
    private var missed = 0.0

    /// Time constant of the slope, s.
    private static var slopeTime: Double { 0.05 }

    /// - Returns: Growth of the variance of the lost signal.
    mutating func update(_ x: Double, isAtLimit: Bool, seconds dt: Double) -> Double {
      defer { last = x }
      guard isAtLimit else {
        (duration, missed) = (0, 0)
        if let last { slope += (abs(x - last) / dt - slope) * (dt / (dt + Self.slopeTime)) }
        return 0
      }
      duration += dt
      let more = 0.3 * min(slope * duration, abs(x)) * dt
      defer { missed += more }
      return more * (2 * missed + more)
    }

    mutating func code(_ c: inout StateCoder) {
      c.code(&last)
      c.code(&slope)
      c.code(&duration)
      c.code(&missed)
    }
  }

  mutating func code(_ c: inout StateCoder) {
    detector.code(&c)
    axes.0.code(&c)
    axes.1.code(&c)
    axes.2.code(&c)
    c.code(&secondsSince)
  }
}

extension FullScaleDetector {
  fileprivate mutating func code(_ c: inout StateCoder) {
    c.code(&limit)
    x.code(&c)
    y.code(&c)
    z.code(&c)
  }
}

extension FullScaleDetector.FlatTop {
  fileprivate mutating func code(_ c: inout StateCoder) {
    c.code(&last)
    c.code(&largest)
    c.code(&corner)
    c.code(&count)
  }
}
