import Quantities
import RealModule

/// The roll and pitch of a board in its mounting: the angles that it shows when the body is level.
///
/// The force is along the body's axes and should be calibrated. A remaining bias of the
/// accelerometer becomes part of the trim, which then still levels the board.
public struct LevelTrim: Equatable, Sendable {
  /// Roll of the board in a level body, right side down positive.
  public var roll: Angle
  /// Pitch of the board in a level body, bow up positive.
  public var pitch: Angle
  /// Standard deviation of each.
  public var sigma: Angle
  /// Tilt of the surface; nil if it was assumed level.
  public var surfaceSlope: Angle?

  /// Maximum trim; a larger one means a wrong mounting.
  public static var largest: Angle { Angle(degrees: 25) }

  /// The trim from one rest on a level surface; its accuracy is that of the surface.
  /// - Parameters:
  ///   - force: Mean specific force at rest along the body's axes, m/s².
  ///   - surfaceSigma: Level error of the surface; half a degree for a usual table.
  ///   - sensorSigma: Level error from the accelerometer (`AccelerometerEstimate.levelError`).
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

  /// The trim from two rests on one surface, half a turn apart: the surface need not be level.
  ///
  /// The surface's normal `n` is constant in board axes; the upward direction rotates around it by
  /// half a turn, so the sum of the two is a multiple of `n`. Exact for any slope.
  /// - Parameters:
  ///   - first: Mean specific force at rest along the body's axes, m/s².
  ///   - second: The same, half a turn later.
  ///   - turned: The rotation by the gyroscope; nil if unknown.
  ///   - restSigma: The error of each rest's direction.
  /// - Returns: The trim with the surface's slope.
  /// - Throws: `InertialFitError.notTurnedAround` if the rotation differs from half a turn by more
  ///   than 15 degrees, `tooSteep` if trim or slope exceed 25.
  public static func turnedAround(
    first: SIMD3<Double>, second: SIMD3<Double>, turned: Angle? = nil,
    restSigma: Angle = Angle(degrees: 0.06)
  ) throws(InertialFitError) -> LevelTrim {
    guard let a = first.normalized, let b = second.normalized else { throw .unusable }
    if let turned {
      // Relative to half a turn, so that 170 and -170 degrees are both ten off.
      let off = (turned - Angle(degrees: 180)).wrappedToHalfTurn
      guard abs(off.degrees) <= 15 else { throw .notTurnedAround(degrees: abs(turned.degrees)) }
    }
    guard let normal = (a + b).normalized else { throw .tooSteep(degrees: 90) }
    let slope = Angle(radians: normal.angle(to: a))
    guard slope <= largest else { throw .tooSteep(degrees: slope.degrees) }
    // A turn that was not measured is assumed within ten degrees of half a turn, one sigma. The
    // error is half of that times the slope.
    let off = turned == nil ? Angle(degrees: 10).radians : Angle(degrees: 1.5).radians
    let turn = slope.radians * off / 2
    let variance = restSigma.radians * restSigma.radians / 2 + turn * turn
    return try LevelTrim(
      normal: normal, sigma: Angle(radians: variance.squareRoot()), slope: slope)
  }

  /// Makes a trim.
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

  /// The rotation from the axes of the mounting to level axes: the smallest rotation, which does
  /// not change the heading.
  public var rotation: Rotation<BodyFrame, BodyFrame> {
    let up = SIMD3(
      Double.sin(pitch.radians), -Double.sin(roll.radians) * Double.cos(pitch.radians),
      -Double.cos(roll.radians) * Double.cos(pitch.radians))
    return Rotation(from: up, to: AxisDirection.up.unitVector) ?? .identity
  }
}
