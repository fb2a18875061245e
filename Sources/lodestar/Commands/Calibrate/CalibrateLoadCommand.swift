import ArgumentParser
import CalibrationFit
import JSON
import LinuxIO
import Quantities
import Storage

/// `lodestar calibrate load`: the effect of an electric load on the field.
struct CalibrateLoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Measure the effect of a motor's current, or another load, on the field.",
    discussion: """
      The input is a sensor CSV of a board at rest for at least 40 s while the load is switched, with a column \
      of the load. --keep stores the result with the board's calibration; --load-file FILE (or the column \
      'load' of a replay) then compensates it.
      """)

  @Argument(help: "The recording.", completion: .file())
  var input: String

  @Option(help: ArgumentHelp("The column of the load.", valueName: "column"))
  var load = "load"

  @Option(help: "The load's unit, for display.")
  var unit = "unit"

  @Option(
    help: ArgumentHelp(
      "The earth's horizontal field, 1 to 70 microtesla, for the error in degrees.",
      valueName: "microtesla"))
  var horizontal = 20.0

  @OptionGroup var reading: RecordingOptions

  @OptionGroup var archive: ArchiveOptions

  @Flag(help: "Store the result with the board's calibration.")
  var keep = false

  @Option(help: "Lines of text, or one JSON object.")
  var format: CalibrateFitCommand.SummaryFormat = .text

  func validate() throws {
    guard (1...70).contains(horizontal) else {
      throw ValidationError("--horizontal \(horizontal): expected 1 to 70 microtesla")
    }
  }

  func run() throws {
    var fields: [FieldSample<SensorFrame>] = []
    var loads: [LoadSample] = []
    var recording = try reading.open(input, loadColumn: load)
    do {
      while let row = try recording.next() {
        if let field = row.field { fields.append(field) }
        if let value = row.load { loads.append(LoadSample(timestamp: row.timestamp, load: value)) }
      }
    } catch {
      throw Failure.input("\(error)")
    }
    let found: LoadInterference
    do { found = try LoadInterferenceFit()(field: fields, load: loads) } catch {
      throw Failure.input("\(input): \(error)")
    }
    if keep, found.proportion == .bent {
      throw Failure.input(
        "\(input): nothing was stored: the field is not proportional to the load, and only a proportional "
          + "effect can be compensated")
    }
    let stored = StoredLoad(load: load, unit: unit, fieldMicroteslaPerUnit: found.gain)
    let out = OutputStream()
    switch format {
    case .text: for line in text(found) { try out.line(line) }
    case .json: try out.line(object(found))
    }
    try out.close()
    guard keep else { return }
    let target = try archive.archive()
    try target.keep { profile in
      profile.loads.removeAll { $0.load == stored.load }
      profile.loads.append(stored)
    }
    archive.warnOfDaemon(target)
  }

  private func text(_ f: LoadInterference) -> [String] {
    let full = OutcomeText.rounded(f.atFullLoad.length, 2)
    let field = Angle(radians: f.headingError(horizontal: horizontal).radians)
    return [
      "each \(unit) of \(load) adds \(OutcomeText.vector(f.gain, 3)) uT; \(full) uT at full load "
        + "(\(OutcomeText.rounded(f.fullLoad, 2)) \(unit))",
      "  this changes a heading by up to \(OutcomeText.rounded(field.degrees, 1)) degrees where the earth's "
        + "horizontal field is \(OutcomeText.rounded(horizontal, 0)) uT; "
        + (f.proportion == .bent
          ? "it is not proportional and cannot be compensated"
          : "\(OutcomeText.rounded(f.headingErrorLeft(horizontal: horizontal).degrees, 1)) remain after "
            + "compensation"),
      "  it explains \(Int(bounded: (f.explainedShare * 100).rounded())) % of the field's variation; delay "
        + "\(OutcomeText.rounded(f.lagSeconds, 2)) s; \(f.proportion)",
    ]
  }

  private func object(_ f: LoadInterference) -> [UInt8] {
    JSONWriter.record(at: SystemClock.civilTime) { json in
      json.add("load", load)
      json.add("field_uT_per_unit", (0..<3).map { f.gain[$0] }, decimals: 6)
      json.add("atFullLoad_uT", f.atFullLoad.length, decimals: 3)
      json.add("headingError_deg", f.headingError(horizontal: horizontal).degrees, decimals: 2)
      json.add(
        "headingErrorLeft_deg", f.headingErrorLeft(horizontal: horizontal).degrees, decimals: 2)
      json.add("lag_s", f.lagSeconds, decimals: 3)
    }
  }
}
