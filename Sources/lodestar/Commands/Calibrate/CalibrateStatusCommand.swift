import ArgumentParser
import CalibrationFit
import Quantities
import Storage

/// `lodestar calibrate status`: the calibration in use and its quality.
struct CalibrateStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the calibration in use and its quality.")

  @OptionGroup var archive: ArchiveOptions

  @Option(help: "Lines of text, or one JSON object.")
  var format: CalibrateFitCommand.SummaryFormat = .text

  func run() throws {
    let archive = try archive.archive()
    let current = try archive.current()
    for refusal in current.refusals { StandardError.say("\(refusal)") }
    guard let stored = current.stored else {
      throw Failure.unavailable(
        "no usable calibration of \(archive.identity); make one with lodestar calibrate")
    }
    let out = OutputStream()
    switch format {
    case .text: for line in ProfileText.lines(stored) { try out.line(line) }
    case .json: try out.line(ProfileText.oneLine(stored.profile.record))
    }
    try out.close()
  }
}

/// `lodestar calibrate history`: the stored calibrations, newest first.
struct CalibrateHistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the stored calibrations, newest first.",
    discussion: "The last column is the difference of the hard iron from the newest one.")

  @OptionGroup var archive: ArchiveOptions

  @Option(help: "Lines of text, or one JSON object a line.")
  var format: CalibrateFitCommand.SummaryFormat = .text

  func run() throws {
    let archive = try archive.archive()
    let history = try archive.history()
    for refusal in history.refusals { StandardError.say("\(refusal)") }
    let out = OutputStream()
    let newest = history.stored.first?.profile.result.hardIronMicrotesla
    if format == .text { try out.line(ProfileText.historyHeader(archive.identity)) }
    for stored in history.stored {
      switch format {
      case .text: try out.line(ProfileText.historyLine(stored.profile, newest: newest))
      case .json: try out.line(ProfileText.oneLine(stored.profile.record))
      }
    }
    try out.close()
  }
}

/// Stored calibrations as text.
enum ProfileText {
  static func lines(_ stored: StoredProfile) -> [String] {
    let p = stored.profile
    let r = p.result
    var lines = [
      "\(p.identity)",
      "generation \(p.generation), \(OutcomeText.word(r.quality)), made \(p.made.text(decimals: 0)) "
        + "(\(p.conditions.origin.rawValue))"
        + (p.restoredFrom.map { ", a copy of generation \($0)" } ?? ""),
    ]
    let (level, worst) = (r.calibration.predictedLevelError, r.calibration.predictedHeadingError)
    if level != nil || worst != nil {
      lines.append("  " + OutcomeText.errors(level: level, worst: worst, for: r.use))
    }
    lines.append("  hard iron \(OutcomeText.vector(r.hardIronMicrotesla)) uT")
    if let method = p.conditions.method { lines.append("  method: \(method.rawValue)") }
    if let mount = r.mount { lines.append("  the magnetometer's axes point \(mount)") }
    if let deviation = p.deviation {
      lines.append(
        "  deviation: \(deviation.model), \(Int(bounded: deviation.coverageDegrees)) degrees of heading covered"
      )
    }
    for load in p.loads {
      lines.append(
        "  load '\(load.load)': \(OutcomeText.vector(load.fieldMicroteslaPerUnit)) uT for each "
          + load.unit)
    }
    lines.append("  \(stored.path)")
    return lines
  }

  static func historyHeader(_ identity: ProfileIdentity) -> String {
    "\(identity)\nnumber  quality  error       made                       origin     moved by"
  }

  static func historyLine(_ p: CalibrationProfile, newest: SIMD3<Double>?) -> String {
    func cell(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    // A level calibration's error is that of the level board.
    let error =
      p.result.predictedErrorDegrees.map {
        OutcomeText.rounded($0, 1) + (p.result.use == .level ? " level" : "")
      } ?? "-"
    let moved = newest.map { OutcomeText.rounded((p.result.hardIronMicrotesla - $0).length, 1) }
    return cell("\(p.generation)", 8) + cell(OutcomeText.word(p.result.quality), 9)
      + cell(error, 12) + cell(p.made.text(decimals: 0), 27)
      + cell(p.conditions.origin.rawValue, 11)
      + (moved ?? "-") + " uT"
      + (p.partNames.isEmpty ? "" : "  with \(p.partNames.joined(separator: ", "))")
      + (p.restoredFrom.map { "  copy of \($0)" } ?? "")
  }

  /// A profile's JSON in one line: its strings contain no line feed.
  static func oneLine(_ json: String) -> String {
    json.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
  }
}
