import Configuration
import Doctor
import Testing

@Suite("Doctor: power, configuration, libraries, log", .timeLimit(.minutes(30)))
struct SystemDoctorTests {
  // MARK: Power

  @Test(
    "the firmware's bits are reported, those of now before those since the start",
    arguments: [
      ("0x0", "power", MachineFinding.Severity.ok), ("0x50005", "power-low", .fault),
      ("0x80008", "power-throttled", .warning), ("0x50000", "power-earlier", .warning),
      ("0x80000", "power-earlier", .note),
    ])
  func power(bits: String, identifier: String, severity: MachineFinding.Severity) throws {
    let fake = try FakeMachine()
    fake.answer(["vcgencmd", "get_throttled"], "throttled=\(bits)\n")
    #expect(fake.findings(.power).isEmpty)
    try fake.makeRaspberryPi()
    let finding = try #require(fake.findings(.power).first)
    #expect(finding.identifier == identifier && finding.severity == severity)
  }

  @Test("without vcgencmd the kernel's files are read")
  func powerByFiles() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    #expect(fake.findings(.power).isEmpty)
    try fake.write("rpi_volt\n", "/sys/class/hwmon/hwmon1/name")
    try fake.write("1\n", "/sys/class/hwmon/hwmon1/in0_lcrit_alarm")
    #expect(fake.findings(.power).map(\.identifier) == ["power-low"])
    try fake.write("50000\n", "/sys/devices/platform/soc/soc:firmware/get_throttled")
    #expect(fake.findings(.power).map(\.identifier) == ["power-earlier"])
  }

  // MARK: Configuration

  @Test("a file that the daemon cannot read is a fault with its reason")
  func configuration() throws {
    let fake = try FakeMachine()
    #expect(fake.findings(.configuration).isEmpty)
    let found = fake.findings(.configuration) {
      $0.configurationFault = "serve.yaml:3: unknown key"
    }
    #expect(found.map(\.identifier) == ["configuration-refused"])
    #expect(found.map(\.severity) == [.fault])
    #expect(found.map(\.what) == ["serve.yaml:3: unknown key"])
    let good = fake.findings(.configuration, with(Board(name: "GY-91")))
    #expect(good.map(\.severity) == [.ok])
  }

  @Test("a service that starts with the machine and does not run is a fault")
  func stopped() throws {
    let fake = try FakeMachine()
    try fake.write("", "/usr/lib/systemd/system/lodestar.service")
    #expect(fake.findings(.configuration).isEmpty)
    fake.answer(["systemctl", "is-enabled", "--quiet", "lodestar.service"])
    fake.answer(["systemctl", "is-active", "--quiet", "lodestar.service"], status: 3)
    #expect(fake.findings(.configuration).map(\.identifier) == ["service-stopped"])
    #expect(fake.findings(.configuration).map(\.severity) == [.fault])
    fake.answer(["systemctl", "is-active", "--quiet", "lodestar.service"])
    #expect(fake.findings(.configuration).isEmpty)
  }

  // MARK: Libraries

  @Test("a missing library is a note with its package of this Debian, a fault where it is needed")
  func libraries() throws {
    let fake = try FakeMachine()
    #expect(fake.findings(.libraries).map(\.severity) == [.ok])
    fake.setting.withLock { $0.missingLibraries = ["libgpiod.so.3"] }
    // The other generation is enough.
    #expect(fake.findings(.libraries).map(\.severity) == [.ok])
    fake.setting.withLock { $0.missingLibraries = ["libgpiod.so.3", "libgpiod.so.2"] }
    let finding = try #require(fake.findings(.libraries).first)
    #expect(finding.identifier == "library-missing" && finding.severity == .note)
    #expect(
      finding.remedy?.commands == ["sudo apt install libgpiod3 || sudo apt install libgpiod2"])
    try fake.write("ID=debian\nVERSION_ID=\"13\"\n", "/etc/os-release")
    #expect(
      fake.findings(.libraries).first?.remedy?.commands == ["sudo apt install libgpiod3"])
    try fake.write("ID=debian\nVERSION_ID=\"12\"\n", "/etc/os-release")
    #expect(
      fake.findings(.libraries).first?.remedy?.commands == ["sudo apt install libgpiod2"])
    let needed = fake.findings(.libraries, withReceiver(pulse: "GPIO18"))
    #expect(needed.map(\.severity) == [.fault])
  }

  // MARK: Log

  @Test("sensors that the daemon lost in the last hour are reported with their number")
  func log() throws {
    let fake = try FakeMachine()
    #expect(fake.findings(.log).isEmpty)
    fake.answer(["journalctl"], status: 1)
    #expect(fake.findings(.log).isEmpty)
    let line = "MPU-6050 at 0x68 of /dev/i2c-1 is lost, going on without it: no answer\n"
    fake.answer(["journalctl", "--unit=lodestar.service"], line)
    #expect(fake.findings(.log).map(\.severity) == [.warning])
    #expect(fake.findings(.log).map(\.identifier) == ["log-chip-lost"])
    fake.answer(["journalctl", "--unit=lodestar.service"], String(repeating: line, count: 40))
    #expect(fake.findings(.log).map(\.severity) == [.fault])
    #expect(fake.findings(.log).first?.what.contains("40 times") == true)
    // Of a device that is lost again and again the log has a line an hour.
    let summary =
      "MPU-6050 at 0x68 of /dev/i2c-1 is unsteady: lost 25 times in the last hour, in service 90 % of it; "
      + "now it is in service; check its wires\n"
    fake.answer(["journalctl", "--unit=lodestar.service"], line + summary)
    #expect(fake.findings(.log).map(\.severity) == [.fault])
    #expect(fake.findings(.log).first?.what.contains("25 times") == true)
  }
}
