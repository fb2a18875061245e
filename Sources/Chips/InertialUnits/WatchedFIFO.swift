import Quantities

/// What a look at a FIFO shows.
struct FIFOState {
  /// What it stores, in the unit in which it is counted: bytes or words.
  var count: Int
  /// True where samples were lost, or perhaps will be within the next burst.
  var hasLost: Bool
}

/// A unit whose FIFO is read in bursts of whole samples, each between two looks at its state: the
/// first shows how much is stored, the second that nothing was lost meanwhile.
protocol WatchedFIFO: AccountedFIFO {
  /// The FIFO's size.
  var fifoSize: Int { get }
  /// What can be read alone: a sample, or a part of one that tells which it is.
  var fifoStep: Int { get }
  /// The most that a burst has.
  var burstSize: Int { get }
  /// The FIFO's content; nil where it does not run as it was set up, as after a brown-out.
  func readState() throws(ChipError) -> FIFOState?
  /// Reads a burst.
  func readBurst(_ count: Int) throws(ChipError) -> RegisterBytes
  /// Whether a burst has whole samples.
  func isWhole(_ burst: RegisterBytes, _ count: Int) -> Bool
  /// Passes a burst's samples on.
  mutating func deliver(_ burst: RegisterBytes, _ count: Int, _ take: (InertialReading) -> Void)
}

extension WatchedFIFO {
  func isWhole(_ burst: RegisterBytes, _ count: Int) -> Bool { true }

  /// Passes on all samples in the FIFO.
  /// - Returns: The number of lost samples.
  /// - Throws: `ChipError` of a transfer; the next call then begins with an empty FIFO.
  mutating func drain(_ take: (InertialReading) -> Void) throws(ChipError) -> Int {
    if fifo.isDoubtful { try emptyFIFO() }
    // At most the FIFO's size: bounds the loop on a bus slower than the chip.
    var allowed = fifoSize
    var looked = link.bus.now
    var state = try readState()
    while let found = state, allowed > 0 {
      guard !found.hasLost else {
        try emptyFIFO()
        break
      }
      let count = min(found.count, burstSize) / fifoStep * fifoStep
      guard count > 0 else {
        fifo.recordEmpty(at: looked)
        break
      }
      // Until all is read and checked: an interrupted transfer leaves part of a sample in the FIFO.
      fifo.isDoubtful = true
      let burst = try readBurst(count)
      looked = link.bus.now
      state = try readState()
      guard let after = state, !after.hasLost, isWhole(burst, count) else { break }
      fifo.isDoubtful = false
      deliver(burst, count, take)
      allowed -= count
    }
    return fifo.resetLosses()
  }
}
