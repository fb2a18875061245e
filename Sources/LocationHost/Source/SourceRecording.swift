import Dispatch
import LinuxIO
import Pipeline
import Quantities
import Recording
import Synchronization

/// Records a source of the daemon from its start to its end. Where a recording ends by a fault,
/// such as a full disk or a folder that is gone, another one is begun every minute until that
/// succeeds.
final class SourceRecording: Sendable {
  /// Interval between attempts after a fault, seconds.
  private static let retry = 60.0
  /// The beginning of the files' names.
  private static let prefix = "lodestar-"

  private struct State {
    var recorder: Recorder?
    var player: EstimatePlayer?
    var isStopped = false
    var note: (@Sendable (String) -> Void)?
    var waiting: [String] = []
  }

  private let settings: RecordingSettings
  private let folder: String
  private let files = LinuxFiles()
  private let state: Mutex<State>
  /// The tap of the first recording, which begins with the pipeline.
  let first: Recorder

  init(_ settings: RecordingSettings, folder: String) {
    (self.settings, self.folder) = (settings, folder)
    state = Mutex(State())
    first = Recorder(Self.options(settings, folder: folder))
    first.onEnd { [weak self] in self?.ended($0) }
    first.onNote { [weak self] in self?.say($0) }
  }

  private static func options(_ settings: RecordingSettings, folder: String) -> Recorder.Options {
    // 2026-11-25T14:15:00Z as 20261125-141500.
    let digits = SystemClock.reading.utc.text().prefix(19).filter { $0 != "-" && $0 != ":" }
    let name = prefix + digits.replacing("T", with: "-") + ".mcap"
    var options = Recorder.Options(path: "\(folder)/\(name)", program: settings.program)
    options.hasPosition = settings.hasPosition
    options.isForGroup = true
    options.largestFile = settings.megabytes * 1_000_000
    options.longestFile = Double(settings.minutes) * 60
    options.reserve = settings.reserveMegabytes * 1_000_000
    return options
  }

  /// Calls `body` with notices for the log.
  func onNote(_ body: @escaping @Sendable (String) -> Void) {
    let waiting = state.withLock { state in
      state.note = body
      defer { state.waiting = [] }
      return state.waiting
    }
    for text in waiting { body(text) }
  }

  private func say(_ text: String) {
    let note = state.withLock { state in
      if state.note == nil { state.waiting.append(text) }
      return state.note
    }
    note?("recording: \(text)")
  }

  /// Records a player that has not started.
  func begin(_ player: EstimatePlayer) {
    state.withLock { $0.player = player }
    player.onNotice { [weak self] text in self?.state.withLock { $0.recorder }?.addNotice(text) }
    attach(first, to: player)
  }

  private func attach(_ recorder: Recorder, to player: EstimatePlayer) {
    do throws(FileFault) {
      try files.makeFolders(folder, mode: 0o750)
      recorder.onNewFile { [weak self, weak recorder] in
        self?.removeOld(but: recorder?.progress.path)
      }
      try recorder.attach(to: player, board: player.boardFile, isLive: !player.devices.isEmpty)
      let isStopped = state.withLock { state in
        state.recorder = state.isStopped ? nil : recorder
        return state.isStopped
      }
      // The source was stopped meanwhile.
      if isStopped { recorder.stop() }
    } catch {
      say("\(error); it is tried again every minute")
      tryAgain()
    }
  }

  private func ended(_ end: Recorder.End) {
    state.withLock { $0.recorder = nil }
    say("\(end); it is tried again every minute")
    tryAgain()
  }

  private func tryAgain() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.retry) { [weak self] in
      guard let self else { return }
      let player = state.withLock { $0.isStopped ? nil : $0.player }
      guard let player else { return }
      let recorder = Recorder(Self.options(settings, folder: folder))
      recorder.onEnd { [weak self] in self?.ended($0) }
      recorder.onNote { [weak self] in self?.say($0) }
      attach(recorder, to: player)
    }
  }

  /// Removes the oldest recordings beyond the limit of the settings, which counts the one being
  /// written; after the clock was set back its name is not the newest.
  private func removeOld(but written: String?) {
    do throws(FileFault) {
      // By the time in the name, then by the number of the part.
      let names = try files.names(in: folder)
        .filter {
          $0.hasPrefix(Self.prefix) && $0.hasSuffix(".mcap") && "\(folder)/\($0)" != written
        }
        .sorted { Self.order($0) < Self.order($1) }
      for name in names.prefix(max(0, names.count + 1 - settings.mostFiles)) {
        try files.remove("\(folder)/\(name)")
      }
    } catch {
      say("an old recording was not removed: \(error)")
    }
  }

  /// `lodestar-20261125-141500-2.mcap` after `lodestar-20261125-141500.mcap` and before
  /// `…-10.mcap`.
  private static func order(_ name: String) -> (String, Int) {
    let parts = name.dropLast(5).split(separator: "-")
    return (parts.dropFirst().prefix(2).joined(), parts.count > 3 ? Int(parts[3]) ?? 0 : 1)
  }

  /// Completes the recording.
  func stop() {
    let recorder = state.withLock { state in
      (state.isStopped, state.player) = (true, nil)
      defer { state.recorder = nil }
      return state.recorder
    }
    recorder?.stop()
  }
}

extension OpenedSource {
  /// The source of a player that is not started, with its recording.
  init(_ player: EstimatePlayer, _ recording: SourceRecording?) {
    self.init(player)
    guard let recording else { return }
    let (start, stop, onNotice) = (self.start, self.stop, self.onNotice)
    self.start = {
      recording.begin(player)
      start()
    }
    self.stop = {
      stop()
      recording.stop()
    }
    self.onNotice = { body in
      onNotice(body)
      recording.onNote(body)
    }
    // The recording has the fixes also where no client asks for them.
    let setReceiverDemand = self.setReceiverDemand
    self.setReceiverDemand = { _ in setReceiverDemand(.continuous) }
  }
}
