import Board
import Formats
import LinuxIO
import Observers
import Pipeline
import Quantities
import Recording
import Synchronization

/// A recording that is played at another pace, such as a day in a minute.
final class PacedReplay: EstimatePublisher {
  /// The shortest interval between estimates without a new fix, s of real time.
  private static let publishInterval = 0.02

  let hasMagnetometer: Bool
  let hasReceiver: Bool
  let isSimulated = false

  private let pace: Double
  private let configuration: PipelineConfiguration
  /// Locked by the thread while it plays.
  private let recording: Mutex<OpenedRecording>
  private let observers = ObserverList<Estimate>()
  private let receiverOutput = ObserverList<ReceiverOutput>()
  private let stopping = Waitable(false)
  private let state = Mutex(State())

  private struct State {
    var ending: String?
    var newest: Estimate?
    var progress: (@Sendable () -> Void)?
  }

  init(path: String, pace: Double, configuration: PipelineConfiguration) throws(SourceError) {
    let recording: OpenedRecording
    do {
      recording = try OpenedRecording(path: path, near: configuration.utcAtStart?.date)
    } catch {
      throw .recording(error)
    }
    (self.pace, self.configuration) = (pace, configuration)
    hasMagnetometer = recording.hasMagnetometer
    hasReceiver = recording.hasReceiver
    self.recording = Mutex(recording)
  }

  var latest: Estimate? { state.withLock { $0.newest } }

  func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    observers.add(body)
  }

  func observeReceiver(_ body: @escaping @Sendable (ReceiverOutput) -> Void) -> Observation {
    receiverOutput.add(body)
  }

  /// The replay as an opened source.
  var opened: OpenedSource {
    var source = OpenedSource(publisher: self)
    source.start = { [self] in start() }
    source.stop = { [self] in stopping.withLock { $0 = true } }
    source.end = { [self] in state.withLock { $0.ending } }
    source.onProgress = { [self] body in state.withLock { $0.progress = body } }
    return source
  }

  private func start() {
    WorkerThread.start("lodestar-replay") { [self] in
      let ending = recording.withLock { play(&$0) }
      state.withLock { $0.ending = ending }
      publishEnd()
    }
  }

  private func play(_ rows: inout OpenedRecording) -> String {
    var configuration = configuration
    configuration.onlineCalibration = false
    var pipeline = Pipeline(configuration: configuration)
    var start: (data: Timestamp, clock: Timestamp)?
    var lastFix: Timestamp?
    var lastPublished: Timestamp?
    var states = SourceStateClock()
    while true {
      do throws(RecordingError) {
        guard let row = try rows.next() else { return "the recording has ended" }
        let begin = start ?? (row.timestamp, MonotonicClock.now)
        start = begin
        guard wait(for: row.timestamp, begin) else { return "the recording was stopped" }
        state.withLock { $0.progress }?()
        for output in rows.takeReceiverOutput(collecting: !receiverOutput.isEmpty) {
          receiverOutput.notify(output)
        }
        pipeline.process(row)
        let now = MonotonicClock.now
        let isDue =
          lastPublished.map { now.seconds(since: $0) >= Self.publishInterval } ?? true
        guard isDue || row.hasFix else { continue }
        var estimate = pipeline.estimate
        guard isDue || estimate.fixTimestamp != lastFix else { continue }
        (lastFix, lastPublished) = (estimate.fixTimestamp, now)
        pipeline.describeSources(
          &estimate, hasHeading: hasMagnetometer, hasReceiver: hasReceiver)
        states.complete(&estimate)
        state.withLock { $0.newest = estimate }
        observers.notify(estimate)
      } catch {
        return "\(error)"
      }
    }
  }

  /// Publishes once a second that nothing is known any more, until a stop.
  private func publishEnd() {
    guard let last = latest else { return }
    var seconds = 0.0
    while stopping.wait(atMost: 1, { $0 ? () : nil }) == nil {
      seconds += 1
      let end = last.ended(at: last.timestamp.advanced(bySeconds: seconds))
      state.withLock { $0.newest = end }
      observers.notify(end)
    }
  }

  /// Waits until the row is due at the pace; false if the replay was stopped meanwhile.
  private func wait(for t: Timestamp, _ begin: (data: Timestamp, clock: Timestamp)) -> Bool {
    let seconds = pace > 0 ? max(0, t.seconds(since: begin.data)) / pace : 0
    let passed = MonotonicClock.now.seconds(since: begin.clock)
    return stopping.wait(atMost: seconds - passed) { $0 ? () : nil } == nil
  }
}
