import ArgumentParser
import CalibrationFit
import Formats
import LinuxIO
import Pipeline
import Quantities
import Storage

/// `lodestar calibrate fit`: a calibration from a recording.
struct CalibrateFitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Fit a calibration to a recording of a board that is turned.",
    discussion: """
      The input is a sensor CSV, or a recording of lodestar record or of ROS 2. The place is optional; with it the accuracy of tilted boards is known better. \
      A board that never tilted by more than 15 degrees is calibrated for level use: the quality is then that of the \
      level board, and both errors are stated. --calibration reads the file that --json writes.
      """)

  @Argument(help: "The recording.", completion: .file())
  var input: String

  @OptionGroup var reading: RecordingOptions

  @OptionGroup var place: PlaceOptions

  @OptionGroup var use: CalibrationUseOptions

  @Option(
    help: ArgumentHelp("Write the calibration; - is standard output.", valueName: "file"),
    completion: .file())
  var json: String?

  @Option(help: "The format of the summary.")
  var format: SummaryFormat = .text

  enum SummaryFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

  func run() throws {
    let outcome = try RecordingFit(path: input, options: reading).outcome(
      prior: try place.prior(), use: use.use)
    guard let result = CalibrationResult(outcome) else {
      throw Failure.input("\(input): \(CalibrationFitError.notSolvable)")
    }
    let content = CalibrationFile(result: result, fit: StoredFit(outcome.estimate))
    if let json { try content.write(to: json) }
    guard json != "-" else { return }
    let out = OutputStream()
    switch format {
    case .text: for line in OutcomeText.lines(outcome) { try out.line(line) }
    case .json:
      try out.line(ProfileText.oneLine(content.record(at: SystemClock.civilTime)))
    }
    try out.close()
  }
}

/// A fit of a whole recording.
struct RecordingFit {
  let path: String
  let options: RecordingOptions

  func outcome(
    prior: FieldPrior, use: CalibrationUse?
  ) throws(Failure) -> CalibrationOutcome {
    var calibration = BoardObservations()
    var recording = try options.open(path)
    guard recording.hasMagnetometer else {
      throw .input("\(path): no samples of the magnetic field; add the columns mx my mz")
    }
    var fault: RecordingError?
    var progress = ReadingProgress(of: path, "rows")
    do throws(RecordingError) {
      while let row = try recording.next() {
        calibration.add(row)
        progress.update(recording.fractionRead)
      }
    } catch {
      fault = error
    }
    progress.clear()
    let outcome: CalibrationOutcome
    do {
      outcome = try calibration.outcome(prior: prior, use: use)
    } catch {
      throw .input("\(fault.map(\.description) ?? "\(path): \(error)")")
    }
    // The rows before the fault are valid.
    if let fault { StandardError.say("\(fault); the rows before it were used") }
    return outcome
  }
}

extension CalibrationFile {
  /// Writes the file; `-` is standard output.
  func write(to path: String) throws(Failure) {
    let file = try OutputStream(path: path)
    try file.write(Array(json.utf8))
    try file.close()
  }
}
