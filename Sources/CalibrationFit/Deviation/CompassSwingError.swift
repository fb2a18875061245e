import Quantities

/// Why a swing gives no deviation. The description is a plain sentence of what to do.
public enum CompassSwingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A heading or a field is no finite number.
  case notANumber
  /// The field is zero.
  case noField
  /// Too few headings were entered; where to go next.
  case tooFewEntries(found: Int, needed: Int, next: Angle)
  /// Between two headings nothing was entered.
  case gap(from: Angle, to: Angle)
  /// Two entries of nearly one heading have different deviations; their places from 0.
  case contradiction(first: Int, second: Int, heading: Angle, difference: Angle)
  /// The compass turns to the left while the vehicle turns to the right.
  case runsBackwards
  /// The entries agree with no deviation curve: what they scatter by, and the places from 0 of the two
  /// that the others agree with least; none where too few are there to say.
  case inconsistent(residual: Angle, doubtful: [Int])
  /// The arithmetic broke down.
  case notSolvable

  /// One sentence for people.
  public var description: String {
    switch self {
    case .notANumber: "a heading or field that is no number was entered: enter it again"
    case .noField: "the magnetometer tells a field of zero: look whether it is connected"
    case .tooFewEntries(let found, let needed, let next):
      "too few headings: \(found), at least \(needed) are needed; go on with \(Self.degrees(next))"
    case .gap(let from, let to):
      "nothing was entered between \(Self.degrees(from)) and \(Self.degrees(to)): no gap may be larger "
        + "than \(Self.degrees(CompassSwing.largestGap)); enter a heading there"
    case .contradiction(let first, let second, let heading, let difference):
      "entries \(first + 1) and \(second + 1) are both near \(Self.degrees(heading)) but their deviations "
        + "differ by \(Self.degrees(difference)): take one of them out"
    case .runsBackwards:
      "the compass turns left where the vehicle turns right: the readings' sign is swapped or an axis is "
        + "mirrored; look at the mount"
    case .inconsistent(let residual, let doubtful):
      "the entries fit no deviation curve, they are off by \(Self.degrees(residual))"
        + (doubtful.count == 2
          ? ": look first at entries \(doubtful[0] + 1) and \(doubtful[1] + 1), then" : ": look")
        + " whether iron moved and the known headings are magnetic"
    case .notSolvable: "the fit did not settle: enter more headings"
    }
  }

  private static func degrees(_ angle: Angle) -> String {
    "\(Int(angle.degrees.rounded())) degrees"
  }
}
