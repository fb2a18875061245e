import EarthModel

/// Why a scenario cannot be simulated.
public enum ScenarioError: Error, Sendable {
  /// A number is not finite or out of range.
  case parameter(name: String, value: Double, expected: ClosedRange<Double>)
  /// The route reverses: its speed would be zero there and its course undefined.
  case reversal(legIndex: Int)
  /// The soft-iron matrix or a scale matrix is singular: the sensor would not measure one
  /// direction.
  case singularMatrix(name: String)
  /// The magnetic model is not valid for the place or the date.
  case magneticModel(MagneticModelError)
}

extension ScenarioError: CustomStringConvertible {
  /// One sentence to display: the fault and the remedy.
  public var description: String {
    switch self {
    case .parameter(let name, let value, let expected):
      "scenario: \(name) is \(value); give a number from \(expected.lowerBound) to "
        + "\(expected.upperBound)"
    case .reversal(let index):
      "scenario: the turn into leg \(index) of the route exceeds 150 degrees; put a leg between"
    case .singularMatrix(let name):
      "scenario: \(name) is singular; give a matrix whose determinant is not zero"
    case .magneticModel(let cause):
      "scenario: no magnetic field for this place and date (\(cause)); choose a start time within "
        + "the model's years"
    }
  }
}
