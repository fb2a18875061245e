import Quantities

/// What a driver remembers of its chip's FIFO between its calls: whether it can still be trusted, and
/// how many samples were lost with it.
struct FIFOAccount {
  /// Set before what must not be broken off; while it stands, the next call empties the FIFO first.
  var isDoubtful = false
  /// Samples that were lost and that nobody was told of yet.
  private(set) var untold = 0

  private var emptiedAt: Timestamp?

  /// The FIFO was read to its end, or has begun anew.
  mutating func noteEmpty(at instant: Timestamp) { emptiedAt = instant }

  /// The FIFO is given up with all that is in it: whatever the chip made since it was last empty.
  mutating func noteLoss(until instant: Timestamp, rateHertz: Double) {
    if let emptiedAt, instant > emptiedAt {
      // No FIFO's backlog comes near the bound, which keeps the conversion from trapping.
      untold &+= Int(min(1e6, instant.seconds(since: emptiedAt) * rateHertz))
    }
    emptiedAt = instant
    isDoubtful = false
  }

  /// The losses, told once.
  mutating func tellLosses() -> Int {
    defer { untold = 0 }
    return untold
  }
}
