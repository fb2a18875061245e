import Foundation
import Recording

/// Sensors' samples on their way from the player's thread to the sessions', while anybody wants them.
final class SampleHub: @unchecked Sendable {
  /// Instants that wait for the sessions' thread: two seconds of the fastest board. The oldest go.
  private static let most = 2048

  private let lock = NSLock()
  private var isWanted = false
  private var rows: [SensorRow] = []

  /// Somebody wants samples, or nobody any more.
  func set(isWanted new: Bool) {
    lock.withLock {
      isWanted = new
      if !new { rows = [] }
    }
  }

  /// Takes an instant that holds a sample.
  /// - Returns: Whether it waits now.
  func put(_ row: SensorRow) -> Bool {
    guard row.inertial != nil || row.field != nil || row.pressure != nil else { return false }
    return lock.withLock {
      guard isWanted else { return false }
      if rows.count == Self.most { rows.removeFirst() }
      rows.append(row)
      return true
    }
  }

  /// What came since.
  func take() -> [SensorRow] {
    lock.withLock {
      defer { rows.removeAll(keepingCapacity: true) }
      return rows
    }
  }
}
