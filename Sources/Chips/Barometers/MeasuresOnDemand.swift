import Quantities

/// The measurements of a chip that makes one at a command: when the next one is due, and since when
/// the present one runs.
struct Demand: Sendable {
  /// The longest time that a measurement takes.
  let nanoseconds: UInt64
  private var pace: Pace
  /// When the present measurement began.
  fileprivate var begun: Timestamp?
  /// False after a fault on the bus: the command may be lost, and the registers may hold the old
  /// sample.
  fileprivate var isCertain = true

  init(hertz: Double, nanoseconds: UInt64) {
    pace = Pace(hertz: hertz)
    self.nanoseconds = nanoseconds
  }

  /// Nothing has been measured yet.
  mutating func reset() {
    begun = nil
    isCertain = true
    pace.reset()
  }

  fileprivate func isDue(at now: Timestamp) -> Bool { pace.isDue(at: now) }

  fileprivate mutating func began(at now: Timestamp) {
    begun = now
    pace.began(at: now)
  }
}

/// A barometer that makes one measurement at a command, whose end its registers show.
protocol MeasuresOnDemand {
  associatedtype Bus: RegisterBus

  var link: ChipLink<Bus> { get }
  var demand: Demand { get set }
  /// Commands one measurement.
  func begin() throws(ChipError)
  /// Reads the registers of a measurement.
  /// - Returns: nil while it is not finished.
  /// - Throws: `configurationRefused` after a loss of power.
  func finished() throws(ChipError) -> RegisterBytes?
}

extension MeasuresOnDemand {
  /// The registers of the measurement that ended since the last call; begins the next one when it
  /// is due.
  /// - Returns: nil for none, and for one of which it is not certain that it is new.
  mutating func measured() throws(ChipError) -> RegisterBytes? {
    guard let begun = demand.begun else {
      try beginIfDue()
      return nil
    }
    // Not before the longest time has passed: the flags rise some time after the command only.
    let age = link.bus.now.nanoseconds &- begun.nanoseconds
    guard age >= demand.nanoseconds else { return nil }
    demand.begun = nil
    let wasCertain = demand.isCertain
    demand.isCertain = false
    let bytes = try finished()
    demand.isCertain = true
    guard let bytes else {
      // Twice: a command that was repeated waits for the measurement before it.
      if age > 2 * demand.nanoseconds { throw link.error(.unfinished("a measurement")) }
      (demand.begun, demand.isCertain) = (begun, wasCertain)
      return nil
    }
    try beginIfDue()
    return wasCertain ? bytes : nil
  }

  private mutating func beginIfDue() throws(ChipError) {
    guard demand.isDue(at: link.bus.now) else { return }
    try begin()
    demand.began(at: link.bus.now)
  }
}
