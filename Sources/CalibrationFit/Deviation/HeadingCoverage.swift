import Quantities
import RealModule

/// The observed headings of a vehicle in 24 bins of 15 degrees clockwise from magnetic north, each
/// with the model's error. Old observations lose weight.
public struct HeadingCoverage: Equatable, Sendable {
  /// Number of bins.
  public static var bins: Int { 24 }
  /// Sum of the epochs' weights in each bin.
  public private(set) var visits: [Double]
  /// Errors of the model before each epoch was used, radians, weighted by the model's precision:
  /// errors of an uncertain model have little weight.
  private var errors: [Double]
  private var precisions: [Double]

  /// A bin counts as observed from this weight: a single epoch may be an error.
  static let observedWeight = 3.0

  /// Makes an empty coverage.
  public init() {
    visits = Array(repeating: 0, count: Self.bins)
    errors = visits
    precisions = visits
  }

  /// Restores stored weights; nil unless there are 24 finite ones that are not negative.
  public init?(visits: [Double]) {
    guard visits.count == Self.bins, visits.allSatisfy({ $0 >= 0 && $0.isFinite }) else {
      return nil
    }
    self.init()
    self.visits = visits
  }

  /// The bin of a heading: bin 0 reaches from -7.5 to 7.5 degrees.
  public static func bin(of heading: Angle) -> Int {
    Int(bounded: heading.wrappedToTurn.degrees / 15 + 0.5) % bins
  }

  /// Adds an epoch with a weight.
  /// - Parameters:
  ///   - heading: The heading.
  ///   - weight: The weight of the epoch.
  ///   - error: The model's heading before this epoch less the heading, with its sigma; nil without
  ///     a model heading.
  mutating func visit(_ heading: Angle, weight: Double, error: (of: Angle, sigma: Angle)?) {
    let k = Self.bin(of: heading)
    visits[k] += weight
    guard let error, error.sigma > .zero else { return }
    let precision = weight / (error.sigma.radians * error.sigma.radians)
    errors[k] += precision * error.of.radians
    precisions[k] += precision
  }

  /// Reduces all weights to this fraction.
  mutating func fade(to share: Double) {
    for k in 0..<Self.bins {
      visits[k] *= share
      errors[k] *= share
      precisions[k] *= share
    }
  }

  /// The model's mean error near a heading; nil without observations.
  func meanError(near heading: Angle) -> Angle? {
    let k = Self.bin(of: heading)
    guard visits[k] >= Self.observedWeight, precisions[k] > 0 else { return nil }
    return Angle(radians: errors[k] / precisions[k])
  }

  /// The number of observed bins.
  public var observedCount: Int { visits.filter { $0 >= Self.observedWeight }.count }

  /// The arc of observed headings: the full turn less the largest gap, limited to headings within
  /// one bin of an observed one, so that two opposite headings are not half a turn.
  public var arc: Angle {
    var near = 0
    var (gap, largest) = (0, 0)
    // Two rounds, for a gap across north.
    for i in 0..<2 * Self.bins {
      let k = i % Self.bins
      gap = visits[k] >= Self.observedWeight ? 0 : gap + 1
      largest = max(largest, gap)
      let isNear = (k + Self.bins - 1..<k + Self.bins + 2)
        .contains { visits[$0 % Self.bins] >= Self.observedWeight }
      if i < Self.bins && isNear { near += 1 }
    }
    return Angle(degrees: 15 * Double(min(near, max(0, Self.bins - largest))))
  }

  /// One-sidedness of the headings: 0 all round, 1 a single heading.
  var onesidedness: Double {
    var (c, s, sum) = (0.0, 0.0, 0.0)
    for k in 0..<Self.bins where visits[k] >= Self.observedWeight {
      let angle = Angle(degrees: 15 * Double(k)).radians
      c += .cos(angle)
      s += .sin(angle)
      sum += 1
    }
    return sum > 0 ? (c * c + s * s).squareRoot() / sum : 1
  }
}
