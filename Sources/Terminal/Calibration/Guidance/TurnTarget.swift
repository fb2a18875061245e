import CalibrationFit
import Quantities

/// The next attitude of the board, on the sphere and on the ring, for the marks and arrows of a
/// screen.
public struct TurnTarget: Equatable, Sendable {
  /// The direction of an arrow as seen from behind the board, along its nose.
  public enum Arrow: Equatable, Sendable {
    /// Tilt the nose down.
    case forward
    /// Tilt the tail down.
    case backward
    /// Tilt the left side down; of a level board, turn left.
    case left
    /// Tilt the right side down; of a level board, turn right.
    case right
  }

  /// The target cell of the sphere.
  public private(set) var cell: (row: Int, column: Int)?
  /// The target bin of the ring.
  public private(set) var bin: Int?
  /// The direction to the target; nil without a target or if no side is nearer.
  public private(set) var arrow: Arrow?

  /// Finds the target of the advice.
  public init(_ progress: CalibrationProgress) {
    switch progress.advice {
    case .holdStill, .slower, .leaveDisturbance, .done: break
    case .turnLevel: selectBin(progress)
    case .tilt(.down): selectCell(at: [0], Array(0..<TiltSphere.columns), progress)
    case .tilt(.up), .turnOver:
      selectCell(at: [TiltSphere.rows - 1], Array(0..<TiltSphere.columns), progress)
    case .tilt(let side):
      // Tilts of 60 to 100 degrees: the side points down without turning the board over.
      selectCell(at: [4, 3], Self.columns(of: side), progress)
      arrow = Self.arrow(to: side)
    }
  }

  /// Columns with the middle within 20 degrees of a side.
  static func columns(of side: AxisDirection) -> [Int] {
    switch side {
    case .forward: [0, 17]
    case .right: [4, 3, 5]
    case .backward: [9, 8]
    case .left: [13, 12, 14]
    case .down, .up: []
    }
  }

  /// Selects the worst of some cells; the first of equal ones, so their order is the preference.
  private mutating func selectCell(
    at rows: [Int], _ columns: [Int], _ progress: CalibrationProgress
  ) {
    var worst = -1.0
    for row in rows {
      for column in columns {
        let index = row * TiltSphere.columns + column
        // An unknown error counts as the largest; an unvisited cell counts double.
        let error = progress.sphere.error[index] ?? 1e3
        let need = progress.sphere.visits[index] > 0 ? error : error * 2
        if need > worst { (worst, cell) = (need, (row, column)) }
      }
    }
  }

  private static func arrow(to side: AxisDirection) -> Arrow? {
    switch side {
    case .forward: .forward
    case .backward: .backward
    case .left: .left
    case .right: .right
    case .down, .up: nil
    }
  }

  /// Selects the nearest bin that is not good yet, or the nearest unvisited one if all are good.
  private mutating func selectBin(_ progress: CalibrationProgress) {
    let (ring, bins) = (progress.ring, LevelRing.bins)
    guard let now = progress.bearingNow else { return }
    let wanted = [
      { (bin: Int) in ring.visits[bin] == 0 && ring.errorClass(bin) != .good },
      { (bin: Int) in ring.visits[bin] == 0 },
    ]
    for isWanted in wanted {
      // Right is preferred to left at the same distance.
      for distance in 1...bins / 2 {
        for (way, step) in [(Arrow.right, distance), (Arrow.left, bins - distance)] {
          let candidate = (now + step) % bins
          guard isWanted(candidate) else { continue }
          (bin, arrow) = (candidate, way)
          return
        }
      }
    }
  }

  /// True if the marks and the arrow are equal.
  public static func == (a: Self, b: Self) -> Bool {
    a.cell?.row == b.cell?.row && a.cell?.column == b.cell?.column
      && a.bin == b.bin && a.arrow == b.arrow
  }
}
