import Quantities
import RealModule

/// Which headings a vehicle has been seen on, in 24 bins of 15 degrees clockwise from magnetic north, each
/// with what the model was off by there. Old visits fade.
public struct HeadingCoverage: Equatable, Sendable {
  /// How many bins.
  public static var bins: Int { 24 }
  /// Epochs' weights in each bin.
  public private(set) var visits: [Double]
  /// What the model was off by before it knew of an epoch, radians, summed by the precision that it
  /// claimed: what it hardly knew yet says little of how it errs.
  private var errors: [Double]
  private var precisions: [Double]

  /// A bin counts as seen from this weight: one epoch may be an error.
  static let seen = 3.0

  /// Nothing seen.
  public init() {
    visits = Array(repeating: 0, count: Self.bins)
    errors = visits
    precisions = visits
  }

  /// Takes up visits that were stored; nil where they are not 24 or one is negative or not finite.
  public init?(visits: [Double]) {
    guard visits.count == Self.bins, visits.allSatisfy({ $0 >= 0 && $0.isFinite }) else {
      return nil
    }
    self.init()
    self.visits = visits
  }

  /// The bin of a heading: bin 0 reaches from -7.5 to 7.5 degrees.
  public static func bin(of heading: Angle) -> Int {
    Int(heading.wrappedToTurn.degrees / 15 + 0.5) % bins
  }

  /// Takes in that an epoch of a weight was there.
  /// - Parameters:
  ///   - heading: Where.
  ///   - weight: Of the epoch.
  ///   - error: What the model said before it knew of it, less the heading, and the sigma that it claimed;
  ///     nil where it knew nothing.
  mutating func visit(_ heading: Angle, weight: Double, error: (of: Angle, sigma: Angle)?) {
    let k = Self.bin(of: heading)
    visits[k] += weight
    guard let error, error.sigma > .zero else { return }
    let precision = weight / (error.sigma.radians * error.sigma.radians)
    errors[k] += precision * error.of.radians
    precisions[k] += precision
  }

  /// Lets what was seen fade to this share.
  mutating func fade(to share: Double) {
    for k in 0..<Self.bins {
      visits[k] *= share
      errors[k] *= share
      precisions[k] *= share
    }
  }

  /// What the model was off by in the mean near a heading; nil where nothing was seen.
  func meanError(near heading: Angle) -> Angle? {
    let k = Self.bin(of: heading)
    guard visits[k] >= Self.seen, precisions[k] > 0 else { return nil }
    return Angle(radians: errors[k] / precisions[k])
  }

  /// The arc of headings that is known: the turn less the largest gap, and no more than what lies within
  /// a bin of what was seen, so that a way there and back is not half a turn.
  public var arc: Angle {
    var near = 0
    var (gap, largest) = (0, 0)
    // Twice round, for the gap across north.
    for i in 0..<2 * Self.bins {
      let k = i % Self.bins
      gap = visits[k] >= Self.seen ? 0 : gap + 1
      largest = max(largest, gap)
      let isNear = (k + Self.bins - 1..<k + Self.bins + 2)
        .contains { visits[$0 % Self.bins] >= Self.seen }
      if i < Self.bins && isNear { near += 1 }
    }
    return Angle(degrees: 15 * Double(min(near, max(0, Self.bins - largest))))
  }

  /// How one-sided the headings are: 0 all round, 1 a single one.
  var onesidedness: Double {
    var (c, s, sum) = (0.0, 0.0, 0.0)
    for k in 0..<Self.bins where visits[k] >= Self.seen {
      let angle = Angle(degrees: 15 * Double(k)).radians
      c += .cos(angle)
      s += .sin(angle)
      sum += 1
    }
    return sum > 0 ? (c * c + s * s).squareRoot() / sum : 1
  }
}
