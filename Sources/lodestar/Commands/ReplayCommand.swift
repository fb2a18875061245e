import ArgumentParser
import Engine
import Foundation
import Outputs
import Quantities
import Recording

/// `lodestar replay`: a recording through the whole pipeline at full speed.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Run a recording through the whole pipeline at full speed.",
    discussion: """
      INPUT is a sensor CSV (.csv) or raw receiver bytes (anything else; - is standard input). The same \
      input gives the same output, byte for byte. A fault in a CSV ends the replay there with status 1; \
      what came before is kept. Receiver bytes never end a replay: bad ones are skipped and counted.
      """)

  @Argument(help: "The recording.")
  var input: String

  @Option(help: "Write the attitude of each inertial sample: w,x,y,z,heading_accuracy_deg.")
  var attitude: String?

  @Option(help: "Write the estimate of each instant, one JSON object a line.")
  var estimates: String?

  @OptionGroup var pipeline: PipelineOptions

  @Option(help: "Calibrate the magnetometer while replaying: on or off.")
  var onlineCalibration: OnlineCalibrationArgument = .off

  @Option(help: "The summary: text or json.")
  var format: SummaryFormat = .text

  enum SummaryFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

  mutating func run() throws {
    var configuration = try pipeline.configuration()
    configuration.onlineCalibration = onlineCalibration == .on
    var recording: OpenedRecording
    do {
      recording = try OpenedRecording(path: input)
    } catch {
      throw Failure.input("\(error)")
    }
    for output in [attitude, estimates] {
      // Opening the output would empty the recording before it is read.
      guard let output, output != "-", input != "-", Self.isSameFile(output, input) else {
        continue
      }
      throw Failure.usage("\(output): the output is the recording itself; give another name")
    }
    let attitudes = try attitude.map { try OutputStream(path: $0) }
    let lines = try estimates.map { try OutputStream(path: $0) }
    try attitudes?.line(AttitudeCSV.header)

    var replay = Replay(Pipeline(configuration: configuration), attitudes, lines)
    var fault: RecordingError?
    do {
      while let row = try recording.next() { try replay.step(row) }
    } catch let error as RecordingError {
      fault = error
    }
    try attitudes?.close()
    try lines?.close()
    // Where estimates go to standard output, nothing else may.
    let summary = replay.outcome
    if attitude != "-", estimates != "-" { try print(summary) }
    if summary.isDeclinationOutOfDate { StandardError.say(StandardError.outOfDate) }
    if let notes = recording.notes { StandardError.say("\(input): \(notes)") }
    if let fault { throw Failure.input("\(fault)") }
  }

  private static func isSameFile(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
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

/// One replay: the pipeline, what it writes, and what it counts.
private struct Replay {
  private var pipeline: Pipeline
  private let attitudes: OutputStream?
  private let lines: OutputStream?
  private var summary = ReplaySummary()

  init(_ pipeline: Pipeline, _ attitudes: OutputStream?, _ lines: OutputStream?) {
    (self.pipeline, self.attitudes, self.lines) = (pipeline, attitudes, lines)
  }

  mutating func step(_ row: SensorRow) throws(Failure) {
    pipeline.process(row)
    summary.count(row)
    if let attitudes, row.inertial != nil {
      let attitude = pipeline.sensorAttitude
      try attitudes.line {
        AttitudeCSV.append(attitude?.rotation, accuracy: attitude?.accuracy, to: &$0)
      }
    }
    try lines?.line(EstimateJSON.object(pipeline.estimate))
  }

  /// What the replay went through, with where it ended.
  var outcome: ReplaySummary {
    var outcome = summary
    outcome.last = pipeline
    return outcome
  }
}
