import Quantities

/// Whether the receiver's pulse per second arrives.
enum PulseCheck {
  /// The pin of the README's wiring.
  private static let usualLine = 18
  /// A pulse is older than this where none comes any more, seconds.
  private static let longestAge = 3.0

  static func findings(on machine: Machine) -> [MachineFinding] {
    let sources = machine.numbered("pps", in: "/dev").filter { !isNetworkClock($0, machine) }
    let wanted = machine.board?.board.receivers.compactMap { $0.pulse?.source } ?? []
    let problems =
      wanted.flatMap { missing(machine, $0) + lineTaken(machine, $0) }
      + sources.compactMap { silent($0, machine) }
    guard problems.isEmpty else { return problems }
    return sources.isEmpty
      ? []
      : [.ok(.pulse, "pulses arrive at " + sources.map { "/dev/\($0)" }.joined(separator: ", "))]
  }

  /// True for the clock of a network interface, which has pulses only while PTP uses it.
  /// - Source: Linux, drivers/ptp/ptp_clock.c: the source of pulses is named `ptp` with the clock's
  ///   number.
  private static func isNetworkClock(_ source: String, _ machine: Machine) -> Bool {
    machine.line("/sys/class/pps/\(source)/name")?.hasPrefix("ptp") == true
  }

  /// - Source: raspberrypi/linux, overlays/README, pps-gpio: `gpiopin`, default 18.
  private static func missing(_ machine: Machine, _ wanted: String) -> [MachineFinding] {
    guard wanted.hasPrefix("/dev/pps"), !machine.exists(wanted) else { return [] }
    let isSwitchedOn = machine.bootConfiguration.map { !$0.overlays("pps-gpio").isEmpty } ?? false
    let remedy: Remedy =
      if isSwitchedOn {
        .manual("sudo reboot")
      } else if let boot = machine.bootConfiguration {
        // Which line the pulse is wired to is not known: another may be in use, by sound for
        // example.
        .manual(
          RepairStep.bootLine("dtoverlay=pps-gpio,gpiopin=\(usualLine)", file: boot.path).command
            + "    # \(usualLine): the GPIO of the receiver's PPS wire", then: .restart)
      } else {
        .manual("# add a node pps-gpio to the device tree, or name the GPIO line in the board file")
      }
    return [
      MachineFinding(
        .pulseMissing, .fault, "the board file names the pulse \(wanted), which does not exist",
        why: isSwitchedOn
          ? "the firmware reads config.txt at the start only"
          : "without the overlay pps-gpio the kernel has no source of pulses: the time is "
            + "that of the sentences, late by tenths of a second",
        remedy: remedy)
    ]
  }

  /// The overlay takes the line for the kernel: a program that requests it gets EBUSY.
  private static func lineTaken(_ machine: Machine, _ wanted: String) -> [MachineFinding] {
    guard !wanted.hasPrefix("/"), let file = machine.board,
      let overlays = machine.bootConfiguration?.overlays("pps-gpio"), !overlays.isEmpty
    else { return [] }
    let taken = overlays.map { parameters in
      parameters.lazy.compactMap { parameter -> Int? in
        parameter.hasPrefix("gpiopin=") ? Int(parameter.dropFirst("gpiopin=".count)) : nil
      }.first ?? usualLine
    }
    guard taken.contains(where: { wanted == "GPIO\($0)" || wanted.hasSuffix(":\($0)") }) else {
      return []
    }
    return [
      MachineFinding(
        .pulseLineTaken, .fault,
        "the board file names the line \(wanted), which the overlay pps-gpio has taken",
        why:
          "the line has one user, the kernel; its stamps are at /dev/pps0 and better than a program's",
        remedy: .manual("sudo sed -i 's,\(wanted),/dev/pps0,' \(file.path)"))
    ]
  }

  /// - Source: Linux, Documentation/ABI/testing/sysfs-pps: `assert` and `clear` are
  ///   `SECONDS.NANOSECONDS#COUNT`.
  private static func silent(_ source: String, _ machine: Machine) -> MachineFinding? {
    let times = ["assert", "clear"].compactMap { edge -> Double? in
      let text = machine.line("/sys/class/pps/\(source)/\(edge)")
      return text.flatMap { $0.split(separator: "#").first }.flatMap { Double($0) }
    }
    guard let last = times.max() else { return nil }
    let age = Double(machine.system.clock.utc.nanosecondsSince1970) / 1e9 - last
    guard last == 0 || age > longestAge else { return nil }
    return MachineFinding(
      .pulseSilent, .warning,
      last == 0
        ? "no pulse has come at /dev/\(source)"
        : "no pulse has come at /dev/\(source) for \(UInt64(bounded: age)) s",
      why: "most receivers send pulses only while they have a fix; or the wire is missing",
      remedy: .manual("lodestar location --no-daemon --status    # shows fix and pulse"))
  }
}
