import ArgumentParser
import Formats
import LinuxIO
import Report
import Storage

/// `lodestar report`: a page to look at, of a recording, a calibration or a live minute.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make a page of plots from a recording, a calibration or a live minute.",
    discussion: """
      The page is one HTML file without scripts, which loads nothing: each plot has a sentence that says what it means for \
      this recording. INPUT is a recording (of lodestar record or of ROS 2, a sensor CSV, raw receiver bytes; - is standard input) or \
      a calibration (.json of lodestar calibrate export or fit). Without INPUT a live minute is recorded, of the running \
      daemon, the attached board or --simulate. A recording of lodestar record is computed as it was recorded.

      The page has times, headings, altitudes and the shape of the way in metres from its begin, but no coordinates. Who knows \
      the roads may recognize a way.

      The plots: \(PlotName.allCases.map(\.rawValue).joined(separator: ", ")). A plot without data is left out, with the reason.
      """)

  @Argument(help: "The recording or calibration.", completion: .file())
  var input: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write; - is standard output. By default the input's name with .html, or report.html; json goes to standard output.",
      valueName: "file"), completion: .file())
  var output: String?

  @OptionGroup var source: SourceSelection

  @Option(
    help: ArgumentHelp("Only this plot, by default as svg.", valueName: "name"))
  var plot: PlotName?

  @Option(
    help:
      "A page; the figures behind each sentence (json); or with --plot a picture. png needs rsvg-convert of Debian's package librsvg2-bin."
  )
  var format: ReportFormat?

  @Option(
    help: ArgumentHelp("How long a live source is recorded; 60 without it.", valueName: "seconds"))
  var duration: Double?

  enum ReportFormat: String, ExpressibleByArgument, CaseIterable { case html, json, svg, png }

  func validate() throws {
    if let duration, !(duration > 0) {
      throw ValidationError("--duration: expected seconds above 0")
    }
    if let duration, input != nil {
      throw ValidationError(
        "--duration \(duration): it is the time of a live source; remove it, or INPUT")
    }
    if source.replay != nil {
      throw ValidationError("--replay: name the recording without it: lodestar report FILE")
    }
    if input != nil, source.simulate || source.gpsd != nil || source.daemon == true {
      throw ValidationError("give INPUT or a live source, not both")
    }
    if plot == nil, format == .svg || format == .png {
      throw ValidationError(
        "--format \(format?.rawValue ?? ""): one plot is written; name it with --plot")
    }
    if plot != nil, format == .html {
      throw ValidationError("--format html: the page has all plots; remove --plot, or use svg")
    }
  }

  private var shownFormat: ReportFormat { format ?? (plot == nil ? .html : .svg) }

  mutating func run() throws {
    let target = try ReportTarget(
      input: input, output: output, plot: plot, format: shownFormat)
    var (report, fault) = try made()
    if let plot {
      guard let section = report.section(plot) else {
        throw Failure.usage(
          "--plot \(plot.rawValue): this report has \(report.sections.map(\.name.rawValue).joined(separator: ", "))"
        )
      }
      report.sections = [section]
    }
    try target.write(try content(of: report))
    // What came before the fault is in the report.
    if let fault { throw Failure.input("\(fault)") }
  }

  /// The report, and the fault at which the recording ends.
  private func made() throws -> (Report, RecordingError?) {
    guard let input else {
      return (try LiveReport(source: source, seconds: duration ?? 60).report(), nil)
    }
    if input.lowercased().hasSuffix(".json") {
      guard !source.pipeline.isGiven else {
        throw Failure.usage("\(input): a calibration has no samples; remove the options for them")
      }
      return (try CalibrationReportSource(path: input).report(), nil)
    }
    return try RecordingReport(
      path: input, reading: source.reading, pipeline: source.pipeline,
      onlineCalibration: source.onlineCalibration
    ).report()
  }

  private func content(of report: Report) throws(Failure) -> [UInt8] {
    switch shownFormat {
    case .html: return ReportPage.html(report)
    case .json: return report.json + [UInt8(ascii: "\n")]
    case .svg, .png:
      guard let section = report.sections.first, !section.plots.isEmpty else {
        throw .input("\(report.title): \(report.sections.first?.sentence ?? "no plot")")
      }
      StandardError.say(section.sentence)
      guard shownFormat == .png else { return section.svgFile(isPicture: false) }
      return try PictureConverter.png(of: section.svgFile(isPicture: true))
    }
  }
}

extension PlotName: ExpressibleByArgument {}
