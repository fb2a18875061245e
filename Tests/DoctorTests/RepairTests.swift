import Configuration
import Doctor
import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite("Doctor: repairs and the report", .timeLimit(.minutes(30)))
struct RepairTests {
  @Test("the first content of a file stays beside it through all repairs")
  func backup() throws {
    let fake = try FakeMachine()
    try fake.write("a=1\n", "/boot/config.txt")
    let repair = Repair(fake.machine)
    for line in ["b=2", "c=3"] {
      _ = try repair.apply(.bootLine(line, file: "/boot/config.txt"))
    }
    #expect(try fake.text("/boot/config.txt") == "a=1\nb=2\nc=3\n")
    #expect(try fake.text("/boot/config.txt.before-lodestar") == "a=1\n")
    #expect(try repair.apply(.bootLine("c=3", file: "/boot/config.txt")) == nil)
  }

  @Test("a link on a mounted card changes and copies no file of this machine")
  func links() throws {
    for (link, target) in [("/boot/config.txt", "/secret"), ("/boot", "")] {
      let (fake, outside) = (try FakeMachine(), try TemporaryFolder())
      try outside.write("a=1\n", "/secret")
      try outside.write("a=1\n", "/config.txt")
      try fake.link(link, to: outside.path + target)
      let fault = thrownError(Repair.Fault.self) {
        try Repair(fake.machine).apply(.bootLine("b=2", file: "/boot/config.txt"))
      }
      #expect(fault?.description.contains("\(link) is a link") == true)
      let names = try FileManager.default.contentsOfDirectory(atPath: outside.path).sorted()
      #expect(names == ["config.txt", "secret"])
      #expect(
        FileManager.default.contents(atPath: outside.path + "/config.txt") == Data("a=1\n".utf8))
      #expect(!fake.exists("/boot/config.txt.before-lodestar"))
    }
  }

  @Test("a line goes below the section of all models")
  func section() throws {
    let fake = try FakeMachine()
    try fake.write("[all]\na=1\n", "/boot/config.txt")
    _ = try Repair(fake.machine).apply(.bootLine("b=2", file: "/boot/config.txt"))
    #expect(try fake.text("/boot/config.txt") == "[all]\na=1\nb=2\n")
  }

  @Test("a file that cannot be replaced keeps its content, and the fault is one line")
  func failedFile() throws {
    let fake = try FakeMachine()
    try fake.write("a=1\n", "/boot/config.txt")
    let repair = Repair(fake.machine, files: ReadOnlyFiles())
    let fault = thrownError(Repair.Fault.self) {
      try repair.apply(.bootLine("b=2", file: "/boot/config.txt"))
    }
    #expect(fault?.description.contains("read-only") == true)
    #expect(try fake.text("/boot/config.txt") == "a=1\n")
  }

  @Test("a program that fails or is missing is a fault with its last words")
  func failedProgram() throws {
    let fake = try FakeMachine()
    let repair = Repair(fake.machine)
    let missing = thrownError(Repair.Fault.self) { try repair.apply(.run(["modprobe", "x"])) }
    #expect(missing?.description.contains("modprobe is not installed") == true)
    fake.answer(["modprobe"], status: 1, "modprobe: FATAL: Module x not found.\n")
    let failed = thrownError(Repair.Fault.self) { try repair.apply(.run(["modprobe", "x"])) }
    #expect(
      failed?.description
        == "'modprobe x' ended with status 1: modprobe: FATAL: Module x not found.")
  }

  @Test("a whole file is written once")
  func wholeFile() throws {
    let fake = try FakeMachine()
    let step = RepairStep.file("/etc/a/b.rules", lines: ["one", "two"])
    #expect(try Repair(fake.machine).apply(step) == "write /etc/a/b.rules")
    #expect(try fake.text("/etc/a/b.rules") == "one\ntwo\n")
    #expect(try Repair(fake.machine).apply(step) == nil)
    #expect(!fake.exists("/etc/a/b.rules.before-lodestar"))
  }

  @Test("a step's shell command does the same as the step")
  func commands() throws {
    let steps: [RepairStep] = [
      .bootLine("dtparam=i2c_arm=on", file: "FILE"),
      .removedWords(["console=serial0,115200", "console=ttyS0"], file: "FILE"),
      .line("SUBSYSTEM==\"i2c-dev\", GROUP=\"i2c\"", file: "FILE"),
      .file("FILE", lines: ["one 1", "two"]),
    ]
    for step in steps {
      let old = "console=serial0,115200 console=tty1 console=ttyS0 quiet\n"
      let (byStep, byShell) = (try FakeMachine(), try FakeMachine())
      for fake in [byStep, byShell] { try fake.write(old, "/file") }
      _ = try Repair(byStep.machine).apply(moved(step, to: "/file"))
      let shell = ChildProcess()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      let command = step.command.replacing("sudo ", with: "")
        .replacing("FILE", with: byShell.folder.path + "/file")
      shell.arguments = ["-c", command]
      shell.standardOutput = FileHandle.nullDevice
      try shell.start()
      shell.waitOrKill()
      // The shell's lines may have a section and a blank line more.
      let lines = try [byStep, byShell].map { fake in
        try fake.text("/file").split(separator: "\n").filter { $0 != "[all]" }
          .map { $0.split(separator: " ") }
      }
      #expect(lines[0] == lines[1], "\(step)")
    }
  }

  private func moved(_ step: RepairStep, to file: String) -> RepairStep {
    switch step {
    case .bootLine(let line, _): .bootLine(line, file: file)
    case .removedWords(let words, _): .removedWords(words, file: file)
    case .line(let line, _): .line(line, file: file)
    case .file(_, let lines): .file(file, lines: lines)
    case .run: step
    }
  }

  // MARK: Files of a card

  @Test("the commands for the files of a card name these, and programs are for the machine itself")
  func stored() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.write("console=serial0,115200\n", "/boot/firmware/cmdline.txt")
    var machine = Machine(root: fake.folder.path, system: StoredSystem())
    withReceiver("/dev/serial0")(&machine)
    let console = try #require(CheckCatalogue.findings(.serial, on: machine).first)
    #expect(
      console.remedy?.commands == [
        "sudo sed -i 's/console=serial0,115200 *//' \(fake.folder.path)/boot/firmware/cmdline.txt",
        "# on the machine itself: sudo systemctl disable --now serial-getty@ttyAMA0.service",
      ])
    with(Board(name: "test", sensors: [.init(chip: .lis3mdl)]))(&machine)
    machine.configurationFault = "refused"
    let manual = try #require(CheckCatalogue.findings(.configuration, on: machine).first)
    #expect(manual.remedy?.commands.first == "# on the machine itself:")
  }

  // MARK: Report

  @Test("the report has the machine's facts, and no name, address, serial number or place")
  func report() throws {
    let fake = try FakeMachine()
    try fake.makeRaspberryPi()
    try fake.makeUsers()
    try fake.write("boat.marina.example\n", "/etc/hostname")
    try fake.write("PRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n", "/etc/os-release")
    try fake.write("10000000abcdef01\0", "/proc/device-tree/serial-number")
    try fake.write(
      "console=serial0,115200 root=PARTUUID=1234 smsc95xx.macaddr=B8:27:EB:01:02:03\n",
      "/boot/firmware/cmdline.txt")
    try fake.write(
      "dtparam=i2c_arm=on\n# boat of pi\n[0x1234abcd]\nip=192.168.1.7 10000000abcdef01\n",
      "/boot/firmware/config.txt")
    var machine = fake.machine
    machine.board = .init(path: "/home/pi/b.yaml", board: Board(name: "Anna's compass"))
    var findings = CheckCatalogue.findings(on: machine)
    findings[0].what =
      "pi on boat (boathook stays) at 54.45007 N, B8:27:EB:01:02:03, fe80::1:2, 2001:db8::7, pin 18, tcp://plotter.local:10110: no such host 'plotter.local', "
      + "/dev/serial/by-id/usb-u-blox_7-if00, 6ba7b810-9dad-11d1-80b4-00c04fd430c8, "
      + "ntrip://caster.example/OSLO: the caster has no mount point 'OSLO'"
    let text = MachineReport.lines(findings, of: machine, version: "1.0").joined(separator: "\n")
    for fact in [
      "Raspberry Pi 4 Model B Rev 1.4", "Debian GNU/Linux 13 (trixie)", "dtparam=i2c_arm=on",
      "console=serial0,115200", "gpiochip0  brcm,bcm2711-gpio", "boathook stays", "pin 18",
    ] {
      #expect(text.contains(fact), "\(fact)")
    }
    for secret in [
      "10000000abcdef01", "192.168", "27:EB", "54.45", "fe80", "PARTUUID", "boat ", "pi on",
      "plotter", "Anna", "2001:", "1234abcd", "marina", "OSLO", "caster.ex", "u-blox_7", "6ba7b810",
    ] {
      #expect(!text.contains(secret), "\(secret)")
    }
  }
}

/// Files that can be read, on a read-only file system.
private struct ReadOnlyFiles: FileOperations {
  private let files = LinuxFiles()

  private func refuse(_ path: String) -> FileFault {
    FileFault(action: "create", path: path, code: EROFS)
  }

  func names(in folder: String) throws(FileFault) -> [String] { try files.names(in: folder) }
  func content(of path: String) throws(FileFault) -> [UInt8] { try files.content(of: path) }
  func checkFolder(_ path: String) throws(FileFault) { throw refuse(path) }
  func makeFolder(_ path: String, mode: UInt32) throws(FileFault) { throw refuse(path) }
  func create(_ path: String, mode: UInt32) throws(FileFault) -> Int32 { throw refuse(path) }
  func write(_ bytes: [UInt8], to file: Int32, path: String) throws(FileFault) {
    throw refuse(path)
  }
  func sync(_ file: Int32, path: String) throws(FileFault) { throw refuse(path) }
  func close(_ file: Int32) {}
  func rename(_ old: String, to new: String) throws(FileFault) { throw refuse(new) }
  func remove(_ path: String) throws(FileFault) { throw refuse(path) }
  func syncFolder(_ path: String) throws(FileFault) { throw refuse(path) }
  func lock(_ path: String) throws(FileFault) -> Int32? { throw refuse(path) }
  func unlock(_ file: Int32) {}
}
