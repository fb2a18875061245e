import Formats
import FoundationEssentials
import HostProtocol
import LinuxIO
import Observers
import Pipeline
import Quantities
import Recording
import Report
import Servers
import Storage

/// The report of a recording.
struct RecordingReport {
  let path: String
  let reading: RecordingOptions
  let pipeline: PipelineOptions
  let onlineCalibration: OnlineCalibrationArgument?

  /// The report, and the fault at which the recording ends.
  func report() throws -> (Report, RecordingError?) {
    var recording = try reading.open(path, near: pipeline.date)
    let log = CalibrationLog()
    var (configuration, _) = try pipeline.configuration(
      of: recording, named: path, onlineCalibration: onlineCalibration)
    configuration.tap = log
    var pipeline = Pipeline(configuration: configuration)
    var analysis = RecordingAnalysis(log: log)
    var check = RecordingCheck()
    var progress = ReadingProgress(of: path, "rows")
    var fault: RecordingError?
    do throws(RecordingError) {
      while var row = try recording.next() {
        pipeline.complete(&row)
        analysis.add(row)
        pipeline.process(row)
        let estimate = pipeline.estimate
        analysis.add(estimate)
        if let fix = row.fix { analysis.add(fix, estimate) }
        check.add(row)
        progress.update(recording.fractionRead)
      }
    } catch {
      fault = error
    }
    progress.clear()
    analysis.finish()
    guard analysis.rows > 0 else {
      throw Failure.input(
        fault.map { "\($0)" }
          ?? "\(path): nothing to report: \(recording.notes ?? "the file has no samples")")
    }
    let name = path == "-" ? "standard input" : path.fileName
    var report = Report(title: name, program: "lodestar \(Version.text)", analysis)
    report.notes = check.findings + recording.recordedNotes
    if let notes = recording.notes { report.notes.append(notes) }
    if let fault { report.notes.append("The report ends at a fault of the file: \(fault)") }
    return (report, fault)
  }
}

extension OpenedRecording {
  /// The greatest number of events that are shown.
  private static let mostEvents = 10

  /// What a recording of this program says about itself that changes the figures.
  fileprivate var recordedNotes: [String] {
    guard let exact else { return [] }
    var notes: [String] = []
    if exact.configuration == nil {
      notes.append(
        exact.startFault.map { "The recorded start is not used: \($0)." }
          ?? "The recording began while the filter was running: the estimates start without state.")
    } else if !exact.hasPosition {
      notes.append(
        "It was recorded without positions: the estimates are not those of the recording.")
    }
    let kinds = [RecordedEvent.clock, .lost].map(\.rawValue)
    let events = exact.events.filter { kinds.contains($0.kind) }
    notes += events.prefix(Self.mostEvents).map { "While recording: \($0.text)" }
    if events.count > Self.mostEvents {
      notes.append("While recording: \(events.count - Self.mostEvents) further events.")
    }
    return notes
  }
}

/// The report of a calibration file.
struct CalibrationReportSource {
  let path: String

  func report() throws(Failure) -> Report {
    let file: CalibrationFile
    do {
      file = try CalibrationFile(path: path)
    } catch {
      throw .input("\(error)")
    }
    let profile = profile
    var report = Report(
      title: path.fileName, program: "lodestar \(Version.text)",
      sections: CalibrationFileReport.sections(
        file, profile: profile, history: profile.map(history) ?? []))
    report.time = profile?.made
    report.facts = ["calibration", "quality \(file.result.quality.rawValue)"]
    if let profile { report.facts += ["\(profile.identity)", "made \(profile.made.recordText)"] }
    return report
  }

  /// The profile; nil for a plain file, which has no identity.
  private var profile: CalibrationProfile? {
    do {
      return try CalibrationProfile(json: try LinuxFiles().content(of: path))
    } catch {
      return nil
    }
  }

  /// The calibrations of the same sensor and board that are stored here, the oldest first.
  private func history(_ profile: CalibrationProfile) -> [CalibrationProfile] {
    do {
      let folder = try ProfileStore.standardDirectory(
        environment: ProcessInfo.processInfo.environment)
      let stored = try ProfileStore(directory: folder).history(for: profile.identity).stored
        .map(\.profile)
      // Another machine's board may have the same name: only a store that has this calibration is
      // its own.
      return stored.contains { $0.made == profile.made && $0.result == profile.result }
        ? stored.sorted { $0.generation < $1.generation } : []
    } catch {
      return []
    }
  }
}

/// The report of a live source.
struct LiveReport {
  let source: SourceSelection
  let seconds: Double

  func report() throws -> Report {
    let log = CalibrationLog()
    let client = try source.client()
    let stream: StreamSource
    var changes: Observation?
    if let client {
      stream = StreamSource(client, demand: .all)
      changes = Self.follow(stream.publisher.calibrator, log)
    } else {
      stream = StreamSource(try source.player(tap: log))
    }
    defer {
      changes?.cancel()
      stream.stop()
    }
    let analysis = Locked(RecordingAnalysis(log: log, hasFixes: client == nil))
    let fixes = Locked<Fix?>(nil)
    let publisher = stream.publisher
    // Both on the publisher's thread: a row before its estimate.
    let rows = publisher.observeRows { row in
      analysis.withLock { $0.add(row) }
      if let fix = row.fix { fixes.withLock { $0 = fix } }
    }
    let estimates = publisher.observe { estimate in
      let fix = fixes.withLock { fix in
        defer { fix = nil }
        return fix
      }
      analysis.withLock { analysis in
        analysis.add(estimate)
        if let fix { analysis.add(fix, estimate) }
      }
    }
    defer {
      rows.cancel()
      estimates.cancel()
    }
    try wait(stream)
    stream.stop()
    var result = analysis.withLock { $0 }
    result.finish()
    guard result.rows > 0 else {
      throw Failure.unavailable("no samples came; see lodestar doctor")
    }
    let title = source.simulate ? "Simulated board" : "Live report"
    return Report(title: title, program: "lodestar \(Version.text)", result)
  }

  /// Records the calibration that a daemon uses, and each later one.
  private static func follow(
    _ calibrator: (any FieldCalibrator)?, _ log: CalibrationLog
  ) -> Observation? {
    guard let calibrator else { return nil }
    let inUse = Locked(calibrator.inUse?.calibration)
    log.record(.start, inUse.withLock { $0 })
    return calibrator.observe {
      let now = calibrator.inUse?.calibration
      let isOther = inUse.withLock { before in
        defer { before = now }
        return before != now
      }
      if isOther { log.record(.given, now) }
    }
  }

  /// Waits for the time, for a signal, which ends it early, or for the end of the source.
  private func wait(_ stream: StreamSource) throws {
    let signals = StopSignals(undoSeconds: stream.undoSeconds)
    defer { signals.end() }
    stream.start()
    let line = ProgressLine(name: "lodestar: report")
    defer { line.clear() }
    let begin = MonotonicClock.now
    while !signals.isStopped, stream.end == nil {
      let left = seconds - MonotonicClock.now.seconds(since: begin)
      guard left > 0 else { return }
      line.show("\(FieldText.fixed(left, 0)) s left; Ctrl-C ends it now")
      signals.wait(seconds: min(0.25, left))
    }
    if case .fault(let error) = stream.end { throw Failure.input("\(error)") }
  }
}
