import Quantities
import Simulation

/// An emulated chip that records its reads, and can call a closure before one of them.
final class WatchedChip: EmulatedChip {
  let chip: any EmulatedChip
  /// The first registers of the reads.
  var reads: [UInt8] = []
  /// Called with the number of the read, counted as in `reads`, before the chip answers it.
  var beforeRead: ((Int, Timestamp) -> Void)?

  init(_ chip: any EmulatedChip) { self.chip = chip }

  func read(_ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp) {
    beforeRead?(reads.count, instant)
    reads.append(register)
    chip.read(register, into: bytes, at: instant)
  }

  func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp) {
    chip.write(bytes, to: register, at: instant)
  }

  func losePower(at instant: Timestamp) { chip.losePower(at: instant) }
}
