import Doctor
import Foundation
import TestSupport
import Testing

@Suite("Doctor: users and devices", .timeLimit(.minutes(30)))
struct AccessDoctorTests {
  private func prepared() throws -> FakeMachine {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.makeUsers()
    fake.own("/dev/i2c-1", gid: 994, mode: 0o660)
    fake.own("/dev/gpiochip0", gid: 993, mode: 0o660)
    fake.own("/dev/ttyAMA0", gid: 20, mode: 0o660)
    fake.setting.withLock { $0.caller = Caller(uid: 1000, groups: [1000, 994, 993, 20, 990]) }
    return fake
  }

  @Test("a person and a daemon in all groups have no problem")
  func good() throws {
    let fake = try prepared()
    try fake.write("", "/usr/lib/systemd/system/lodestar.service")
    #expect(fake.findings(.access).map(\.severity) == [.ok])
  }

  @Test("a person without the devices' groups gets them by --fix, also through sudo")
  func user() throws {
    let fake = try prepared()
    try fake.makeUsers(pi: "other")
    fake.setting.withLock { $0.caller = Caller(uid: 0, groups: [0], sudoUser: "pi") }
    let finding = try #require(fake.findings(.access).first)
    #expect(finding.identifier == "access-user" && finding.severity == .fault)
    #expect(finding.what == "the user pi is not in the groups dialout,gpio,i2c")
    #expect(finding.remedy?.completion == .login)
    fake.answer(["usermod"])
    #expect(try fake.repair(finding).count == 1)
    #expect(fake.calls.last == ["usermod", "-aG", "dialout,gpio,i2c", "pi"])
    try fake.makeUsers()
    #expect(fake.findings(.access).map(\.severity) == [.ok])
  }

  @Test("a session older than the membership is a warning until the next login")
  func login() throws {
    let fake = try prepared()
    fake.setting.withLock { $0.caller = Caller(uid: 1000, groups: [1000]) }
    let finding = try #require(fake.findings(.access).first)
    #expect(finding.identifier == "access-login" && finding.severity == .warning)
    fake.setting.withLock { $0.caller.groups = [1000, 994, 993, 20] }
    #expect(fake.findings(.access).map(\.severity) == [.ok])
  }

  @Test("the daemon's user without a group is a fault of the service, which --fix mends")
  func service() throws {
    let fake = try prepared()
    try fake.makeUsers(lodestar: "other")
    // Without the unit no daemon needs the groups.
    #expect(fake.findings(.access).map(\.severity) == [.ok])
    try fake.write("", "/etc/systemd/system/lodestar.service")
    let finding = try #require(fake.findings(.access).first)
    #expect(finding.identifier == "access-service" && finding.severity == .fault)
    fake.answer(["usermod"])
    fake.answer(["systemctl", "try-restart"])
    #expect(try fake.repair(finding).count == 2)
    #expect(fake.calls.contains(["usermod", "-aG", "dialout,gpio,i2c", "lodestar"]))
    try fake.makeUsers()
    #expect(fake.findings(.access).map(\.severity) == [.ok])
    // A terminal with a login on it is its user's, whatever the groups.
    fake.own("/dev/ttyAMA0", uid: 1001, gid: 5, mode: 0o620)
    try fake.write(try fake.text("/etc/group") + "tty:x:5:\n", "/etc/group")
    #expect(fake.findings(.access).map(\.severity) == [.ok])
  }

  @Test("devices of root alone get a rule and a group by --fix")
  func device() throws {
    let fake = try prepared()
    try fake.write("root:x:0:\npi:x:1000:\ni2c:x:994:pi\ndialout:x:20:pi\n", "/etc/group")
    fake.own("/dev/gpiochip0", mode: 0o600)
    let finding = try #require(fake.findings(.access).first)
    #expect(finding.identifier == "access-device" && finding.severity == .warning)
    #expect(finding.what == "/dev/gpiochip0 belongs to root alone")
    for program in ["groupadd", "udevadm"] { fake.answer([program]) }
    #expect(try fake.repair(finding).count == 4)
    #expect(fake.calls.contains(["groupadd", "--system", "gpio"]))
    #expect(
      try fake.text("/etc/udev/rules.d/61-lodestar-devices.rules").contains("KERNEL==\"gpiochip*\"")
    )
    // As udev would do by the rule.
    try fake.makeUsers()
    fake.own("/dev/gpiochip0", gid: 993, mode: 0o660)
    #expect(fake.findings(.access).map(\.severity) == [.ok])
  }

  @Test("the rules of --fix are those of the package")
  func rules() throws {
    let packaged = try String(
      contentsOf: SharedData.repository.appendingPathComponent("Packaging/systemd/devices.rules"),
      encoding: .utf8
    ).split(separator: "\n")
    let fake = try FakeMachine()
    for device in ["i2c-1", "gpiochip0", "pps0", "iio:device0"] {
      try fake.write("", "/dev/\(device)")
      fake.own("/dev/\(device)", mode: 0o600)
    }
    let steps = fake.findings(.access).flatMap { $0.remedy?.steps ?? [] }
    let rules = steps.compactMap { step -> String? in
      if case .line(let rule, _) = step { rule } else { nil }
    }
    #expect(rules.count == 4)
    #expect(rules.allSatisfy { packaged.contains($0[...]) }, "\(rules)")
  }

  @Test("a person who cannot reach the daemon's socket is put into its group")
  func socket() throws {
    let fake = try prepared()
    try fake.write("", "/run/lodestar/lodestar.sock")
    fake.own("/run/lodestar/lodestar.sock", uid: 990, gid: 990, mode: 0o660)
    #expect(fake.findings(.access).map(\.severity) == [.ok])
    try fake.write("lodestar:x:990:\ni2c:x:994:\n", "/etc/group")
    let finding = try #require(fake.findings(.access).first)
    // The devices are the daemon's: their groups are not needed.
    #expect(fake.findings(.access).count == 1)
    #expect(finding.identifier == "access-socket" && finding.severity == .fault)
    fake.answer(["usermod"])
    _ = try fake.repair(finding)
    #expect(fake.calls.last == ["usermod", "-aG", "lodestar", "pi"])
    try fake.makeUsers()
    #expect(fake.findings(.access).map(\.severity) == [.ok])
  }

  @Test("the group of the socket is needed also while the daemon does not run")
  func stoppedDaemon() throws {
    let fake = try prepared()
    try fake.write("", "/usr/lib/systemd/system/lodestar.service")
    fake.answer(["systemctl", "is-enabled", "--quiet", "lodestar.service"])
    #expect(fake.findings(.access).map(\.severity) == [.ok])
    let groups = try fake.text("/etc/group")
    try fake.write(groups.replacing("lodestar:x:990:pi", with: "lodestar:x:990:"), "/etc/group")
    #expect(fake.findings(.access).map(\.what) == ["the user pi is not in the group lodestar"])
  }

  @Test("a unit without its user is a fault, and --fix makes the user")
  func serviceUser() throws {
    let fake = try prepared()
    try fake.write("root:x:0:0::/root:/bin/sh\npi:x:1000:1000::/:/bin/sh\n", "/etc/passwd")
    #expect(fake.findings(.access).map(\.severity) == [.ok])
    try fake.write("", "/lib/systemd/system/lodestar.service")
    let finding = try #require(fake.findings(.access).first)
    #expect(finding.identifier == "service-user" && finding.severity == .fault)
    fake.answer(["useradd"])
    _ = try fake.repair(finding)
    #expect(fake.calls.last?.last == "lodestar")
    try fake.makeUsers()
    #expect(fake.findings(.access).map(\.severity) == [.ok])
  }
}
