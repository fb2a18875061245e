import Doctor
import Foundation
import TestSupport
import Testing

@Suite("Doctor: the catalogue", .timeLimit(.minutes(30)))
struct CatalogueTests {
  private func text(_ path: String) throws -> String {
    try String(
      contentsOf: SharedData.repository.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("every topic has one check")
  func topics() {
    #expect(CheckCatalogue.all.map(\.topic) == CheckTopic.allCases)
  }

  @Test("every problem is in the table of the README, and in a test")
  func problems() throws {
    let table = try text("Sources/Doctor/README.md")
    let folder = SharedData.repository.appendingPathComponent("Tests/DoctorTests")
    let tests = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .map { try text("Tests/DoctorTests/\($0)") }.joined()
    let untabled = Problem.allCases.filter { !table.contains("`\($0.rawValue)`") }
    let untested = Problem.allCases.filter { !tests.contains("\"\($0.rawValue)\"") }
    #expect(untabled == [])
    #expect(untested == [])
  }

  @Test("the tests that the table names exist")
  func namedTests() throws {
    let names = try text("Sources/Doctor/README.md").matches(of: #/`(\w+DoctorTests)\.(\w+)`/#)
    #expect(names.count > 40)
    for name in names {
      let (suite, test) = (name.output.1, name.output.2)
      let source = try text("Tests/DoctorTests/\(suite).swift")
      #expect(source.contains("func \(test)("), "\(suite).\(test)")
    }
  }

  @Test("every problem says why it matters and has a command")
  func commands() throws {
    // A machine with many problems at once.
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.makeUsers(pi: "other", lodestar: "other")
    try fake.remove("/dev/i2c-1")
    try fake.write("console=ttyAMA0,115200\n", "/boot/firmware/cmdline.txt")
    try fake.write("", "/lib/systemd/system/lodestar.service")
    try fake.write("tmpfs / tmpfs rw 0 0\n", "/proc/mounts")
    fake.setting.withLock { setting in
      setting.errorSeconds = nil
      setting.freeBytes = 0
      setting.missingLibraries = ["libi2c.so.0"]
      setting.caller = Caller(uid: 1000, groups: [1000])
    }
    let problems = CheckCatalogue.findings(on: fake.machine).filter { $0.severity != .ok }
    #expect(problems.count > 6)
    for finding in problems {
      #expect(finding.why?.isEmpty == false, "\(finding.identifier)")
      #expect(finding.remedy?.commands.isEmpty == false, "\(finding.identifier)")
      #expect(Problem(rawValue: finding.identifier) != nil)
    }
  }

  @Test("the words of a loss are those of the engine's notices")
  func lossWords() throws {
    let engine = try text("Sources/Board/Attached/BoardStatus.swift")
    #expect(engine.contains(", \(LogCheck.lossWords): \\("))
    let record = try text("Sources/Board/Chips/ServiceRecord.swift")
    #expect(record.contains("lost \\(losses) \(LogCheck.unsteadyWords), in service"))
  }

  @Test("a remedy whose program is missing is left to the user, with what to install")
  func missingPrograms() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.remove("/dev/i2c-1")
    let finding = try #require(fake.findings(.i2c).first)
    #expect(finding.remedy?.isAutomatic == true)
    fake.setting.withLock { $0.missingPrograms = ["modprobe"] }
    let guarded = try #require(fake.findings(.i2c).first?.remedy)
    #expect(!guarded.isAutomatic)
    #expect(guarded.commands.first == "sudo apt install kmod    # modprobe is not installed")
    #expect(Array(guarded.commands.dropFirst()) == finding.remedy?.commands)
    // Without systemd its programs end with an error.
    try fake.write("console=ttyAMA0,115200\n", "/boot/firmware/cmdline.txt")
    let receiver = withReceiver("/dev/ttyAMA0")
    #expect(fake.findings(.serial, receiver).first?.remedy?.isAutomatic == true)
    try fake.remove("/run/systemd")
    let without = try #require(fake.findings(.serial, receiver).first?.remedy)
    #expect(
      without.commands.first == "# systemctl needs systemd, which does not run here"
        && !without.isAutomatic)
    // The files of a machine that does not run need no program.
    var stored = Machine(root: fake.folder.path, system: StoredSystem())
    receiver(&stored)
    let card = CheckCatalogue.findings(.serial, on: stored)
    #expect(card.first?.remedy?.isAutomatic == true)
  }

  @Test("an empty folder is examined without a fault")
  func emptyRoot() throws {
    let fake = try FakeMachine()
    let stored = Machine(root: fake.folder.path, system: StoredSystem())
    #expect(CheckCatalogue.findings(on: stored).allSatisfy { $0.severity < .fault })
  }
}
