/// The 32-slot FIFO of an emulated ST chip in stream mode, which overwrites the oldest samples.
package struct EmulatedSlots {
  /// The number of slots.
  package static let depth = 32

  private var slots: [[UInt8]] = []
  /// Whether a slot was overwritten since the FIFO was last emptied or read.
  package private(set) var hasOverrun = false

  package init() {}

  /// The number of unread slots.
  package var count: Int { slots.count }
  /// The oldest slot.
  package var oldest: [UInt8]? { slots.first }

  package mutating func append(_ slot: [UInt8]) {
    slots.append(slot)
    if slots.count > Self.depth {
      slots.removeFirst()
      hasOverrun = true
    }
  }

  /// Removes the oldest slot after it was read completely.
  package mutating func removeOldest() {
    if !slots.isEmpty { slots.removeFirst() }
    hasOverrun = false
  }

  package mutating func removeAll() {
    slots = []
    hasOverrun = false
  }
}
