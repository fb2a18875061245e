import Quantities
import RealModule

/// Swinging a compass by hand: the vehicle is laid on headings that are known (leading marks, another
/// compass, the sun) and what the compass says there is entered.
///
/// Readings as level fields are fitted by `DeviationModel`, readings as headings by its five numbers that
/// have no scale; both by least squares with priors. Each entry is predicted from the others: the one that
/// disagrees most is named and left out as long as it is beyond `suspectGate`.
/// - Accuracy: see this target's README. A wrong entry of 20 degrees is named among six fields or twelve
///   headings; with fewer the swing is refused, and with five it may pass unseen.
public struct CompassSwing: Equatable, Sendable {
  /// What the compass said.
  public enum Reading: Equatable, Sendable {
    /// The heading it shows, uncorrected.
    case heading(Angle)
    /// The field in body axes turned level, microtesla: x forward, y right.
    case field(SIMD2<Double>)

    /// The heading that the uncorrected compass shows.
    public var compassHeading: Angle {
      switch self {
      case .heading(let angle): angle.wrappedToTurn
      case .field(let field): DeviationModel.compassHeading(ofField: field)
      }
    }
  }

  /// One heading of the swing.
  public struct Entry: Equatable, Sendable {
    /// The bow's magnetic heading as it is known.
    public var heading: Angle
    /// What the compass said.
    public var reading: Reading

    /// Makes an entry.
    public init(heading: Angle, reading: Reading) {
      (self.heading, self.reading) = (heading, reading)
    }

    /// The deviation, positive east.
    public var deviation: Angle { (heading - reading.compassHeading).wrappedToHalfTurn }
  }

  /// The swing's tuning.
  public struct Parameters: Equatable, Sendable {
    /// Of a known heading and its reading together, one sigma, rad. Small: good entries are suspected;
    /// large: wrong ones are believed.
    public var headingSigma = 1.5 * Double.pi / 180
    /// Of a level field, one sigma, microtesla.
    public var fieldSigma = 0.5
    /// What all known headings are off by together, one sigma, rad: it shows nowhere.
    public var commonSigma = 0.5 * Double.pi / 180
    /// Of B and C before a swing of headings, one sigma, rad.
    public var semicircularSigma = 30 * Double.pi / 180
    /// Of D and E before a swing of headings, one sigma, rad: soft iron is small. Small: few headings do,
    /// real soft iron is missed; large: a wrong entry is taken for it.
    public var quadrantalSigma = 5 * Double.pi / 180
    /// Beyond so many sigmas from what the others say an entry is named.
    public var suspectGate = 4.0

    /// The default tuning.
    public init() {}
  }

  /// As many headings are needed.
  public static var neededEntries: Int { 5 }
  /// No gap between two of them may be larger.
  public static var largestGap: Angle { Angle(degrees: 90) }

  /// The tuning.
  public var parameters: Parameters
  /// What was entered, in the order of entering.
  public private(set) var entries: [Entry] = []

  /// Begins a swing.
  public init(_ parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Enters a heading.
  /// - Parameters:
  ///   - heading: The bow's magnetic heading as it is known.
  ///   - reading: What the compass says there.
  /// - Throws: `CompassSwingError.notANumber` and `.noField`; nothing is entered then.
  public mutating func enter(_ heading: Angle, _ reading: Reading) throws(CompassSwingError) {
    guard heading.radians.isFinite else { throw .notANumber }
    switch reading {
    case .heading(let angle):
      guard angle.radians.isFinite else { throw .notANumber }
    case .field(let field):
      guard field.x.isFinite, field.y.isFinite else { throw .notANumber }
      guard field != .zero else { throw .noField }
    }
    entries.append(Entry(heading: heading.wrappedToTurn, reading: reading))
  }

  /// Takes an entry out again; one that is not there changes nothing.
  public mutating func remove(at index: Int) {
    if entries.indices.contains(index) { entries.remove(at: index) }
  }

  /// The gaps between known headings that are too large, each from and to clockwise; one whole turn
  /// where nothing was entered.
  public var gaps: [(from: Angle, to: Angle)] {
    let known = entries.map { $0.heading }.sorted()
    var found: [(from: Angle, to: Angle)] = []
    for (k, heading) in known.enumerated() {
      let next = k + 1 < known.count ? known[k + 1] : known[0] + Angle(radians: 2 * .pi)
      if (next - heading).degrees > Self.largestGap.degrees + 1e-6 {
        found.append((heading, next.wrappedToTurn))
      }
    }
    return known.isEmpty ? [(.zero, .zero)] : found
  }

  /// Where to lay the vehicle next: the middle of the largest gap.
  public var suggestedHeading: Angle {
    let known = entries.map { $0.heading }.sorted()
    var (widest, middle) = (Angle.zero, Angle.zero)
    for (k, heading) in known.enumerated() {
      let next = k + 1 < known.count ? known[k + 1] : known[0] + Angle(radians: 2 * .pi)
      if next - heading > widest {
        (widest, middle) = (next - heading, (heading + (next - heading) * 0.5).wrappedToTurn)
      }
    }
    return middle
  }
}
