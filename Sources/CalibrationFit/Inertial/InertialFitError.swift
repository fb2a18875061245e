import Quantities

/// Why a gyroscope or an accelerometer was not calibrated. The description says what is missing and
/// what to do.
public enum InertialFitError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No interval of rest was given.
  case noRest
  /// The rate is too large for a bias: the board turned, degrees a second.
  case turned(degreesPerSecond: Double)
  /// There are too few positions; these sides have not pointed down.
  case tooFewPositions(found: Int, needed: Int, missing: [AxisDirection])
  /// The force at rest is not gravity, m/s².
  case notGravity(found: Double, expected: Double)
  /// The positions are inconsistent: root mean square residual, m/s².
  case inconsistent(residual: Double)
  /// The surface is too steep for a level trim, degrees.
  case tooSteep(degrees: Double)
  /// The rotation between the two rests is not half a turn, degrees.
  case notTurnedAround(degrees: Double)
  /// A number is not finite or a duration is not positive.
  case unusable
  /// The equations were not solvable.
  case notSolvable

  /// The message for the user.
  public var description: String {
    switch self {
    case .noRest: "the board was never at rest: put it down for a few seconds"
    case .turned(let rate):
      "the board turned at \(decimal(rate)) degrees a second, too fast for a bias: put it down and try again"
    case .tooFewPositions(let found, let needed, let missing):
      "\(found) of \(needed) positions at rest: "
        + (missing.isEmpty
          ? "put the board down on more sides" : "still to point down: \(words(missing))")
    case .notGravity(let found, let expected):
      "the accelerometer measures \(decimal(found)) m/s² at rest instead of \(decimal(expected)): "
        + "its range or unit is wrong, or it is defective"
    case .inconsistent(let residual):
      "the positions are inconsistent by \(decimal(residual)) m/s²: the board moved in one of them; start "
        + "again and release it in each"
    case .tooSteep(let degrees):
      "the surface is tilted by \(decimal(degrees)) degrees: use a flatter one, or set the board's "
        + "mounting first"
    case .notTurnedAround(let degrees):
      "the board was turned by \(decimal(degrees)) degrees instead of 180: turn it by half a turn on the "
        + "same spot"
    case .unusable: "a sample has no valid numbers: check the sensor's connection and try again"
    case .notSolvable:
      "the fit did not converge: start again and release the board in each position"
    }
  }
}

/// A decimal with two digits, from integers: old Embedded Swift cannot print a Double.
func decimal(_ x: Double) -> String {
  guard abs(x) < 1e6 else { return x.isFinite ? "a million or more" : "no number" }
  let hundredths = Int(bounded: (abs(x) * 100).rounded())
  let fraction = hundredths % 100
  let sign = x < 0 && hundredths > 0 ? "-" : ""
  return "\(sign)\(hundredths / 100).\(fraction / 10)\(fraction % 10)"
}

func words(_ directions: [AxisDirection]) -> String {
  var text = ""
  for direction in directions { text += (text.isEmpty ? "" : ", ") + direction.rawValue }
  return text
}
