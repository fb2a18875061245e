/// Whether the daemon's configuration file and its board file are accepted.
enum ConfigurationCheck {
  static func findings(on machine: Machine) -> [MachineFinding] {
    if let fault = machine.configurationFault {
      return [
        MachineFinding(
          .configurationRefused, .fault, fault,
          why: "the daemon does not start with a file that it cannot read",
          remedy: .manual("lodestar serve --config /etc/lodestar/serve.yaml --check-config"))
      ]
    }
    if AccessCheck.isEnabled(machine), !machine.isActive("lodestar.service") {
      return [
        MachineFinding(
          .serviceStopped, .fault, "the daemon does not run (lodestar.service)",
          why: "the outputs that it serves to other programs are missing",
          remedy: .manual(
            "systemctl status lodestar    # shows why", "sudo systemctl restart lodestar"))
      ]
    }
    var findings: [MachineFinding] = []
    if let board = machine.board {
      findings.append(.ok(.configuration, "board file \(board.path): \(board.board.name)"))
    }
    if !machine.placeReaders.isEmpty {
      findings.append(
        .ok(
          .configuration,
          "the exact place can be read by " + machine.placeReaders.joined(separator: "; ")))
    }
    return findings
  }
}
