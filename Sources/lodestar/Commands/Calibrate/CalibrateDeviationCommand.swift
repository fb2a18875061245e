import ArgumentParser
import CalibrationFit
import CalibrationStore
import Engine
import Outputs
import Quantities
import Recording

/// `lodestar calibrate deviation`: the deviation table of a vehicle.
struct CalibrateDeviationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deviation",
    abstract: "Print the deviation table: the kept one, or one learnt from a drive.",
    discussion: """
      With a recording that has course and speed (columns lat lon speed course) the table is learnt from \
      it; half a turn of headings is needed. Without one the kept table of the board is printed. A \
      deviation is what is added to the compass heading, east positive.
      """)

  @Argument(help: "A recording of a drive.")
  var input: String?

  @OptionGroup var pipeline: PipelineOptions

  @OptionGroup var archive: KeptTableOptions

  @Flag(help: "Keep what was learnt with the board's calibration.")
  var keep = false

  @Option(help: "text or json (one row a line).")
  var format: CalibrateFitCommand.SummaryFormat = .text

  func run() throws {
    if let input { try learn(input) } else { try printKept() }
  }

  private func learn(_ input: String) throws {
    var configuration = try pipeline.configuration()
    // A drive is one of a vehicle, whatever else was said.
    if configuration.activity == .other { configuration.activity = .automotiveNavigation }
    // What iron the board itself has is taken out first, where nobody has.
    configuration.onlineCalibration = configuration.calibration == .none && !keep
    if keep, configuration.calibration == .none { try takeUpKept(&configuration) }
    // Declination moves by a tenth of a degree in a year: today is near enough where no date is told.
    configuration.utcAtStart = configuration.utcAtStart ?? DateArgument.now?.utc
    var recording: OpenedRecording
    do { recording = try OpenedRecording(path: input) } catch { throw Failure.input("\(error)") }
    var pipeline = Pipeline(configuration: configuration)
    do {
      while let row = try recording.next() { pipeline.process(row) }
    } catch {
      throw Failure.input("\(error)")
    }
    guard let table = pipeline.deviationTable else {
      let seen = Int(pipeline.deviationArc?.degrees ?? 0)
      guard seen < 180 else {
        throw Failure.input(
          "\(input): the iron beside the sensor is stronger than the earth's field, so one compass heading "
            + "stands for several courses and there is no table; move the sensor, or calibrate it first "
            + "and give --calibration FILE")
      }
      throw Failure.input(
        "\(input): headings over \(seen) degrees of the circle were driven straight and fast enough; "
          + "180 are needed for a table")
    }
    try write(table, pipeline.boardYaw)
    guard keep else { return }
    guard let now = DateArgument.now?.utc, let stored = pipeline.storedDeviation(at: now) else {
      return
    }
    try archive.options.archive().keep { $0.deviation = stored }
  }

  /// What is kept beside a calibration has to be learnt through it.
  private func takeUpKept(_ configuration: inout PipelineConfiguration) throws {
    guard let profile = try archive.options.archive().current().stored?.profile else {
      throw Failure.unavailable("no calibration is kept that the deviation could go with")
    }
    configuration.calibration = .fitted(profile.result.calibration)
    configuration.calibrationEstimate = profile.estimate
  }

  private func printKept() throws {
    let archive = try archive.options.archive()
    guard let deviation = try archive.current().stored?.profile.deviation,
      let table = DeviationLearner.table(of: deviation) ?? DeviationTable(swing: deviation)
    else {
      throw Failure.unavailable(
        "no deviation is kept for \(archive.identity); drive with lodestar heading --activity "
          + "automotiveNavigation, or swing the compass with lodestar calibrate swing")
    }
    try write(table, nil)
  }

  private func write(_ table: DeviationTable, _ yaw: BoardYaw?) throws {
    let out = OutputStream()
    switch format {
    case .text: for line in DeviationText.lines(table, yaw) { try out.line(line) }
    case .json: for row in table.rows { try out.line { DeviationText.append(row, to: &$0) } }
    }
    try out.close()
  }
}

/// Where a kept table is looked for; `--board` is the pipeline's.
struct KeptTableOptions: ParsableArguments {
  @Option(help: "The folder of kept calibrations; the standard one where left out.")
  var store: String?

  @Option(help: "The board whose calibration the table belongs to, where several are kept.")
  var of: String?

  var options: ArchiveOptions {
    var options = ArchiveOptions()
    options.board = of
    options.store = store
    return options
  }
}

/// A deviation table as sailors know it.
enum DeviationText {
  static func lines(_ table: DeviationTable, _ yaw: BoardYaw?) -> [String] {
    var lines = ["compass  deviation  left  sigma   (degrees, east positive)"]
    for row in table.rows {
      lines.append(
        cell("\(Int(row.compassHeading.degrees.rounded()))", 7) + cell(signed(row.before), 11)
          + cell(row.after.map { signed($0) } ?? "-", 6)
          + cell(row.sigma.map { OutcomeText.rounded($0.degrees, 1) } ?? "-", 7))
    }
    let c = table.coefficients
    let named = [("A", c.a), ("B", c.b), ("C", c.c), ("D", c.d), ("E", c.e)]
    lines.append(
      "coefficients  " + named.map { "\($0.0) \(signed($0.1))" }.joined(separator: "  "))
    if let yaw {
      lines.append(
        "the board is turned \(signed(yaw.angle)) degrees against the bow by course, sigma "
          + OutcomeText.rounded(yaw.sigma.degrees, 1))
    }
    return lines
  }

  /// A row as one JSON object.
  static func append(_ row: DeviationTable.Row, to bytes: inout [UInt8]) {
    var json = Outputs.JSONObject(appendingTo: &bytes)
    json.add("compass", row.compassHeading.degrees, decimals: 0)
    json.add("deviation", row.before.degrees, decimals: 2)
    json.add("left", row.after?.degrees, decimals: 2)
    json.add("sigma", row.sigma?.degrees, decimals: 2)
    json.close(into: &bytes)
  }

  private static func signed(_ angle: Angle) -> String {
    (angle.degrees > 0 ? "+" : "") + OutcomeText.rounded(angle.degrees, 1)
  }

  private static func cell(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}
