import Quantities
import RealModule

/// A turn about one axis of the board, as the gyroscope and as something better saw it.
public struct TurnInterval: Equatable, Sendable {
  /// What the gyroscope says: its rate less the bias, summed over time, rad along the sensor's axes.
  public var measured: SIMD3<Double>
  /// The axis of the turn, of length 1, along the sensor's axes: right-handed.
  public var axis: SIMD3<Double>
  /// By how much the board was turned about the axis, rad.
  public var angle: Double
  /// Its standard deviation, rad.
  public var angleSigma: Double
  /// How long it took.
  public var seconds: Double

  /// Takes the turn's true angle as known.
  public init(
    measured: SIMD3<Double>, axis: SIMD3<Double>, angle: Angle, angleSigma: Angle, seconds: Double
  ) {
    (self.measured, self.axis, self.seconds) = (measured, axis, seconds)
    (self.angle, self.angleSigma) = (angle.radians, angleSigma.radians)
  }

  /// The longest turn that can be counted: within ten turns a scale that is off by 4 % (MPU-9250,
  /// PS-MPU-9250A-01 rev 1.0, table 1: ±3 %, over temperature ±4 %) is off by less than half a turn.
  public static var longest: Angle { Angle(degrees: 3700) }

  /// A turn of which only the end is known: whole turns (`end` zero), or as the calibrated field and
  /// gravity say that the board stands beside its start. The gyroscope counts the turns.
  /// - Parameters:
  ///   - measured: What the gyroscope says, rad along the sensor's axes, free of bias.
  ///   - axis: The axis of the turn along the sensor's axes; gravity's direction at rest is one for turns
  ///     on a table.
  ///   - end: How far the board stands from its start in the end, about the axis, whole turns left out.
  ///   - endSigma: Its standard deviation.
  ///   - seconds: How long it took.
  /// - Returns: The turn with its true angle.
  /// - Throws: `InertialFitError` where the turn is shorter than 90 degrees or longer than `longest`, or the gyroscope is off by
  ///   more than a tenth, which no scale is.
  public static func counted(
    measured: SIMD3<Double>, axis: SIMD3<Double>, end: Angle = .zero,
    endSigma: Angle = Angle(degrees: 1.5), seconds: Double
  ) throws(InertialFitError) -> TurnInterval {
    guard let axis = axis.normalized, measured.isFinite, seconds > 0, end.radians.isFinite else {
      throw .unusable
    }
    let seen = Angle(radians: measured.dot(axis))
    guard abs(seen.degrees) >= 90 else { throw .turnTooShort(degrees: seen.degrees, needed: 90) }
    guard abs(seen.radians) <= longest.radians else {
      throw .turnTooLong(degrees: seen.degrees, most: longest.degrees)
    }
    let angle = seen - (seen - end).wrappedToHalfTurn
    guard abs(angle.radians - seen.radians) <= 0.1 * abs(seen.radians) else {
      throw .turnContradicts(measured: seen.degrees, reference: angle.degrees)
    }
    return TurnInterval(
      measured: measured, axis: axis, angle: angle, angleSigma: endSigma, seconds: seconds)
  }
}

/// Sums what a gyroscope says during a turn.
public struct TurnSum: Equatable, Sendable {
  /// The rate less the bias, summed, rad along the sensor's axes.
  public private(set) var measured = SIMD3<Double>.zero
  /// For how long.
  public private(set) var seconds = 0.0
  /// The bias that is taken away, rad/s.
  public let bias: SIMD3<Double>

  /// A turn that has not begun.
  public init(bias: SIMD3<Double>) { self.bias = bias }

  /// Adds a rate, rad/s, that held for so long; one that is not a number adds nothing.
  public mutating func add(rate: SIMD3<Double>, seconds dt: Double) {
    guard rate.isFinite, dt > 0, dt.isFinite else { return }
    measured += (rate - bias) * dt
    seconds += dt
  }
}
