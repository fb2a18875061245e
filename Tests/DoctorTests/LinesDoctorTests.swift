import Doctor
import Testing

@Suite("Doctor: GPIO and pulses", .timeLimit(.minutes(30)))
struct LinesDoctorTests {
  // MARK: GPIO

  @Test(
    "the header's chip is found by its device tree on each model",
    arguments: [
      ("Raspberry Pi 4 Model B Rev 1.4", "bcm2711", "pinctrl-bcm2711"),
      ("Raspberry Pi 5 Model B Rev 1.0", "bcm2712", "pinctrl-rp1"),
    ])
  func header(name: String, soc: String, label: String) throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi(name, soc: soc)
    let finding = try #require(fake.findings(.gpio).first)
    #expect(finding.severity == .ok && finding.what.contains("gpiochip0 (\(label))"))
  }

  @Test("a Raspberry Pi without the header's chip is a warning")
  func missing() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.remove("/dev/gpiochip0")
    #expect(fake.findings(.gpio).map(\.identifier) == ["gpio-header"])
    try fake.remove("/sys/bus/gpio")
    #expect(fake.findings(.gpio).map(\.severity) == [.warning])
    try fake.remove("/proc/device-tree")
    #expect(fake.findings(.gpio).isEmpty)
  }

  @Test("a line named by the number of a chip is a fault where the header has another number")
  func number() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi("Raspberry Pi 5 Model B Rev 1.0", soc: "bcm2712")
    let finding = try #require(fake.findings(.gpio, withReceiver(pulse: "gpiochip4:18")).first)
    #expect(finding.identifier == "gpio-number" && finding.severity == .fault)
    #expect(
      finding.remedy?.commands
        == ["sudo sed -i 's/gpiochip4:18/GPIO18/' /etc/lodestar/boards/test.yaml"])
    #expect(fake.findings(.gpio, withReceiver(pulse: "gpiochip0:18")).map(\.severity) == [.note])
    #expect(fake.findings(.gpio, withReceiver(pulse: "GPIO18")).map(\.severity) == [.ok])
    // Raspberry Pi OS keeps the old name as a link.
    try fake.link("/dev/gpiochip4", to: "gpiochip0")
    #expect(fake.findings(.gpio, withReceiver(pulse: "gpiochip4:18")).map(\.severity) == [.note])
  }

  // MARK: Pulses

  @Test("a pulse that the board names and the kernel lacks is a fault; the user names its pin")
  func pulseMissing() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    #expect(fake.findings(.pulse).isEmpty)
    let finding = try #require(fake.findings(.pulse, withReceiver(pulse: "/dev/pps0")).first)
    #expect(finding.identifier == "pulse-missing" && finding.severity == .fault)
    #expect(finding.remedy?.isAutomatic == false)
    #expect(finding.remedy?.commands.first?.contains("dtoverlay=pps-gpio,gpiopin=18") == true)
    try fake.write("dtoverlay=pps-gpio,gpiopin=4\n", "/boot/firmware/config.txt")
    // Now it waits for the restart, with nothing left to fix.
    let waiting = try #require(fake.findings(.pulse, withReceiver(pulse: "/dev/pps0")).first)
    #expect(waiting.remedy?.commands == ["sudo reboot"] && waiting.remedy?.isAutomatic == false)
    try fake.write("", "/dev/pps0")
    try fake.write("1782863999.5#12\n", "/sys/class/pps/pps0/assert")
    #expect(fake.findings(.pulse, withReceiver(pulse: "/dev/pps0")).map(\.severity) == [.ok])
  }

  @Test(
    "a source whose last pulse is old, or that had none, is a warning",
    arguments: [("0.000000000#0", true), ("1782863940.1#9", true), ("1782863998.9#9", false)])
  func pulseSilent(text: String, isSilent: Bool) throws {
    let fake = try FakeMachine()
    try fake.write("", "/dev/pps0")
    try fake.write("\(text)\n", "/sys/class/pps/pps0/assert")
    try fake.write("0.000000000#0\n", "/sys/class/pps/pps0/clear")
    #expect(
      fake.findings(.pulse).map(\.identifier) == [isSilent ? "pulse-silent" : "pulse"])
    // The clock of a network interface.
    try fake.write("ptp0\n", "/sys/class/pps/pps0/name")
    #expect(fake.findings(.pulse).isEmpty)
  }

  @Test("a line that the overlay has taken cannot be requested by its name")
  func lineTaken() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.write("dtoverlay=pps-gpio\n", "/boot/firmware/config.txt")
    let finding = try #require(fake.findings(.pulse, withReceiver(pulse: "GPIO18")).first)
    #expect(finding.identifier == "pulse-line-taken" && finding.severity == .fault)
    #expect(fake.findings(.pulse, withReceiver(pulse: "GPIO4")).isEmpty)
    try fake.write("dtoverlay=pps-gpio,gpiopin=4\n", "/boot/firmware/config.txt")
    #expect(fake.findings(.pulse, withReceiver(pulse: "GPIO4")).count == 1)
    #expect(fake.findings(.pulse, withReceiver(pulse: "GPIO18")).isEmpty)
  }
}
