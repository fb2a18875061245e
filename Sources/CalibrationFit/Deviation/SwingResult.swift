import Quantities

/// The result of a swing by hand.
public struct SwingResult: Equatable, Sendable {
  /// The classical coefficients; nil if the vehicle's field is stronger than the earth's: then
  /// there is no curve by compass heading.
  public var coefficients: DeviationCoefficients?
  /// The exact model; nil without level fields.
  public var model: DeviationModel?
  /// The deviation table; nil if `coefficients` is nil.
  public var table: DeviationTable?
  /// Deviation of each entry less the fitted one, in the order of input; nil without a fitted one.
  public var residuals: [Angle?]
  /// The entries that disagree with the others and are not in the fit.
  public var suspects: [SwingSuspect]
  /// Root mean square residual of the other entries. With few entries it is smaller than the error;
  /// the table's sigma is not.
  public var residual: Angle
}

/// An entry that disagrees with the others.
public struct SwingSuspect: Equatable, Sendable, CustomStringConvertible {
  /// Its index in the order of input, from 0.
  public var index: Int
  /// Its deviation less the prediction of the others, positive east.
  public var disagreement: Angle?
  /// True if it would agree with the opposite sign.
  public var isSignSwapped: Bool

  /// The message for the user.
  public var description: String {
    let size = disagreement.map { "is off by \(Int(bounded: abs($0.degrees).rounded())) degrees" }
    let swap = isSignSwapped ? ": east and west, or the two headings, seem swapped" : ""
    return "entry \(index + 1) \(size ?? "disagrees with the others")" + swap
      + "; it is excluded, check it"
  }
}
