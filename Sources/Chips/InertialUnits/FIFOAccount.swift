import Quantities

/// A driver's state of its chip's FIFO between calls: whether its content is valid, and the number
/// of lost samples.
struct FIFOAccount {
  /// Set before an operation that must not be interrupted; while set, the next call empties the
  /// FIFO first.
  var isDoubtful = false
  /// Lost samples that are not yet reported.
  private(set) var unreported = 0

  /// The beginning of the last look that found the FIFO read completely, or of its restart.
  private(set) var emptiedAt: Timestamp?

  /// Records that a look that began at an instant found the FIFO read completely.
  mutating func recordEmpty(at instant: Timestamp) { emptiedAt = instant }

  /// Discards the FIFO: all samples since it was last empty count as lost.
  mutating func recordLoss(until instant: Timestamp, rateHertz: Double) {
    if let emptiedAt, instant > emptiedAt {
      // No FIFO's backlog comes near the bound, which keeps the conversion from trapping.
      unreported &+= Int(bounded: min(1e6, instant.seconds(since: emptiedAt) * rateHertz))
    }
    emptiedAt = instant
    isDoubtful = false
  }

  /// Returns the lost samples and clears their count.
  mutating func resetLosses() -> Int {
    defer { unreported = 0 }
    return unreported
  }
}

/// A unit whose driver accounts for its FIFO's content.
protocol AccountedFIFO {
  associatedtype Bus: RegisterBus

  var link: ChipLink<Bus> { get }
  var fifo: FIFOAccount { get set }
  var rateHertz: Double { get }
  /// Empties the chip's FIFO and restarts it with a whole sample.
  mutating func restartFIFO() throws(ChipError)
}

extension AccountedFIFO {
  /// Restarts the FIFO after the chip's configuration; no sample counts as lost.
  mutating func startFIFO() throws(ChipError) {
    fifo = FIFOAccount()
    try emptyFIFO()
  }

  /// Restarts the FIFO, whose content counts as lost.
  mutating func emptyFIFO() throws(ChipError) {
    fifo.isDoubtful = true
    try restartFIFO()
    fifo.recordLoss(until: link.bus.now, rateHertz: rateHertz)
  }
}
