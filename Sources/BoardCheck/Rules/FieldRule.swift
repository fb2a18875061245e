import Chips
import Doctor
import Quantities
import RealModule

/// Magnets, and the deviation that the calibration in use leaves.
enum FieldRule {
  /// Sigmas of the calibration's own error from which on the deviation contradicts it.
  private static let largestSigmas = 3.0

  /// A field that no calibration helps against: `lodestar doctor`'s rule.
  static func magnet(_ data: CheckData, _ outcome: inout CheckOutcome) -> [CheckFinding] {
    let largest = data.rows.reduce(0.0) { max($0, $1.field?.field.magnitude ?? 0) }
    guard largest > 0 else { return [] }
    outcome.add("strongest field", largest, 0, "µT")
    guard largest > LiveCheck.strongestField else { return [] }
    return [
      CheckFinding(
        .magnetOnBoard, on: data.name(of: .field), "a magnet or a strong current is beside it",
        figure: "\(CheckFigures.fixed(largest, 0)) microtesla; the earth's field is 22 to 67",
        remedy:
          "move the board away from loudspeakers, motors, magnetic screws and cases; repeat the check alone on a table"
      )
    ]
  }

  /// The level field in body axes describes a circle in a level turn; its centre is what the
  /// calibration left.
  static func deviation(_ data: CheckData, _ outcome: inout CheckOutcome) -> [CheckFinding] {
    guard let span = data.spans[.turn] else { return [] }
    let turn = data.estimates.filter { $0.timestamp >= span.from && $0.timestamp <= span.to }
    guard let state = turn.last?.calibration else { return [] }
    guard state != .uncalibrated else {
      outcome.notes.append(
        "the magnetometer is not calibrated: its deviation is not judged; calibrate it with lodestar calibrate"
      )
      return []
    }
    var sums = CircleFit()
    for estimate in turn {
      guard let field = estimate.field?.components, let down = estimate.attitude?.inverse
      else { continue }
      let up = -down.rotate(SIMD3(0, 0, 1))
      let (x, y) = (-up).levelAxes
      sums.add(SIMD2(field.dot(x), field.dot(y)))
    }
    guard let circle = sums.circle else { return [] }
    let deviation = Angle(radians: .asin(min(1, circle.centre / circle.radius)))
    outcome.add("deviation in the level turn", deviation.degrees, 1, "degrees")
    guard deviation.radians > largestSigmas * state.impliedError.radians else { return [] }
    return [
      CheckFinding(
        .deviation, on: data.name(of: .field), "its calibration no longer holds",
        figure:
          "a deviation of \(CheckFigures.fixed(deviation.degrees, 0)) degrees, \(state.rawValue) promises "
          + "\(CheckFigures.fixed(state.impliedError.degrees, 1)) (one sigma)",
        remedy: "calibrate it again where it is used: lodestar calibrate")
    ]
  }
}

/// The least-squares circle through points: x² + y² = 2 a x + 2 b y + c.
/// - Source: I. Kåsa, "A Circle Fitting Procedure and Its Error Analysis", IEEE Transactions on
///   Instrumentation and Measurement 25 (1976).
struct CircleFit {
  private var matrix = Matrix3.zero
  private var right = SIMD3<Double>.zero
  private var count = 0

  mutating func add(_ point: SIMD2<Double>) {
    let row = SIMD3(2 * point.x, 2 * point.y, 1)
    matrix = matrix + Matrix3.outer(row, row)
    right += row * (point.x * point.x + point.y * point.y)
    count += 1
  }

  /// The distance of its centre from zero, and its radius; nil where the points have none.
  var circle: (centre: Double, radius: Double)? {
    guard count >= 20, let inverse = matrix.inverse else { return nil }
    let solution = inverse * right
    let squared = solution.x * solution.x + solution.y * solution.y
    let radius = (solution.z + squared).squareRoot()
    guard radius.isFinite, radius > 0 else { return nil }
    return (squared.squareRoot(), radius)
  }
}
