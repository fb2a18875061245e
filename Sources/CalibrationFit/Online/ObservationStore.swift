import Quantities

/// The observations that an online calibration rests on: the newest few of each attitude, so that an hour
/// at one attitude does not push out the turn that told the most.
struct ObservationStore: Equatable, Sendable {
  /// How many observations an attitude keeps.
  static var perCell: Int { 6 }
  /// At most so many in all.
  static var capacity: Int { 600 }

  private(set) var observations: [FieldObservation] = []
  private var cells: [AttitudeCell] = []

  /// Takes in an observation with carried axes and drops the oldest of its attitude where it is full.
  mutating func add(_ observation: FieldObservation) {
    guard let axes = observation.axes, axes.isYawCarried else { return }
    let cell = AttitudeCell(axes)
    var count = 0
    var oldest: Int?
    for i in cells.indices where cells[i] == cell {
      count += 1
      oldest = oldest ?? i
    }
    if count >= Self.perCell, let oldest {
      remove(at: oldest)
    } else if observations.count >= Self.capacity {
      remove(at: 0)
    }
    observations.append(observation)
    cells.append(cell)
  }

  /// Forgets what is older than an instant.
  mutating func removeAll(before timestamp: Timestamp) {
    let kept = observations.indices.filter { observations[$0].timestamp >= timestamp }
    observations = kept.map { observations[$0] }
    cells = kept.map { cells[$0] }
  }

  private mutating func remove(at i: Int) {
    observations.remove(at: i)
    cells.remove(at: i)
  }
}
