import Formats
import Quantities

/// An attached board's samples as they arrive. They end when the board is stopped.
package struct LiveSamples: SampleSource {
  /// Without samples an empty row is delivered at this interval, s, so that estimates can expire.
  private static let heartbeat = 0.1

  let queue: SampleQueue
  let monitor: BoardMonitor
  let now: () -> Timestamp
  private var merger = SampleMerger()
  private var taken: [SensorSamples] = []
  private var waiting: [SensorSamples] = []
  private var handedOut = 0

  init(queue: SampleQueue, monitor: BoardMonitor, now: @escaping () -> Timestamp) {
    self.queue = queue
    self.monitor = monitor
    self.now = now
  }

  package var hasRow: Bool { handedOut < waiting.count }

  package mutating func next() throws(RecordingError) -> SensorSamples? {
    while handedOut == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      handedOut = 0
      guard !queue.isStopped else { return nil }
      queue.moveAll(into: &taken, waitingAtMost: Self.heartbeat)
      monitor.receiver(
        newEpochs: taken.count { $0.hasFix }, newestFix: taken.last { $0.hasFix }?.fix)
      for row in taken { merger.put(row) }
      let now = now()
      merger.deliver(at: now, expectsInertia: monitor.expectsInertia) { waiting.append($0) }
      if taken.isEmpty, waiting.isEmpty { waiting.append(SensorSamples(timestamp: now)) }
    }
    handedOut += 1
    return waiting[handedOut - 1]
  }
}
