import Foundation
import Quantities

/// What each application of reduced accuracy is told of places: one answer for all its clients and its monitoring,
/// so that a second connection tells no more than the first. Safe from any thread.
package final class ReducedPlaces: @unchecked Sendable {
  /// Applications that are remembered; beyond it one of them begins anew.
  private static let most = 1024

  private let lock = NSLock()
  private var places: [ApplicationKey: ReducedAccuracy] = [:]

  /// Begins before anything was told.
  package init() {}

  /// What an application may be told of an estimate; nil where no new place is due.
  package func reduce(_ estimate: Estimate, for key: ApplicationKey) -> Estimate? {
    lock.withLock {
      makeRoom(for: key)
      return places[key, default: ReducedAccuracy()].reduce(estimate)
    }
  }

  /// A fix as a client that has just come may be told it: the place that was told last, as if it were now.
  package func current(_ fix: Estimate, for key: ApplicationKey) -> Estimate? {
    if let new = reduce(fix, for: key), new.position != nil { return new }
    return lock.withLock { places[key]?.cell }.map { ReducedAccuracy.placed(fix, at: $0) }
  }

  private func makeRoom(for key: ApplicationKey) {
    guard places[key] == nil, places.count >= Self.most, let any = places.keys.first else { return }
    places[any] = nil
  }
}
