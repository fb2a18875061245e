import ArgumentParser
import CalibrationFit
import CalibrationStore
import Engine
import Outputs
import Quantities
import Recording

/// `lodestar calibrate load`: what a load does to the field.
struct CalibrateLoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Find what a motor's current, or another load, does to the field.",
    discussion: """
      INPUT is a sensor CSV of a board that stands still for at least 40 s while the load is switched, with \
      a column that tells the load. --keep keeps what was found with the board's calibration; \
      --load-file FILE (or the column 'load' of a replay) then takes it out.
      """)

  @Argument(help: "The recording.")
  var input: String

  @Option(help: "The column that tells the load.")
  var load = "load"

  @Option(help: "The load's unit, for people.")
  var unit = "unit"

  @Option(help: "The earth's horizontal field, microtesla, for the error in degrees.")
  var horizontal = 20.0

  @OptionGroup var archive: ArchiveOptions

  @Flag(help: "Keep it with the board's calibration.")
  var keep = false

  @Option(help: "text or json.")
  var format: CalibrateFitCommand.SummaryFormat = .text

  func validate() throws {
    guard (1...70).contains(horizontal) else {
      throw ValidationError("--horizontal \(horizontal): expected 1 to 70 microtesla")
    }
  }

  func run() throws {
    var fields: [FieldSample<SensorFrame>] = []
    var loads: [LoadSample] = []
    do {
      var recording = try OpenedRecording(path: input, loadColumn: load)
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
        "\(input): the field does not follow the load in proportion, and only what does can be taken out; "
          + "nothing was kept")
    }
    let stored = StoredLoad(load: load, unit: unit, fieldMicroteslaPerUnit: found.gain)
    let out = OutputStream()
    switch format {
    case .text: for line in text(found) { try out.line(line) }
    case .json: try out.line { append(found, to: &$0) }
    }
    try out.close()
    guard keep else { return }
    try archive.archive().keep { profile in
      profile.loads.removeAll { $0.load == stored.load }
      profile.loads.append(stored)
    }
  }

  private func text(_ f: LoadInterference) -> [String] {
    let full = OutcomeText.rounded(f.atFullLoad.length, 2)
    let field = Angle(radians: f.headingError(horizontal: horizontal).radians)
    return [
      "each \(unit) of \(load) adds \(OutcomeText.vector(f.gain, 3)) uT; \(full) uT at full load "
        + "(\(OutcomeText.rounded(f.fullLoad, 2)) \(unit))",
      "  that turns a heading by up to \(OutcomeText.rounded(field.degrees, 1)) degrees where the earth's "
        + "horizontal field is \(OutcomeText.rounded(horizontal, 0)) uT; "
        + (f.proportion == .bent
          ? "it is not proportional, so it cannot be taken out"
          : "\(OutcomeText.rounded(f.headingErrorLeft(horizontal: horizontal).degrees, 1)) are left after it "
            + "is taken out"),
      "  that explains \(Int((f.explainedShare * 100).rounded())) % of how the field varies; it follows after "
        + "\(OutcomeText.rounded(f.lagSeconds, 2)) s; \(f.proportion)",
    ]
  }

  private func append(_ f: LoadInterference, to bytes: inout [UInt8]) {
    var json = Outputs.JSONObject(appendingTo: &bytes)
    json.add("load", load)
    json.add("field_uT_per_unit", (0..<3).map { f.gain[$0] }, decimals: 6)
    json.add("atFullLoad_uT", f.atFullLoad.length, decimals: 3)
    json.add("headingError_deg", f.headingError(horizontal: horizontal).degrees, decimals: 2)
    json.add(
      "headingErrorLeft_deg", f.headingErrorLeft(horizontal: horizontal).degrees, decimals: 2)
    json.add("lag_s", f.lagSeconds, decimals: 3)
    json.close(into: &bytes)
  }
}
