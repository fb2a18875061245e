import Board
import Configuration
import Foundation
import Setup
import TestSupport
import Testing

@Suite("Answers of a file", .timeLimit(.minutes(30)))
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
    network: http,nmea
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

  @Test("a password that other users can read is refused, also in its place")
  func openPassword() throws {
    let path = "/etc/lodestar/mqtt-password"
    let text = Self.complete.replacing(
      "mqtt-broker: none",
      with: "mqtt-broker: mqtts://a.example\nmqtt-username: boat\nmqtt-password-file: \(path)")
    let machine = try machine()
    func run() throws -> SetupRun {
      SetupRun(machine, .servers, shows: true, request: try request(text))
    }
    #expect(try "\(run().faults.map(\.fault))".contains("mqtt-password-file: \(path): "))
    try machine.write("word\n", to: path)
    for (mode, isRefused) in [(0o644, true), (0o640, false), (0o600, false)] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: machine.folder.path + path)
      let faults = try run().faults
      #expect(faults.isEmpty != isRefused, "\(mode) \(faults)")
      #expect(!isRefused || "\(faults.map(\.fault))".contains("chmod o="))
    }
  }

  @Test("a key twice, a merged mapping and many aliases are refused; an anchor is its value")
  func yaml() throws {
    let twice = Self.complete + "board: simulate\n"
    #expect(fault(of: twice).contains("duplicate key: board"), "\(fault(of: twice))")
    let merged = "base: &base {board: simulate}\n<<: *base\n" + Self.complete
    #expect(fault(of: merged).contains("unknown key"), "\(fault(of: merged))")
    let mapping = Self.complete.replacing("board: found", with: "board: &a {name: found}")
    #expect(fault(of: mapping).hasPrefix("a.yaml:3: board: "), "\(fault(of: mapping))")
    let many = Self.complete + "# &a\n" + String(repeating: "x: *a\n", count: 40)
    #expect(fault(of: many).contains("more than 32 aliases"), "\(fault(of: many))")
    let itself = Self.complete.replacing("board: found", with: "board: &a [*a]")
    #expect(!fault(of: itself).isEmpty)
    let anchored = Self.complete.replacing("board: found", with: "board: &word found")
      .replacing("receiver: found\n", with: "receiver: *word\n")
    #expect(try request(anchored) == request())
  }

  // MARK: The network

  @Test("only the servers of the list are opened, and the others closed")
  func network() throws {
    func text(_ network: String) -> String {
      Self.complete.replacing("network: http,nmea", with: "network: \(network)")
    }
    let machine = try machine()
    for (list, open) in [
      ("http", ["http"]), ("[nmea, gpsd]", ["gpsd", "nmea"]), ("http, nmea", ["http", "nmea"]),
      ("no", []),
    ] {
      let request = try request(text(list))
      #expect(SetupRun(machine, .servers, request: request).faults.isEmpty)
      let lines = (machine.text(Self.serve) ?? "").split(separator: "\n")
      let opened = lines.filter { $0.hasSuffix("-address: 0.0.0.0") }.map {
        $0.prefix { $0 != "-" }
      }
      #expect(opened.map(String.init).sorted() == open, "\(list): \(lines)")
      let again = SetupRun(machine, .servers, request: request)
      #expect(again.words.hasSuffix("No change."), "\(again.console.text)")
    }
  }

  @Test("a network without a clear list of servers is refused")
  func unclearNetwork() throws {
    func fault(_ network: String, _ port: String = "10110") -> String {
      self.fault(
        of: Self.complete.replacing("network: http,nmea", with: "network: \(network)")
          .replacing("10110", with: port))
    }
    #expect(
      fault("yes").hasPrefix(
        "a.yaml:10: network: 'yes' does not state whether to open NMEA 0183, which has a port; allowed: no, or a list"
      ))
    #expect(fault("yes", "off").isEmpty && fault("no").isEmpty && fault("[http]").isEmpty)
    #expect(fault("http,nmea", "off").contains("'http,nmea' has nmea, and nmea-port is off"))
    for wrong in ["mqtt", "http,http", "http,", "[]", "{http: yes}", "yes,nmea"] {
      #expect(fault(wrong).contains("network"), "\(wrong)")
    }
    let machine = try machine()
    try machine.write("http-port: 0\n", to: Self.serve)
    let run = SetupRun(machine, .servers, shows: true, request: try request())
    #expect(
      "\(run.faults.map(\.fault))".contains(
        "a.yaml:10: network: http,nmea: http-port is 0 in /etc/lodestar/serve.yaml"))
  }

  // MARK: The board

  @Test("a chip on another bus than the board file's is refused, with the bus where it is")
  func bus() throws {
    let folder = try TemporaryFolder()
    let file = """
      board: boat
      sensors:
        - {chip: LIS3MDL, address: 0x1C}
        - {chip: BMP280, address: 0x76}

      """
    try folder.write(file, "/boat.yaml")
    let text = Self.complete.replacing("board: found", with: "board: boat.yaml")
    let machine = try FakeMachine()
    machine.place([(.lis3mdl, 0x1C), (.bmp280, 0x76)], on: "/dev/i2c-3")
    let request = try request(text, path: folder.path + "/a.yaml")
    let run = SetupRun(machine, .sensors, shows: true, request: request)
    #expect(
      "\(run.faults.map(\.fault))".contains(
        "not found on this bus: LIS3MDL at 0x1C of /dev/i2c-1, but on /dev/i2c-3; BMP280 at 0x76 of"
      ),
      "\(run.faults)")
    // A link of udev names the same bus.
    try FileManager.default.createDirectory(
      atPath: machine.folder.path + "/dev", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: machine.folder.path + "/dev/i2c-mast", withDestinationPath: "i2c-3")
    for bus in ["/dev/i2c-3", "/dev/i2c-mast"] {
      try folder.write(file.replacing("address", with: "bus: \(bus), address"), "/boat.yaml")
      let run = SetupRun(machine, .sensors, shows: true, request: request)
      #expect(run.faults.isEmpty, "\(bus): \(run.faults)")
    }
  }

  @Test("a new version of the answers' board file is applied by the next run")
  func newBoardFile() throws {
    let folder = try TemporaryFolder()
    let installed = try String(
      contentsOf: SharedData.repository.appendingPathComponent("Boards/gy-91.yaml"), encoding: .utf8
    )
    let machine = try machine()
    func run(_ lines: String, _ mount: String, _ receiver: String) throws -> SetupRun {
      try folder.write(installed + lines, "/boat.yaml")
      let text = Self.complete.replacing("board: found", with: "board: boat.yaml")
        .replacing("mount: forward,left,up", with: "mount: \(mount)")
        .replacing("receiver: found\ngpsd", with: "receiver: \(receiver)\ngpsd")
      return SetupRun(machine, nil, request: try request(text, path: folder.path + "/a.yaml"))
    }
    func rotation(_ degrees: Int) -> String {
      "mount: {rotation: {heading: \(degrees), pitch: 0, roll: 0}}\n"
    }
    let receiver = "receiver: {port: /dev/ttyACM0, baud: 9600, antenna: {forward: 1, right: 0, up: "
    for (lines, mount, answer, expected) in [
      (rotation(10), "keep", "none", ["heading: 10"]),
      (rotation(20), "keep", "none", ["heading: 20"]),
      (rotation(20) + receiver + "2}}\n", "keep", "keep", ["heading: 20", "up: 2"]),
      (rotation(20) + receiver + "3}}\n", "keep", "keep", ["heading: 20", "up: 3"]),
      // What the answers decide is theirs, and all else the file's.
      (receiver + "4}}\n", "left,backward,up", "/dev/ttyACM0 9600", ["x: left", "up: 4"]),
      (receiver + "5}}\n", "left,backward,up", "found", ["x: left", "up: 5"]),
    ] {
      let first = try run(lines, mount, answer)
      #expect(first.faults.isEmpty, "\(first.console.text)")
      let written = machine.text(Self.board) ?? ""
      for part in expected { #expect(written.contains(part), "\(part): \(written)") }
      let second = try run(lines, mount, answer)
      #expect(second.faults.isEmpty && !second.words.contains("wrote"), "\(second.console.text)")
    }
    // Of an installed board the present mount and receiver stay.
    let text = Self.complete.replacing("board: found", with: "board: gy-91")
      .replacing("mount: forward,left,up", with: "mount: keep")
      .replacing("receiver: found\ngpsd", with: "receiver: keep\ngpsd")
    let kept = machine.text(Self.board)
    #expect(SetupRun(machine, nil, request: try request(text)).faults.isEmpty)
    #expect(machine.text(Self.board) == kept)
  }

  @Test("learning in use is switched off, and on again")
  func calibration() throws {
    let machine = try machine()
    for (answer, line) in [
      ("off", true), ("off", true), ("keep", true), ("learn", false), ("keep", false),
    ] {
      let text = Self.complete.replacing("calibration: learn", with: "calibration: \(answer)")
      #expect(SetupRun(machine, nil, request: try request(text)).faults.isEmpty)
      #expect(machine.text(Self.serve)?.contains("online-calibration: off") == line, "\(answer)")
    }
  }
}
