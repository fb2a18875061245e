import Quantities

extension Angle {
  /// Degrees that print below 360 with so many decimals: 359.97 with one decimal is 0.
  package func degreesBelowTurn(decimals: Int) -> Double {
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    let degrees = wrappedToTurn.degrees
    return (degrees * power).rounded() >= 360 * power ? 0 : degrees
  }
}
