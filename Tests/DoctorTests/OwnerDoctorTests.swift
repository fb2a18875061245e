import Doctor
import Testing

@Suite("Doctor: other programs", .timeLimit(.minutes(30)))
struct OwnerDoctorTests {
  @Test("gpsd is a fault beside a receiver of the board, a note without one, fine as the source")
  func gpsd() throws {
    let fake = try FakeMachine()
    #expect(fake.findings(.owners).isEmpty)
    fake.answer(["systemctl", "is-active", "--quiet", "gpsd.socket"])
    #expect(fake.findings(.owners).map(\.identifier) == ["owner-gpsd"])
    #expect(fake.findings(.owners).map(\.severity) == [.note])
    #expect(fake.findings(.owners, withReceiver("/dev/ttyAMA0")).map(\.severity) == [.fault])
    #expect(fake.findings(.owners, withReceiver("gpsd://localhost")).isEmpty)
  }

  @Test("ModemManager is a warning only where a port on USB may have a receiver")
  func modemManager() throws {
    let fake = try FakeMachine()
    fake.answer(["systemctl", "is-active", "--quiet", "ModemManager.service"])
    #expect(fake.findings(.owners).isEmpty)
    try fake.write("", "/dev/ttyACM0")
    let finding = try #require(fake.findings(.owners).first)
    #expect(finding.identifier == "owner-modemmanager" && finding.severity == .warning)
    #expect(finding.remedy?.isAutomatic == false)
    // The name of a board file is a link with "..".
    try fake.link("/dev/serial/by-id/usb-u-blox", to: "../../ttyACM0")
    let byName = fake.findings(.owners, withReceiver("/dev/serial/by-id/usb-u-blox"))
    #expect(byName.map(\.what) == ["ModemManager runs and may probe /dev/ttyACM0"])
  }

  @Test("a program that has a bus or the receiver's port open is named")
  func program() throws {
    let fake = try FakeMachine()
    try fake.write("", "/dev/ttyACM0")
    try fake.write("python3\n", "/proc/412/comm")
    try fake.link("/proc/412/fd/3", to: "/dev/i2c-1")
    try fake.link("/proc/412/fd/4", to: "/dev/null")
    try fake.write("minicom\n", "/proc/413/comm")
    try fake.link("/proc/413/fd/5", to: "/dev/ttyACM0")
    // The daemon may have them open.
    try fake.write("lodestar\n", "/proc/414/comm")
    try fake.link("/proc/414/fd/5", to: "/dev/i2c-1")
    let found = fake.findings(.owners)
    #expect(
      found.map(\.what) == [
        "python3 (pid 412) has /dev/i2c-1 open", "minicom (pid 413) has /dev/ttyACM0 open",
      ])
    #expect(found.map(\.severity) == [.note, .warning])
    #expect(found.first?.identifier == "owner-program")
    let receiver = withReceiver("/dev/ttyACM0")
    #expect(fake.findings(.owners, receiver).map(\.severity) == [.fault])
    // A console, and chrony at a pulse, take nothing from anyone.
    try fake.write("agetty\n", "/proc/415/comm")
    try fake.write("", "/dev/ttyS0")
    try fake.link("/dev/serial0", to: "ttyS0")
    try fake.link("/proc/415/fd/0", to: "/dev/ttyS0")
    try fake.link("/proc/415/fd/1", to: "/dev/pps0")
    #expect(fake.findings(.owners) == found)
    #expect(fake.findings(.owners, withReceiver("/dev/serial0")).map(\.severity) == [.fault])
    try fake.remove("/proc/415")
    try fake.remove("/proc/412")
    try fake.remove("/proc/413")
    #expect(fake.findings(.owners).isEmpty)
  }

  @Test("two daemons are a warning; other commands of the program are not")
  func secondDaemon() throws {
    let fake = try FakeMachine()
    try fake.write("/usr/bin/lodestar\0serve\0--config\0x\0", "/proc/500/cmdline")
    try fake.write("lodestar\0heading\0", "/proc/501/cmdline")
    try fake.write("lodestar\0serve\0--simulate\0", "/proc/503/cmdline")
    #expect(fake.findings(.owners).isEmpty)
    try fake.write("./lodestar\0serve\0", "/proc/502/cmdline")
    let finding = try #require(fake.findings(.owners).first)
    #expect(finding.identifier == "owner-second-daemon" && finding.what.contains("500, 502"))
  }
}
