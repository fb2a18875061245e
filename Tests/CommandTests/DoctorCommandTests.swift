import Foundation
import TestSupport
import Testing

@Suite("lodestar doctor", .timeLimit(.minutes(30)))
struct DoctorCommandTests {
  private let program = BuiltProgram("lodestar")
  private let card: TemporaryFolder

  /// The card of a Raspberry Pi without I2C.
  init() throws {
    card = try TemporaryFolder()
    let boot = card.path + "/boot/firmware"
    try FileManager.default.createDirectory(atPath: boot, withIntermediateDirectories: true)
    try Data("dtparam=audio=on\n".utf8).write(to: URL(fileURLWithPath: boot + "/config.txt"))
    try Data("console=serial0,115200 console=tty1\n".utf8)
      .write(to: URL(fileURLWithPath: boot + "/cmdline.txt"))
    try card.write("board: /etc/lodestar/board.yaml\n", "/etc/lodestar/serve.yaml")
    try card.write(
      "board: test\nreceiver: {port: /dev/serial0}\nsensors: [{chip: LIS3MDL}]\n",
      "/etc/lodestar/board.yaml")
  }

  private func run(_ arguments: String...) throws -> BuiltProgram.Outcome {
    try program.run(["doctor", "--root", card.path] + arguments)
  }

  @Test("shows each finding with its reason and its command in 80 columns, and fails for a fault")
  func text() throws {
    let outcome = try run()
    #expect(outcome.status == 2)
    #expect(outcome.text.contains("fault    i2c-disabled: I2C is off"))
    #expect(outcome.text.contains("$ printf '\\n[all]\\ndtparam=i2c_arm=on\\n' |"))
    #expect(outcome.text.contains("fault    serial-console:"))
    #expect(outcome.text.replacing("\n", with: " ").contains("--fix' mends 3 of them"))
    #expect(outcome.text.contains("sudo tee -a \(card.path)/boot/firmware/config.txt"))
    // A path is not broken.
    let lines = outcome.text.split(separator: "\n").filter { !$0.contains(card.path) }
    #expect(lines.count > 20 && lines.allSatisfy { $0.count <= 80 })
    #expect(!outcome.text.contains("\u{1B}"))
  }

  @Test("a folder or a board that does not exist is an error of the command line")
  func missing() throws {
    let folder = try program.run(["doctor", "--root", card.path + "/gone"])
    #expect(folder.status == 64 && folder.errors.contains("gone is no folder"))
    let board = try run("--board", "gone")
    #expect(board.status == 71 && board.errors.contains("gone"), "\(board.errors)")
  }

  @Test("a value of the daemon's file that the daemon would refuse is a fault")
  func refusedValue() throws {
    #expect(try !run().text.contains("configuration-refused"))
    try card.write(
      "board: /etc/lodestar/board.yaml\nnmea-port: 99999\n", "/etc/lodestar/serve.yaml")
    let outcome = try run()
    #expect(outcome.text.contains("configuration-refused") && outcome.text.contains("nmea-port"))
  }

  @Test("writes one JSON object with the worst severity and the commands")
  func json() throws {
    struct Report: Decodable {
      struct Finding: Decodable {
        var identifier: String
        var severity: String
        var commands: [String]?
        var isAutomatic: Bool?
        var then: String?
      }
      var time: String
      var worst: String
      var findings: [Finding]
    }
    let outcome = try run("--format", "json")
    #expect(outcome.status == 2)
    let report = try JSONDecoder().decode(Report.self, from: outcome.output)
    #expect(report.worst == "fault")
    let finding = try #require(report.findings.first { $0.identifier == "i2c-disabled" })
    #expect(finding.isAutomatic == true && finding.then == "restart")
    #expect(finding.commands?.isEmpty == false)
  }

  @Test("--fix changes the files, keeps their first content and names what a program must do")
  func fix() throws {
    let outcome = try run("--fix")
    #expect(outcome.text.contains("will add 'dtparam=i2c_arm=on' to /boot/firmware/config.txt"))
    #expect(outcome.text.contains("not done: on the machine itself run 'sudo systemctl disable"))
    let boot = card.path + "/boot/firmware"
    #expect(
      try String(contentsOfFile: boot + "/config.txt", encoding: .utf8)
        .contains("dtparam=i2c_arm=on\n"))
    #expect(
      try String(contentsOfFile: boot + "/cmdline.txt", encoding: .utf8) == "console=tty1\n")
    #expect(
      try String(contentsOfFile: boot + "/config.txt.before-lodestar", encoding: .utf8)
        == "dtparam=audio=on\n")
    let after = try run()
    #expect(after.text.contains("i2c-awaits-restart") && !after.text.contains("serial-console"))
  }

  @Test("--report writes a file, and - writes it to standard output alone")
  func report() throws {
    let path = card.path + "/report.txt"
    let outcome = try run("--report", path)
    #expect(outcome.status == 2)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("fault  i2c-disabled: I2C is off"))
    #expect(try run("--report", "-").text == text)
  }

  @Test("a machine without a problem succeeds")
  func success() throws {
    let folder = try TemporaryFolder()
    let devices = folder.path + "/dev"
    try FileManager.default.createDirectory(atPath: devices, withIntermediateDirectories: true)
    // As the group of the user would permit it.
    #expect(
      FileManager.default.createFile(
        atPath: devices + "/i2c-1", contents: nil, attributes: [.posixPermissions: 0o666]))
    let outcome = try program.run(["doctor", "--root", folder.path])
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.text.contains("ok       i2c: /dev/i2c-1"))
  }

  @Test("options that contradict each other are an invalid command line")
  func usage() throws {
    #expect(try run("--live").status == 64)
    #expect(try run("--report", "-", "--format", "json").status == 64)
  }
}
