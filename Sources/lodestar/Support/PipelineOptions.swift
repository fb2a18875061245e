import ArgumentParser
import CalibrationFit
import Configuration
import Pipeline
import Quantities
import Storage

/// The options that all commands with a pipeline share.
struct PipelineOptions: ParsableArguments {
  @OptionGroup var board: BoardOptions

  @Option(
    help: ArgumentHelp(
      "A calibration file, 'none', or 'assumed' where the field is already calibrated; by default an attached board uses its stored calibration.",
      valueName: "file"), completion: .file())
  var calibration: String?

  @Option(
    help:
      "'proven': correct axes and units of a sensor that are certainly wrong, as 'axes: proven' in a board file."
  )
  var axes: AxesArgument?

  @OptionGroup var load: LoadOptions

  @Option(help: "The kind of motion, which sets the filter.")
  var activity: Activity = .other

  @Option(
    help:
      "The date of the start, 2026.5 or 2026-07-01: for data without time, and for a receiver whose dates are 1024 weeks off."
  )
  var date: DateArgument?

  @Option(
    help: ArgumentHelp(
      "Pressure at sea level, 850 to 1100 hPa: gives the altitude above the sea without a receiver.",
      valueName: "hPa"))
  var qnh: Double?

  /// True where an option is given that changes the estimates.
  var isGiven: Bool {
    calibration != nil || board.board != nil || board.mount != nil || axes != nil || qnh != nil
      || date != nil
      || load.loadGain != nil || load.loadFile != nil || activity != .other
  }

  /// Replaces what the given options name in a recorded configuration.
  func apply(to recorded: inout PipelineConfiguration) throws(Failure) {
    let own = try configuration()
    if board.board != nil { recorded.board = own.board }
    if let mount = board.mount { recorded.board.mount = mount.mount }
    if let axes { recorded.board.axes = axes.claim }
    if calibration != nil {
      (recorded.calibration, recorded.calibrationEstimate) =
        (own.calibration, own.calibrationEstimate)
      recorded.keptDeviation = own.keptDeviation
    }
    if load.loadGain != nil || load.loadFile != nil { recorded.load = own.load }
    if activity != .other { recorded.activity = activity }
    if date != nil { recorded.utcAtStart = own.utcAtStart }
    if qnh != nil { recorded.qnhHectopascal = own.qnhHectopascal }
  }

  /// The pipeline's configuration, with the folder of the stored calibrations; nil for the standard
  /// one.
  func configuration(calibrationFolder: String? = nil) throws(Failure) -> PipelineConfiguration {
    var result = PipelineConfiguration()
    try board.apply(to: &result)
    if let axes { result.board.axes = axes.claim }
    result.usesKeptCalibration = calibration == nil
    result.usesRecordedStart = !isGiven
    switch calibration {
    case nil, "none": result.calibration = .none
    case "assumed": result.calibration = .assumed
    case .some(let path):
      try Self.use(path, in: &result)
    }
    if let qnh {
      // The lowest and the highest recorded pressures are 870 and 1085 hPa.
      guard (850...1100).contains(qnh) else {
        throw .usage("--qnh \(qnh): expected hPa from 850 to 1100")
      }
      result.qnhHectopascal = qnh
    }
    result.calibrationFolder = calibrationFolder
    result.load = try load.compensation(for: result.board, in: calibrationFolder)
    result.activity = activity
    result.utcAtStart = date?.utc
    return result
  }
}

extension PipelineOptions {
  /// Uses the calibration of a file, with the estimate and the deviation that the file has.
  private static func use(
    _ path: String, in configuration: inout PipelineConfiguration
  ) throws(Failure) {
    do {
      let file = try CalibrationFile(path: path)
      configuration.calibration = .fitted(file.result.calibration)
      configuration.calibrationEstimate = file.estimate
      configuration.keptDeviation = file.deviation
    } catch {
      throw .input("\(error)")
    }
  }
}

/// Whether proven axes and units are corrected.
enum AxesArgument: String, ExpressibleByArgument, CaseIterable {
  case proven
  var claim: Board.AxesClaim { .proven }
}

/// Whether the magnetometer is calibrated during use.
enum OnlineCalibrationArgument: String, ExpressibleByArgument, CaseIterable { case on, off }

extension Activity: ExpressibleByArgument {}
