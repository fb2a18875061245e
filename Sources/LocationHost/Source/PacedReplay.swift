import Engine
import Formats
import Foundation
import Quantities

/// A recording that is played faster or slower than it was taken: a day in a minute.
final class PacedReplay: EstimatePublisher, @unchecked Sendable {
  /// A stop is seen within this, s.
  private static let longestNap = 0.1
  /// Estimates without a new fix are published no more often than this, s of real time.
  private static let publishInterval = 0.02

  let hasMagnetometer: Bool
  let hasReceiver: Bool
  let isSimulated = false

  private let pace: Double
  private let lock = NSLock()
  private var part: (rows: OpenedRecording, configuration: PipelineConfiguration)?
  private var isStopped = false
  private var ending: String?
  private var newest: Estimate?
  private var observers: [Int: @Sendable (Estimate) -> Void] = [:]
  private var registered = 0
  private var progress: (@Sendable () -> Void)?

  init(path: String, pace: Double, configuration: PipelineConfiguration) throws(SourceError) {
    let recording: OpenedRecording
    do {
      recording = try OpenedRecording(path: path)
    } catch {
      throw .recording(error)
    }
    self.pace = pace
    hasMagnetometer = recording.hasMagnetometer
    hasReceiver = recording.hasReceiver
    part = (recording, configuration)
  }

  var latest: Estimate? { lock.withLock { newest } }

  func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    let number = lock.withLock {
      registered += 1
      observers[registered] = body
      return registered
    }
    return Observation { [weak self] in
      guard let self else { return }
      lock.withLock { _ = observers.removeValue(forKey: number) }
    }
  }

  /// The replay as the daemon takes it.
  var opened: OpenedSource {
    var source = OpenedSource(publisher: self)
    source.start = { [self] in start() }
    source.stop = { [self] in lock.withLock { isStopped = true } }
    source.end = { [self] in lock.withLock { ending } }
    source.onProgress = { [self] body in lock.withLock { progress = body } }
    return source
  }

  private func start() {
    let thread = Thread { [self] in
      let ending = play()
      lock.withLock { self.ending = ending }
    }
    thread.name = "lodestar-replay"
    thread.start()
  }

  private func play() -> String {
    let taken = lock.withLock {
      defer { part = nil }
      return part
    }
    guard var (rows, configuration) = taken else { return "the recording has ended" }
    configuration.onlineCalibration = false
    var pipeline = Pipeline(configuration: configuration)
    var start: (data: Timestamp, clock: UInt64)?
    var lastFix: Timestamp?
    var lastPublished: UInt64 = 0
    while true {
      do throws(RecordingError) {
        guard let row = try rows.next() else { return "the recording has ended" }
        let begin = start ?? (row.timestamp, DispatchTime.now().uptimeNanoseconds)
        start = begin
        guard wait(for: row.timestamp, begin) else { return "the recording was stopped" }
        lock.withLock { progress }?()
        pipeline.process(row)
        let now = DispatchTime.now().uptimeNanoseconds
        let isDue = Double(now - lastPublished) * 1e-9 >= Self.publishInterval
        guard isDue || row.hasFix else { continue }
        let estimate = pipeline.estimate
        guard isDue || estimate.fixTimestamp != lastFix else { continue }
        (lastFix, lastPublished) = (estimate.fixTimestamp, now)
        let bodies = lock.withLock {
          newest = estimate
          return Array(observers.values)
        }
        for body in bodies { body(estimate) }
      } catch {
        return "\(error)"
      }
    }
  }

  /// Sleeps until the row's instant at the pace; false where it was stopped meanwhile.
  private func wait(for t: Timestamp, _ begin: (data: Timestamp, clock: UInt64)) -> Bool {
    let seconds = pace > 0 ? max(0, t.seconds(since: begin.data)) / pace : 0
    while !lock.withLock({ isStopped }) {
      let passed = Double(DispatchTime.now().uptimeNanoseconds - begin.clock) * 1e-9
      guard seconds > passed else { return true }
      Thread.sleep(forTimeInterval: min(seconds - passed, Self.longestNap))
    }
    return false
  }
}
