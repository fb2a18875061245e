import Quantities

/// The 32-slot FIFO that ST's inertial chips share: FIFO_CTRL at 0x2E, FIFO_SRC behind it.
///
/// A slot is read between two reads of both registers. The first shows whether a sample is stored.
/// The second shows that the chip held its configuration (FIFO_CTRL is zero after a brown-out) and
/// that no slot was overwritten, so that the slot just read is valid.
protocol SlotFIFO: AccountedFIFO {
  /// What FIFO_CTRL holds while the FIFO runs.
  static var fifoControl: UInt8 { get }
  /// Bits to set in a register's number so that the chip counts up.
  static var countingUp: UInt8 { get }
  /// Whether FIFO_SRC shows that no slot is unread.
  static func isEmpty(_ source: UInt8) -> Bool
  /// Reads a slot, in one or more transfers.
  func readSlot() throws(ChipError) -> InertialReading
}

extension SlotFIFO {
  private static var controlRegister: UInt8 { 0x2E }

  /// EMPTY. FSS has five bits for 32 slots and is not needed.
  static func isEmpty(_ source: UInt8) -> Bool { source & 0x20 != 0 }

  /// Passes on all samples in the FIFO.
  /// - Returns: The number of lost samples.
  /// - Throws: `ChipError` of a transfer; the next call then begins with an empty FIFO.
  mutating func drain(_ take: (InertialReading) -> Void) throws(ChipError) -> Int {
    if fifo.isDoubtful { try emptyFIFO() }
    var looked = link.bus.now
    var source = try readState()
    // At most the FIFO's size: bounds the loop on a bus slower than the chip.
    for _ in 0..<32 {
      guard let found = source else { break }
      // OVRN: a slot was written over, perhaps the one that would be read.
      guard found & 0x40 == 0 else {
        try emptyFIFO()
        break
      }
      guard !Self.isEmpty(found) else {
        fifo.recordEmpty(at: looked)
        break
      }
      fifo.isDoubtful = true
      let slot = try readSlot()
      looked = link.bus.now
      source = try readState()
      guard let after = source, after & 0x40 == 0 else { break }
      fifo.isDoubtful = false
      take(slot)
    }
    return fifo.resetLosses()
  }

  /// FIFO_SRC; nil where FIFO_CTRL differs from its configured value.
  private func readState() throws(ChipError) -> UInt8? {
    let bytes = try link.readSample(Self.controlRegister | Self.countingUp, count: 2)
    return bytes[0] == Self.fifoControl ? bytes[1] : nil
  }

  /// Bypass mode empties the FIFO (ST's data sheets); then it runs again.
  func restartFIFO() throws(ChipError) {
    try link.write(0x00, to: Self.controlRegister)
    try link.write(Self.fifoControl, to: Self.controlRegister)
  }
}
