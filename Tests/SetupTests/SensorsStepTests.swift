import Chips
import Configuration
import Foundation
import Setup
import TestSupport
import Testing

@Suite("The step for the sensors", .timeLimit(.minutes(30)))
struct SensorsStepTests {
  private static let gy91: [(ChipModel, UInt8)] = [
    (.mpu9250, 0x68), (.ak8963, 0x0C), (.bmp280, 0x76),
  ]
  private let board = "/etc/lodestar/board.yaml"
  private let serve = "/etc/lodestar/serve.yaml"

  @Test(
    "shows the chips, writes the board that matches with its comments, and then changes nothing")
  func match() throws {
    let machine = try FakeMachine()
    machine.place(Self.gy91)
    let first = SetupRun(machine, .sensors)
    #expect(first.faults.isEmpty)
    #expect(first.words.contains("/dev/i2c-1 0x68 MPU-9250"))
    #expect(first.words.contains("+ board: GY-91"))
    let text = try #require(machine.text(board))
    #expect(
      text.contains("by 'lodestar setup'") && text.contains("# GY-91: MPU-9250 with its AK8963"))
    #expect(try Board(yaml: text, path: board).name == "GY-91")
    #expect(machine.text(serve)?.hasSuffix("board: /etc/lodestar/board.yaml\n") == true)
    let second = SetupRun(machine, .sensors)
    #expect(second.words.contains("GY-91, as now (/etc/lodestar/board.yaml)"))
    #expect(second.words.contains("[1]: 1 (default) No change."))
    #expect(machine.text(board) == text && machine.names == ["board.yaml", "serve.yaml"])
  }

  @Test(
    "writes the chips that were found where no board matches, and the user's keys and comments stay"
  )
  func found() throws {
    let machine = try FakeMachine()
    machine.place([(.lis3mdl, 0x1E), (.ms5611, 0x77)])
    let old = "# my boat\nnmea-port: 10110   # plotter\nsimulate: true\nmode: 0660\n"
    try machine.write(old, to: serve)
    // The daemon's group reads the file, where it belongs to that; only root may change the owner.
    let isRoot = geteuid() == 0
    let owner: [FileAttributeKey: Any] = isRoot ? [.groupOwnerAccountID: 65_534] : [:]
    try FileManager.default.setAttributes(
      owner.merging([.posixPermissions: 0o640]) { $1 }, ofItemAtPath: machine.folder.path + serve)
    let run = SetupRun(machine, .sensors)
    #expect(run.faults.isEmpty)
    #expect(run.words.contains("- simulate: true"))
    for path in [serve, serve + ".bak"] {
      let kept = try FileManager.default.attributesOfItem(atPath: machine.folder.path + path)
      #expect(kept[.posixPermissions] as? Int == 0o640)
      #expect(!isRoot || kept[.groupOwnerAccountID] as? Int == 65_534)
    }
    let expected =
      "# my boat\nnmea-port: 10110   # plotter\nmode: 0660\nboard: /etc/lodestar/board.yaml\n"
    #expect(machine.text(serve) == expected)
    #expect(machine.text(serve + ".bak") == old)
    let found = try Board(yaml: try #require(machine.text(board)), path: board)
    #expect(found.sensors.map(\.chip) == [.lis3mdl, .ms5611] && found.hasUnknownMount)
  }

  @Test("goes on without a board where nothing is found, and names what to check")
  func nothing() throws {
    let machine = try FakeMachine()
    let run = SetupRun(machine, .sensors)
    #expect(run.faults.isEmpty && machine.names.isEmpty)
    #expect(
      run.words.contains(
        "No sensor was found: this machine has no I2C bus. On a Raspberry Pi: sudo raspi-config"))
    #expect(run.words.contains("Without a sensor there is no heading. Connect one"))
    #expect(run.words.contains("no board file: the daemon searches until it finds a chip"))
    machine.place([])
    #expect(
      SetupRun(machine, .sensors).words.contains("no supported chip answers. Check the wires"))
  }

  @Test("searches again as often as the user asks, and uses the simulated board only on request")
  func simulated() throws {
    let machine = try FakeMachine()
    try machine.write("gpsd: boat\n", to: serve)
    // The options are: by name, no board file, simulated, again.
    let run = SetupRun(machine, .sensors, ["4", "4", "3", "y"])
    #expect(run.faults.isEmpty && run.console.isUsedUp)
    #expect(run.words.components(of: "Which board is it?") == 3)
    #expect(run.words.contains("all are labelled SIMULATED"))
    #expect(machine.text(serve) == "simulate: true\n")
    // Chips that were connected later replace it by default.
    machine.place(Self.gy91)
    #expect(SetupRun(machine, .sensors).faults.isEmpty)
    #expect(machine.text(serve) == "board: /etc/lodestar/board.yaml\n")
    var request = SetupRequest()
    request.simulates = true
    #expect(SetupRun(machine, .sensors, request: request).faults.isEmpty)
    #expect(machine.text(serve) == "simulate: true\n")
    #expect(SetupRun(machine, .sensors, request: request).words.hasSuffix("No change."))
  }

  @Test("takes an installed board by name, and asks again for an unknown one")
  func named() throws {
    let machine = try FakeMachine()
    let run = SetupRun(machine, .sensors, ["1", "gy-19", "gy-91", ""])
    #expect(run.faults.isEmpty && run.console.isUsedUp)
    #expect(run.words.contains("gy-19: cannot be read: neither a file nor a board"))
    #expect(machine.text(board)?.contains("board: GY-91") == true)
    var request = SetupRequest()
    request.board = "gy-87"
    #expect(SetupRun(machine, .sensors, request: request).faults.isEmpty)
    #expect(machine.text(board)?.contains("board: GY-87") == true)
    #expect(machine.text(board + ".bak")?.contains("board: GY-91") == true)
    request.board = "gy-00"
    #expect(SetupRun(machine, .sensors, request: request).faults.map(\.step) == [.sensors])
  }

  @Test("changes nothing after the answer no, and with --dry-run")
  func refusal() throws {
    let machine = try FakeMachine()
    machine.place(Self.gy91)
    let refused = SetupRun(machine, .sensors, ["", "n"])
    #expect(refused.faults.isEmpty && refused.words.hasSuffix("Not done."))
    let shown = SetupRun(machine, .sensors, shows: true)
    #expect(shown.words.contains("+ board: /etc/lodestar/board.yaml"))
    #expect(shown.words.contains("(only shown, not done)"))
    #expect(machine.names.isEmpty)
  }

  @Test("leaves an invalid file as it is, and names its line")
  func invalid() throws {
    let machine = try FakeMachine()
    machine.place(Self.gy91)
    try machine.write("mode: 0660\nnmea-prot: 1\n", to: serve)
    let run = SetupRun(machine, .sensors)
    #expect(run.faults.map(\.step) == [.sensors])
    #expect(
      "\(run.faults[0].fault)".hasPrefix("/etc/lodestar/serve.yaml:2: unknown key 'nmea-prot'"))
    #expect(machine.names == ["serve.yaml"])
  }

  @Test("leaves a file that the daemon would refuse after the change, or that has one line")
  func refusedByDaemon() throws {
    let machine = try FakeMachine()
    machine.place(Self.gy91)
    try machine.write("mode: 0660\n", to: serve)
    machine.answer(
      "check", status: 1,
      output: "lodestar: \(machine.folder.path)/etc/lodestar/.serve.yaml.check:3: bad\n")
    let run = SetupRun(machine, .sensors)
    #expect(
      run.faults.map { "\($0.fault)" } == [
        "/etc/lodestar/serve.yaml: not changed: the daemon would refuse the new content: lodestar: "
          + "/etc/lodestar/serve.yaml:3: bad"
      ])
    #expect(machine.text(serve) == "mode: 0660\n" && machine.names == ["board.yaml", "serve.yaml"])
    try machine.write("{mode: 0660}\n", to: serve)
    machine.answer("check", status: 0)
    #expect("\(SetupRun(machine, .sensors).faults.map(\.fault))".contains("not changed"))
    #expect(machine.text(serve) == "{mode: 0660}\n")
  }
}

extension String {
  /// How often a text occurs.
  func components(of text: String) -> Int { ranges(of: text).count }
}
