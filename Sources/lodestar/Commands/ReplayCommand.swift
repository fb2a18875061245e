import ArgumentParser
import Configuration
import Formats
import Pipeline
import Quantities
import Recording

/// `lodestar replay`: runs a recording through the whole pipeline at full speed.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Run a recording through the whole pipeline at full speed.",
    discussion: """
      The input is a recording of lodestar record or of ROS 2 (.mcap, .db3, or the folder of a bag), a sensor CSV (.csv) or \
      raw receiver bytes (any other name; - is standard input). Equal input gives equal output, byte for byte. A recording of lodestar record is replayed \
      as it was recorded, and its estimates are compared with the recorded ones; options of the calibration or the board \
      change that. An error in a CSV ends the replay there with status 1; the output up \
      to it is complete. Receiver bytes never end a replay: invalid ones are skipped and counted.

      --events runs Core Location's monitoring over the recording's fixes (t, lat, lon, optionally hacc and \
      speed): one JSON object a line, named after the delegate's callbacks: didEnterRegion, didExitRegion, \
      didDetermineState, didVisit, didUpdateLocations (significant changes). Visits and significant changes \
      need no --regions; regions come from a file:

        {"regions": [{"identifier": "home", "latitude": 52.5, "longitude": 13.4, "radius": 150},
                     {"identifier": "park", "vertices": [[52.51, 13.40], [52.52, 13.40], [52.52, 13.42]]}],
         "visits": true, "significantChanges": true}

      A region may have notifyOnEntry and notifyOnExit. Times are the receiver's; a sensor CSV has none, so \
      its events have seconds (t), and civil time too where --date gives the start of the recording. \
      All keys of both formats, and the tuning under "configuration", are in Documentation/RegionsAndEvents.md of \
      Lodestar's sources.
      """)

  @Argument(help: "The recording; - is standard input.", completion: .file())
  var input: String

  @Option(
    help: ArgumentHelp(
      "Write the attitude of each inertial sample: w,x,y,z,heading_accuracy_deg; - is standard output.",
      valueName: "file"), completion: .file())
  var attitude: String?

  @Option(
    help: ArgumentHelp(
      "Write the estimate at each instant, one JSON object a line; - is standard output.",
      valueName: "file"), completion: .file())
  var estimates: String?

  @Option(
    help: ArgumentHelp(
      "Write the events of regions, visits and significant changes, one JSON object a line; - is standard output.",
      valueName: "file"), completion: .file())
  var events: String?

  @Option(
    help: ArgumentHelp(
      "The regions to monitor, a JSON file; their events go to standard output without --events.",
      valueName: "file"), completion: .file())
  var regions: String?

  @OptionGroup var reading: RecordingOptions

  @OptionGroup var pipeline: PipelineOptions

  @Option(
    help: ArgumentHelp(
      "Calibrate the magnetometer during the replay; by default as recorded by lodestar record, else off.",
      valueName: "on|off"))
  var onlineCalibration: OnlineCalibrationArgument?

  @Option(help: "The format of the summary.")
  var format: SummaryFormat = .text

  enum SummaryFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

  mutating func run() throws {
    if regions == "-", input == "-" {
      throw Failure.usage("--regions -: standard input is the recording; name a file")
    }
    let eventsPath = events ?? (regions == nil ? nil : "-")
    let plan = try regions.map(Self.regionsFile)
    for notice in plan?.notices ?? [] { StandardError.say(notice) }
    var recording = try reading.open(input, near: pipeline.date)
    let (configuration, isAsRecorded) = try pipeline.configuration(
      of: recording, named: input, onlineCalibration: onlineCalibration)
    try checkOutputs()
    let attitudes = try attitude.map { try OutputStream(path: $0) }
    let lines = try estimates.map { try OutputStream(path: $0) }
    try attitudes?.line(AttitudeCSV.header)

    var replay = Replay(Pipeline(configuration: configuration), attitudes, lines)
    replay.comparison = isAsRecorded ? EstimateComparison() : nil
    if let eventsPath {
      replay.monitoring = ReplayMonitoring(
        plan ?? RegionsFile(), try OutputStream(path: eventsPath),
        takesRecordingClock: input.lowercased().hasSuffix(".csv"))
    }
    var fault: RecordingError?
    // No progress line between the estimates on a terminal.
    let writesToOutput = [attitude, estimates, eventsPath].contains("-")
    var progress = writesToOutput ? nil : ReadingProgress(of: input, "rows")
    do {
      while let row = try recording.next() {
        try replay.step(row, recording.exact?.estimate)
        progress?.update(recording.fractionRead)
      }
    } catch let error as RecordingError {
      fault = error
    }
    progress?.clear()
    try attitudes?.close()
    try lines?.close()
    try replay.finish()
    // No summary if an output goes to standard output.
    let summary = replay.outcome
    if ![attitude, estimates, eventsPath].contains("-") { try print(summary) }
    if summary.isDeclinationOutOfDate { StandardError.say(StandardError.outOfDate) }
    for contradiction in summary.contradictions { StandardError.say(contradiction.text) }
    for finding in replay.check.findings { StandardError.say("\(input): \(finding)") }
    if let notes = replay.monitoring?.notes { StandardError.say("\(input): \(notes)") }
    if !summary.isEmpty, let notes = recording.notes { StandardError.say("\(input): \(notes)") }
    if let fault { throw Failure.input("\(fault)") }
    guard !summary.isEmpty else {
      throw Failure.input(
        "\(input): nothing was replayed: " + (recording.notes ?? "the file has no samples"))
    }
  }

  private static func regionsFile(_ path: String) throws(Failure) -> RegionsFile {
    do throws(RegionsFileError) {
      return try RegionsFile(path: path)
    } catch {
      throw .input("\(error)")
    }
  }

  /// Opening an output truncates it: it must not be an input, or the output of another option.
  private func checkOutputs() throws(Failure) {
    let named = [("--attitude", attitude), ("--estimates", estimates), ("--events", events)]
    var before: [(option: String, path: String)] = []
    for (option, output) in named {
      guard let output, output != "-" else { continue }
      if input != "-", OutputPath.areSame(output, input) {
        throw .usage("\(output): the output is the recording itself; give another name")
      }
      if let regions, regions != "-", OutputPath.areSame(output, regions) {
        throw .usage("\(output): the output is the file of --regions itself; give another name")
      }
      if let other = before.first(where: { OutputPath.areSame($0.path, output) }) {
        throw .usage("\(output): \(option) and \(other.option) write to it; give each its own name")
      }
      before.append((option, output))
    }
  }

  private func print(_ summary: ReplaySummary) throws {
    let out = OutputStream()
    switch format {
    case .text: for line in summary.text(named: input) { try out.line(line) }
    case .json: try out.line { summary.appendJSON(to: &$0) }
    }
    try out.close()
  }
}

/// One replay: the pipeline, its outputs and its counts.
private struct Replay {
  private var pipeline: Pipeline
  private let attitudes: OutputStream?
  private let lines: OutputStream?
  private var summary = ReplaySummary()
  private var newest: Timestamp?
  var monitoring: ReplayMonitoring?
  var comparison: EstimateComparison?
  private(set) var check = RecordingCheck()

  init(_ pipeline: Pipeline, _ attitudes: OutputStream?, _ lines: OutputStream?) {
    (self.pipeline, self.attitudes, self.lines) = (pipeline, attitudes, lines)
  }

  mutating func step(_ row: SensorSamples, _ recorded: EstimateMessage?) throws(Failure) {
    var row = row
    pipeline.complete(&row)
    pipeline.process(row)
    if let recorded { comparison?.add(recorded, pipeline.estimate) }
    check.add(row)
    summary.count(row)
    newest = row.timestamp
    try monitoring?.step(row, pipeline)
    if let attitudes, row.inertial != nil {
      let attitude = pipeline.sensorAttitude
      try attitudes.line {
        AttitudeCSV.append(attitude?.rotation, accuracy: attitude?.accuracy, to: &$0)
      }
    }
    try lines?.line(EstimateJSON.object(pipeline.estimate))
  }

  mutating func finish() throws(Failure) { try monitoring?.finish(at: newest) }

  /// The counts with the final state.
  var outcome: ReplaySummary {
    var outcome = summary
    outcome.last = pipeline
    outcome.comparison = comparison
    return outcome
  }
}
