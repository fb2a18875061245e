import Quantities

/// Why a swing gave no deviation. The description says what to do.
public enum CompassSwingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A heading or a field is not a finite number.
  case notANumber
  /// The field is zero.
  case noField
  /// There are too few headings; the next one to enter.
  case tooFewEntries(found: Int, needed: Int, next: Angle)
  /// There is no entry between two headings.
  case gap(from: Angle, to: Angle)
  /// Two entries of nearly one heading have different deviations; their indices from 0.
  case contradiction(first: Int, second: Int, heading: Angle, difference: Angle)
  /// The compass turns left while the vehicle turns right.
  case runsBackwards
  /// The entries fit no deviation curve: their scatter, and the indices from 0 of the two least
  /// consistent entries; none with too few entries.
  case inconsistent(residual: Angle, doubtful: [Int])
  /// The equations were not solvable.
  case notSolvable

  /// The message for the user.
  public var description: String {
    switch self {
    case .notANumber: "the heading or field is not a number: enter it again"
    case .noField: "the magnetometer reports a field of zero: check its connection"
    case .tooFewEntries(let found, let needed, let next):
      "too few headings: \(found), at least \(needed) are needed; next \(Self.degrees(next))"
    case .gap(let from, let to):
      "no heading between \(Self.degrees(from)) and \(Self.degrees(to)): a gap may be at most "
        + "\(Self.degrees(CompassSwing.largestGap)); enter a heading there"
    case .contradiction(let first, let second, let heading, let difference):
      "entries \(first + 1) and \(second + 1) are both near \(Self.degrees(heading)) but their deviations "
        + "differ by \(Self.degrees(difference)): remove one of them"
    case .runsBackwards:
      "the compass turns left when the vehicle turns right: the readings' sign is swapped or an axis is "
        + "mirrored; check the mount"
    case .inconsistent(let residual, let doubtful):
      "the entries fit no deviation curve: their scatter is \(Self.degrees(residual))"
        + (doubtful.count == 2
          ? "; check entries \(doubtful[0] + 1) and \(doubtful[1] + 1) first, then" : "; check")
        + " whether iron moved and the known headings are magnetic"
    case .notSolvable: "the fit did not converge: enter more headings"
    }
  }

  private static func degrees(_ angle: Angle) -> String {
    "\(Int(bounded: angle.degrees.rounded())) degrees"
  }
}
