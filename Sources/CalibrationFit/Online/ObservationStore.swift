import Quantities

/// The observations for an online calibration: the newest few of each attitude, so that an hour at
/// one attitude does not displace the turn with the most information.
struct ObservationStore: Equatable, Sendable {
  /// Maximum observations of one attitude.
  static var perCell: Int { 6 }
  /// Maximum observations in total.
  static var capacity: Int { 600 }

  private(set) var observations: [FieldObservation] = []
  private var cells: [AttitudeCell] = []

  /// Adds an observation with gyroscope axes; the oldest of its attitude is removed if the attitude
  /// is full.
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

  /// Removes observations older than a time.
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
