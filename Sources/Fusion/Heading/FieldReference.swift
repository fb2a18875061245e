import Quantities
import RealModule

/// Estimates the strength and dip of the earth's field here and the misfit of a measured field.
/// Heading is not used: a reference that depends on the own attitude would confirm it.
struct FieldReference: Equatable, Sendable {
  struct Parameters: Equatable, Sendable {
    /// Time constant while the field agrees with the reference, s.
    var followTime = 20.0
    /// Time constant while the field disagrees, s. Small: a magnet is soon accepted as the earth;
    /// large: after a change of place the heading relies on the gyroscope for long. It is finite,
    /// so that a wrong reference always recovers.
    var disagreementTime = 60.0
    /// Misfit at which the measurement's weight halves, as a fraction of the field.
    var tolerance = 0.08
    /// Time constant of the misfit's mean, s.
    var misfitTime = 0.3
    /// Lower limit of the weight, as a factor on the variance: a field is never ignored
    /// permanently.
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
    // A new reference adapts fast: the first sample is one noisy reading.
    ageSeconds += dt
    let slow =
      parameters.followTime
      + (parameters.disagreementTime - parameters.followTime) * (1 - 1 / varianceFactor)
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
