import Quantities

/// The 32-slot FIFO that ST's inertial chips share: FIFO_CTRL at 0x2E, FIFO_SRC behind it.
///
/// A slot is read between two reads of both registers. The first shows whether a sample is stored.
/// The second shows that the chip held its configuration (FIFO_CTRL is zero after a brown-out) and
/// that no slot was overwritten, so that the slot just read is valid.
struct SlotFIFO<Bus: RegisterBus> {
  /// What FIFO_CTRL holds while the FIFO runs.
  let control: UInt8
  /// Bits to set in FIFO_CTRL's number so that the chip counts up.
  let countingUp: UInt8

  private var account = FIFOAccount()

  /// The look that found it empty.
  var emptiedAt: Timestamp? { account.emptiedAt }

  private static var controlRegister: UInt8 { 0x2E }

  init(control: UInt8, countingUp: UInt8) {
    self.control = control
    self.countingUp = countingUp
  }

  /// Restarts after the chip's configuration; no sample counts as lost.
  mutating func start(_ link: ChipLink<Bus>, rateHertz: Double) throws(ChipError) {
    account = FIFOAccount()
    try empty(link, rateHertz: rateHertz)
  }

  /// Reads slot by slot until the FIFO is empty, each by `read` in one or more transfers, and
  /// delivers the valid ones.
  /// - Returns: The number of lost samples.
  /// - Throws: `ChipError` of a transfer; the next call then begins with an empty FIFO.
  mutating func drain<Slot>(
    _ link: ChipLink<Bus>, rateHertz: Double, isEmpty: (UInt8) -> Bool,
    read: () throws(ChipError) -> Slot, take: (Slot) -> Void
  ) throws(ChipError) -> Int {
    if account.isDoubtful { try empty(link, rateHertz: rateHertz) }
    var looked = link.bus.now
    var source = try readState(link)
    // At most the FIFO's size: bounds the loop on a bus slower than the chip.
    for _ in 0..<32 {
      guard let found = source else { break }
      // OVRN: a slot was written over, perhaps the one that would be read.
      guard found & 0x40 == 0 else {
        try empty(link, rateHertz: rateHertz)
        break
      }
      guard !isEmpty(found) else {
        account.noteEmpty(at: looked)
        break
      }
      account.isDoubtful = true
      let slot = try read()
      looked = link.bus.now
      source = try readState(link)
      guard let after = source, after & 0x40 == 0 else { break }
      account.isDoubtful = false
      take(slot)
    }
    return account.takeLosses()
  }

  /// FIFO_SRC; nil where FIFO_CTRL differs from its configured value.
  private func readState(_ link: ChipLink<Bus>) throws(ChipError) -> UInt8? {
    let bytes = try link.readSample(Self.controlRegister | countingUp, count: 2)
    return bytes[0] == control ? bytes[1] : nil
  }

  /// Bypass mode empties the FIFO (ST's data sheets); then it runs again.
  private mutating func empty(_ link: ChipLink<Bus>, rateHertz: Double) throws(ChipError) {
    account.isDoubtful = true
    try link.write(0x00, to: Self.controlRegister)
    try link.write(control, to: Self.controlRegister)
    account.noteLoss(until: link.bus.now, rateHertz: rateHertz)
  }
}
