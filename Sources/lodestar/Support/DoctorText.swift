import Doctor
import JSON
import LinuxIO
import Quantities
import Terminal

/// The findings as text, in colours where the terminal has them.
struct DoctorText {
  /// The columns of the severity and of a text's indentation.
  private static let indent = 9

  let width: Int
  private let depth: ColourDepth

  /// Makes texts of so many columns.
  init(width: Int) {
    self.width = max(40, width)
    depth = StandardStream.output.depth
  }

  /// The columns of the terminal, 80 at most: longer lines are hard to read.
  static var width: Int { min(80, TerminalSession.outputWidth ?? 80) }

  /// The lines of all findings.
  func lines(_ findings: [MachineFinding]) -> [String] { findings.flatMap(lines) }

  private func lines(_ finding: MachineFinding) -> [String] {
    let margin = String(repeating: " ", count: Self.indent)
    let room = width - Self.indent
    let severity = finding.severity.word
    var lines = indented("\(finding.identifier): \(printable(finding.what))", margin, room)
    // The first line begins with the severity instead of the margin.
    lines[0] =
      coloured(severity, finding.severity)
      + String(repeating: " ", count: Self.indent - severity.count)
      + lines[0].dropFirst(Self.indent)
    if let why = finding.why { lines += indented(sentence(printable(why)), margin, room) }
    for command in commands(finding) { lines.append(margin + command) }
    return lines
  }

  /// The last lines: how many of each, and the command that mends some; nil after it.
  func summary(_ findings: [MachineFinding], fixCommand: String?) -> [String] {
    let counts = [MachineFinding.Severity.fault, .warning, .note].compactMap {
      severity -> String? in
      let count = findings.filter { $0.severity == severity }.count
      guard count > 0 else { return nil }
      return "\(count) \(severity.word)\(count == 1 ? "" : "s")"
    }
    guard !counts.isEmpty else {
      return ["", "no finding: everything examined is as it should be"]
    }
    var line = counts.joined(separator: ", ")
    let automatic = findings.filter { $0.remedy?.isAutomatic == true }.count
    if automatic > 0, let fixCommand { line += "; '\(fixCommand)' mends \(automatic) of them" }
    return [""] + wrapped(line, width: width)
  }

  // MARK: Parts

  private func commands(_ finding: MachineFinding) -> [String] {
    guard let remedy = finding.remedy else { return [] }
    var commands = remedy.commands.flatMap {
      commandLines(printable($0), width: width - Self.indent)
    }
    switch remedy.completion {
    case .none: break
    case .restart: commands.append("$ sudo reboot")
    case .login: commands.append("# then log in again")
    }
    return commands
  }

  private func indented(_ text: String, _ margin: String, _ room: Int) -> [String] {
    wrapped(text, width: room).map { margin + $0 }
  }

  private func printable(_ text: String) -> String {
    String(printable: text, atMost: String.longestMessage)
  }

  private func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  private func coloured(_ text: String, _ severity: MachineFinding.Severity) -> String {
    let role: Role =
      switch severity {
      case .ok: .good
      case .note: .label
      case .warning: .caution
      case .fault: .alarm
      }
    let theme = Theme(TerminalCapability.current.background)
    return theme.text(text, role, depth: depth)
  }
}

/// What `--fix` did for a finding.
struct DoctorRepair {
  var identifier: String
  var done: [String] = []
  var fault: String?
}

/// The findings as one JSON object.
enum DoctorJSON {
  static func object(_ findings: [MachineFinding], _ repairs: [DoctorRepair]) -> [UInt8] {
    JSONWriter.record(at: SystemClock.civilTime) { json in
      json.add("worst", (findings.map(\.severity).max() ?? .ok).word)
      json.add("findings", findings) { finding, json in
        json.add("identifier", finding.identifier)
        json.add("severity", finding.severity.word)
        json.add("what", finding.what)
        json.add("why", finding.why)
        guard let remedy = finding.remedy else { return }
        json.add("commands", remedy.commands)
        json.add("isAutomatic", remedy.isAutomatic)
        switch remedy.completion {
        case .none: break
        case .restart: json.add("then", "restart")
        case .login: json.add("then", "login")
        }
      }
      guard !repairs.isEmpty else { return }
      json.add("repairs", repairs) { repair, json in
        json.add("identifier", repair.identifier)
        json.add("done", repair.done)
        json.add("fault", repair.fault)
      }
    }
  }
}
