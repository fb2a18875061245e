import Board
import Configuration
import Foundation
import Setup
import TestSupport
import Testing

@Suite("Answers of a file", .timeLimit(.minutes(15)))
struct AnswersTests {
  private static let serve = "/etc/lodestar/serve.yaml"
  private static let board = "/etc/lodestar/board.yaml"

  private static let complete = """
    repair: yes
    uart-receiver: no
    board: found
    mount: forward,left,up
    receiver: found
    gpsd-port: 2947
    nmea-port: 10110
    signalk-port: off
    mqtt-broker: none
    network: yes
    http-read: token
    calibration: learn
    service: no
    check: no

    """

  private func request(_ text: String = complete, path: String = "a.yaml") throws -> SetupRequest {
    var request = SetupRequest()
    request.answers = try SetupAnswers(text, path: path)
    return request
  }

  private func machine() throws -> FakeMachine {
    let machine = try FakeMachine()
    machine.place([(.mpu9250, 0x68), (.ak8963, 0x0C), (.bmp280, 0x76)])
    machine.setReceivers([.init(path: "/dev/ttyACM0", baud: 9600)])
    return machine
  }

  private func fault(of text: String) -> String {
    do throws(SetupFault) {
      _ = try SetupAnswers(text, path: "a.yaml")
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("several boards become the same without a question, and a second run changes nothing")
  func boards() throws {
    var written: Set<String> = []
    for serial in ["10000000a1b2c3d4", "10000000ffffffff", "0000000000000001"] {
      let machine = try machine()
      try machine.write("Serial\t\t: \(serial)\n", to: "/proc/cpuinfo")
      try machine.write("\(serial)\n", to: "/etc/machine-id")
      let first = SetupRun(machine, nil, request: try request())
      #expect(first.faults.isEmpty, "\(first.console.text)")
      let files = [Self.serve, Self.board].map { machine.text($0) ?? "" }
      written.insert(files.joined(separator: "---\n"))
      let second = SetupRun(machine, nil, request: try request())
      #expect(second.faults.isEmpty && !second.words.contains("wrote"), "\(second.console.text)")
      #expect([Self.serve, Self.board].map { machine.text($0) ?? "" } == files)
    }
    #expect(written.count == 1)
    let text = written.first ?? ""
    for line in [
      "nmea-port: 10110", "http-read: token", "nmea-address: 0.0.0.0", "baud: 9600",
      "mount: {x: forward, y: left, z: up}", "board: /etc/lodestar/board.yaml",
    ] {
      #expect(text.contains("\n\(line)") || text.contains("  \(line)"), "\(line): \(text)")
    }
    #expect(!text.contains("\nsignalk-port"))
  }

  @Test("an unknown key, a wrong value and missing answers are named with their line")
  func refusals() {
    let swapped = Self.complete.replacing("board: found", with: "bord: found")
    #expect(fault(of: swapped).hasPrefix("a.yaml:3: unknown key 'bord'; allowed: repair, "))
    let port = Self.complete.replacing("10110", with: "ten")
    #expect(
      fault(of: port)
        == "a.yaml:7: nmea-port: 'ten'; allowed: a port such as 10110, or off")
    let axes = Self.complete.replacing("forward,left,up", with: "forward,left,left")
    #expect(fault(of: axes).hasPrefix("a.yaml:4: mount: 'forward,left,left'; allowed: keep, auto"))
    let short = Self.complete.replacing("mount: forward,left,up\n", with: "")
      .replacing("http-read: token\n", with: "")
    #expect(fault(of: short).contains(": missing: mount (keep, auto, or "))
    #expect(fault(of: short).contains("http-read (token, anyone)"))
    #expect(fault(of: "").contains("missing: repair (yes, no)"))
    #expect(fault(of: "a: [").hasPrefix("a.yaml:") && fault(of: "a: [").contains("not YAML"))
    // What another answer makes pointless is not needed.
    #expect(fault(of: Self.complete).isEmpty)
    let broker = Self.complete.replacing(
      "mqtt-broker: none", with: "mqtt-broker: mqtts://a.example")
    #expect(fault(of: broker).contains("missing: mqtt-username (a name, or none)"))
  }

  @Test("a chip or receiver that is not there fails with the line of the answer")
  func unfulfilled() throws {
    let empty = try FakeMachine()
    let chips = SetupRun(empty, nil, shows: true, request: try request())
    let first = try #require(chips.faults.first)
    #expect(first.step == .sensors)
    #expect("\(first.fault)".hasPrefix("a.yaml:3: board: found: no supported chip answers"))
    let silent = try machine()
    silent.setReceivers([])
    let receiver = SetupRun(silent, nil, shows: true, request: try request())
    #expect("\(receiver.faults.map(\.fault))".contains("a.yaml:5: receiver: found: no receiver"))
    let named = Self.complete.replacing("board: found", with: "board: gy-91")
    let other = try FakeMachine()
    other.place([(.mpu9250, 0x68)])
    let run = SetupRun(other, .sensors, shows: true, request: try request(named))
    #expect("\(run.faults.map(\.fault))".contains("not found on this machine"), "\(run.faults)")
    #expect(empty.names.isEmpty && silent.names.isEmpty && other.names.isEmpty)
  }

  @Test("a port that another program has is refused")
  func taken() throws {
    let machine = try machine()
    machine.setOwner("gpsd (812)", of: 2947)
    let run = SetupRun(machine, .servers, shows: true, request: try request())
    #expect(
      "\(run.faults.map(\.fault))".contains(
        "a.yaml:6: gpsd-port: 2947: the port is used by gpsd (812)"))
    let off = Self.complete.replacing("gpsd-port: 2947", with: "gpsd-port: off")
    #expect(SetupRun(machine, .servers, request: try request(off)).faults.isEmpty)
    #expect(machine.text(Self.serve)?.contains("gpsd-port: 0") == true)
  }

  @Test("the password is copied from a file beside the answers, and never shown")
  func password() throws {
    let folder = try TemporaryFolder()
    try folder.write("se cret\n", "/word")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.path + "/word")
    let text = Self.complete.replacing(
      "mqtt-broker: none",
      with: "mqtt-broker: mqtts://a.example\nmqtt-username: boat\nmqtt-password-file: word")
    let machine = try machine()
    let request = try request(text, path: folder.path + "/a.yaml")
    let run = SetupRun(machine, .servers, request: request)
    #expect(run.faults.isEmpty && !run.console.text.contains("cret"), "\(run.console.text)")
    #expect(machine.text("/etc/lodestar/mqtt-password") == "se cret\n")
    let again = SetupRun(machine, .servers, request: request)
    #expect(again.faults.isEmpty && again.words.contains("No change."), "\(again.console.text)")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: folder.path + "/word")
    let open = SetupRun(try self.machine(), .servers, shows: true, request: request)
    #expect("\(open.faults.map(\.fault))".contains("chmod o="), "\(open.faults)")
  }

  @Test("the exported answers make the same set-up on another board")
  func export() throws {
    let first = try machine()
    #expect(SetupRun(first, nil, request: try request()).faults.isEmpty)
    let session = SetupSession(first.machine, SilentConsole(), .show)
    let export = try SetupExport(session, boardName: "boat.board.yaml")
    for line in [
      "mount: forward,left,up", "nmea-port: 10110", "signalk-port: off", "network: yes",
      "receiver: '/dev/ttyACM0 9600'", "calibration: learn",
    ] {
      #expect(export.answers.contains("\n\(line)\n"), "\(line): \(export.answers)")
    }
    let folder = try TemporaryFolder()
    try folder.write(export.answers, "/boat.yaml")
    if let board = export.board { try folder.write(board, "/boat.board.yaml") }
    let second = try machine()
    var request = SetupRequest()
    request.answers = try SetupAnswers(path: folder.path + "/boat.yaml")
    let run = SetupRun(second, nil, request: request)
    #expect(run.faults.allSatisfy { $0.step == .check }, "\(run.faults) \(run.console.text)")
    #expect(second.text(Self.serve) == first.text(Self.serve))
    let boards = try [first, second].map {
      try Board(yaml: $0.text(Self.board) ?? "", path: "board.yaml")
    }
    #expect(boards[0] == boards[1])
  }
}
