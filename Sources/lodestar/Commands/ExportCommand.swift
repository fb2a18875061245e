import ArgumentParser
import Formats
import Glibc
import LinuxIO
import Pipeline
import Quantities
import Servers

/// `lodestar export`: writes a recording in another program's format.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a recording as CSV, GPX or KML.",
    discussion: """
      The input is what lodestar replay reads: a recording of lodestar record or of ROS 2, a sensor CSV or receiver bytes. \
      A name that ends in .csv is written as a sensor CSV, which lodestar replay reads again; with --estimates it has the \
      estimates, one for each row of samples. .gpx and .kml have the track: the position at each fix, with speed, course, \
      true heading and altitude above the sea. A track is interrupted where fixes are missing for more than 30 s.
      """)

  @Argument(help: "The recording; - is standard input.", completion: .file())
  var input: String

  @Argument(help: "The file to write; - is standard output, with --format.", completion: .file())
  var output: String

  @Option(help: "The format; by default by the name's end.")
  var format: Format?

  @Flag(help: "With CSV: the estimates in place of the samples.")
  var estimates = false

  @OptionGroup var reading: RecordingOptions

  @OptionGroup var pipeline: PipelineOptions

  @Option(
    help: ArgumentHelp(
      "Calibrate the magnetometer; by default as recorded by lodestar record, else off.",
      valueName: "on|off"))
  var onlineCalibration: OnlineCalibrationArgument?

  enum Format: String, ExpressibleByArgument, CaseIterable { case csv, gpx, kml }

  /// The format that was asked for.
  private func chosenFormat() throws(Failure) -> Format {
    let ending = output.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard let format = format ?? Format(rawValue: ending) else {
      throw .usage("\(output): expected a name that ends in .csv, .gpx or .kml, or --format")
    }
    guard !estimates || format == .csv else {
      throw .usage("--estimates: only a CSV has estimates; give a name that ends in .csv")
    }
    return format
  }

  mutating func run() throws {
    let format = try chosenFormat()
    if input != "-", output != "-", OutputPath.areSame(input, output) {
      throw Failure.usage("\(output): the output is the recording itself; give another name")
    }
    var recording = try reading.open(input, near: pipeline.date)
    let (configuration, _) = try pipeline.configuration(
      of: recording, named: input, onlineCalibration: onlineCalibration)
    let target = ExportTarget(output)
    var isKept = false
    defer { if !isKept { target.remove() } }
    var writer = ExportWriter(
      try OutputStream(path: target.path, name: output), format, estimates: estimates, name: input,
      Pipeline(configuration: configuration))
    try writer.begin()
    var progress = output == "-" ? nil : ReadingProgress(of: input, "rows")
    var fault: RecordingError?
    do {
      while let row = try recording.next() {
        try writer.add(row)
        progress?.update(recording.fractionRead)
      }
    } catch let error as RecordingError {
      fault = error
    }
    progress?.clear()
    try writer.finish()
    if let notes = recording.notes { StandardError.say("\(input): \(notes)") }
    guard writer.count > 0 else {
      if let fault { throw Failure.input("\(fault)") }
      throw Failure.input("\(input): nothing was written: \(writer.absence)")
    }
    try target.keep()
    isKept = true
    if output != "-" { StandardError.say("\(output): \(writer.count) \(writer.unit)") }
    // What came before the fault is written.
    if let fault { throw Failure.input("\(fault)") }
  }
}

/// Where an export is written: a file under a name of its own until it is complete, so that an
/// earlier one stays until then.
private struct ExportTarget {
  private let output: String
  /// The name to write to.
  let path: String

  init(_ output: String) {
    self.output = output
    path = OutputPath.isReplaced(output) ? "\(output).\(getpid()).part" : output
  }

  func keep() throws(Failure) {
    guard path != output else { return }
    do throws(FileFault) {
      try LinuxFiles().rename(path, to: output)
    } catch {
      throw .output("\(error)")
    }
  }

  func remove() {
    if path != output { unlink(path) }
  }
}

/// Writes the rows, estimates or points of a recording.
private struct ExportWriter {
  private let stream: OutputStream
  private let format: ExportCommand.Format
  private let hasEstimates: Bool
  private let name: String
  private var pipeline: Pipeline
  private var last: TrackPoint?
  private var newest = Timestamp(nanoseconds: 0)
  /// The points of a format that is written at the end.
  private var points: [TrackPoint] = []
  private(set) var count = 0

  init(
    _ stream: OutputStream, _ format: ExportCommand.Format, estimates: Bool, name: String,
    _ pipeline: Pipeline
  ) {
    (self.stream, self.format, hasEstimates) = (stream, format, estimates)
    self.name = name.fileName
    self.pipeline = pipeline
  }

  var unit: String { format == .csv ? (hasEstimates ? "estimates" : "rows") : "points" }
  var absence: String { format == .csv ? "it has no samples" : "it has no positions" }

  func begin() throws(Failure) {
    switch format {
    case .csv: try stream.line(hasEstimates ? EstimateCSV.header : SensorCSVWriter.header)
    case .gpx: try stream.line(GPX.head(creator: "lodestar \(Version.text)", name: name))
    case .kml: break
    }
  }

  mutating func add(_ row: SensorSamples) throws(Failure) {
    if format == .csv, !hasEstimates {
      count += 1
      // A sample that came late has the time of the row before: the times of a sensor CSV do not
      // fall.
      newest = max(newest, row.timestamp)
      var row = row
      row.timestamp = newest
      return try stream.line { SensorCSVWriter.append(row, to: &$0) }
    }
    var row = row
    pipeline.complete(&row)
    pipeline.process(row)
    if format == .csv {
      count += 1
      let estimate = pipeline.estimate
      return try stream.line { EstimateCSV.append(estimate, to: &$0) }
    }
    guard row.hasFix, let point = TrackPoint(pipeline.estimate) else { return }
    count += 1
    if format == .kml {
      points.append(point)
    } else {
      if let last, point.beginsPiece(after: last) { try stream.line(GPX.gap) }
      try stream.line(GPX.line(point))
    }
    last = point
  }

  func finish() throws(Failure) {
    switch format {
    case .csv: break
    case .gpx: try stream.line(GPX.tail)
    case .kml: for line in KML.lines(points, name: name) { try stream.line(line) }
    }
    try stream.close()
  }
}
