import Quantities
import RealModule

/// How the board sits in what it is mounted in, as far as level goes: the angles that it shows when level.
///
/// The force is along the body's axes and calibrated, where it can be; what is left of the accelerometer's
/// bias goes into the trim, which levels the board all the same.
public struct LevelTrim: Equatable, Sendable {
  /// Roll of the board where the body is level, right side down positive.
  public var roll: Angle
  /// Pitch, bow up positive.
  public var pitch: Angle
  /// Their standard deviation, each.
  public var sigma: Angle
  /// How far the surface leans; nil where it was taken for level.
  public var surfaceSlope: Angle?

  /// The largest lean that counts as a trim: above it the mounting's words are wrong.
  public static var largest: Angle { Angle(degrees: 25) }

  /// One rest on a surface that is level: as good as the surface.
  /// - Parameters:
  ///   - force: Mean specific force at rest along the body's axes, m/s².
  ///   - surfaceSigma: How level the surface is; half a degree is a common table's.
  ///   - sensorSigma: The accelerometer's own part (`AccelerometerEstimate.levelError`).
  /// - Returns: The trim.
  /// - Throws: `InertialFitError.tooSteep` above 25 degrees, `unusable` without a direction.
  public static func onLevelSurface(
    force: SIMD3<Double>, surfaceSigma: Angle = Angle(degrees: 0.5), sensorSigma: Angle = .zero
  ) throws(InertialFitError) -> LevelTrim {
    guard let up = force.normalized else { throw .unusable }
    let variance =
      surfaceSigma.radians * surfaceSigma.radians + sensorSigma.radians * sensorSigma.radians
    return try LevelTrim(normal: up, sigma: Angle(radians: variance.squareRoot()), slope: nil)
  }

  /// Two rests on one surface, half a turn apart: the surface need not be level.
  ///
  /// The surface's normal `n` stays where it is on the board; what points up turns half around it, so that
  /// the two sum to a multiple of `n`. Exact for any slope.
  /// - Parameters:
  ///   - first: Mean specific force at rest along the body's axes, m/s².
  ///   - second: The same, half a turn later.
  ///   - turned: By how much the gyroscope says the board was turned; nil where nobody knows.
  ///   - restSigma: How well each rest's direction is known.
  /// - Returns: The trim, and how far the surface leans.
  /// - Throws: `InertialFitError.notTurnedAround` where the turn is off by more than 15 degrees, `tooSteep`
  ///   where trim or surface lean by more than 25.
  public static func turnedAround(
    first: SIMD3<Double>, second: SIMD3<Double>, turned: Angle? = nil,
    restSigma: Angle = Angle(degrees: 0.06)
  ) throws(InertialFitError) -> LevelTrim {
    guard let a = first.normalized, let b = second.normalized else { throw .unusable }
    if let turned {
      // Seen from half a turn away, so that 170 and -170 degrees are both ten off.
      let off = (turned - Angle(degrees: 180)).wrappedToHalfTurn
      guard abs(off.degrees) <= 15 else { throw .notTurnedAround(degrees: abs(turned.degrees)) }
    }
    guard let normal = (a + b).normalized else { throw .tooSteep(degrees: 90) }
    let slope = Angle(radians: normal.angle(to: a))
    guard slope <= largest else { throw .tooSteep(degrees: slope.degrees) }
    // A turn that nobody measured is taken for within ten degrees of half, one sigma: what is off turns
    // half as far, times the slope.
    let off = turned == nil ? Angle(degrees: 10).radians : Angle(degrees: 1.5).radians
    let turn = slope.radians * off / 2
    let variance = restSigma.radians * restSigma.radians / 2 + turn * turn
    return try LevelTrim(
      normal: normal, sigma: Angle(radians: variance.squareRoot()), slope: slope)
  }

  /// Makes a trim of its angles.
  public init(roll: Angle, pitch: Angle, sigma: Angle, surfaceSlope: Angle? = nil) {
    (self.roll, self.pitch) = (roll, pitch)
    (self.sigma, self.surfaceSlope) = (sigma, surfaceSlope)
  }

  private init(
    normal up: SIMD3<Double>, sigma: Angle, slope: Angle?
  ) throws(InertialFitError) {
    let lean = Angle(radians: up.angle(to: AxisDirection.up.unitVector))
    guard lean <= Self.largest else { throw .tooSteep(degrees: lean.degrees) }
    self.init(
      roll: Angle(radians: Double.atan2(y: -up.y, x: -up.z)),
      pitch: Angle(radians: Double.asin(max(-1, min(1, up.x)))), sigma: sigma, surfaceSlope: slope)
  }

  /// Takes the axes that the mounting's words give to those that are level when the body is: the smallest
  /// rotation, which leaves the heading alone.
  public var rotation: Rotation<BodyFrame, BodyFrame> {
    let up = SIMD3(
      Double.sin(pitch.radians), -Double.sin(roll.radians) * Double.cos(pitch.radians),
      -Double.cos(roll.radians) * Double.cos(pitch.radians))
    return Rotation(from: up, to: AxisDirection.up.unitVector) ?? .identity
  }
}
