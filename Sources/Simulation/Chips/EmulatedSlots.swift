/// The 32-slot FIFO of an emulated ST chip in its stream mode: the newest samples stay.
package struct EmulatedSlots {
  /// How many slots there are.
  package static let depth = 32

  private var slots: [[UInt8]] = []
  /// Whether a slot was written over since the FIFO was last emptied or read.
  package private(set) var hasOverrun = false

  package init() {}

  /// How many slots wait.
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

  /// The oldest slot was read to its end.
  package mutating func removeOldest() {
    if !slots.isEmpty { slots.removeFirst() }
    hasOverrun = false
  }

  package mutating func removeAll() {
    slots = []
    hasOverrun = false
  }
}
