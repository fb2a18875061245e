import Quantities

/// The progress of a calibration, for a display.
public struct CalibrationProgress: Equatable, Sendable {
  /// Seconds since the first sample.
  public var seconds = 0.0
  /// Number of observations used.
  public var observationCount = 0
  /// The predicted heading error with the board tilted in each direction.
  public var sphere = TiltSphere()
  /// The predicted heading error of the level board, by heading.
  public var ring = LevelRing()
  /// The current tilt: a row and a column of the sphere.
  public var tiltNow: (row: Int, column: Int)?
  /// The current heading of the level board: a bin of the ring; nil while it is tilted.
  public var bearingNow: Int?
  /// The predicted heading error, one sigma, at the worst attitude tilted below 45 degrees; nil
  /// before the first fit.
  public var worstError: Angle?
  /// The predicted heading error of the level board.
  public var levelError: Angle?
  /// The attitudes for which the quality is judged: as stated, else by the motion so far.
  public var use = CalibrationUse.anyAttitude
  /// True if the use was stated, not found from the motion.
  public var isUseStated = false
  /// The quality of the calibration if it ended now.
  public var quality = CalibrationState.uncalibrated
  /// The most useful next step.
  public var advice = CalibrationAdvice.holdStill

  /// The predicted heading error for the use; nil before the first fit.
  public var error: Angle? { error(for: use) }

  /// The predicted heading error for a use; nil before the first fit.
  public func error(for use: CalibrationUse) -> Angle? {
    switch use {
    case .anyAttitude: worstError
    case .level: levelError
    }
  }

  /// Makes the progress before the first sample.
  public init() {}

  /// True if all parts are equal.
  public static func == (a: Self, b: Self) -> Bool {
    (a.seconds, a.observationCount) == (b.seconds, b.observationCount) && a.sphere == b.sphere
      && a.ring == b.ring && a.tiltNow?.row == b.tiltNow?.row
      && a.tiltNow?.column == b.tiltNow?.column && a.bearingNow == b.bearingNow
      && (a.worstError, a.levelError) == (b.worstError, b.levelError)
      && (a.quality, a.advice, a.use, a.isUseStated) == (b.quality, b.advice, b.use, b.isUseStated)
  }
}

/// The directions in which a board can be tilted, unrolled: rows from upright (0) to upside down,
/// columns by which side points down: forward, then right, backward and left.
public struct TiltSphere: Equatable, Sendable {
  /// Rows, each 20 degrees of tilt.
  public static var rows: Int { 9 }
  /// Columns, each 20 degrees of direction; column 0 begins at forward down.
  public static var columns: Int { 18 }
  /// Predicted heading error, one sigma in radians, of each cell, rows first; nil before the first
  /// fit.
  public var error: [Double?] = Array(repeating: nil, count: rows * columns)
  /// Number of observations of each cell, rows first.
  public var visits: [Int] = Array(repeating: 0, count: rows * columns)

  /// Makes a sphere without observations.
  public init() {}
}

/// The headings of a level board in 36 bins of ten degrees, clockwise from the first heading seen.
public struct LevelRing: Equatable, Sendable {
  /// Number of bins.
  public static var bins: Int { 36 }
  /// Predicted heading error, one sigma in radians; nil before the first fit.
  public var error: [Double?] = Array(repeating: nil, count: bins)
  /// Number of observations of each bin.
  public var visits: [Int] = Array(repeating: 0, count: bins)

  /// Makes a ring without observations.
  public init() {}
}

/// The next step for the user, most useful first.
public enum CalibrationAdvice: Equatable, Sendable {
  /// Leave the board at rest, so that the gyroscope's bias is estimated.
  case holdStill
  /// Continue to turn the level board: the missing degrees of heading.
  case turnLevel(missing: Angle)
  /// Tilt the board so that this side points down, and turn it there.
  case tilt(down: AxisDirection)
  /// Turn the board upside down, if it can be.
  case turnOver
  /// Turn more slowly.
  case slower
  /// Move away from iron and magnets, and continue.
  case leaveDisturbance
  /// No further step: the calibration is complete.
  case done
}
