/// What the field goes on saying against the heading: a residual that lasts is an error of one or the other.
struct HeadingResidual: Equatable, Sendable {
  /// Low-pass, rad.
  private var mean = 0.0
  /// The largest size of the low-pass lately, rad.
  private(set) var peak = 0.0

  init() {}

  /// Takes in a residual.
  /// - Parameters:
  ///   - residual: Heading by the field less heading believed, rad.
  ///   - t: How long it was measured, s.
  ///   - age: For how long the field has been explained as it is now, s: the first residuals count for more.
  mutating func update(_ residual: Double, seconds t: Double, age: Double) {
    let bounded = min(max(residual, -Self.largest), Self.largest)
    mean += (bounded - mean) * min(1, t / min(Self.meanTime, age + 1))
    peak = max(peak * max(0, 1 - t / Self.memory), abs(mean))
  }

  /// A larger residual counts as one of this size, rad.
  private static var largest: Double { 0.5 }
  /// Time constant of the mean, s.
  private static var meanTime: Double { 10 }
  /// Time constant in which the peak is forgotten, s.
  private static var memory: Double { 40 }

  mutating func code(_ c: inout StateCoder) {
    c.code(&mean)
    c.code(&peak)
  }
}
