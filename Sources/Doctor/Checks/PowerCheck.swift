/// Power and temperature as the firmware of a Raspberry Pi reports them.
enum PowerCheck {
  /// - Source: Raspberry Pi documentation, "vcgencmd", get_throttled: bits 0 to 3 now, 16 to 19
  ///   since the start: under-voltage, frequency capped, throttled, soft temperature limit.
  private struct Throttling {
    var bits: UInt32

    var isLowNow: Bool { bits & 0x1 != 0 }
    var isLimitedNow: Bool { bits & 0xE != 0 }
    var wasLow: Bool { bits & 0x1_0000 != 0 }
    var wasLimited: Bool { bits & 0xE_0000 != 0 }
  }

  static func findings(on machine: Machine) -> [MachineFinding] {
    guard machine.model?.isRaspberryPi == true, let throttling = throttling(machine) else {
      return []
    }
    if throttling.isLowNow {
      return [
        MachineFinding(
          .powerLow, .fault, "the supply voltage is too low now",
          why: "USB receivers drop out and sensors measure wrong values below 4.63 V at the board",
          remedy: .manual(
            "# use the supply of this model, with a short thick cable; then: vcgencmd get_throttled"
          ))
      ]
    }
    if throttling.isLimitedNow {
      return [
        MachineFinding(
          .powerThrottled, .warning, "the processor is slowed down now, by heat",
          why: "buses are read late; a magnetometer beside a hot board drifts",
          remedy: .manual("vcgencmd measure_temp    # then add airflow or a heat sink"))
      ]
    }
    guard throttling.wasLow || throttling.wasLimited else {
      return [.ok(.power, "voltage and temperature have been good since the start")]
    }
    return [
      MachineFinding(
        .powerEarlier, throttling.wasLow ? .warning : .note,
        throttling.wasLow
          ? "the supply voltage was too low since the start"
          : "the processor was slowed down since the start, by heat",
        why: "at the same load it will happen again",
        remedy: .manual("vcgencmd get_throttled    # after a day with another supply or more air"))
    ]
  }

  /// - Source: raspberrypi/linux pull request 2397: the sysfs file has the bits in hexadecimal;
  ///   docs.kernel.org, hwmon/raspberrypi-hwmon: `in0_lcrit_alarm` of `rpi_volt`.
  private static func throttling(_ machine: Machine) -> Throttling? {
    if let outcome = machine.system.run(["vcgencmd", "get_throttled"]), outcome.status == 0,
      let value = outcome.output.split(separator: "=").last?.split(whereSeparator: \.isWhitespace)
        .first,
      let bits = UInt32(value.dropFirst(2), radix: 16)
    {
      return Throttling(bits: bits)
    }
    if let line = machine.line("/sys/devices/platform/soc/soc:firmware/get_throttled"),
      let bits = UInt32(line, radix: 16)
    {
      return Throttling(bits: bits)
    }
    let alarms = machine.names(in: "/sys/class/hwmon").compactMap { name -> Bool? in
      guard machine.line("/sys/class/hwmon/\(name)/name") == "rpi_volt" else { return nil }
      return machine.line("/sys/class/hwmon/\(name)/in0_lcrit_alarm").map { $0 == "1" }
    }
    return alarms.first.map { Throttling(bits: $0 ? 1 : 0) }
  }
}
