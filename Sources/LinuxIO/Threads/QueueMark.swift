import Dispatch

/// A mark on a dispatch queue, to test whether the caller runs on it.
package struct QueueMark: @unchecked Sendable {
  // Unchecked: the key is immutable, and Dispatch guards what it stores.
  private let key = DispatchSpecificKey<Bool>()

  /// Marks a queue.
  package init(_ queue: DispatchQueue) { queue.setSpecific(key: key, value: true) }

  /// True on the marked queue.
  package var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }
}
