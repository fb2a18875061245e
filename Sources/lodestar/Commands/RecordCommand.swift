import ArgumentParser
import Configuration
import Formats
import FoundationEssentials
import Glibc
import JSON
import LinuxIO
import Quantities
import Recording
import Servers

/// `lodestar record`: records samples, estimates and calibrations.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record samples, estimates and calibrations in an MCAP file.",
    discussion: """
      The file has ROS 2's messages for other programs, and everything that lodestar replay needs to compute the same \
      estimates to the last bit. Without --simulate or --replay the running daemon is recorded, from now on; else the \
      attached board from its start. A daemon records from its start with the key 'recording' of its file. \
      The recording ends with Ctrl-C, --duration, or before the disk is full. After a kill everything but \
      the last second can be read, after a power cut everything but the last 6 s; --repair makes such a file whole again, \
      without what is damaged.

      Topics and units: Documentation/Formats.md. A recording contains where you were, unless --no-position is given, and only \
      your user can read its file; the air pressure and the field, which it has always, tell the height and the region.
      """)

  @Argument(help: "The file, such as boat.mcap.", completion: .file(extensions: ["mcap"]))
  var output: String

  @OptionGroup var source: SourceSelection

  @Flag(help: "Leave out places, altitudes, course, speed, true north and the receiver's bytes.")
  var noPosition = false

  @Flag(
    help: "Make a file whole that a kill or a power cut has left incomplete; nothing is recorded.")
  var repair = false

  @Flag(help: "Replace existing files.")
  var force = false

  @Option(help: ArgumentHelp("End after this time.", valueName: "seconds"))
  var duration: Double?

  @Option(
    help: ArgumentHelp(
      "Begin a new file (boat-2.mcap, …) at this size, in MB.", valueName: "megabytes"))
  var largestFile: Double?

  @Option(help: ArgumentHelp("Begin a new file after this time.", valueName: "minutes"))
  var longestFile: Double?

  @Option(
    help: ArgumentHelp("Keep this number of files, and remove older ones.", valueName: "files"))
  var keep: Int?

  @Option(
    help: ArgumentHelp(
      "End the recording when less than this is free on the disk, in MB.", valueName: "megabytes"))
  var reserve = 100.0

  @Option(help: "The format of the summary.")
  var format: ReplayCommand.SummaryFormat = .text

  func validate() throws {
    if let duration, !(duration > 0) {
      throw ValidationError("--duration: expected seconds above 0")
    }
    if let largestFile, !(largestFile >= 0.1) {
      throw ValidationError("--largest-file: expected 0.1 MB or more")
    }
    if let longestFile, !(longestFile >= 0.01) {
      throw ValidationError("--longest-file: expected 0.01 minutes or more")
    }
    if let keep, keep < 1 { throw ValidationError("--keep: expected 1 or more") }
    if keep != nil, largestFile == nil, longestFile == nil {
      throw ValidationError("--keep: files are begun with --largest-file or --longest-file")
    }
    if !(reserve >= 0) { throw ValidationError("--reserve: expected 0 MB or more") }
    let records =
      source.namesSource || noPosition || force || duration != nil || largestFile != nil
      || longestFile != nil || keep != nil
    if repair, records {
      throw ValidationError("--repair: nothing is recorded; remove the other options")
    }
  }

  mutating func run() throws {
    if repair { return try repairFile() }
    guard output.hasSuffix(".mcap") else {
      throw Failure.usage("\(output): the name of a recording ends in .mcap")
    }
    try checkPath()
    var options = Recorder.Options(path: output, program: "lodestar \(Version.text)")
    options.hasPosition = !noPosition
    options.largestFile = largestFile.map { Int(bounded: $0 * 1e6) }
    options.longestFile = longestFile.map { $0 * 60 }
    options.mostFiles = keep
    options.reserve = Int(bounded: reserve * 1e6)
    options.replaces = force
    let recorder = Recorder(options)
    recorder.onNote { StandardError.say($0) }
    let stream: StreamSource
    let board: Board
    if let client = try source.client() {
      StandardError.say(
        "the running daemon is recorded from now on; for a recording whose replay is equal to the last bit, set 'recording' "
          + "in the daemon's file")
      stream = StreamSource(client, demand: .all)
      board = .standard
    } else {
      let player = try source.player(tap: recorder)
      player.onNotice { recorder.addNotice($0) }
      board = player.boardFile
      stream = StreamSource(player)
    }
    defer { stream.stop() }
    try record(stream, board, recorder)
  }

  private func record(_ stream: StreamSource, _ board: Board, _ recorder: Recorder) throws {
    do throws(FileFault) {
      try recorder.attach(
        to: stream.publisher, board: board, isLive: !source.simulate && source.replay == nil)
    } catch {
      throw Failure.output("\(error)")
    }
    let signals = StopSignals(undoSeconds: stream.undoSeconds) { recorder.stop() }
    defer { signals.end() }
    stream.start()
    let begin = MonotonicClock.now
    let line = RecordingProgressLine(recorder, path: output)
    while !signals.isStopped, recorder.end == nil, stream.end == nil {
      if let duration, MonotonicClock.now.seconds(since: begin) >= duration { break }
      signals.wait(seconds: min(0.25, duration ?? 1))
      line.show()
    }
    line.clear()
    stream.stop()
    let progress = recorder.stop()
    let summary = RecordingSummary(
      progress: progress, path: output, seconds: MonotonicClock.now.seconds(since: begin))
    let out = OutputStream()
    switch format {
    case .text: try out.line(summary.text)
    case .json: try out.line(summary.json)
    }
    try out.close()
    if let end = recorder.end { throw Failure.output("\(end)") }
    if case .fault(let error) = stream.end { throw Failure.input("\(error)") }
    if progress.rows == 0 {
      throw Failure.unavailable("\(output): no samples came; see lodestar doctor")
    }
  }

  /// Checks the path before a source is opened.
  private func checkPath() throws(Failure) {
    var status = stat()
    if stat(output, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw .output("\(output): it is no file; give the name of a new file")
      }
      guard force else {
        throw .output("\(output): the file exists; give another name, or --force to replace it")
      }
      if let replay = source.replay, OutputPath.areSame(output, replay) {
        throw .usage("\(output): it is the recording that is played; give another name")
      }
    }
    guard !force, largestFile != nil || longestFile != nil else { return }
    var further: [String] = []
    do throws(FileFault) {
      further = try RecordingSeries.furtherFiles(of: output)
    } catch {
      // A missing folder is reported when the file is created.
      guard error.isAbsence else { throw .output("\(error)") }
    }
    if let file = further.first {
      throw .output(
        "\(output): \(file) of an earlier recording exists; give another name, or --force to replace the series"
      )
    }
  }

  // MARK: Repair

  private func repairFile() throws {
    // The file itself, where the name is a link.
    let output = URL(fileURLWithPath: output).resolvingSymlinksInPath().path
    let temporary = "\(output).repair-\(getpid())"
    let files = LinuxFiles()
    do {
      let bytes = try ByteReader(path: output)
      var repair = try MCAPRepair(bytes)
      guard let lock = try files.lock(output) else {
        throw Failure.output("\(output): it is being recorded; end that recording first")
      }
      defer { files.unlock(lock) }
      // It may have places.
      let file = try files.create(temporary, mode: 0o600)
      var isDone = false
      defer {
        files.close(file)
        if !isDone { unlink(temporary) }
      }
      let outcome = try repair.copy { bytes in
        try files.write(bytes, to: file, path: temporary)
      }
      if outcome.wasWhole {
        return try say(
          "\(output): the file is whole: \(outcome.messages) messages; it was not changed")
      }
      // A file of a kill in the first moment has no message yet, but its head.
      guard outcome.lostBytes + MCAPFormat.magic.count < bytes.size ?? .max else {
        throw Failure.input("\(output): it has no whole record; it was not changed")
      }
      try files.sync(file, path: temporary)
      try files.rename(temporary, to: output)
      isDone = true
      try files.syncFolder(output.parentFolder)
      let damage =
        outcome.damagedChunks > 0
        ? ", and \(outcome.damagedChunks) damaged chunks of up to 0.8 s each" : ""
      try say(
        "\(output): \(outcome.messages) messages, with index; \(outcome.lostBytes) bytes of an incomplete record\(damage) were removed"
      )
    } catch let error as RecordingError {
      throw Failure.input("\(error)")
    } catch let error as FileFault {
      throw Failure.output("\(error)")
    }
  }

  private func say(_ text: String) throws(Failure) {
    let out = OutputStream()
    try out.line(text)
    try out.close()
  }
}

/// What was recorded.
private struct RecordingSummary {
  let progress: Recorder.Progress
  let path: String
  let seconds: Double

  var text: String {
    let rate = seconds > 0 ? Double(progress.bytes) / seconds * 60 / 1e6 : 0
    var text =
      "\(path): \(FieldText.fixed(seconds, 1)) s, \(progress.rows) rows, "
      + "\(FieldText.fixed(Double(progress.bytes) / 1e6, 2)) MB (\(FieldText.fixed(rate, 2)) MB a minute)"
    if progress.files > 1 { text += ", \(progress.files) files" }
    if progress.lost > 0 { text += ", \(progress.lost) rows lost: the disk was too slow" }
    return text
  }

  var json: [UInt8] {
    JSONWriter.record(at: SystemClock.reading.utc) { json in
      json.add("path", path)
      json.add("seconds", seconds, decimals: 3)
      json.add("rows", progress.rows)
      json.add("bytes", progress.bytes)
      json.add("files", progress.files)
      json.add("lost", progress.lost)
    }
  }
}

/// The progress of a recording at a terminal.
private struct RecordingProgressLine {
  private let recorder: Recorder
  private let line: ProgressLine
  private let begin = MonotonicClock.now

  init(_ recorder: Recorder, path: String) {
    self.recorder = recorder
    line = ProgressLine(name: "lodestar: \(path)")
  }

  func show() {
    let progress = recorder.progress
    let seconds = MonotonicClock.now.seconds(since: begin)
    var parts = [
      "\(FieldText.fixed(seconds, 0)) s", "\(FieldText.fixed(Double(progress.bytes) / 1e6, 1)) MB",
      "\(FieldText.fixed(seconds > 0 ? Double(progress.rows) / seconds : 0, 0)) rows/s",
    ]
    if progress.files > 1 { parts.append("file \(progress.files)") }
    if let free = progress.free { parts.append("\(free / 1_000_000) MB free") }
    if progress.lost > 0 { parts.append("\(progress.lost) rows lost") }
    line.show(parts.joined(separator: ", ") + "; Ctrl-C ends it")
  }

  func clear() { line.clear() }
}
