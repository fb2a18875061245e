/// Whether SPI is switched on. No driver of this program uses it: it is reported for other programs only.
enum SPICheck {
  static func findings(on machine: Machine) -> [MachineFinding] {
    let devices = machine.names(in: "/dev").filter { $0.hasPrefix("spidev") }
    if !devices.isEmpty {
      return [.ok(.spi, devices.map { "/dev/\($0)" }.joined(separator: ", "))]
    }
    guard let boot = machine.bootConfiguration, !boot.isOn("spi") else { return [] }
    return [
      MachineFinding(
        .spiDisabled, .note, "SPI is off",
        why:
          "nothing is lost: all supported chips are read over I2C; switch it on for other programs only",
        remedy: .manual(
          RepairStep.bootLine("dtparam=spi=on", file: boot.path).command, then: .restart))
    ]
  }
}
