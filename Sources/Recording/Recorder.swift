import CalibrationFit
import Configuration
import Formats
import LinuxIO
import Observers
import Pipeline
import Quantities
import Synchronization

/// Records a publisher's samples, estimates and calibrations in a file or a series of files.
///
/// The publisher's threads only add items to a queue; a thread of the recorder encodes and writes
/// them. After a kill at any moment the file has everything up to 0.8 s before; after a power cut
/// everything up to `syncSeconds` before that.
package final class Recorder: PipelineTap {
  /// How it records.
  package struct Options: Sendable {
    /// The file; further ones of a series have `-2`, `-3`, … before the extension.
    package var path: String
    /// The program with its version.
    package var program: String
    /// False to leave out places and the receiver's bytes.
    package var hasPosition = true
    /// Size from which a new file is begun, bytes; nil: none is begun.
    package var largestFile: Int?
    /// Age from which a new file is begun, seconds; nil: none is begun.
    package var longestFile: Double?
    /// Number of files of the series that are kept; nil: all.
    package var mostFiles: Int?
    /// Space that stays free on the file system, bytes.
    package var reserve = 100 << 20
    /// Whether an existing file is replaced.
    package var replaces = false
    /// Whether the group of a file with places may read it, as that of the daemon's folder may.
    package var isForGroup = false

    /// The permissions of a file, less the umask: places are for its user.
    var mode: UInt32 { hasPosition ? isForGroup ? 0o640 : 0o600 : 0o644 }

    /// Makes options.
    package init(path: String, program: String) { (self.path, self.program) = (path, program) }
  }

  /// Why a recording ended before it was stopped.
  package enum End: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file system has less than the reserve left.
    case full(path: String, free: Int)
    /// The file or its folder was removed.
    case removed(path: String)
    /// A write failed.
    case failed(FileFault)

    /// One line: what happened, where, what to do.
    package var description: String {
      switch self {
      case .full(let path, let free):
        "\(path): recording ended: \(free / 1_000_000) MB are free there, less than the reserve; free some space, or set "
          + "a smaller --reserve (recording-reserve in the daemon's file)"
      case .removed(let path): "\(path): recording ended: the file was removed while it was written"
      case .failed(let fault):
        "recording ended: \(fault); what was written before can be replayed, and lodestar record --repair makes it whole"
      }
    }
  }

  /// The present state, for a progress line.
  package struct Progress: Equatable, Sendable {
    /// Seconds since the first item.
    package var seconds = 0.0
    /// Bytes of all files.
    package var bytes = 0
    /// The files so far.
    package var files = 0
    /// Rows of samples.
    package var rows = 0
    /// Rows, and what else was to be recorded, that a slow disk did not take.
    package var lost = 0
    /// Free bytes of the file system.
    package var free: Int?
    /// The file that is written.
    package var path = ""
  }

  /// Interval at which queued items are written, seconds.
  private static let interval = 0.2
  /// Age at which a chunk is closed, seconds.
  private static let chunkSeconds = 0.5
  /// Interval at which the bytes are stored on the medium, seconds: a shorter one wears a card.
  package static let syncSeconds = 5.0
  /// Limit of the queue, items: about half a minute of 9 axes at 200 Hz.
  private static let mostItems = 10_000
  /// Least step of the machine's clock that is noted, seconds.
  private static let leastStep = 0.05

  private struct State {
    var items: [(item: RecordedItem, at: Timestamp)] = []
    /// Items that were not queued since the last that was.
    var unqueued = 0
    var start: StartState?
    var isStopping = false
    var end: End?
    var progress = Progress()
    var observations: [Observation] = []
    var onNote: (@Sendable (String) -> Void)?
    var onEnd: (@Sendable (End) -> Void)?
    var onNewFile: (@Sendable () -> Void)?
  }

  private let options: Options
  private let files: any FileOperations
  private let state = Mutex(State())
  private let wake = Waitable(false)
  private let hasEnded = Waitable(false)

  /// Begins a recording; nothing is written before `attach`.
  package init(_ options: Options, files: any FileOperations = LinuxFiles()) {
    (self.options, self.files) = (options, files)
  }

  /// Calls `body` with each sentence for the user, such as a step of the clock, on the recorder's
  /// thread.
  package func onNote(_ body: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.onNote = body }
  }

  /// Calls `body` when the recording ends before it is stopped, on the recorder's thread.
  package func onEnd(_ body: @escaping @Sendable (End) -> Void) {
    state.withLock { $0.onEnd = body }
  }

  /// Calls `body` when a file was begun, the first and each further one, on the recorder's thread.
  package func onNewFile(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.onNewFile = body }
  }

  /// Creates the file and records a publisher from now on. Where the pipeline of a player has this
  /// recorder as its tap and has not started, its replay gives the same estimates to the last bit.
  /// - Throws: `FileFault` where the file cannot be created.
  package func attach(
    to publisher: any EstimatePublisher, board: Board, isLive: Bool
  ) throws(FileFault) {
    let description = RecordingDescription(
      program: options.program, board: board, mounting: publisher.mounting,
      start: state.withLock { $0.start }, hasPosition: options.hasPosition,
      offset: 0, series: options.path.fileName)
    let writing = try RecordingWriter(options, description, files: files, isLive: isLive)
    let rows = publisher.observeRows { [weak self] in self?.add(.row($0)) }
    let estimates = publisher.observe { [weak self] in self?.add(.estimate($0)) }
    let receiver = publisher.observeReceiver { [weak self] output in
      if case .bytes(let bytes) = output { self?.add(.receiver(bytes)) }
    }
    state.withLock { $0.observations = [rows, estimates, receiver] }
    add(.event(kind: .start, text: options.program))
    let locked = Locked(writing)
    WorkerThread.start("lodestar-record") { [self] in locked.withLock { run($0) } }
  }

  /// The present state.
  package var progress: Progress { state.withLock { $0.progress } }

  /// Why it ended before `stop`; nil where it has not.
  package var end: End? { state.withLock { $0.end } }

  /// Adds a notice about the board.
  package func addNotice(_ text: String) { add(.event(kind: .notice, text: text)) }

  /// Writes what is queued, completes the file and ends; returns when that is done.
  /// - Returns: The final state.
  @discardableResult
  package func stop() -> Progress {
    let observations = state.withLock { state in
      defer { state.observations = [] }
      return state.observations
    }
    for observation in observations { observation.cancel() }
    add(.event(kind: .stop, text: options.program))
    state.withLock { $0.isStopping = true }
    wake.withLock { $0 = true }
    hasEnded.wait(atMost: 30) { $0 ? true : nil }
    return progress
  }

  // MARK: What a pipeline takes

  package func begin(_ start: StartState) { state.withLock { $0.start = start } }
  package func record(_ fit: ForwardSolution) { add(.fit(fit)) }
  package func record(_ given: GivenCalibration) { add(.given(given)) }
  package func record(_ change: OnlineCalibrationEvent) { add(.change(change)) }

  private func add(_ item: RecordedItem) {
    let now = MonotonicClock.now
    state.withLock { state in
      guard state.end == nil, !state.isStopping else { return }
      // Twice the limit for what a replay needs beside the rows.
      let limit = if case .row = item { Self.mostItems } else { 2 * Self.mostItems }
      guard state.items.count < limit else {
        state.unqueued += 1
        return
      }
      if state.unqueued > 0 {
        state.items.append(
          (
            .event(
              kind: .lost,
              text:
                "\(state.unqueued) rows of samples or other items are missing: the disk was too slow"
            ),
            now
          ))
        state.progress.lost += state.unqueued
        state.unqueued = 0
      }
      if case .row = item { state.progress.rows += 1 }
      state.items.append((item, now))
    }
  }

  // MARK: The recorder's thread

  private func run(_ writing: RecordingWriter) {
    var clock = SystemClock.reading
    var synced = MonotonicClock.now
    while true {
      let (items, isStopping) = state.withLock { state in
        defer { state.items.removeAll(keepingCapacity: false) }
        return (state.items, state.isStopping)
      }
      do throws(End) {
        for (item, time) in items { try writing.add(item, at: time) }
        if let step = Self.step(&clock) {
          let text = Self.text(ofStep: step)
          try writing.add(.event(kind: .clock, text: text), at: MonotonicClock.now)
          state.withLock { $0.onNote }?(text)
        }
        let now = MonotonicClock.now
        try writing.flush(olderThan: isStopping ? 0 : Self.chunkSeconds, at: now)
        if now.seconds(since: synced) > Self.syncSeconds {
          synced = now
          try writing.sync()
        }
        if isStopping { try writing.finish() }
      } catch {
        writing.abandon()
        let (observations, onEnd) = state.withLock { state in
          (state.end, state.items) = (error, [])
          defer { state.observations = [] }
          return (state.observations, state.onEnd)
        }
        for observation in observations { observation.cancel() }
        onEnd?(error)
      }
      let progress = writing.progress
      let (isOver, onNewFile) = state.withLock { state in
        let onNewFile = progress.files > state.progress.files ? state.onNewFile : nil
        (state.progress.bytes, state.progress.files) = (progress.bytes, progress.files)
        (state.progress.seconds, state.progress.free) = (progress.seconds, progress.free)
        state.progress.path = progress.path
        return (state.end != nil || isStopping, onNewFile)
      }
      onNewFile?()
      if isOver { break }
      wake.wait(atMost: Self.interval) { $0 ? true : nil }
    }
    hasEnded.withLock { $0 = true }
  }

  /// The step of the machine's clock since the last call, seconds; nil for none.
  private static func step(_ last: inout (monotonic: Timestamp, utc: UTCTime)) -> Double? {
    let now = SystemClock.reading
    defer { last = now }
    let step = now.utc.seconds(since: last.utc) - now.monotonic.seconds(since: last.monotonic)
    return abs(step) > leastStep ? step : nil
  }

  private static func text(ofStep step: Double) -> String {
    let size = String(abs(step), decimals: 3)
    return
      "the machine's clock was set \(step > 0 ? "forward" : "back") by \(size) s; the recording's "
      + "times go on without a step"
  }
}
