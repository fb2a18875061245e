import BoardCheck
import JSON
import LinuxIO
import Quantities
import Terminal

/// The result of a check as text.
struct CheckText {
  private static let indent = "   "

  let width: Int

  func lines(_ outcome: CheckOutcome, files: [String]) -> [String] {
    var lines = ["", headline(outcome)]
    for (index, finding) in outcome.findings.enumerated() {
      lines.append("")
      lines += hanging(
        "\(index + 1). ", "\(finding.kind.rawValue): \(finding.device): \(finding.what)")
      lines += hanging("   shows by: ", finding.figure)
      lines += hanging("   to do: ", finding.remedy)
    }
    if !outcome.notes.isEmpty { lines += [""] + outcome.notes.flatMap { hanging("note: ", $0) } }
    lines.append("")
    let longest = outcome.figures.map(\.name.count).max() ?? 0
    for figure in outcome.figures {
      let space = String(repeating: " ", count: longest - figure.name.count)
      lines.append("\(Self.indent)\(figure.name)\(space)  \(figure.text)")
    }
    if !files.isEmpty { lines += ["", "wrote \(files.joined(separator: ", "))"] }
    if outcome.isPassed, !outcome.isSimulated, !outcome.isRecording {
      lines += wrapped(
        "to have this board listed as verified, read board-report.txt and attach it to an issue (Documentation/Check.md)",
        width: width)
    }
    return lines
  }

  private func headline(_ outcome: CheckOutcome) -> String {
    let label = outcome.isSimulated ? "SIMULATED  " : ""
    let count = outcome.findings.count
    let passed =
      outcome.isRecording ? "no finding in what the recording shows" : "pass: nothing is wrong"
    return label + (outcome.isPassed ? passed : "\(count) finding\(count == 1 ? "" : "s")")
  }

  /// A word and a wrapped text, whose further lines are indented to the text's first column.
  func hanging(_ word: String, _ text: String) -> [String] {
    let margin = String(repeating: " ", count: word.count)
    let lines = wrapped(String(printable: text, atMost: 600), width: width - word.count)
    return lines.enumerated().map { ($0 == 0 ? word : margin) + $1 }
  }
}

/// A check as JSON: one object for each step, then one for the result.
enum CheckJSON {
  static func step(_ step: CheckOutcome.Step, isSimulated: Bool) -> [UInt8] {
    JSONWriter.record(at: SystemClock.civilTime) { json in
      json.add("event", "step")
      json.add("simulated", isSimulated)
      add(step, &json)
    }
  }

  static func result(_ outcome: CheckOutcome, files: [String]) -> [UInt8] {
    JSONWriter.record(at: SystemClock.civilTime) { json in
      json.add("event", "result")
      json.add("simulated", outcome.isSimulated)
      json.add("pass", outcome.isPassed)
      if outcome.isRecording { json.add("recording", true) }
      json.add("findings", outcome.findings) { finding, json in
        json.add("kind", finding.kind.rawValue)
        json.add("device", finding.device)
        json.add("what", finding.what)
        json.add("figure", finding.figure)
        json.add("remedy", finding.remedy)
      }
      json.add("steps", outcome.steps) { add($0, &$1) }
      json.add("figures", outcome.figures) { figure, json in
        json.add("name", figure.name)
        json.add("value", figure.value, decimals: figure.decimals)
        json.add("unit", figure.unit)
      }
      json.add("notes", outcome.notes)
      json.add("files", files)
    }
  }

  private static func add(_ step: CheckOutcome.Step, _ json: inout JSONWriter) {
    json.add("step", step.step.rawValue)
    json.add("done", step.isDone)
    json.add("reason", step.reason)
    json.add("seconds", step.seconds, decimals: 1)
  }
}
