import Doctor
import Quantities
import Testing

@Suite("Doctor: time and the magnetic model", .timeLimit(.minutes(30)))
struct TimeDoctorTests {
  private static let unit = "/usr/lib/systemd/system/systemd-timesyncd.service"

  private func at(_ year: Int, _ month: Int, _ fake: FakeMachine) throws {
    let utc = try #require(UTCTime(year: year, month: month, day: 1))
    fake.setting.withLock { $0.utc = utc }
  }

  @Test("a clock that one service synchronises has no problem")
  func good() throws {
    let fake = try FakeMachine()
    fake.answer(["systemctl"], status: 3)
    fake.answer(["systemctl", "is-active", "--quiet", "chrony.service"])
    #expect(fake.findings(.time).map(\.what) == ["the clock is synchronised by chrony"])
  }

  @Test("a clock that was never set is a fault, and the model is not judged by it")
  func notSet() throws {
    let fake = try FakeMachine()
    try at(1970, 1, fake)
    try fake.write("", Self.unit)
    let finding = try #require(fake.findings(.time).first)
    #expect(finding.identifier == "time-not-set" && finding.severity == .fault)
    #expect(fake.findings(.model).isEmpty)
    fake.answer(["timedatectl", "set-ntp", "true"])
    #expect(try fake.repair(finding).count == 1)
    // As the service sets it.
    try at(2026, 7, fake)
    #expect(fake.findings(.time).map(\.severity) == [.ok])
  }

  @Test("a free clock is a warning: --fix starts the service that is missing, not one that waits")
  func notSynchronised() throws {
    let fake = try FakeMachine()
    fake.setting.withLock { $0.errorSeconds = nil }
    try fake.write("", Self.unit)
    let finding = try #require(fake.findings(.time).first)
    #expect(finding.identifier == "time-not-synchronised" && finding.severity == .warning)
    fake.answer(["timedatectl", "set-ntp", "true"])
    #expect(try fake.repair(finding).count == 1)
    fake.answer(["systemctl", "is-active", "--quiet", "systemd-timesyncd.service"])
    let waiting = try #require(fake.findings(.time).first)
    #expect(waiting.identifier == finding.identifier && waiting.remedy?.isAutomatic == false)
    fake.setting.withLock { $0.errorSeconds = 0.1 }
    #expect(fake.findings(.time).map(\.severity) == [.ok])
  }

  @Test("without a service of time the remedy is to install one, and in a container its host's")
  func noService() throws {
    let fake = try FakeMachine()
    fake.setting.withLock { $0.errorSeconds = nil }
    func remedy() throws -> Remedy { try #require(fake.findings(.time).first?.remedy) }
    #expect(try remedy().commands == ["sudo apt install systemd-timesyncd    # or chrony"])
    try fake.write("", Self.unit)
    #expect(try remedy().isAutomatic)
    fake.setting.withLock { $0.missingPrograms = ["timedatectl"] }
    #expect(
      try remedy().commands == [
        "sudo apt install systemd    # timedatectl is not installed",
        "sudo timedatectl set-ntp true",
      ])
    try fake.write("container\n", "/run/systemd/container")
    #expect(try remedy().commands.first?.hasPrefix("# on the host of this container") == true)
    try fake.remove("/run/systemd")
    try fake.remove(Self.unit)
    #expect(try remedy().commands.first?.hasPrefix("sudo apt install chrony ") == true)
    #expect(try !remedy().isAutomatic)
  }

  @Test("two services that set the clock are a warning")
  func twoServices() throws {
    let fake = try FakeMachine()
    for name in ["chrony", "systemd-timesyncd"] {
      fake.answer(["systemctl", "is-active", "--quiet", "\(name).service"])
    }
    let finding = try #require(fake.findings(.time).first)
    #expect(finding.identifier == "time-two-services")
    #expect(
      finding.remedy?.commands == ["sudo systemctl disable --now systemd-timesyncd.service"])
    // Debian's ntpsec is active under its alias too.
    let single = try FakeMachine()
    for name in ["ntpsec", "ntp"] {
      single.answer(["systemctl", "is-active", "--quiet", "\(name).service"])
    }
    #expect(single.findings(.time).map(\.what) == ["the clock is synchronised by ntpsec"])
  }

  @Test("a clock that is stepped again and again is a warning; the first synchronisation is not")
  func steps() throws {
    let fake = try FakeMachine()
    let line = "System clock was stepped by 1.5 seconds\n"
    fake.answer(["journalctl"], String(repeating: line, count: 5))
    let finding = try #require(fake.findings(.time).first)
    #expect(finding.identifier == "time-steps" && finding.what.contains("5 times"))
    fake.answer(["journalctl"], line)
    #expect(fake.findings(.time).map(\.severity) == [.ok])
    fake.answer(["journalctl"], status: 1)
    #expect(fake.findings(.time).map(\.severity) == [.ok])
  }

  @Test("the end of the magnetic model is a note before it, and a fault after it")
  func model() throws {
    let fake = try FakeMachine()
    #expect(fake.findings(.model).map(\.severity) == [.ok])
    try at(2029, 11, fake)
    #expect(fake.findings(.model).map(\.identifier) == ["model-expiring"])
    #expect(fake.findings(.model).map(\.severity) == [.note])
    try at(2030, 2, fake)
    #expect(fake.findings(.model).map(\.identifier) == ["model-expired"])
    #expect(fake.findings(.model).map(\.severity) == [.fault])
  }
}
