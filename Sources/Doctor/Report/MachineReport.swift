import Quantities

/// A text about a machine to attach to an issue: no place, no names, no addresses, no serial
/// numbers.
package enum MachineReport {
  /// The lines of the report.
  /// - Parameters:
  ///   - findings: The findings.
  ///   - machine: The machine that was examined.
  ///   - version: The program's version.
  /// - Returns: The lines, without line ends.
  package static func lines(
    _ findings: [MachineFinding], of machine: Machine, version: String
  ) -> [String] {
    var lines = ["lodestar \(version), report of lodestar doctor", ""]
    lines += facts(machine)
    lines += ["", "findings"]
    for finding in findings {
      lines.append("  \(finding.severity.word)  \(finding.identifier): \(finding.what)")
    }
    lines += section("config.txt", bootLines(machine))
    lines += section("cmdline.txt, consoles", consoles(machine))
    lines += section("I2C", buses(machine))
    lines += section("GPIO", chips(machine))
    lines += section("board file", board(machine))
    return filtered(lines, of: machine)
  }

  private static func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", title] + lines.map { "  \($0)" }
  }

  /// The text without what identifies a person, a machine or a place.
  package static func filtered(_ lines: [String], of machine: Machine) -> [String] {
    let filter = PrivacyFilter(machine)
    return lines.map { filter.filtered(String(printable: $0, atMost: 400)) }
  }

  /// The model, the system, the kernel and the memory, as far as they are known.
  package static func facts(_ machine: Machine) -> [String] {
    let release = (machine.text("/etc/os-release") ?? "").split(separator: "\n")
      .first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst("PRETTY_NAME=".count)
      .trimmingQuotes
    let kernel = machine.line("/proc/sys/kernel/osrelease")
    let memory = machine.line("/proc/meminfo")?.split(separator: " ").dropFirst().first
      .flatMap { Int($0) }
    var lines: [String] = []
    if let model = machine.model { lines.append("model: \(model.name)") }
    if let release { lines.append("system: \(release)") }
    if let kernel { lines.append("kernel: \(kernel)") }
    if let memory { lines.append("memory: \(memory / 1024) MB") }
    return lines
  }

  /// The lines that are not comments.
  private static func bootLines(_ machine: Machine) -> [String] {
    guard let path = machine.bootFile("config.txt") else { return [] }
    return (machine.text(path) ?? "").split(whereSeparator: \.isNewline).map(String.init)
      .filter { !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace) }
  }

  /// Only the consoles: other words have serial numbers and addresses.
  private static func consoles(_ machine: Machine) -> [String] {
    machine.bootFile("cmdline.txt").flatMap { machine.text($0) }
      .map(BootCommandLine.serialConsoles) ?? []
  }

  private static func buses(_ machine: Machine) -> [String] {
    let adapters = machine.numbered("i2c-", in: "/dev").map { bus in
      "/dev/\(bus)  " + (machine.line("/sys/class/i2c-dev/\(bus)/name") ?? "")
    }
    return adapters
      + machine.devices.map { "\($0.bus)  0x" + String($0.address, radix: 16) + "  \($0.name)" }
  }

  private static func chips(_ machine: Machine) -> [String] {
    machine.numbered("gpiochip", in: "/sys/bus/gpio/devices").map { chip in
      let path = "/sys/bus/gpio/devices/\(chip)/of_node/compatible"
      return "\(chip)  " + (machine.deviceTreeTexts(path).first ?? "")
    }
  }

  private static func board(_ machine: Machine) -> [String] {
    guard let board = machine.board?.board else { return [] }
    return board.sensors.map { "\($0.chip.rawValue)  \($0.bus)" }
      + board.receivers.map { "receiver  \($0.port.hasPrefix("/") ? $0.port : "network")" }
  }
}

extension Substring {
  /// Without the quotation marks around a value of a shell's file.
  fileprivate var trimmingQuotes: Substring {
    hasPrefix("\"") && hasSuffix("\"") && count > 1 ? dropFirst().dropLast() : self
  }
}
