import Dispatch

/// Tells whether the caller runs on a certain queue.
package struct QueueMark: @unchecked Sendable {
  // Unchecked: the key is immutable, and Dispatch guards what it stores.
  private let key = DispatchSpecificKey<Bool>()

  /// Marks a queue.
  package init(_ queue: DispatchQueue) { queue.setSpecific(key: key, value: true) }

  /// True on the marked queue.
  package var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }
}
