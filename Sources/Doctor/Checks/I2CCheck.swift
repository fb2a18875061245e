import Quantities

/// Whether the I2C buses exist, now and after the next start, their clock, and chips that they
/// cannot serve.
enum I2CCheck {
  /// The file that names the kernel module for every start.
  static let modulesFile = "/etc/modules-load.d/i2c-dev.conf"

  static func findings(on machine: Machine) -> [MachineFinding] {
    let buses = machine.numbered("i2c-", in: "/dev")
    let problems =
      (buses.isEmpty || lacksHeaderBus(machine) ? missing(machine) : atNextStart(machine))
      + buses.compactMap { clock(of: $0, machine) } + clockStretching(machine)
    guard problems.isEmpty else { return problems }
    return [.ok(.i2c, buses.map { description(of: $0, machine) }.joined(separator: ", "))]
  }

  // MARK: No bus

  /// The bus of the pins 3 and 5 of a Raspberry Pi; those of its displays and cameras are there
  /// without it.
  /// - Source: raspberrypi/linux, overlays/README, `i2c_arm`: an alias of i2c1, except on the first
  ///   boards of 256 MB.
  private static let headerBus = "i2c-1"

  /// True where the sensors are expected on the bus of the pins, which is missing.
  private static func lacksHeaderBus(_ machine: Machine) -> Bool {
    guard machine.isRaspberryPi, machine.system.runsPrograms,
      !machine.exists("/dev/\(headerBus)")
    else { return false }
    if let board = machine.board?.board {
      return board.sensors.contains { $0.bus == "/dev/\(headerBus)" }
    }
    // Chips at an adapter on USB, or on a bus of the driver i2c-gpio.
    return !machine.devices.contains { $0.name != "unknown device" }
  }

  private static func missing(_ machine: Machine) -> [MachineFinding] {
    // The adapters are known to the kernel without i2c-dev.
    let adapters = machine.numbered("i2c-", in: "/sys/bus/i2c/devices")
    if machine.isRaspberryPi ? adapters.contains(headerBus) : !adapters.isEmpty {
      return [
        MachineFinding(
          .i2cDeviceMissing, .fault, "the kernel has I2C buses, but no /dev/i2c-*",
          why: "programs reach the chips through /dev/i2c-*, which the module i2c-dev makes",
          remedy: .fix(
            .line("i2c-dev", file: modulesFile), .run(["modprobe", "i2c-dev"])))
      ]
    }
    guard let boot = machine.bootConfiguration else {
      return [
        MachineFinding(
          .i2cNoBus, .warning, "this machine has no I2C bus",
          why: "compass, inertial unit and barometer are read over I2C; a receiver and gpsd work",
          remedy: .manual(
            "sudo modprobe i2c-dev    # or enable the bus in the device tree, or attach an adapter"
          ))
      ]
    }
    // Both names of the bus on the pins 3 and 5; i2c1 is that of the controller.
    guard boot.isOn("i2c_arm", "i2c", "i2c1") else {
      return [
        MachineFinding(
          .i2cDisabled, .fault, "I2C is off: \(boot.path) does not switch it on",
          why: "compass, inertial unit and barometer are read over I2C (pins 3 and 5)",
          remedy: .fix(
            .bootLine("dtparam=i2c_arm=on", file: boot.path),
            .line("i2c-dev", file: modulesFile), then: .restart))
      ]
    }
    return [
      MachineFinding(
        .i2cAwaitsRestart, .fault, "\(boot.path) switches I2C on, but there is no bus yet",
        why: "the firmware reads \(boot.path) at the start only",
        remedy: .manual("sudo reboot"))
    ]
  }

  /// A module that someone loaded by hand is missing after the next start.
  /// - Source: modules-load.d(5).
  private static func atNextStart(_ machine: Machine) -> [MachineFinding] {
    guard let modules = machine.text("/proc/modules"),
      modules.split(separator: "\n").contains(where: { $0.hasPrefix("i2c_dev ") })
    else { return [] }
    let folders = ["/etc/modules-load.d", "/run/modules-load.d", "/usr/lib/modules-load.d"]
    let files =
      ["/etc/modules"]
      + folders.flatMap { folder in machine.names(in: folder).map { "\(folder)/\($0)" } }
    let isNamed = files.contains { file in
      (machine.text(file) ?? "").split(separator: "\n").contains {
        $0 == "i2c-dev" || $0 == "i2c_dev"
      }
    }
    guard !isNamed else { return [] }
    return [
      MachineFinding(
        .i2cNotAtStart, .warning,
        "the module i2c-dev is loaded, but no file names it for the next start",
        why: "without it /dev/i2c-* may be missing after a restart",
        remedy: .fix(.line("i2c-dev", file: modulesFile)))
    ]
  }

  // MARK: Clock

  private static func frequency(of bus: String, _ machine: Machine) -> Int? {
    machine.deviceTreeNumber("/sys/bus/i2c/devices/\(bus)/of_node/clock-frequency")
  }

  private static func name(of bus: String, _ machine: Machine) -> String? {
    machine.line("/sys/class/i2c-dev/\(bus)/name")
  }

  private static func description(of bus: String, _ machine: Machine) -> String {
    let clock = frequency(of: bus, machine).map { " at \($0 / 1000) kHz" } ?? ""
    return "/dev/\(bus)\(clock)"
  }

  /// Only the bus of the header is judged: a display's runs at its own speed.
  /// - Source: UM10204, I2C-bus specification, table 10: 100 kHz (standard mode), 400 kHz (fast
  ///   mode). All chips in `Sources/Chips` are fast mode devices by their data sheets.
  private static func clock(of bus: String, _ machine: Machine) -> MachineFinding? {
    let used = machine.board.map { $0.board.sensors.map(\.bus) } ?? ["/dev/i2c-1"]
    guard used.contains("/dev/\(bus)"), let frequency = frequency(of: bus, machine) else {
      return nil
    }
    let remedy: Remedy =
      machine.bootConfiguration.map {
        .manual(
          RepairStep.bootLine("dtparam=i2c_arm_baudrate=400000", file: $0.path).command,
          then: .restart)
      } ?? .manual("# set clock-frequency = <400000> of the bus in the device tree")
    if frequency > 400_000 {
      return MachineFinding(
        .i2cFast, .warning, "/dev/\(bus) runs at \(frequency / 1000) kHz",
        why: "the supported chips are specified for at most 400 kHz; above it transfers may fail",
        remedy: remedy)
    }
    // A sample of an inertial unit and a magnetometer is about 25 bytes of 9 bits.
    let most = frequency / (9 * 25)
    guard frequency < 400_000 else { return nil }
    return MachineFinding(
      .i2cSlow, frequency < 100_000 ? .warning : .note,
      "/dev/\(bus) runs at \(frequency / 1000) kHz",
      why:
        "at most about \(most) samples a second of a 9-axis board fit; at 400 kHz, which short wires "
        + "allow, \(400_000 / (9 * 25))",
      remedy: remedy)
  }

  // MARK: Clock stretching

  /// Chips that hold the clock low for long: BNO055 at 0x28 and 0x29, BNO080, 085 and 086 at 0x4A
  /// and 0x4B.
  /// - Source: raspberrypi/linux issues 254 (after a stretch the controller's clock may be as short
  ///   as 40 ns) and 4884 (the BCM2711 too); Linux, i2c-bcm2835.c, I2C_AQ_NO_CLK_STRETCH;
  ///   overlays/README, i2c-gpio.
  private static func clockStretching(_ machine: Machine) -> [MachineFinding] {
    machine.devices.compactMap { device in
      let isBNO055 = device.name.contains("BNO055")
      let isBNO08x =
        device.name.contains("BNO08")
        || [0x4A, 0x4B].contains(device.address) && device.name == "unknown device"
      let bus = String(device.bus.dropFirst("/dev/".count))
      guard isBNO055 || isBNO08x, name(of: bus, machine)?.hasPrefix("bcm2835") == true else {
        return nil
      }
      let chip = isBNO055 ? "a BNO055" : "what may be a BNO08x"
      var commands = ["# wire SDA to pin 16 (GPIO 23), SCL to pin 18 (GPIO 24), and use /dev/i2c-3"]
      if let file = machine.bootFile("config.txt") {
        let line = "dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=23,i2c_gpio_scl=24"
        commands.insert(RepairStep.bootLine(line, file: file).command, at: 0)
      }
      return MachineFinding(
        .i2cClockStretching, .warning,
        "\(chip) at \(hexadecimal(device.address)) is on \(device.bus), the "
          + "hardware controller of a Raspberry Pi",
        why:
          "the chip stretches the clock, which this controller does not handle: bytes are corrupted. A bus of "
          + "the driver i2c-gpio waits, as does the chip's serial mode",
        remedy: Remedy(commands: commands, completion: .restart))
    }
  }

  private static func hexadecimal(_ address: UInt8) -> String {
    "0x" + String(address, radix: 16)
  }
}
