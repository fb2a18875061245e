import Configuration
import Doctor
import Foundation
import Testing

@Suite("Doctor: I2C and SPI", .timeLimit(.minutes(30)))
struct I2CDoctorTests {
  @Test("a bus at 400 kHz whose module every start loads has no problem")
  func good() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.write("i2c_dev 24576 0 - Live 0x0\n", "/proc/modules")
    let findings = fake.findings(.i2c)
    #expect(findings.map(\.severity) == [.ok])
    #expect(findings.map(\.what) == ["/dev/i2c-1 at 400 kHz"])
  }

  @Test("a configuration that does not switch I2C on is a fault, which --fix mends for all models")
  func disabled() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.remove("/dev/i2c-1")
    try fake.remove("/sys/bus/i2c")
    let old = "#dtparam=i2c_arm=on\ndtparam=audio=on\n[pi5]\ndtparam=i2c_arm=on"
    try fake.write(old, "/boot/firmware/config.txt")
    let finding = try #require(fake.findings(.i2c).first)
    #expect(finding.identifier == "i2c-disabled" && finding.severity == .fault)
    #expect(
      finding.remedy?.commands.first
        == "printf '\\n[all]\\ndtparam=i2c_arm=on\\n' | sudo tee -a /boot/firmware/config.txt")
    #expect(finding.remedy?.completion == .restart)
    #expect(try fake.repair(finding).count == 2)
    #expect(
      try fake.text("/boot/firmware/config.txt") == old + "\n\n[all]\ndtparam=i2c_arm=on\n")
    #expect(try fake.text("/boot/firmware/config.txt.before-lodestar") == old)
    #expect(try fake.text("/etc/modules-load.d/i2c-dev.conf") == "i2c-dev\n")
    // Mended, but only after a restart; a second repair changes nothing.
    #expect(fake.findings(.i2c).map(\.identifier) == ["i2c-awaits-restart"])
    #expect(try fake.repair(finding).isEmpty)
    try fake.write("", "/dev/i2c-1")
    #expect(fake.findings(.i2c).map(\.severity) == [.ok])
  }

  @Test("the buses of displays are not that of the pins, and chips at another bus need none there")
  func displays() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.remove("/dev/i2c-1")
    try fake.remove("/sys/bus/i2c/devices/i2c-1")
    for bus in ["i2c-20", "i2c-21"] {
      try fake.write("", "/dev/\(bus)")
      try fake.write("", "/sys/bus/i2c/devices/\(bus)/name")
    }
    try fake.write("dtparam=audio=on\n", "/boot/firmware/config.txt")
    #expect(fake.findings(.i2c).map(\.identifier) == ["i2c-disabled"])
    let chip = Machine.BusDevice(bus: "/dev/i2c-3", address: 0x1E, name: "LIS3MDL")
    #expect(fake.findings(.i2c) { $0.devices = [chip] }.map(\.severity) == [.ok])
    let elsewhere = Board(name: "test", sensors: [.init(chip: .lis3mdl, bus: "/dev/i2c-3")])
    #expect(fake.findings(.i2c, with(elsewhere)).map(\.severity) == [.ok])
    let board = with(Board(name: "test", sensors: [.init(chip: .lis3mdl)]))
    #expect(fake.findings(.i2c, board).map(\.identifier) == ["i2c-disabled"])
  }

  @Test(
    "I2C is on by any of its names, and off where a later line switches it off",
    arguments: [
      ("dtparam=i2c_arm=on", true), ("dtparam=spi=on,i2c_arm=on", true), ("dtparam=i2c_arm", true),
      ("device_tree_param=i2c1=1", true), ("dtparam=i2c=yes\r", true),
      ("dtparam=i2c_arm=on\ndtparam=i2c_arm=off", false), ("#dtparam=i2c_arm=on", false),
      ("[pi3]\ndtparam=i2c_arm=on", false), ("[pi4]\ndtparam=i2c_arm=on", true),
    ])
  func names(text: String, isOn: Bool) throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.remove("/dev/i2c-1")
    try fake.remove("/sys/bus/i2c")
    try fake.write(text, "/boot/firmware/config.txt")
    #expect(
      fake.findings(.i2c).map(\.identifier) == [isOn ? "i2c-awaits-restart" : "i2c-disabled"])
  }

  @Test("a machine without buses is named, with what still works")
  func noBus() throws {
    let fake = try FakeMachine()
    let finding = try #require(fake.findings(.i2c).first)
    #expect(finding.identifier == "i2c-no-bus" && finding.severity == .warning)
    try fake.write("", "/dev/i2c-0")
    #expect(fake.findings(.i2c).map(\.severity) == [.ok])
  }

  @Test("buses without /dev/i2c-* are a fault, which --fix mends now and for the next start")
  func deviceMissing() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.remove("/dev/i2c-1")
    let finding = try #require(fake.findings(.i2c).first)
    #expect(finding.identifier == "i2c-device-missing" && finding.severity == .fault)
    fake.answer(["modprobe", "i2c-dev"])
    #expect(try fake.repair(finding).count == 2)
    #expect(fake.calls.last == ["modprobe", "i2c-dev"])
    #expect(try fake.text("/etc/modules-load.d/i2c-dev.conf") == "i2c-dev\n")
    // As the module would do.
    try fake.write("", "/dev/i2c-1")
    #expect(fake.findings(.i2c).map(\.severity) == [.ok])
  }

  @Test("the files of Debian 12 in /boot, which only say that they have moved, are not read")
  func moved() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.remove("/dev/i2c-1")
    try fake.remove("/sys/bus/i2c")
    try fake.remove("/boot/firmware/config.txt")
    try fake.write("DO NOT EDIT THIS FILE\n", "/boot/config.txt")
    // The partition is not mounted.
    #expect(fake.findings(.i2c).map(\.identifier) == ["i2c-no-bus"])
    try fake.remove("/boot/firmware")
    #expect(fake.findings(.i2c).map(\.identifier) == ["i2c-disabled"])
  }

  @Test("a module that no file names is a warning, which --fix mends")
  func notAtStart() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.write("i2c_dev 24576 0 - Live 0x0\n", "/proc/modules")
    try fake.write("# i2c-dev\n", "/etc/modules-load.d/modules.conf")
    let finding = try #require(fake.findings(.i2c).first)
    #expect(finding.identifier == "i2c-not-at-start" && finding.severity == .warning)
    _ = try fake.repair(finding)
    #expect(fake.findings(.i2c).map(\.severity) == [.ok])
  }

  @Test(
    "the clock of the bus is judged by what the chips permit and need",
    arguments: [
      ([0, 1, 0x86, 0xA0] as [UInt8], "i2c-slow", MachineFinding.Severity.note),
      ([0, 0, 0x27, 0x10], "i2c-slow", .warning), ([0, 0x0F, 0x42, 0x40], "i2c-fast", .warning),
      ([0, 6, 0x1A, 0x80], "i2c", .ok),
    ])
  func clock(bytes: [UInt8], identifier: String, severity: MachineFinding.Severity) throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.write(Data(bytes), "/sys/bus/i2c/devices/i2c-1/of_node/clock-frequency")
    let finding = try #require(fake.findings(.i2c).first)
    #expect(finding.identifier == identifier && finding.severity == severity)
    #expect(finding.remedy?.isAutomatic != true)
  }

  @Test("chips that stretch the clock are reported on the hardware controller, not on i2c-gpio")
  func clockStretching() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    let devices = [
      Machine.BusDevice(bus: "/dev/i2c-1", address: 0x28, name: "BNO055, no driver yet"),
      Machine.BusDevice(bus: "/dev/i2c-1", address: 0x4A, name: "unknown device"),
      Machine.BusDevice(bus: "/dev/i2c-1", address: 0x68, name: "MPU-6050"),
    ]
    let found = fake.findings(.i2c) { $0.devices = devices }
    #expect(found.map(\.identifier) == ["i2c-clock-stretching", "i2c-clock-stretching"])
    #expect(found.first?.remedy?.commands.first?.contains("dtoverlay=i2c-gpio") == true)
    try fake.write("i2c-gpio\n", "/sys/class/i2c-dev/i2c-1/name")
    #expect(fake.findings(.i2c) { $0.devices = devices }.map(\.severity) == [.ok])
  }

  @Test("SPI that is off is a note only on a Raspberry Pi")
  func spi() throws {
    let fake = try FakeMachine()
    #expect(fake.findings(.spi).isEmpty)
    try fake.makeRaspberryPi()
    let finding = try #require(fake.findings(.spi).first)
    #expect(finding.identifier == "spi-disabled" && finding.severity == .note)
    #expect(finding.remedy?.isAutomatic == false)
    try fake.write("", "/dev/spidev0.0")
    #expect(fake.findings(.spi).map(\.severity) == [.ok])
  }
}
