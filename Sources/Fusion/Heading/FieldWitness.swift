import Quantities
import RealModule

/// Watches the field as it comes, with neither iron nor disturbance taken off.
struct FieldWitness: Equatable, Sendable {
  var mean = SIMD2<Double>.zero
  /// Horizontal and downward strength as they were believed on the whole, microtesla: a belief that has
  /// just gone wrong bends its own.
  var usual = EarthField(horizontal: 0, down: 0)
  var misfitSquared = 0.0
  var seconds = 0.0

  mutating func update(
    _ z: SIMD3<Double>, believed earth: EarthField, seconds t: Double, timeConstant: Double
  ) {
    let measured = EarthField(of: z)
    guard measured.horizontal > 0 else { return }
    if seconds == 0 { usual = earth }
    seconds += t
    let slow = t / (t + Self.memory)
    usual.horizontal += (earth.horizontal - usual.horizontal) * slow
    usual.down += (earth.down - usual.down) * slow
    let gain = t / (t + min(timeConstant, seconds))
    mean += (SIMD2(z.x, z.y) / measured.horizontal - mean) * gain
    misfitSquared += (measured.misfitSquared(to: usual) - misfitSquared) * gain
  }

  /// Time constant of `usual`, s: four times what it takes to overrule.
  private static var memory: Double { 20 }

  /// Follows a correction of the heading.
  mutating func turn(by angle: Double) {
    mean += SIMD2(-mean.y, mean.x) * angle
  }

  /// Where the field points, clockwise from the believed north; nil where it is not the earth's, not
  /// steady, or was not seen for long enough.
  func direction(_ p: StrapdownFilter.Parameters) -> Double? {
    guard seconds > 2 * p.overruleTime, misfitSquared < p.overruleMisfit * p.overruleMisfit,
      (mean * mean).sum() > p.overruleSteadiness * p.overruleSteadiness
    else { return nil }
    return Double.atan2(y: mean.y, x: mean.x)
  }
}

extension FieldWitness {
  mutating func code(_ c: inout StateCoder) {
    c.code(&mean.x)
    c.code(&mean.y)
    c.code(&usual.horizontal)
    c.code(&usual.down)
    c.code(&misfitSquared)
    c.code(&seconds)
  }
}
