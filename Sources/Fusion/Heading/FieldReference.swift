import Quantities
import RealModule

/// Knows the strength and dip that the earth's field has here, and says how far a measured field is
/// from them. Heading plays no part: a reference learnt from one's own attitude would confirm it.
struct FieldReference: Equatable, Sendable {
  struct Parameters: Equatable, Sendable {
    /// How fast the reference follows while the field agrees with it, s.
    var followTime = 20.0
    /// How fast it follows a field that disagrees, s. Small: a magnet soon counts as the earth; large:
    /// after a change of place the heading leans on the gyroscope for long. It always follows, so a
    /// gate that closed opens again.
    var surrenderTime = 60.0
    /// Misfit at which the measurement's weight halves, as a fraction of the field.
    var tolerance = 0.08
    /// Time constant of the misfit's mean, s.
    var misfitTime = 0.3
    /// The least weight, as a factor on the variance: a field is never ignored for ever.
    var largestVarianceFactor = 400.0
  }

  var parameters = Parameters()
  /// Horizontal and downward strength, microtesla.
  private(set) var horizontal = 0.0
  private(set) var down = 0.0
  private var meanSquare = 0.0
  private var ageSeconds = 0.0
  private(set) var hasStarted = false

  /// Factor on the heading measurement's variance, 1 for an undisturbed field.
  var varianceFactor: Double {
    let x = meanSquare / (parameters.tolerance * parameters.tolerance)
    return min(1 + x * x, parameters.largestVarianceFactor)
  }

  mutating func update(earthField z: SIMD3<Double>, seconds dt: Double) {
    let h = EarthField(of: z).horizontal
    guard hasStarted else {
      (horizontal, down, hasStarted) = (h, z.z, true)
      return
    }
    guard dt > 0 else { return }
    let strength = (horizontal * horizontal + down * down).squareRoot()
    let misfit = SIMD2(h - horizontal, z.z - down) / max(strength, 1)
    meanSquare +=
      ((misfit * misfit).sum() - meanSquare) * (dt / (dt + parameters.misfitTime))
    // Young references follow fast: the first sample is one noisy reading.
    ageSeconds += dt
    let slow =
      parameters.followTime
      + (parameters.surrenderTime - parameters.followTime) * (1 - 1 / varianceFactor)
    let gain = dt / (dt + min(slow, ageSeconds))
    horizontal += (h - horizontal) * gain
    down += (z.z - down) * gain
  }
}

extension FieldReference {
  mutating func code(_ c: inout StateCoder) {
    c.code(&horizontal)
    c.code(&down)
    c.code(&meanSquare)
    c.code(&ageSeconds)
    c.code(&hasStarted)
  }
}
