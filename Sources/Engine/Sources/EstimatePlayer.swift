import Foundation
import Quantities
import Recording

/// Plays rows at their own pace on a thread of its own and publishes what the pipeline makes of them:
/// the live face of a recording and of the simulated board.
public final class EstimatePlayer: EstimatePublisher, @unchecked Sendable {
  /// True where a magnetometer stands behind the estimates.
  public let hasMagnetometer: Bool
  /// True where a receiver stands behind the estimates.
  public let hasReceiver: Bool
  /// True where no sensor stands behind the estimates.
  public let isSimulated: Bool

  /// Estimates are published no more often than this, but for a new fix, s: 50 a second are more than
  /// an eye or a control loop at a door can use.
  private static let publishInterval = 0.02

  private let lock = NSLock()
  private var observers: [Int: @Sendable (Estimate) -> Void] = [:]
  private var nextObserver = 0
  private var newest: Estimate?
  private var outcome: Outcome?
  private var isStopped = false
  private let finished = DispatchSemaphore(value: 0)

  /// How the playing ended.
  public enum Outcome: Equatable, Sendable {
    /// Every row was played.
    case complete
    /// The recording has a fault; what came before it was played.
    case fault(RecordingError)
  }

  /// Makes a player; nothing is played before `start`.
  public init(hasMagnetometer: Bool, hasReceiver: Bool, isSimulated: Bool) {
    self.hasMagnetometer = hasMagnetometer
    self.hasReceiver = hasReceiver
    self.isSimulated = isSimulated
  }

  /// The newest estimate; nil before the first.
  public var latest: Estimate? { lock.withLock { newest } }

  /// How the playing ended; nil while it goes on.
  public var end: Outcome? { lock.withLock { outcome } }

  /// Calls `body` for every estimate from now on, on the player's thread.
  public func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    let key = lock.withLock {
      nextObserver += 1
      observers[nextObserver] = body
      return nextObserver
    }
    return Observation { [weak self] in
      self?.lock.withLock { _ = self?.observers.removeValue(forKey: key) }
    }
  }

  /// Starts the thread. The source and the pipeline belong to it from now on.
  public func start(
    rows source: sending any RowSource, pipeline: PipelineConfiguration
  ) {
    let box = Handover(source)
    let thread = Thread { [self] in
      var rows = box.source
      let outcome = play(&rows, Pipeline(configuration: pipeline))
      lock.withLock { self.outcome = outcome }
      finished.signal()
    }
    thread.name = "lodestar-player"
    thread.start()
  }

  /// Ends the thread at its next row.
  public func stop() { lock.withLock { isStopped = true } }

  /// Waits until the last row was played.
  public func waitForEnd() -> Outcome {
    finished.wait()
    finished.signal()
    return end ?? .complete
  }

  private func play(_ rows: inout any RowSource, _ pipeline: Pipeline) -> Outcome {
    var pipeline = pipeline
    var zero: (data: Timestamp, clock: UInt64)?
    var lastPublished: Timestamp?
    var lastFix: Timestamp?
    while true {
      let row: SensorRow?
      do {
        row = try rows.next()
      } catch {
        return .fault(error)
      }
      guard let row, !lock.withLock({ isStopped }) else { return .complete }
      let start = zero ?? (row.timestamp, DispatchTime.now().uptimeNanoseconds)
      zero = start
      sleep(until: start.clock + (row.timestamp.nanoseconds - start.data.nanoseconds))
      pipeline.process(row)
      // An estimate costs a copy and a lock: only when somebody may look.
      let isDue = lastPublished.map { row.timestamp.seconds(since: $0) >= Self.publishInterval }
      guard isDue ?? true || row.fix != nil else { continue }
      let estimate = pipeline.estimate
      if row.fix != nil, estimate.fixTimestamp == lastFix, isDue == false { continue }
      (lastPublished, lastFix) = (row.timestamp, estimate.fixTimestamp)
      publish(estimate)
    }
  }

  private func publish(_ estimate: Estimate) {
    let bodies = lock.withLock {
      newest = estimate
      return Array(observers.values)
    }
    for body in bodies { body(estimate) }
  }

  private func sleep(until deadline: UInt64) {
    let now = DispatchTime.now().uptimeNanoseconds
    guard deadline > now else { return }
    Thread.sleep(forTimeInterval: Double(deadline - now) * 1e-9)
  }
}

/// Carries a source into the thread that will own it.
private final class Handover: @unchecked Sendable {
  let source: any RowSource
  init(_ source: any RowSource) { self.source = source }
}
