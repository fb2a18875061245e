import Doctor
import Testing

@Suite("Doctor: state and disk", .timeLimit(.minutes(30)))
struct StorageDoctorTests {
  private static let disk = "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n"

  private func prepared() throws -> FakeMachine {
    let fake = try FakeMachine()
    try fake.makeUsers()
    try fake.write(Self.disk, "/proc/mounts")
    try fake.write("{}", "/var/lib/lodestar/calibration.json")
    return fake
  }

  @Test("a state folder on a writable disk has no problem")
  func good() throws {
    #expect(try prepared().findings(.storage).map(\.severity) == [.ok])
  }

  @Test("a read-only file system under the state is a warning, whichever mount it is")
  func readOnly() throws {
    let fake = try prepared()
    try fake.write("/dev/mmcblk0p2 / ext4 ro,noatime 0 0\n", "/proc/mounts")
    #expect(fake.findings(.storage).map(\.identifier) == ["state-read-only"])
    // A disk of its own for the state.
    try fake.write(
      "/dev/mmcblk0p2 / ext4 ro 0 0\n/dev/sda1 /var/lib ext4 rw 0 0\n", "/proc/mounts")
    #expect(fake.findings(.storage).map(\.severity) == [.ok])
    // The last mount at a folder counts, and /var/library is another folder.
    try fake.write(
      "rootfs / rootfs rw 0 0\n/dev/sda2 / ext4 ro 0 0\n/dev/sda1 /var/li ext4 rw 0 0\n",
      "/proc/mounts")
    #expect(fake.findings(.storage).map(\.identifier) == ["state-read-only"])
  }

  @Test("a state in memory is a warning", arguments: ["tmpfs", "overlay"])
  func volatile(type: String) throws {
    let fake = try prepared()
    try fake.write("\(type) / \(type) rw 0 0\n", "/proc/mounts")
    let finding = try #require(fake.findings(.storage).first)
    #expect(finding.identifier == "state-volatile" && finding.severity == .warning)
    func command() -> String { fake.findings(.storage).first?.remedy?.commands.first ?? "" }
    #expect(command().hasPrefix("# mount a file system of a disk at /var/lib/lodestar"))
    try fake.write("", "/run/.containerenv")
    #expect(command().hasPrefix("# mount a volume of the container's host"))
    #expect(fake.findings(.storage).first?.what.contains("belongs to the container") == true)
    try fake.remove("/run/.containerenv")
    try fake.makeRaspberryPi()
    #expect(command().hasPrefix("sudo raspi-config nonint do_overlayfs 1"))
    #expect(fake.findings(.storage) { $0.stateFolder = "/data" }.count == 1)
    try fake.write("\(type) / \(type) rw 0 0\n/dev/sda1 /data ext4 rw 0 0\n", "/proc/mounts")
    #expect(fake.findings(.storage) { $0.stateFolder = "/data" }.map(\.severity) == [.ok])
  }

  @Test("a file of root in the daemon's state is a fault, and --fix gives it to the daemon")
  func owner() throws {
    let fake = try prepared()
    #expect(fake.findings(.storage).map(\.severity) == [.ok])
    try fake.write("", "/lib/systemd/system/lodestar.service")
    fake.own("/var/lib/lodestar", uid: 990, gid: 990, mode: 0o700)
    let finding = try #require(fake.findings(.storage).first)
    #expect(finding.identifier == "state-owner" && finding.severity == .fault)
    #expect(finding.what.contains("calibration.json"))
    for program in ["chown", "systemctl"] { fake.answer([program]) }
    #expect(try fake.repair(finding).count == 2)
    #expect(
      fake.calls.contains(["chown", "--recursive", "lodestar:lodestar", "/var/lib/lodestar"]))
    fake.own("/var/lib/lodestar/calibration.json", uid: 990, gid: 990, mode: 0o600)
    #expect(fake.findings(.storage).map(\.severity) == [.ok])
  }

  @Test(
    "little free space is a warning, almost none a fault",
    arguments: [
      (5 << 20 as UInt64, MachineFinding.Severity.fault), (50 << 20, .warning), (1 << 30, .ok),
    ])
  func space(free: UInt64, severity: MachineFinding.Severity) throws {
    let fake = try prepared()
    fake.setting.withLock { $0.freeBytes = free }
    let finding = try #require(fake.findings(.storage).first)
    #expect(finding.severity == severity)
    #expect(finding.identifier == (severity == .ok ? "storage" : "disk-full"))
  }
}
