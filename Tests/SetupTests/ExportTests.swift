import Board
import Configuration
import Foundation
import Setup
import TestSupport
import Testing

@Suite("The answers of a finished set-up", .timeLimit(.minutes(30)))
struct ExportTests {
  private static let serve = "/etc/lodestar/serve.yaml"
  private static let board = "/etc/lodestar/board.yaml"

  /// A machine with a GY-91 and two receivers.
  private func machine(
    serve: String = "", mount: String = "", receiver: String = ""
  ) throws -> FakeMachine {
    let machine = try FakeMachine()
    machine.place([(.mpu9250, 0x68), (.ak8963, 0x0C), (.bmp280, 0x76)])
    machine.setReceivers([
      .init(path: "/dev/ttyACM0", baud: 9600), .init(path: "/dev/ttyUSB0", baud: 4800),
    ])
    guard !serve.isEmpty || !mount.isEmpty || !receiver.isEmpty else { return machine }
    let installed = try String(
      contentsOf: SharedData.repository.appendingPathComponent("Boards/gy-91.yaml"), encoding: .utf8
    )
    try machine.write(installed + mount + receiver, to: Self.board)
    try machine.write("board: \(Self.board)\n" + serve, to: Self.serve)
    return machine
  }

  private func export(_ machine: FakeMachine) throws -> SetupExport {
    try SetupExport(
      SetupSession(machine.machine, SilentConsole(), .show), boardName: "boat.board.yaml")
  }

  /// Another machine, set up by exported answers.
  private func copy(_ export: SetupExport) throws -> FakeMachine {
    let folder = try TemporaryFolder()
    try folder.write(export.answers, "/boat.yaml")
    if let board = export.board { try folder.write(board, "/boat.board.yaml") }
    let second = try machine()
    var request = SetupRequest()
    request.answers = try SetupAnswers(path: folder.path + "/boat.yaml")
    let run = SetupRun(second, nil, request: request)
    #expect(run.faults.allSatisfy { $0.step == .check }, "\(run.faults) \(run.console.text)")
    let again = SetupRun(second, nil, request: request)
    #expect(!again.words.contains("wrote"), "\(again.console.text)")
    return second
  }

  private func boards(_ machines: FakeMachine...) throws -> [Board] {
    try machines.map { try Board(yaml: $0.text(Self.board) ?? "", path: "board.yaml") }
  }

  @Test("make the same set-up on another board")
  func whole() throws {
    let first = try machine(
      serve: "nmea-port: 10110\nhttp-address: 0.0.0.0\nnmea-address: 0.0.0.0\nhttp-read: anyone\n"
        + "foxglove-port: 8765\ngdl90-udp: 192.168.10.20:4000\n",
      mount: "mount: {x: left, y: backward, z: up}\n",
      receiver: "receiver: {port: /dev/ttyACM0, baud: 9600}\n")
    let export = try export(first)
    for line in [
      "board: gy-91", "mount: left,backward,up", "nmea-port: 10110", "signalk-port: off",
      "network: http,nmea", "http-read: anyone", "receiver: '/dev/ttyACM0 9600'",
      "calibration: learn",
    ] {
      #expect(export.answers.contains("\n\(line)\n"), "\(line): \(export.answers)")
    }
    #expect(export.board == nil && export.omitted.isEmpty && export.notice == nil)
    let second = try copy(export)
    func lines(_ machine: FakeMachine) -> Set<Substring> {
      Set((machine.text(Self.serve) ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") })
    }
    #expect(lines(first) == lines(second))
    let boards = try boards(first, second)
    #expect(boards[0] == boards[1])
  }

  @Test("open on another board only what is open on the first one")
  func network() throws {
    let ports = "nmea-port: 10110\nsignalk-port: 3000\n"
    for (addresses, answer) in [
      ("http-address: 0.0.0.0\nhttp-read: token\n", "http"),
      ("nmea-address: 0.0.0.0\nhttp-address: localhost\n", "nmea"),
      ("gpsd-address: 0.0.0.0\nsignalk-address: 0.0.0.0\n", "gpsd,signalk"), ("", "no"),
    ] {
      let export = try export(try machine(serve: ports + addresses))
      #expect(export.answers.contains("\nnetwork: \(answer)\n"), "\(export.answers)")
      #expect(export.omitted.isEmpty, "\(export.omitted)")
      let text = try copy(export).text(Self.serve) ?? ""
      for server in ["gpsd", "http", "nmea", "signalk"] {
        let isOpen = answer.split(separator: ",").contains(server[...])
        #expect(text.contains("\(server)-address: 0.0.0.0") == isOpen, "\(answer): \(text)")
      }
    }
  }

  @Test("have the board file where a mount by angles is not one of the answers")
  func mount() throws {
    for (mount, answer, isInstalled) in [
      ("mount: {rotation: {heading: 12.5, pitch: 3, roll: -2}}\n", "keep", false),
      ("mount: {x: backward, y: right, z: up}\n", "backward,right,up", true),
      ("mount: auto\n", "auto", true), ("trim: {heading: 2}\n", "forward,left,up", false),
    ] {
      let first = try machine(mount: mount)
      let export = try export(first)
      #expect(export.answers.contains("\nmount: \(answer)\n"), "\(export.answers)")
      #expect((export.board == nil) == isInstalled, "\(mount)")
      let boards = try boards(first, copy(export))
      #expect(boards[0] == boards[1], "\(mount)")
    }
  }

  @Test(
    "have the board file where a receiver has more than a port and a speed",
    arguments: [
      ("{port: /dev/ttyACM0, baud: 9600}", true), ("{port: /dev/ttyUSB0}", true),
      ("{port: /dev/ttyACM0, baud: 9600, set-up: temporary, rate: 5}", false),
      ("{port: /dev/ttyACM0, antenna: {forward: 1, right: 0, up: 2}}", false),
      ("{port: /dev/ttyACM0, corrections: {source: 'tcp://caster.example:2101'}}", false),
      ("{port: /dev/ttyACM0, priority: 1}", false), ("{port: /dev/ttyACM0, assist: no}", false),
      ("[{port: /dev/ttyACM0}, {port: /dev/ttyUSB0, baud: 4800, name: mast}]", false),
    ])
  func receivers(receiver: String, isInstalled: Bool) throws {
    let first = try machine(receiver: "receiver: \(receiver)\n")
    let export = try export(first)
    #expect((export.board == nil) == isInstalled, "\(export.answers)")
    let file = isInstalled ? "gy-91" : "boat.board.yaml"
    #expect(export.answers.contains("\nboard: \(file)\n"), "\(export.answers)")
    var boards = try boards(first, copy(export))
    // A speed that the answers do not have is detected.
    if isInstalled, boards[0].receiver?.baud == nil {
      boards = boards.map { board in
        var board = board
        board.receiver?.baud = nil
        return board
      }
    }
    #expect(boards[0] == boards[1])
  }

  @Test("name what they do not have, and have no secret")
  func omitted() throws {
    let first = try machine(
      serve: """
        mode: 0666
        http-port: 8091
        online-calibration: off
        http-address: 192.168.7.2
        http-read: token
        mqtt-broker: mqtts://b.example
        mqtt-username: boat
        mqtt-password-file: /etc/lodestar/mqtt-password
        mqtt-ca-file: /etc/lodestar/ca.pem
        mqtt-topic: fleet/boat7
        mqtt-client-id: boat7

        """)
    try first.write("se cret\n", to: "/etc/lodestar/mqtt-password")
    // What the packaged file has too is on every board.
    try first.write("mode: 0666\ngroup: lodestar\n", to: "/usr/share/lodestar/serve.yaml")
    let export = try export(first)
    let keys = [
      "group", "http-address", "http-port", "mqtt-ca-file", "mqtt-client-id", "mqtt-topic",
    ]
    #expect(export.omitted == keys)
    let notice = try #require(export.notice)
    #expect(notice.hasSuffix("in /etc/lodestar/serve.yaml: \(keys.joined(separator: ", "))"))
    #expect(export.answers.contains("\n# \(notice)\n"))
    #expect(export.answers.contains("\ncalibration: off\n"))
    for text in ["cret", "boat7", "192.168"] { #expect(!export.answers.contains(text), "\(text)") }
    _ = try SetupAnswers(export.answers, path: "boat.yaml")
    let off = try machine(serve: "online-calibration: off\n")
    #expect(
      try copy(self.export(off)).text(Self.serve)?.contains("online-calibration: off") == true)
  }
}
