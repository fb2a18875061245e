import LinuxIO

/// Whether the GPIO chip of the header exists, and whether the board file's lines are on it.
enum GPIOCheck {
  /// The chips of the 40-pin header by their device tree, with the kernel's label of each.
  /// - Source: Linux, pinctrl-bcm2835.c and pinctrl-rp1.c (compatible strings and labels);
  ///   gpiodetect on each model: WiringPi issue 280, raspberrypi/linux pull request 6144. On a
  ///   Raspberry Pi 5 the header is gpiochip4 before kernel 6.6.45 and gpiochip0 since.
  private static let headerChips = [
    "brcm,bcm2835-gpio": "pinctrl-bcm2835",
    "brcm,bcm2711-gpio": "pinctrl-bcm2711",
    "raspberrypi,rp1-gpio": "pinctrl-rp1",
  ]

  static func findings(on machine: Machine) -> [MachineFinding] {
    let chips = machine.numbered("gpiochip", in: "/sys/bus/gpio/devices")
    let header = header(machine, chips)
    let problems = missing(machine, header?.chip) + numbers(machine, header?.chip)
    guard problems.isEmpty else { return problems }
    if let header {
      return [
        .ok(.gpio, "the header is \(header.chip) (\(header.label)); its lines are GPIO0 to GPIO27")
      ]
    }
    return chips.isEmpty ? [] : [.ok(.gpio, chips.joined(separator: ", "))]
  }

  private static func header(
    _ machine: Machine, _ chips: [String]
  ) -> (chip: String, label: String)? {
    for chip in chips {
      let names = machine.deviceTreeTexts("/sys/bus/gpio/devices/\(chip)/of_node/compatible")
      if let label = names.lazy.compactMap({ headerChips[$0] }).first { return (chip, label) }
    }
    return nil
  }

  private static func missing(_ machine: Machine, _ header: String?) -> [MachineFinding] {
    guard machine.model?.isRaspberryPi == true else { return [] }
    if let header, machine.exists("/dev/\(header)") { return [] }
    return [
      MachineFinding(
        .gpioHeader, .warning,
        "there is no GPIO chip of the header: \(header.map { "/dev/\($0)" } ?? "its driver") is missing",
        why:
          "pulses and data-ready outputs at GPIO lines cannot be read; I2C and serial ports do not need it",
        remedy: .manual(
          "sudo apt full-upgrade    # kernel and device tree of one release", then: .restart))
    ]
  }

  /// The lines of the board file that name a chip by its number.
  private static func numbers(_ machine: Machine, _ header: String?) -> [MachineFinding] {
    guard let file = machine.board, let header, machine.isRaspberryPi else { return [] }
    let lines =
      file.board.receivers.map { $0.pulse?.source } + file.board.sensors.map(\.dataReadyLine)
    return Set(lines.compactMap(\.self)).sorted().compactMap { line in
      guard let place = LinuxGPIOLine.explicitPlace(line) else { return nil }
      // Raspberry Pi OS keeps the old name as a link.
      let isRight = machine.resolved("/dev/\(place.chip)") == "/dev/\(header)"
      return MachineFinding(
        .gpioNumber, isRight ? .note : .fault,
        "the board file names the line \(line)"
          + (isRight ? " by the number of its chip" : ", but the header is \(header)"),
        why:
          "the numbers of GPIO chips change with model and kernel (a Raspberry Pi 5 had its header at gpiochip4 "
          + "and has it at gpiochip0); the names of lines do not",
        remedy: .manual("sudo sed -i 's/\(line)/GPIO\(place.offset)/' \(file.path)"))
    }
  }
}
