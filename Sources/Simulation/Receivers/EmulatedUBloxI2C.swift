import Quantities

/// The I2C interface of an emulated u-blox receiver: a chip with two registers for the number of
/// waiting bytes and one for the bytes.
///
/// - Source: u-blox 8 / M8 receiver description including protocol specification, UBX-13003221 R29,
///   section "DDC port".
package final class EmulatedUBloxI2C: EmulatedChip {
  /// The receiver.
  package var receiver: EmulatedUBloxReceiver
  /// The bytes of writes of less than two bytes, which a receiver takes for a register's number.
  package private(set) var shortWrites = 0
  /// Bytes that were discarded as the host did not read.
  package private(set) var discarded = 0

  private var waiting: [UInt8] = []
  private var lastRead: Timestamp?

  /// The receiver discards what waits where it is not asked for so long, s.
  private static let hostTimeout = 1.5

  package init(_ receiver: EmulatedUBloxReceiver) { self.receiver = receiver }

  package func read(
    _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
  ) {
    advance(to: instant)
    var current = register
    for index in bytes.indices {
      bytes[index] =
        switch current {
        case 0xFD: UInt8(min(waiting.count, 0x7FFF) >> 8)
        case 0xFE: UInt8(waiting.count & 0xFF)
        case 0xFF: waiting.isEmpty ? 0xFF : waiting.removeFirst()
        default: 0
        }
      if current < 0xFF { current += 1 }
    }
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp) {
    advance(to: instant)
    guard !bytes.isEmpty else {
      shortWrites += 1
      return
    }
    for burst in receiver.receive([register] + Array(bytes)) { waiting += burst.bytes }
  }

  package func losePower(at instant: Timestamp) {
    receiver.powerCycle()
    waiting = []
    lastRead = nil
  }

  private func advance(to instant: Timestamp) {
    if let last = lastRead ?? waiting.first.map({ _ in Timestamp(nanoseconds: 0) }),
      instant.seconds(since: last) > Self.hostTimeout
    {
      discarded += waiting.count
      waiting = []
    }
    lastRead = instant
    while let burst = receiver.output(at: instant.seconds) { waiting += burst.bytes }
  }
}
