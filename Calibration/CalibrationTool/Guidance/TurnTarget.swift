import CalibrationFit
import Quantities

/// Where the board should go next, on the sphere and on the ring, for the marks and arrows of a screen.
public struct TurnTarget: Equatable, Sendable {
  /// Which way an arrow points, for who stands behind the board and looks over its nose.
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

  /// The cell of the sphere to go to.
  public private(set) var cell: (row: Int, column: Int)?
  /// The bin of the ring to go to.
  public private(set) var bin: Int?
  /// The way there; nil where none is told or no side is nearer.
  public private(set) var arrow: Arrow?

  /// Finds where the advice leads.
  public init(_ progress: CalibrationProgress) {
    switch progress.advice {
    case .holdStill, .slower, .leaveDisturbance, .done: break
    case .turnLevel: aimOnRing(progress)
    case .tilt(.down): aim(at: [0], Array(0..<TiltSphere.columns), progress)
    case .tilt(.up), .turnOver:
      aim(at: [TiltSphere.rows - 1], Array(0..<TiltSphere.columns), progress)
    case .tilt(let side):
      // Tilts of 60 to 100 degrees: the side points down, but nobody has to turn the board over.
      aim(at: [4, 3], Self.columns(of: side), progress)
      arrow = Self.arrow(to: side)
    }
  }

  /// Columns whose middle lies within 20 degrees of a side.
  static func columns(of side: AxisDirection) -> [Int] {
    switch side {
    case .forward: [0, 17]
    case .right: [4, 3, 5]
    case .backward: [9, 8]
    case .left: [13, 12, 14]
    case .down, .up: []
    }
  }

  /// The worst of some cells; the first of equals, so that the order tells what is preferred.
  private mutating func aim(at rows: [Int], _ columns: [Int], _ progress: CalibrationProgress) {
    var worst = -1.0
    for row in rows {
      for column in columns {
        let index = row * TiltSphere.columns + column
        // Nobody knows is worse than anything; been there is better than not.
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

  /// The nearest bin that is not good yet, or the nearest unvisited where all are.
  private mutating func aimOnRing(_ progress: CalibrationProgress) {
    let (ring, bins) = (progress.ring, LevelRing.bins)
    guard let now = progress.bearingNow else { return }
    let wanted = [
      { (bin: Int) in ring.visits[bin] == 0 && ring.errorClass(bin) != .good },
      { (bin: Int) in ring.visits[bin] == 0 },
    ]
    for isWanted in wanted {
      // Right before left at the same distance.
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

  /// Equal where the marks and the arrow are.
  public static func == (a: Self, b: Self) -> Bool {
    a.cell?.row == b.cell?.row && a.cell?.column == b.cell?.column
      && a.bin == b.bin && a.arrow == b.arrow
  }
}
