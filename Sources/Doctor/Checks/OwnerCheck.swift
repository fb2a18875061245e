import Configuration

/// Other programs that have the sensors' devices open.
enum OwnerCheck {
  static func findings(on machine: Machine) -> [MachineFinding] {
    let users = openDevices(machine)
    return gpsd(machine) + modemManager(machine) + secondDaemon(machine)
      + programs(
        users.filter { !["gpsd", "lodestar", "ModemManager"].contains($0.name) }, machine)
  }

  /// gpsd and the daemon each get a part of the bytes of one port.
  private static func gpsd(_ machine: Machine) -> [MachineFinding] {
    // A board that takes the fixes from gpsd wants it to run.
    if machine.board?.board.receivers.contains(where: { $0.gpsd != nil }) == true { return [] }
    guard machine.isActive("gpsd.service") || machine.isActive("gpsd.socket") else { return [] }
    let own = machine.receiverPort
    return [
      MachineFinding(
        .ownerGPSD, own == nil ? .note : .fault,
        own.map { "gpsd runs, and the board file names a receiver at \($0)" }
          ?? "gpsd runs: it owns the receiver",
        why:
          "two programs at one port each lose bytes. Either take the fixes from gpsd (receiver: {port: "
          + "gpsd://localhost}), and 'gpsd-port: 0' if both serve port 2947, or end it",
        remedy: .manual("sudo systemctl disable --now gpsd.socket gpsd.service"))
    ]
  }

  /// - Source: ModemManager reference, "Modem filter": ports of CDC ACM devices are probed with AT
  ///   commands.
  private static func modemManager(_ machine: Machine) -> [MachineFinding] {
    let ports = machine.receiverPorts.filter {
      $0.hasPrefix("/dev/ttyACM") || $0.hasPrefix("/dev/ttyUSB")
    }
    guard !ports.isEmpty, machine.isActive("ModemManager.service") else { return [] }
    return [
      MachineFinding(
        .ownerModemManager, .warning,
        "ModemManager runs and may probe \(ports.joined(separator: ", "))",
        why:
          "it sends AT commands to receivers on USB when they are attached, and holds the port for up to 30 s",
        remedy: .manual(
          "sudo systemctl disable --now ModemManager    # unless a mobile modem is in use"))
    ]
  }

  /// Daemons that read a board; simulated ones and those of a recording share nothing.
  private static func secondDaemon(_ machine: Machine) -> [MachineFinding] {
    let daemons = machine.numbered("", in: "/proc").filter { process in
      let words = (machine.text("/proc/\(process)/cmdline") ?? "").split(separator: "\0")
      return words.first?.split(separator: "/").last == "lodestar"
        && words.dropFirst().first == "serve"
        && !words.contains { $0 == "--simulate" || $0.hasPrefix("--replay") }
    }
    guard daemons.count > 1 else { return [] }
    return [
      MachineFinding(
        .ownerSecondDaemon, .warning,
        "\(daemons.count) daemons run (processes \(daemons.joined(separator: ", ")))",
        why: "on one bus they share the samples of each chip; each of them gets only a part",
        remedy: .manual(
          "ps -fp \(daemons.joined(separator: ","))    # end the one that is not the service"))
    ]
  }

  // MARK: Open files

  private struct Use {
    var name: String
    var process: String
    var device: String
  }

  /// The buses of the board file, else the usual one.
  private static func buses(_ machine: Machine) -> [String] {
    machine.board.map { $0.board.sensors.map(\.bus) } ?? [Board.usualBus]
  }

  /// The programs that have a bus of the sensors or a receiver's port open; others' are visible to
  /// root only. Without a receiver in the board file a port on the board is not judged: it may be a
  /// console.
  /// - Source: proc(5), `/proc/PID/fd`.
  private static func openDevices(_ machine: Machine) -> [Use] {
    let ports = machine.receiverPorts.filter {
      machine.ownReceiverPorts.contains($0) || !Machine.isOnBoardUART($0)
    }
    let wanted = Set(ports + buses(machine))
    let own = machine.link("/proc/self")
    return machine.numbered("", in: "/proc").filter { $0 != own }.flatMap { process -> [Use] in
      let folder = "/proc/\(process)/fd"
      let devices = Set(machine.names(in: folder).compactMap { machine.link("\(folder)/\($0)") })
        .intersection(wanted)
      let name = machine.line("/proc/\(process)/comm") ?? "a program"
      return devices.sorted().map { Use(name: name, process: process, device: $0) }
    }
  }

  private static func programs(_ users: [Use], _ machine: Machine) -> [MachineFinding] {
    users.map { user in
      let isBus = user.device.hasPrefix("/dev/i2c-")
      let severity: MachineFinding.Severity =
        isBus ? .note : machine.ownReceiverPorts.contains(user.device) ? .fault : .warning
      return MachineFinding(
        .ownerProgram, severity,
        "\(user.name) (pid \(user.process)) has \(user.device) open",
        why: isBus
          ? "other chips of the bus may have another program; two programs at one chip each lose samples"
          : "two programs at one port each lose bytes",
        remedy: .manual("ps -fp \(user.process)    # end it, or leave the device to it"))
    }
  }
}
