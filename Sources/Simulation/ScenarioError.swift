import EarthModel

/// Why a scenario cannot be simulated.
public enum ScenarioError: Error, Sendable {
  /// A number is not finite or lies outside of what makes sense.
  case parameter(name: String, value: Double, expected: ClosedRange<Double>)
  /// The route turns back on itself: its speed would pass through zero and its course be undefined.
  case reversal(legIndex: Int)
  /// The soft-iron matrix or a scale matrix cannot be undone: the sensor would be blind to a direction.
  case singularMatrix(name: String)
  /// The magnetic model has no answer for the place or the date.
  case magneticModel(MagneticModelError)
}

extension ScenarioError: CustomStringConvertible {
  /// One sentence for a person: what is wrong and what to do.
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
