import Foundation
import Quantities
import Recording

/// One playing of rows through a pipeline, at the pace of their own timestamps.
struct Playback {
  /// Estimates are published no more often than this, but for a new fix, s: fifty a second are more than
  /// an eye or a control loop at a door can use.
  private static let publishInterval = 0.02
  /// A stop is seen within this while the next row is far, s.
  private static let longestNap = 0.1
  /// Rows are played this much early, ns: one waking serves all that fall into it, and half an interval of
  /// publishing is seen by nobody.
  private static let slack: UInt64 = 8_000_000

  private var rows: any RowSource
  private var pipeline: Pipeline
  private let broadcast: Broadcast
  private let isLive: Bool
  private var start: (data: Timestamp, clock: UInt64)?
  private var lastPublished: Timestamp?
  private var lastFix: Timestamp?

  private let rest: SharedReceiverRest

  init(
    rows: any RowSource, pipeline: Pipeline, broadcast: Broadcast, isLive: Bool,
    rest: SharedReceiverRest
  ) {
    self.rest = rest
    self.isLive = isLive
    self.rows = rows
    self.pipeline = pipeline
    self.broadcast = broadcast
  }

  /// Plays until the rows end, have a fault, or the broadcast is stopped.
  mutating func run() -> EstimatePlayer.Outcome {
    while true {
      let row: SensorRow?
      do {
        row = try rows.next()
      } catch {
        return .fault(error)
      }
      guard var row, isLive ? !broadcast.isStopped : waited(for: row.timestamp) else {
        return .complete
      }
      // A live receiver's thread, or gpsd's, has withheld them already.
      if !isLive { rest.filter(&row) }
      broadcast.tell(row)
      pipeline.process(row)
      publish(after: row)
    }
  }

  private mutating func publish(after row: SensorRow) {
    let isDue =
      lastPublished.map { row.timestamp.seconds(since: $0) >= Self.publishInterval } ?? true
    // An estimate costs a copy and a lock: only when somebody may look.
    guard isDue || row.fix != nil else { return }
    let estimate = pipeline.estimate
    guard isDue || estimate.fixTimestamp != lastFix else { return }
    (lastPublished, lastFix) = (row.timestamp, estimate.fixTimestamp)
    broadcast.publish(estimate)
  }

  /// Sleeps until the row's instant; false where the broadcast was stopped meanwhile.
  private mutating func waited(for t: Timestamp) -> Bool {
    let begin = start ?? (t, DispatchTime.now().uptimeNanoseconds)
    start = begin
    // A sample that its chip averaged for long is older than the one before it.
    guard t > begin.data else { return !broadcast.isStopped }
    let deadline = begin.clock + (t.nanoseconds - begin.data.nanoseconds)
    while !broadcast.isStopped {
      let now = DispatchTime.now().uptimeNanoseconds
      guard deadline > now + Self.slack else { return true }
      Thread.sleep(forTimeInterval: min(Double(deadline - now) * 1e-9, Self.longestNap))
    }
    return false
  }
}
