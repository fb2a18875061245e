import Quantities

/// Why a gyroscope or an accelerometer was not calibrated. The description is a plain sentence of what is
/// missing and what to do.
public enum InertialFitError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No interval of rest was given.
  case noRest
  /// The rate is too large for a bias: the board turned, degrees a second.
  case turned(degreesPerSecond: Double)
  /// A turn is too short to tell the scale, degrees.
  case turnTooShort(degrees: Double, needed: Double)
  /// A turn is so long that a wrong scale would miscount the whole turns, degrees.
  case turnTooLong(degrees: Double, most: Double)
  /// The gyroscope's angle is too far from the reference's, degrees.
  case turnContradicts(measured: Double, reference: Double)
  /// No turn was given.
  case noTurn
  /// There are too few positions; these sides have not pointed down yet.
  case tooFewPositions(found: Int, needed: Int, missing: [AxisDirection])
  /// What is felt at rest is not gravity, m/s².
  case notGravity(found: Double, expected: Double)
  /// The positions do not fit one accelerometer: root mean square of what is left, m/s².
  case inconsistent(residual: Double)
  /// The surface is too steep to level a board on, degrees.
  case tooSteep(degrees: Double)
  /// Between the two rests the board was not turned by half a turn, degrees.
  case notTurnedAround(degrees: Double)
  /// A number given is not finite or a duration not positive.
  case unusable
  /// The arithmetic broke down.
  case notSolvable

  /// One sentence for people.
  public var description: String {
    switch self {
    case .noRest: "the board never lay still: put it down for a few seconds"
    case .turned(let rate):
      "the board turned at \(decimal(rate)) degrees a second, which is no bias: put it down and try again"
    case .turnTooShort(let found, let needed):
      "a turn of \(decimal(found)) degrees is too short to tell the gyroscope's scale: turn by at least "
        + "\(decimal(needed)) degrees about one axis"
    case .turnTooLong(let found, let most):
      "a turn of \(decimal(found)) degrees is too long to count its whole turns: stop after "
        + "\(decimal(most)) degrees at most"
    case .turnContradicts(let measured, let reference):
      "the gyroscope says \(decimal(measured)) degrees where \(decimal(reference)) were turned: turn about "
        + "one axis only, stay below the gyroscope's range, and end where you began"
    case .noTurn: "there is no turn to tell the gyroscope's scale: turn the board about each axis"
    case .tooFewPositions(let found, let needed, let missing):
      "\(found) of \(needed) positions at rest: "
        + (missing.isEmpty
          ? "lay the board down on more sides" : "still to point down: \(words(missing))")
    case .notGravity(let found, let expected):
      "the accelerometer feels \(decimal(found)) m/s² at rest where gravity is \(decimal(expected)): "
        + "its range or unit is wrong, or it is broken"
    case .inconsistent(let residual):
      "the positions do not fit together by \(decimal(residual)) m/s²: the board moved in one of them; begin "
        + "anew and let go of it in each"
    case .tooSteep(let degrees):
      "the surface seems to lean by \(decimal(degrees)) degrees: find a flatter one, or set the board's "
        + "mounting first"
    case .notTurnedAround(let degrees):
      "the board was turned by \(decimal(degrees)) degrees where 180 are needed: turn it half around on the "
        + "same spot"
    case .unusable: "a sample without numbers: look after the sensor's connection and try again"
    case .notSolvable: "the fit did not settle: begin anew and let go of the board in each position"
    }
  }
}

/// Two digits behind the point, of integers: Embedded Swift of old prints no Double.
func decimal(_ x: Double) -> String {
  guard abs(x) < 1e6 else { return x.isFinite ? "a million or more" : "no number" }
  let hundredths = Int((abs(x) * 100).rounded())
  let fraction = hundredths % 100
  let sign = x < 0 && hundredths > 0 ? "-" : ""
  return "\(sign)\(hundredths / 100).\(fraction / 10)\(fraction % 10)"
}

func words(_ directions: [AxisDirection]) -> String {
  var text = ""
  for direction in directions { text += (text.isEmpty ? "" : ", ") + direction.rawValue }
  return text
}
