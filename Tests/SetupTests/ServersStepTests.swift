import Foundation
import Setup
import TestSupport
import Testing

@Suite("The step for the servers", .timeLimit(.minutes(30)))
struct ServersStepTests {
  private let serve = "/etc/lodestar/serve.yaml"
  private let dropIn = "/etc/systemd/system/lodestar.service.d/network.conf"

  @Test("changes nothing by default, on a new machine and on a configured one")
  func defaults() throws {
    let machine = try FakeMachine()
    let run = SetupRun(machine, .servers)
    #expect(run.faults.isEmpty && run.words.hasSuffix("No change.") && machine.names.isEmpty)
    #expect(run.words.contains("gpsd's protocol: port 2947"))
    let text =
      "nmea-port: 4000\nsignalk-port: 3000\nmqtt-broker: mqtt://localhost\nhttp-address: 0.0.0.0\nnmea-address: 0.0.0.0\n"
      + "signalk-address: 0.0.0.0\nhttp-read: anyone\n"
    try machine.write(text, to: serve)
    try machine.write("[Service]\nIPAddressDeny=\n", to: dropIn)
    let second = SetupRun(machine, .servers)
    #expect(second.faults.isEmpty && second.words.hasSuffix("No change."), "\(second.console.text)")
    #expect(second.words.contains("(port 4000)? [Y/n]: yes"))
    #expect(machine.text(serve) == text)
  }

  @Test("writes the keys below their comments in the packaged file, and permits the network")
  func open() throws {
    let machine = try FakeMachine()
    let model = SharedData.repository.appendingPathComponent("Packaging/systemd/serve.yaml")
    let old = try String(contentsOf: model, encoding: .utf8)
    try machine.write(old, to: serve)
    try machine.installService()
    let run = SetupRun(
      machine, .servers, ["y", "y", "", "mqtts://broker.example.org", "none", "y", "", "y", "y"])
    #expect(run.faults.isEmpty && run.console.isUsedUp, "\(run.console.text)")
    let new = try #require(machine.text(serve))
    for (line, next) in [
      ("# nmea-port: 0", "nmea-port: 10110"), ("# signalk-port: 0", "signalk-port: 3000"),
      ("# http-read: anyone", "http-read: token"),
      ("# http-address: localhost", "http-address: 0.0.0.0"),
      ("# mqtt-broker: mqtts://broker.example.org", "mqtt-broker: mqtts://broker.example.org"),
    ] { #expect(new.contains("\n\(line)\n\(next)\n"), "\(line)") }
    // Every old line is still there.
    let lines = new.split(separator: "\n", omittingEmptySubsequences: false)
    let added = [
      "nmea-port", "nmea-address", "signalk-port", "signalk-address", "mqtt-broker", "http-address",
      "http-read",
    ]
    let rest = lines.filter { line in !added.contains { line.hasPrefix($0 + ":") } }
    #expect(rest.joined(separator: "\n") == old)
    #expect(run.words.contains("everyone in the network receives the position there"))
    #expect(machine.removeCommands().first == "systemctl daemon-reload")
    // The drop-in has the directives of the packaged one.
    func directives(_ text: String) -> [Substring] {
      text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    }
    let packaged = try String(
      contentsOf: SharedData.repository.appendingPathComponent("Packaging/systemd/network.conf"),
      encoding: .utf8)
    #expect(directives(try #require(machine.text(dropIn))) == directives(packaged))
    let second = SetupRun(machine, .servers)
    #expect(second.words.hasSuffix("No change."), "\(second.console.text)")
  }

  @Test("a server that only this machine reaches beside an open one is opened by its own answer")
  func mixed() throws {
    let text = "nmea-port: 10110\nhttp-address: 0.0.0.0\nhttp-read: token\n"
    let machine = try FakeMachine()
    try machine.write(text, to: serve)
    try machine.write("[Service]\nIPAddressDeny=\n", to: dropIn)
    let defaults = SetupRun(machine, .servers)
    #expect(defaults.faults.isEmpty && defaults.words.hasSuffix("No change."))
    #expect(machine.text(serve) == text)
    let run = SetupRun(machine, .servers, ["", "", "", "", "", "y", "y"])
    #expect(run.faults.isEmpty && run.console.isUsedUp, "\(run.console.text)")
    #expect(run.words.contains("Also to NMEA 0183, which only this machine can reach now?"))
    #expect(machine.text(serve) == text + "nmea-address: 0.0.0.0\n")
  }

  @Test("one question has the outputs that few boards have, and their addresses follow")
  func rare() throws {
    let machine = try FakeMachine()
    try machine.write("gdl90-udp: 127.0.0.1:4000\n", to: serve)
    let run = SetupRun(
      machine, .servers, ["", "", "fox", "foxglove,mavlink", "", "x", "127.0.0.1:1", "", "", "y"])
    #expect(run.faults.isEmpty && run.console.isUsedUp, "\(run.console.text)")
    #expect(run.words.contains("or none [gdl90]: "))
    #expect(run.words.contains("expected some of foxglove, mavlink, gdl90"))
    #expect(run.words.contains("expected ADDRESS:PORT, such as 127.0.0.1:14550"))
    #expect(machine.text(serve) == "foxglove-port: 8765\nmavlink-udp: 127.0.0.1:1\n")
    #expect(machine.text(dropIn) == nil)
    // The unit's limit to addresses of this machine is removed for another one.
    let second = SetupRun(
      machine, .servers,
      ["", "", "traccar, owntracks", "mqtt://localhost", "https://b:5055/", "", "", "y"])
    #expect(second.faults.isEmpty && second.console.isUsedUp, "\(second.console.text)")
    #expect(machine.text(serve) == "owntracks-url: mqtt://localhost\nosmand-url: https://b:5055/\n")
    #expect(machine.text(dropIn)?.contains("IPAddressDeny=") == true)
  }

  @Test("closes what was open after the answer no")
  func close() throws {
    let machine = try FakeMachine()
    try machine.write(
      "nmea-port: 10110\nnmea-address: 192.168.1.2\nmqtt-broker: mqtt://b\nmqtt-username: u\nmqtt-password-file: /p\n"
        + "http-port: 8091\n", to: serve)
    let run = SetupRun(machine, .servers, ["n", "n", "", "none", "n", "y"])
    #expect(run.faults.isEmpty && run.console.isUsedUp, "\(run.console.text)")
    #expect(machine.text(serve) == "http-port: 8091\n")
  }

  @Test("frees gpsd's port for a gpsd, and offers another port where one is taken")
  func taken() throws {
    let machine = try FakeMachine()
    machine.setOwner("gpsd (pid 412)", of: 2947)
    machine.setOwner("node (pid 7)", of: 3000)
    machine.setOwner("lodestar (pid 9)", of: 10_110)
    let run = SetupRun(machine, .servers, ["", "y", "y", "x", "3001", "", "", "", "y"])
    #expect(run.faults.isEmpty && run.console.isUsedUp, "\(run.console.text)")
    #expect(run.words.contains("Port 2947 of gpsd's protocol is used by gpsd (pid 412)"))
    #expect(
      run.words.contains("Port 3000 is used by node (pid 7).") && !run.words.contains("pid 9"))
    #expect(
      machine.text(serve)?.hasSuffix("gpsd-port: 0\nnmea-port: 10110\nsignalk-port: 3001\n") == true
    )
  }

  @Test("writes a broker's password into a file of its own, and displays it nowhere")
  func password() throws {
    let machine = try FakeMachine()
    try machine.write("lodestar:x:990:990::/:/bin/false\n", to: "/etc/passwd")
    let run = SetupRun(
      machine, .servers, ["", "", "", "http://b", "mqtt://b", "boat", "pass#1", "n", "y"])
    #expect(run.faults.isEmpty && run.console.isUsedUp, "\(run.console.text)")
    #expect(run.words.contains("expected mqtt://HOST[:PORT]"))
    #expect(!run.console.text.contains("pass#1"))
    let path = "/etc/lodestar/mqtt-password"
    #expect(machine.text(path) == "pass#1\n")
    let mode = try FileManager.default.attributesOfItem(atPath: machine.folder.path + path)[
      .posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(machine.removeCommands().first == "chown lodestar:lodestar \(path)")
    #expect(
      machine.text(serve)?.hasSuffix(
        "mqtt-broker: mqtt://b\nmqtt-username: boat\nmqtt-password-file: \(path)\n") == true)
  }
}
