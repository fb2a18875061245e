import Quantities
import RealModule

/// A cell of the attitude space: the direction of gravity in steps of about 20 degrees, and one of
/// sixteen yaws.
public struct AttitudeCell: Hashable, Sendable {
  /// The cell's number.
  public let index: Int

  /// Number of yaws.
  static var yaws: Int { 16 }
  /// Number of steps of an axis' share of gravity, -1 to 1.
  static var steps: Int { 7 }

  /// The cell of an attitude.
  public init(_ axes: ReferenceAxes) {
    func step(_ share: Double) -> Int {
      let half = Double(Self.steps - 1) / 2
      return min(max(Int(bounded: (share * half + half).rounded()), 0), Self.steps - 1)
    }
    let g = axes.down
    // The yaw of the axis after the most vertical one: that axis is never vertical.
    let (x, y, z) = (abs(g.x), abs(g.y), abs(g.z))
    let level = z >= x && z >= y ? 0 : x >= y ? 1 : 2
    let yaw = axes.isYawCarried ? Double.atan2(y: axes.y[level], x: axes.x[level]) : 0
    let turn = yaw / (2 * Double.pi) + 1
    let bin = min(Int(bounded: (turn - turn.rounded(.down)) * Double(Self.yaws)), Self.yaws - 1)
    index = ((step(g.x) * Self.steps + step(g.y)) * Self.steps + step(g.z)) * Self.yaws + bin
  }
}

/// Number of observations of each cell.
struct AttitudeCells: Sendable {
  private var counts: [AttitudeCell: Int] = [:]

  mutating func count(_ cell: AttitudeCell) { counts[cell, default: 0] += 1 }

  subscript(cell: AttitudeCell) -> Int { counts[cell] ?? 0 }

  /// Number of occupied cells.
  var occupied: Int { counts.count }
}

/// Weights of observations such that all attitudes have the same weight.
struct AttitudeCrowd: Sendable {
  /// The weight of each observation; the sum is 1.
  let shares: [Double]
  /// Number of attitudes.
  let cells: Int

  init(_ axes: [ReferenceAxes]) {
    let places = axes.map { AttitudeCell($0) }
    var counts = AttitudeCells()
    for place in places { counts.count(place) }
    cells = counts.occupied
    shares = places.map { [cells] in 1 / Double(counts[$0] * cells) }
  }
}
