import Quantities

/// How far a calibration has come, for whoever shows it.
public struct CalibrationProgress: Equatable, Sendable {
  /// Seconds since the first sample.
  public var seconds = 0.0
  /// Observations that the calibration rests on.
  public var observationCount = 0
  /// The predicted heading error with the board tilted in each direction.
  public var sphere = TiltSphere()
  /// The predicted heading error of the level board, by heading.
  public var ring = LevelRing()
  /// Where the board's tilt is now: a row and a column of the sphere.
  public var tiltNow: (row: Int, column: Int)?
  /// Where the level board points now: a bin of the ring; nil while it is tilted.
  public var bearingNow: Int?
  /// The predicted heading error, one sigma, at the worst attitude tilted below 45 degrees; nil before the
  /// first fit.
  public var worstError: Angle?
  /// The same of the level board.
  public var levelError: Angle?
  /// What a calibration that ended now would be called.
  public var quality = CalibrationState.uncalibrated
  /// What would help most.
  public var advice = CalibrationAdvice.holdStill

  /// A calibration that has not begun.
  public init() {}

  /// Equal where every part is.
  public static func == (a: Self, b: Self) -> Bool {
    (a.seconds, a.observationCount) == (b.seconds, b.observationCount) && a.sphere == b.sphere
      && a.ring == b.ring && a.tiltNow?.row == b.tiltNow?.row
      && a.tiltNow?.column == b.tiltNow?.column && a.bearingNow == b.bearingNow
      && (a.worstError, a.levelError) == (b.worstError, b.levelError)
      && (a.quality, a.advice) == (b.quality, b.advice)
  }
}

/// The directions in which a board can be tilted, unrolled: rows from upright (0) to upside down, columns
/// by which side points down: forward, then right, backward and left.
public struct TiltSphere: Equatable, Sendable {
  /// Rows, each 20 degrees of tilt.
  public static var rows: Int { 9 }
  /// Columns, each 20 degrees of direction; column 0 begins at forward down.
  public static var columns: Int { 18 }
  /// Predicted heading error, one sigma in radians, of each cell, rows first; nil before the first fit.
  public var error: [Double?] = Array(repeating: nil, count: rows * columns)
  /// How many observations fell in each cell, rows first.
  public var visits: [Int] = Array(repeating: 0, count: rows * columns)

  /// A sphere that nobody has been on.
  public init() {}
}

/// The headings of a level board in 36 bins of ten degrees, clockwise from the first heading seen.
public struct LevelRing: Equatable, Sendable {
  /// How many bins.
  public static var bins: Int { 36 }
  /// Predicted heading error, one sigma in radians; nil before the first fit.
  public var error: [Double?] = Array(repeating: nil, count: bins)
  /// How many observations fell in each bin.
  public var visits: [Int] = Array(repeating: 0, count: bins)

  /// A ring that nobody has been on.
  public init() {}
}

/// What a person can do to make a calibration better, most helpful first.
public enum CalibrationAdvice: Equatable, Sendable {
  /// Let the board lie still, so that the gyroscope's bias is found.
  case holdStill
  /// Turn the level board on: so many degrees of heading are still missing.
  case turnLevel(missing: Angle)
  /// Tilt the board so that this side points down, and turn it there.
  case tilt(down: AxisDirection)
  /// Turn the board upside down, if it can be.
  case turnOver
  /// Turn more slowly.
  case slower
  /// Go away from iron and magnets, and go on.
  case leaveDisturbance
  /// Nothing: it is as good as it gets.
  case done
}
