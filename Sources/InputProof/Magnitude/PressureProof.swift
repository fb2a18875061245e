import Quantities
import RealModule

/// Whether pressures are hectopascal: by the first samples, since programs start on the ground, and by a receiver's height.
struct PressureProof: Sendable {
  /// Pressures on the ground, hectopascal: the summit of Everest and the highest at sea level.
  private static let ground = 300.0...1100.0
  /// Where most people live: a factor must bring a pressure here.
  private static let usual = 650.0...1085.0
  /// Measured by expected pressure at a receiver's height, which the weather does not explain: it reaches 6 %.
  private static let possible = 0.88...1.14
  /// Heights that are compared, m: above, people sit in cabins.
  private static let heights = -500.0...5000.0
  /// Samples on the ground, and fixes with the time that they must span, s, before a verdict.
  private static let (fewest, leastSpan) = (5, 30.0)
  /// Longest age of a pressure beside a fix, s.
  private static let longestAge = 5.0

  /// True by measured, where it is contradicted.
  private(set) var factor: Double?
  private var newest: (hectopascal: Double, at: Timestamp)?
  /// Samples that were judged without a height, and fixes in a row that contradict, since the first of them.
  private var samples = 0
  private var contradictions = (count: 0, since: Timestamp(nanoseconds: 0))

  /// Adds a pressure, hectopascal.
  mutating func add(_ hectopascal: Double, at t: Timestamp) {
    guard hectopascal > 0, hectopascal.isFinite else { return }
    newest = (hectopascal, t)
    guard samples < Self.fewest else { return }
    samples += 1
    guard samples == Self.fewest, !Self.ground.contains(hectopascal) else { return }
    let unit = SampleUnit.others(of: .pressure).first {
      Self.usual.contains(hectopascal * $0.factor)
    }
    factor = unit?.factor ?? 1013.25 / hectopascal
  }

  /// Compares the newest pressure with a receiver's height above the sea, m.
  mutating func compare(altitudeMetres altitude: Double, at t: Timestamp) {
    guard let newest, abs(t.seconds(since: newest.at)) < Self.longestAge,
      Self.heights.contains(altitude)
    else { return }
    // The standard atmosphere below 11 km.
    let expected = 1013.25 * Double.pow(1 - 2.25577e-5 * altitude, 5.25588)
    let ratio = newest.hectopascal / expected
    guard !Self.possible.contains(ratio) else {
      (factor, contradictions.count) = (nil, 0)
      return
    }
    if contradictions.count == 0 { contradictions.since = t }
    contradictions.count += 1
    if contradictions.count >= Self.fewest,
      t.seconds(since: contradictions.since) >= Self.leastSpan
    {
      factor = 1 / ratio
    }
  }
}
