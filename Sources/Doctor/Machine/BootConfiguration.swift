/// The firmware's configuration of a Raspberry Pi, `config.txt`: the lines that apply to this
/// model.
/// - Source: Raspberry Pi documentation, config.txt, "File format" and "Conditional filters";
///   Device Trees, overlays and parameters, 3.1: `dtparam=NAME=VALUE,…`,
///   `dtoverlay=NAME,PARAMETER=VALUE,…`; a parameter's last value counts.
package struct BootConfiguration: Sendable {
  /// The path of the file.
  package let path: String
  private let lines: [(key: Substring, value: Substring)]

  /// Reads a text; without a model only the lines that apply to all.
  init(_ text: String, path: String, model: MachineModel?) {
    self.path = path
    var applies = true
    var lines: [(key: Substring, value: Substring)] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmed
      if line.hasPrefix("["), line.hasSuffix("]") {
        let section = line.dropFirst().dropLast()
        applies = section == "all" || model?.matches(section: String(section)) == true
      } else if applies, !line.hasPrefix("#"), let sign = line.firstIndex(of: "=") {
        lines.append((line[..<sign], line[line.index(after: sign)...]))
      }
    }
    self.lines = lines
  }

  /// The value of a setting such as `enable_uart`.
  func setting(_ key: String) -> Substring? { lines.last { $0.key == key }?.value }

  /// The value of a parameter of the base device tree under any of its names; `on` where it has
  /// none.
  func parameter(_ names: String...) -> Substring? {
    lines.filter { $0.key == "dtparam" || $0.key == "device_tree_param" }
      .flatMap { $0.value.split(separator: ",") }
      .compactMap { part -> Substring? in
        let words = part.split(separator: "=", maxSplits: 1)
        guard let name = words.first, names.contains(String(name)) else { return nil }
        return words.count > 1 ? words[1] : "on"
      }
      .last
  }

  /// Whether a parameter is switched on.
  func isOn(_ names: String...) -> Bool {
    names.contains { name in
      parameter(name).map { ["on", "true", "yes", "1"].contains($0) } ?? false
    }
  }

  /// The parameters of each overlay of a name.
  func overlays(_ name: String) -> [[Substring]] {
    lines.filter { $0.key == "dtoverlay" }.compactMap { line in
      let words = line.value.split { $0 == "," || $0 == ":" }
      return words.first.map { $0 == name } == true ? Array(words.dropFirst()) : nil
    }
  }

  /// Whether the last line that sets what this line sets has the same value.
  func has(_ line: String) -> Bool {
    guard let sign = line.firstIndex(of: "=") else { return false }
    let (key, value) = (line[..<sign], line[line.index(after: sign)...])
    switch key {
    case "dtparam":
      let words = value.split(separator: "=", maxSplits: 1)
      return words.count == 2 && parameter(String(words[0])) == words[1]
    case "dtoverlay": return lines.contains { $0.key == key && $0.value == value }
    default: return setting(String(key)) == value
    }
  }

  /// The text of a `config.txt` with one more line, which applies to every model.
  static func adding(_ line: String, to text: String) -> String {
    var text = text
    if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
    let section = text.split(whereSeparator: \.isNewline).map(\.trimmed).last {
      $0.hasPrefix("[") && $0.hasSuffix("]")
    }
    if let section, section != "[all]" { text += "\n[all]\n" }
    return text + line + "\n"
  }
}

/// The kernel's command line of a Raspberry Pi, `cmdline.txt`: one line of words.
enum BootCommandLine {
  /// The words `console=…` for an on-board UART.
  /// - Source: Raspberry Pi documentation, "Configuring UARTs": the firmware replaces `serial0` by
  ///   the primary UART.
  static func serialConsoles(_ text: String) -> [String] {
    words(text).filter { word in
      ["console=serial", "console=ttyAMA", "console=ttyS"].contains { word.hasPrefix($0) }
    }
  }

  /// The text without some words.
  static func removing(_ removed: [String], from text: String) -> String {
    words(text).filter { !removed.contains($0) }.joined(separator: " ") + "\n"
  }

  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
