import ArgumentParser
import CalibrationFit
import JSON
import LinuxIO
import Pipeline
import Quantities
import Storage

/// `lodestar calibrate deviation`: the deviation table of a vehicle.
struct CalibrateDeviationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deviation",
    abstract: "Print the deviation table: the stored one, or one computed from a drive.",
    discussion: """
      With a recording that has course and speed (columns lat lon speed course) the table is computed from \
      it; it needs half a turn of headings. Without one the stored table of the board is printed. The \
      deviation is the angle to add to the compass heading, east positive.
      """)

  @Argument(help: "A recording of a drive.", completion: .file())
  var input: String?

  @OptionGroup var reading: RecordingOptions

  @OptionGroup var pipeline: PipelineOptions

  @OptionGroup var archive: StoredTableOptions

  @Flag(help: "Store the table with the board's calibration.")
  var keep = false

  @Option(help: "Lines of text, or one JSON object for each row.")
  var format: CalibrateFitCommand.SummaryFormat = .text

  func run() throws {
    if let input { try learn(input) } else { try printStored() }
  }

  private func learn(_ input: String) throws {
    var configuration = try pipeline.configuration()
    // The course of a drive is that of a vehicle.
    if configuration.activity == .other { configuration.activity = .automotiveNavigation }
    // Without a calibration the board's own iron is calibrated during the replay.
    configuration.onlineCalibration = configuration.calibration == .none && !keep
    if keep, configuration.calibration == .none { try useStored(&configuration) }
    // Declination changes by about 0.1 degrees in a year: today's date is accurate enough by
    // default.
    configuration.utcAtStart = configuration.utcAtStart ?? DateArgument.now?.utc
    var recording = try reading.open(input, near: pipeline.date)
    var pipeline = Pipeline(configuration: configuration)
    do {
      while let row = try recording.next() { pipeline.process(row) }
    } catch {
      throw Failure.input("\(error)")
    }
    guard let table = pipeline.deviationTable else {
      let covered = Int(bounded: pipeline.deviationArc?.degrees ?? 0)
      guard covered < 180 else {
        throw Failure.input(
          "\(input): no deviation table: the iron near the sensor is stronger than the earth's field, so one "
            + "compass heading belongs to several courses; move the sensor, or calibrate it first and give "
            + "--calibration FILE")
      }
      throw Failure.input(
        "\(input): no deviation table: the straight and fast parts of the drive cover \(covered) degrees of "
          + "heading; 180 are needed")
    }
    try write(table, pipeline.boardYaw, made: SystemClock.civilTime)
    guard keep else { return }
    guard let now = DateArgument.now?.utc, let stored = pipeline.storedDeviation(at: now) else {
      return
    }
    let target = try archive.options.archive()
    try target.keep { $0.deviation = stored }
    archive.options.noteDaemon(target)
  }

  /// A deviation has to be computed with the calibration that it is stored with.
  private func useStored(_ configuration: inout PipelineConfiguration) throws {
    guard let profile = try archive.options.archive().current().stored?.profile else {
      throw Failure.unavailable(
        "--keep: no calibration is stored for the deviation; make one with lodestar calibrate")
    }
    configuration.calibration = .fitted(profile.result.calibration)
    configuration.calibrationEstimate = profile.estimate
  }

  private func printStored() throws {
    let archive = try archive.options.archive()
    guard let deviation = try archive.current().stored?.profile.deviation,
      let table = DeviationLearner.table(of: deviation) ?? DeviationTable(swing: deviation)
    else {
      throw Failure.unavailable(
        "no deviation is stored for \(archive.identity); drive with lodestar heading --activity "
          + "automotiveNavigation, or swing the compass with lodestar calibrate swing")
    }
    try write(table, nil, made: deviation.made)
  }

  private func write(_ table: DeviationTable, _ yaw: BoardYaw?, made: UTCTime?) throws {
    let out = OutputStream()
    switch format {
    case .text: for line in DeviationText.lines(table, yaw) { try out.line(line) }
    case .json: for row in table.rows { try out.line(DeviationText.object(row, made: made)) }
    }
    try out.close()
  }
}

/// The place of a stored table; `--board` belongs to the pipeline.
struct StoredTableOptions: ParsableArguments {
  @Option(help: "The folder of stored calibrations, not those of the running daemon.")
  var store: String?

  @Option(help: "The board of the table, where calibrations of several boards are stored.")
  var of: String?

  var options: ArchiveOptions {
    var options = ArchiveOptions()
    options.board = of
    options.store = store
    return options
  }
}

/// A deviation table in the form that is usual on ships.
enum DeviationText {
  static func lines(_ table: DeviationTable, _ yaw: BoardYaw?) -> [String] {
    var lines = ["compass  deviation  left  sigma   (degrees, east positive)"]
    for row in table.rows {
      lines.append(
        cell("\(Int(bounded: row.compassHeading.degrees.rounded()))", 7)
          + cell(signed(row.before), 11)
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
  static func object(_ row: DeviationTable.Row, made: UTCTime?) -> [UInt8] {
    JSONWriter.record(at: made) { json in
      json.add("compass", row.compassHeading.degrees, decimals: 0)
      json.add("deviation", row.before.degrees, decimals: 2)
      json.add("left", row.after?.degrees, decimals: 2)
      json.add("sigma", row.sigma?.degrees, decimals: 2)
    }
  }

  private static func signed(_ angle: Angle) -> String {
    (angle.degrees > 0 ? "+" : "") + OutcomeText.rounded(angle.degrees, 1)
  }

  private static func cell(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}
