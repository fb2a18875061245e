/// Whether SPI is switched on, which only boards with chips on SPI need.
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
          "chips on I2C do not need it; switch it on for a chip that is wired to SPI",
        remedy: .manual(
          RepairStep.bootLine("dtparam=spi=on", file: boot.path).command, then: .restart))
    ]
  }
}
