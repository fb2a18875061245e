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
      deviation is the angle to add to the compass heading, east positive. --keep and --dry-run compute it \
      with the stored calibration and first show what it changes of the stored deviation.
      """)

  @Argument(help: "A recording of a drive.", completion: .file())
  var input: String?

  @OptionGroup var reading: RecordingOptions

  @OptionGroup var pipeline: PipelineOptions

  @OptionGroup var archive: StoredTableOptions

  @Flag(help: "Store the table with the board's calibration.")
  var keep = false

  @Flag(help: "Show what --keep would change, and store nothing.")
  var dryRun = false

  @Option(help: "Lines of text, or one JSON object for each row.")
  var format: CalibrateFitCommand.SummaryFormat = .text

  func validate() throws {
    guard input == nil, keep || dryRun else { return }
    throw ValidationError("\(keep ? "--keep" : "--dry-run") needs a recording of a drive")
  }

  func run() throws {
    if let input { try learn(input) } else { try printStored() }
  }

  private func learn(_ input: String) throws {
    var configuration = try pipeline.configuration()
    // The course of a drive is that of a vehicle.
    if configuration.activity == .other { configuration.activity = .automotiveNavigation }
    // Without a calibration the board's own iron is calibrated during the replay.
    let isToStore = keep || dryRun
    configuration.onlineCalibration = configuration.calibration == .none && !isToStore
    if isToStore, configuration.calibration == .none { try useStored(&configuration) }
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
    let yaw = pipeline.boardYaw
    guard isToStore else {
      return try write(DeviationText(table, yaw), made: SystemClock.civilTime)
    }
    let target = try archive.options.archive()
    let old = try target.current().stored?.profile.deviation.flatMap { DeviationCard($0) }
    try write(DeviationText(table, yaw, replaces: .some(old)), made: SystemClock.civilTime)
    guard keep, !dryRun else { return }
    guard let now = DateArgument.now?.utc, let stored = pipeline.storedDeviation(at: now) else {
      throw Failure.input("not stored: the clock is not set")
    }
    try target.keep { $0.deviation = stored }
    archive.options.warnOfDaemon(target)
  }

  /// A deviation has to be computed with the calibration that it is stored with.
  private func useStored(_ configuration: inout PipelineConfiguration) throws {
    guard let profile = try archive.options.archive().current().stored?.profile else {
      throw Failure.unavailable(
        "\(keep ? "--keep" : "--dry-run"): no calibration is stored for the deviation; make one with lodestar calibrate"
      )
    }
    configuration.calibration = .fitted(profile.result.calibration)
    configuration.calibrationEstimate = profile.estimate
  }

  private func printStored() throws {
    let archive = try archive.options.archive()
    guard let deviation = try archive.current().stored?.profile.deviation,
      let card = DeviationCard(deviation)
    else {
      throw Failure.unavailable(
        "no deviation is stored for \(archive.identity); drive with lodestar heading --activity "
          + "automotiveNavigation, or swing the compass with lodestar calibrate swing")
    }
    try write(DeviationText(card), made: deviation.made)
  }

  private func write(_ text: DeviationText, made: UTCTime?) throws {
    let out = OutputStream()
    switch format {
    case .text: for line in text.lines { try out.line(line) }
    case .json: for line in text.objects(made: made) { try out.line(line) }
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
