/// Whether a receiver on the UART of the pins 8 and 10 has the port for itself, and which UART that
/// is.
enum SerialCheck {
  static func findings(on machine: Machine) -> [MachineFinding] {
    let port = port(machine)
    let problems = console(machine) + login(machine) + (port.isEmpty ? absent(machine) : port)
    guard problems.isEmpty else { return problems }
    let ports = machine.receiverPorts.filter(machine.exists)
    return ports.isEmpty ? [] : [.ok(.serial, ports.joined(separator: ", "))]
  }

  /// A receiver on the UART makes a user of the same port a fault; without one it does no harm yet.
  private static func severity(of tty: String, _ machine: Machine) -> MachineFinding.Severity {
    if machine.ownReceiverPorts.contains("/dev/\(tty)") { return .fault }
    return machine.board?.board.receiver == nil ? .warning : .note
  }

  /// Whether a console may be ended: the board file has its receiver there, and the caller is not
  /// at it. Without a receiver it may be the only way into a machine without a network.
  private static func isFree(_ tty: String, _ machine: Machine) -> Bool {
    machine.ownReceiverPorts.contains("/dev/\(tty)")
      && machine.system.caller.terminal != "/dev/\(tty)"
  }

  /// The port of `console=serial0,115200`.
  private static func tty(ofConsole word: String, _ machine: Machine) -> String {
    let name = String(word.dropFirst("console=".count).prefix { $0 != "," })
    return String(machine.resolved("/dev/\(name)").dropFirst("/dev/".count))
  }

  /// True for the three pins between the HDMI sockets of a Raspberry Pi 5, to which no receiver is
  /// wired.
  /// - Source: Raspberry Pi documentation, "Configuring UARTs", Raspberry Pi 5: `/dev/serial0` is
  ///   `ttyAMA10`.
  private static func isDebugConnector(_ tty: String, _ machine: Machine) -> Bool {
    guard machine.model?.hasRP1 == true else { return false }
    return tty == "ttyAMA10"
      || tty == "serial0" && machine.bootConfiguration?.isOn("uart0_console") != true
  }

  private static func console(_ machine: Machine) -> [MachineFinding] {
    guard let file = machine.bootFile("cmdline.txt"), let text = machine.text(file) else {
      return []
    }
    let words = BootCommandLine.serialConsoles(text).filter {
      !isDebugConnector(tty(ofConsole: $0, machine), machine)
    }
    guard let first = words.first else { return [] }
    let port = Self.tty(ofConsole: first, machine)
    return [
      MachineFinding(
        .serialConsole, severity(of: port, machine),
        "the kernel's console is on the UART of the pins 8 and 10 (\(words.joined(separator: " ")))",
        why: "its messages go to the receiver, and a login reads the receiver's bytes",
        remedy: .fix(
          .removedWords(words, file: file),
          .run(["systemctl", "disable", "--now", "serial-getty@\(port).service"]), then: .restart
        ).automatic(if: isFree(port, machine)))
    ]
  }

  /// - Source: systemd-getty-generator(8): a login on a console is made at each start; one that a
  ///   user enabled is a link in getty.target.wants.
  private static func login(_ machine: Machine) -> [MachineFinding] {
    let folder = "/etc/systemd/system/getty.target.wants"
    return machine.names(in: folder).compactMap { unit in
      guard unit.hasPrefix("serial-getty@"), unit.hasSuffix(".service") else { return nil }
      let tty = String(unit.dropFirst("serial-getty@".count).dropLast(".service".count))
      guard Machine.isOnBoardUART("/dev/\(tty)"), !isDebugConnector(tty, machine),
        machine.model == nil || machine.isRaspberryPi || machine.receiverPort == "/dev/\(tty)"
      else { return nil }
      return MachineFinding(
        .serialLogin, severity(of: tty, machine), "a login runs on /dev/\(tty) (\(unit))",
        why: "it reads the bytes of a receiver on this port, and answers them",
        remedy: .fix(.run(["systemctl", "disable", "--now", unit]))
          .automatic(if: isFree(tty, machine)))
    }
  }

  // MARK: The port itself

  /// The board file's port does not exist. The kernel has the UART of Bluetooth for itself since
  /// Debian 12: then `/dev/ttyAMA0` is missing on a Raspberry Pi before the 5.
  private static func absent(_ machine: Machine) -> [MachineFinding] {
    let ports = (machine.board?.board.receivers ?? []).map(\.port)
    guard machine.system.runsPrograms,
      let named = ports.first(where: { port in
        let path = machine.resolved(port)
        return machine.ownReceiverPorts.contains(path) && !machine.exists(path)
      })
    else { return [] }
    let port = machine.resolved(named)
    let pins = machine.headerPort
    let isPins = Machine.isOnBoardUART(port) && machine.isRaspberryPi && machine.exists(pins)
    return [
      MachineFinding(
        .serialMissing, .fault,
        "the board file has a receiver at \(named), which does not exist"
          + (isPins ? "; the pins 8 and 10 are \(pins)" : ""),
        why: "no byte of the receiver is read: there is no location",
        remedy: isPins
          ? .manual("sudo sed -i 's,\(named),\(pins),' \(machine.board?.path ?? "BOARD.yaml")")
          : .manual(
            "ls /dev/serial/by-id /dev/ttyACM* /dev/ttyUSB*    # is it plugged in?",
            "sudo lodestar setup --step receiver    # chooses another port"))
    ]
  }

  private static func port(_ machine: Machine) -> [MachineFinding] {
    guard machine.isRaspberryPi, let boot = machine.bootConfiguration else { return [] }
    return machine.model?.hasRP1 == true ? portOfRP1(machine, boot) : portOfBCM(machine, boot)
  }

  /// - Source: raspi-config, do_serial_hw: `dtparam=uart0=on` on a Raspberry Pi 5; there `ttyAMA0`
  ///   is on the header.
  private static func portOfRP1(_ machine: Machine, _ boot: BootConfiguration) -> [MachineFinding] {
    let port = machine.receiverPort
    if port == "/dev/ttyAMA10" {
      return [
        MachineFinding(
          .serialDebugConnector, .fault,
          "the receiver's port in the board file is the debug connector (ttyAMA10), not the pins 8 and 10",
          why:
            "on this model /dev/serial0 is the connector between the HDMI sockets; the pins are /dev/ttyAMA0",
          remedy: .manual(
            RepairStep.bootLine("dtparam=uart0=on", file: boot.path).command,
            "sudo sed -i 's,/dev/serial0,/dev/ttyAMA0,' \(machine.board?.path ?? "BOARD.yaml")",
            then: .restart))
      ]
    }
    guard !machine.exists("/dev/ttyAMA0"), !boot.isOn("uart0", "uart0_console") else { return [] }
    return [off(machine, boot, "dtparam=uart0=on", isNeeded: port == "/dev/ttyAMA0")]
  }

  private static func portOfBCM(_ machine: Machine, _ boot: BootConfiguration) -> [MachineFinding] {
    let port = machine.receiverPort
    let primary = machine.link("/dev/serial0") == nil ? nil : machine.resolved("/dev/serial0")
    let secondary = machine.link("/dev/serial1") == nil ? nil : machine.resolved("/dev/serial1")
    if let port, port == secondary, port != primary {
      return [
        MachineFinding(
          .serialBluetooth, .fault,
          "the receiver's port in the board file, \(port), is that of Bluetooth",
          why:
            "the pins 8 and 10 are \(primary ?? "off"): no byte of the receiver arrives at \(port)",
          remedy: .manual(
            "sudo sed -i 's,\(port),/dev/serial0,' \(machine.board?.path ?? "BOARD.yaml")"))
      ]
    }
    guard let primary else {
      guard boot.setting("enable_uart") != "1", !machine.exists("/dev/serial0") else { return [] }
      let isNeeded = machine.board?.board.receiver?.port == "/dev/serial0"
      return [off(machine, boot, "enable_uart=1", isNeeded: isNeeded)]
    }
    // Raspberry Pi documentation, "Configuring UARTs", "Primary and Secondary UART", "PL011 and
    // mini-UART".
    guard primary == "/dev/ttyS0", port == nil || port == primary else { return [] }
    return [
      MachineFinding(
        .serialMiniUART, .note,
        "the pins 8 and 10 are the mini UART (/dev/ttyS0); Bluetooth has the other one",
        why:
          "the mini UART has small buffers and no parity: above 115200 baud it loses bytes. Without Bluetooth "
          + "the pins get the full UART",
        remedy: .manual(
          RepairStep.bootLine("dtoverlay=disable-bt", file: boot.path).command
            + "    # ends Bluetooth", "sudo systemctl disable hciuart", then: .restart))
    ]
  }

  private static func off(
    _ machine: Machine, _ boot: BootConfiguration, _ line: String, isNeeded: Bool
  ) -> MachineFinding {
    MachineFinding(
      .serialOff, isNeeded ? .fault : .note, "the UART of the pins 8 and 10 is off",
      why: isNeeded
        ? "the board file has a receiver on it"
        : "a receiver on these pins cannot be read; one on USB needs no UART",
      remedy: .fix(.bootLine(line, file: boot.path), then: .restart).automatic(if: isNeeded))
  }
}
