import Quantities

/// What a swing by hand found.
public struct SwingResult: Equatable, Sendable {
  /// The classical coefficients; nil where the vehicle's field is larger than the earth's, so that there
  /// is no curve by compass heading.
  public var coefficients: DeviationCoefficients?
  /// The exact model, where the level fields were known.
  public var model: DeviationModel?
  /// The deviation table; nil where `coefficients` are.
  public var table: DeviationTable?
  /// What each entry's deviation has over the fit's, in the order of entering; nil where the fit tells none.
  public var residuals: [Angle?]
  /// The entries that the others disagree with; the fit is without them.
  public var suspects: [SwingSuspect]
  /// Root mean square of the residuals of the other entries. With few entries it is smaller than the
  /// error: the table's sigma is not.
  public var residual: Angle
}

/// An entry that disagrees with the others.
public struct SwingSuspect: Equatable, Sendable, CustomStringConvertible {
  /// Its place in the order of entering, from 0.
  public var index: Int
  /// By how much its deviation is larger than what the others say, positive east.
  public var disagreement: Angle?
  /// True where it would agree with the opposite sign.
  public var isSignSwapped: Bool

  /// One sentence for people.
  public var description: String {
    let size = disagreement.map { "is off by \(Int(abs($0.degrees).rounded())) degrees" }
    let swap = isSignSwapped ? ": east and west, or the two headings, seem swapped" : ""
    return "entry \(index + 1) \(size ?? "disagrees with the others")" + swap
      + "; it was left out, look at it again"
  }
}
