/// The lasting difference between the heading by the field and the estimated heading: an error of
/// one of them.
struct HeadingResidual: Equatable, Sendable {
  /// Low-pass, rad.
  private var mean = 0.0
  /// The largest recent magnitude of the low-pass, rad.
  private(set) var peak = 0.0

  init() {}

  /// Adds a residual.
  /// - Parameters:
  ///   - residual: Heading by the field less estimated heading, rad.
  ///   - t: The duration of the measurement, s.
  ///   - age: The age of the current explanation of the field, s: the first residuals have more
  ///     weight.
  mutating func update(_ residual: Double, seconds t: Double, age: Double) {
    let bounded = min(max(residual, -Self.largest), Self.largest)
    mean += (bounded - mean) * min(1, t / min(Self.meanTime, age + 1))
    peak = max(peak * max(0, 1 - t / Self.memory), abs(mean))
  }

  /// Residuals are limited to this magnitude, rad.
  private static var largest: Double { 0.5 }
  /// Time constant of the mean, s.
  private static var meanTime: Double { 10 }
  /// Time constant of the peak's decay, s.
  private static var memory: Double { 40 }

  mutating func code(_ c: inout StateCoder) {
    c.code(&mean)
    c.code(&peak)
  }
}
