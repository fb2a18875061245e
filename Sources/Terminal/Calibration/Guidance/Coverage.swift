import CalibrationFit
import Quantities

extension TiltSphere {
  /// The error's class in a cell.
  package func errorClass(_ row: Int, _ column: Int) -> ErrorClass {
    ErrorClass(oneSigma: error[row * Self.columns + column].map { Angle(radians: $0) })
  }

  /// True if a cell has an observation.
  package func isVisited(_ row: Int, _ column: Int) -> Bool {
    visits[row * Self.columns + column] > 0
  }

  /// The share of all directions whose cells have an observation, 0 to 1. Cells near the poles are
  /// smaller.
  public var visitedShare: Double {
    var share = 0.0
    for row in 0..<Self.rows {
      let count = (0..<Self.columns).reduce(0) { $0 + (isVisited(row, $1) ? 1 : 0) }
      share += Self.cellShare(row) * Double(count)
    }
    return share
  }

  /// The share of the sphere that one cell of a row covers.
  private static func cellShare(_ row: Int) -> Double {
    let step = 180 / Double(rows)
    let (top, bottom) = (Double(row) * step, Double(row + 1) * step)
    let height = sineAndCosine(degrees: top).cosine - sineAndCosine(degrees: bottom).cosine
    return height / 2 / Double(columns)
  }
}

extension LevelRing {
  /// The error's class in a bin.
  package func errorClass(_ bin: Int) -> ErrorClass {
    ErrorClass(oneSigma: error[bin].map { Angle(radians: $0) })
  }

  /// The range of headings with an observation of the level board.
  public var visitedTurn: Angle {
    let count = visits.reduce(0) { $0 + ($1 > 0 ? 1 : 0) }
    return Angle(degrees: Double(count) * 360 / Double(Self.bins))
  }
}
