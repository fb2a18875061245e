import Doctor
import Testing

@Suite("Doctor: serial ports", .timeLimit(.minutes(30)))
struct SerialDoctorTests {
  @Test("a UART without console, login and Bluetooth has no problem")
  func good() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    #expect(fake.findings(.serial).map(\.what) == ["/dev/ttyAMA0"])
    #expect(fake.findings(.serial).map(\.severity) == [.ok])
  }

  @Test("a console on the UART is a fault with a receiver on it; --fix removes its words only")
  func console() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    let old = "console=serial0,115200 console=tty1 root=PARTUUID=1 rootwait\n"
    try fake.write(old, "/boot/firmware/cmdline.txt")
    #expect(fake.findings(.serial).map(\.severity) == [.warning])
    let found = fake.findings(.serial, withReceiver("/dev/serial0"))
    let finding = try #require(found.first)
    #expect(finding.identifier == "serial-console" && finding.severity == .fault)
    #expect(
      finding.remedy?.commands == [
        "sudo sed -i 's/console=serial0,115200 *//' /boot/firmware/cmdline.txt",
        "sudo systemctl disable --now serial-getty@ttyAMA0.service",
      ])
    fake.answer(["systemctl", "disable"])
    #expect(try fake.repair(finding).count == 2)
    #expect(
      try fake.text("/boot/firmware/cmdline.txt") == "console=tty1 root=PARTUUID=1 rootwait\n")
    #expect(try fake.text("/boot/firmware/cmdline.txt.before-lodestar") == old)
    #expect(fake.calls.last?.last == "serial-getty@ttyAMA0.service")
    #expect(fake.findings(.serial).map(\.severity) == [.ok])
  }

  @Test("a console that someone may use is left to the user's decision")
  func consoleInUse() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.write("console=serial0,115200 console=tty1\n", "/boot/firmware/cmdline.txt")
    // Without a receiver it may be the only way in.
    let unused = try #require(fake.findings(.serial).first)
    #expect(unused.severity == .warning && unused.remedy?.isAutomatic == false)
    let used = withReceiver("/dev/serial0")
    #expect(fake.findings(.serial, used).first?.remedy?.isAutomatic == true)
    // The receiver is on USB.
    try fake.write("", "/dev/ttyACM0")
    let other = try #require(fake.findings(.serial, withReceiver("/dev/ttyACM0")).first)
    #expect(other.severity == .note && other.remedy?.isAutomatic == false)
    #expect(other.remedy?.commands.count == 2)
    // The program is run at this console.
    fake.setting.withLock { $0.caller.terminal = "/dev/ttyAMA0" }
    #expect(fake.findings(.serial, used).first?.remedy?.isAutomatic == false)
  }

  @Test("the console of a Raspberry Pi 5 is on its debug connector, and no problem there")
  func consoleOfRP1() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi("Raspberry Pi 5 Model B Rev 1.0", soc: "bcm2712")
    try fake.write("console=serial0,115200 console=tty1\n", "/boot/firmware/cmdline.txt")
    #expect(fake.findings(.serial).map(\.severity) == [.ok])
    try fake.write("console=ttyAMA0,115200\n", "/boot/firmware/cmdline.txt")
    #expect(fake.findings(.serial).map(\.identifier) == ["serial-console"])
  }

  @Test("a login on the UART is reported, and --fix switches it off")
  func login() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    let unit = "/etc/systemd/system/getty.target.wants/serial-getty@ttyAMA0.service"
    try fake.write("", unit)
    #expect(fake.findings(.serial).map(\.severity) == [.warning])
    let finding = try #require(fake.findings(.serial, withReceiver("/dev/ttyAMA0")).first)
    #expect(finding.identifier == "serial-login" && finding.severity == .fault)
    fake.answer(["systemctl", "disable", "--now"])
    #expect(try fake.repair(finding).count == 1)
    #expect(fake.calls.last == ["systemctl", "disable", "--now", "serial-getty@ttyAMA0.service"])
    try fake.remove(unit)
    #expect(fake.findings(.serial).map(\.severity) == [.ok])
  }

  @Test(
    "a UART that is off is a fault for a receiver on it, and --fix switches it on",
    arguments: [
      ("Raspberry Pi 3 Model B Rev 1.2", "bcm2837", "/dev/serial0", "enable_uart=1"),
      ("Raspberry Pi 5 Model B Rev 1.0", "bcm2712", "/dev/ttyAMA0", "dtparam=uart0=on"),
    ])
  func off(name: String, soc: String, port: String, line: String) throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi(name, soc: soc)
    try fake.remove("/dev/serial0")
    try fake.remove("/dev/ttyAMA0")
    try fake.write("dtparam=i2c_arm=on\n", "/boot/firmware/config.txt")
    let unneeded = try #require(fake.findings(.serial).first)
    #expect(unneeded.severity == .note && unneeded.remedy?.isAutomatic == false)
    let finding = try #require(fake.findings(.serial, withReceiver(port)).first)
    #expect(finding.identifier == "serial-off" && finding.severity == .fault)
    #expect(try fake.repair(finding).count == 1)
    #expect(
      try fake.text("/boot/firmware/config.txt") == "dtparam=i2c_arm=on\n\(line)\n")
    try fake.write("", port)
    #expect(fake.findings(.serial, withReceiver(port)).map(\.severity) == [.ok])
  }

  @Test("a receiver's port that does not exist is a fault, on the pins with the right name")
  func missing() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    let unplugged = try #require(fake.findings(.serial, withReceiver("/dev/ttyUSB0")).first)
    #expect(unplugged.identifier == "serial-missing" && unplugged.severity == .fault)
    try fake.write("", "/dev/ttyUSB0")
    #expect(fake.findings(.serial, withReceiver("/dev/ttyUSB0")).map(\.severity) == [.ok])
    // The kernel has Bluetooth's UART.
    try fake.remove("/dev/ttyAMA0")
    try fake.remove("/dev/serial0")
    try fake.write("", "/dev/ttyS0")
    try fake.link("/dev/serial0", to: "ttyS0")
    let other = try #require(fake.findings(.serial, withReceiver("/dev/ttyAMA0")).first)
    #expect(other.identifier == "serial-missing")
    #expect(
      other.remedy?.commands == [
        "sudo sed -i 's,/dev/ttyAMA0,/dev/serial0,' /etc/lodestar/boards/test.yaml"
      ])
  }

  @Test("a board file that names Bluetooth's port is a fault with the right port")
  func bluetooth() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.remove("/dev/serial0")
    try fake.link("/dev/serial0", to: "ttyS0")
    try fake.link("/dev/serial1", to: "ttyAMA0")
    let finding = try #require(fake.findings(.serial, withReceiver("/dev/ttyAMA0")).first)
    #expect(finding.identifier == "serial-bluetooth" && finding.severity == .fault)
    #expect(
      finding.remedy?.commands
        == ["sudo sed -i 's,/dev/ttyAMA0,/dev/serial0,' /etc/lodestar/boards/test.yaml"])
    let mended = fake.findings(.serial, withReceiver("/dev/serial0"))
    #expect(mended.map(\.identifier) == ["serial-mini-uart"])
    #expect(mended.map(\.severity) == [.note])
    #expect(mended.first?.remedy?.isAutomatic == false)
    // A receiver on USB does not mind which UART the pins have.
    try fake.write("", "/dev/ttyACM0")
    #expect(fake.findings(.serial, withReceiver("/dev/ttyACM0")).map(\.severity) == [.ok])
  }

  @Test("on a Raspberry Pi 5 a receiver at /dev/serial0 is at the debug connector")
  func debugConnector() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi("Raspberry Pi 5 Model B Rev 1.0", soc: "bcm2712")
    let finding = try #require(fake.findings(.serial, withReceiver("/dev/serial0")).first)
    #expect(finding.identifier == "serial-debug-connector" && finding.severity == .fault)
    #expect(fake.findings(.serial, withReceiver("/dev/ttyAMA0")).map(\.severity) == [.ok])
  }

  @Test("a machine that is no Raspberry Pi may have a console on its UART")
  func otherMachine() throws {
    let fake = try FakeMachine()
    try fake.write("NXP i.MX8MPlus EVK board\0", "/proc/device-tree/model")
    try fake.write(
      "", "/etc/systemd/system/getty.target.wants/serial-getty@ttyS0.service")
    #expect(fake.findings(.serial).isEmpty)
    try fake.write("", "/dev/ttyS0")
    #expect(
      fake.findings(.serial, withReceiver("/dev/ttyS0")).map(\.identifier) == ["serial-login"])
  }
}
