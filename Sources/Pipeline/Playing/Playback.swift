import Board
import Formats
import LinuxIO
import Quantities

/// Plays rows through a pipeline, paced by the times when they were read.
struct Playback {
  /// Longest sleep, ns: bounds the delay of a stop.
  private static let longestSleep: UInt64 = 100_000_000
  /// Rows are played this much early, ns, so that one wake-up serves all rows within it.
  private static let slack: UInt64 = 2_000_000

  private var rows: any SampleSource
  private var pipeline: Pipeline
  private let broadcast: Broadcast
  private let isLive: Bool
  /// The instant of the rows' clock at which playing begins; nil for the first row's.
  private let begin: Timestamp?
  private var start: (data: Timestamp, clock: Timestamp)?
  /// From when on the next estimate is due; nil before the first.
  private var due: Timestamp?
  private var lastFix: Timestamp?

  private let rest: SharedReceiverRest
  private let hasHeading: Bool
  private let hasReceiver: Bool
  private var states = SourceStateClock()
  private var newest = Estimate(timestamp: Timestamp(nanoseconds: 0))
  /// Times of real time; 0 for no delays.
  private let speed: Double
  /// Mean interval between estimates without a new fix, ns.
  private let publishInterval: UInt64

  init(
    rows: any SampleSource, pipeline: Pipeline, broadcast: Broadcast, isLive: Bool,
    rest: SharedReceiverRest, hasHeading: Bool, hasReceiver: Bool,
    beginsAt begin: Timestamp? = nil, speed: Double = 1,
    publishInterval: Double = EstimatePlayer.publishInterval
  ) {
    (self.hasHeading, self.hasReceiver) = (hasHeading, hasReceiver)
    (self.begin, self.rest, self.speed) = (begin, rest, speed)
    self.publishInterval = UInt64(nanosecondsIn: publishInterval)
    self.isLive = isLive
    self.rows = rows
    self.pipeline = pipeline
    self.broadcast = broadcast
  }

  /// Plays until the end of the rows, a fault, or a stop of the broadcast.
  mutating func run() -> EstimatePlayer.Outcome {
    while true {
      let row: SensorSamples?
      do {
        row = try rows.next()
      } catch {
        return .fault(error)
      }
      guard var row, isLive ? !broadcast.isStopped : waited(for: rows.readTime ?? row.timestamp)
      else {
        return .complete
      }
      // For a live board the receiver's thread has withheld the fixes already.
      if !isLive { rest.filter(&row) }
      pipeline.complete(&row)
      let receiver = broadcast.receiverOutput
      for output in rows.removeReceiverOutput(collecting: !receiver.isEmpty) {
        receiver.notify(output)
      }
      broadcast.publish(row)
      pipeline.process(row)
      publish(after: row)
    }
  }

  /// Publishes an estimate where one is due. If rows were read together, e.g. from the memory of a
  /// chip, it is made after the last one: one made after the first would be as late, and older.
  private mutating func publish(after row: SensorSamples) {
    let isDue = !rows.hasRow && due.map { row.timestamp >= $0 } ?? true
    // An estimate costs a copy and a lock: made only when due.
    guard isDue || row.hasFix else { return }
    pipeline.isReceiverResting = rest.isAsleep
    var estimate = pipeline.estimate
    guard isDue || estimate.fixTimestamp != lastFix else { return }
    lastFix = estimate.fixTimestamp
    // The instants when estimates are due are equidistant, also where rows come in groups; after a
    // gap they begin anew.
    let planned = due ?? row.timestamp
    let next = isDue || due == nil ? planned.advanced(byNanoseconds: publishInterval) : planned
    due = max(next, row.timestamp.advanced(byNanoseconds: publishInterval / 2))
    pipeline.describeSources(&estimate, hasHeading: hasHeading, hasReceiver: hasReceiver)
    publish(estimate)
  }

  private mutating func publish(_ estimate: Estimate) {
    newest = estimate
    states.complete(&newest)
    broadcast.publish(newest)
  }

  /// Publishes once a second, until a stop, an estimate that marks the end: a later client would
  /// otherwise take the last values for present ones.
  mutating func publishEnd() {
    let begin = MonotonicClock.now
    let last = newest.timestamp
    var seconds = 0.0
    while !broadcast.isStopped {
      let due = begin.advanced(bySeconds: seconds)
      let now = MonotonicClock.now
      if now >= due {
        publish(newest.ended(at: last.advanced(bySeconds: seconds)))
        seconds += 1
      } else {
        MonotonicClock.sleep(until: min(due, now.advanced(byNanoseconds: Self.longestSleep)))
      }
    }
  }

  /// Sleeps until the instant of a row; false if the broadcast was stopped meanwhile.
  private mutating func waited(for t: Timestamp) -> Bool {
    let begin = start ?? (begin ?? t, MonotonicClock.now)
    start = begin
    // A row may be older than the one before: some chips average for long.
    guard t > begin.data, speed > 0 else { return !broadcast.isStopped }
    let deadline = begin.clock.advanced(bySeconds: t.seconds(since: begin.data) / speed)
    while !broadcast.isStopped {
      let now = MonotonicClock.now
      guard deadline > now.advanced(byNanoseconds: Self.slack) else { return true }
      MonotonicClock.sleep(until: min(deadline, now.advanced(byNanoseconds: Self.longestSleep)))
    }
    return false
  }
}
