import Foundation
import LinuxIO
import Simulation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

/// The program at a pseudo-terminal with an emulated receiver at its other end.
@Suite("lodestar receiver", .serialized, .timeLimit(.minutes(30)))
struct ReceiverCommandTests {
  private func run<Receiver>(
    _ port: EmulatedReceiverPort<Receiver>, _ folder: TemporaryFolder, _ arguments: [String]
  ) throws -> BuiltProgram.Outcome {
    try lodestar.run(
      ["receiver"] + arguments + ["--port", port.path],
      environment: ["LODESTAR_STATE": folder.path + "/state", "LODESTAR_SOCKET": "none"])
  }

  private func object(_ outcome: BuiltProgram.Outcome) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
  }

  @Test(
    "shows, sets, shows again and reverts, without a write to flash",
    arguments: [EmulatedMakerReceiver.Kind.l86, .lc29h, .um982, .uranus6, .skyTraq])
  func makers(kind: EmulatedMakerReceiver.Kind) throws {
    let port = try EmulatedReceiverPort(EmulatedMakerReceiver(kind))
    defer { port.stop() }
    let folder = try TemporaryFolder()
    let before = port.now.state
    let shown = try run(port, folder, ["show"])
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.text.contains("rate: 1 Hz\n"), "\(kind): \(shown.text)")
    let set = try run(port, folder, ["set", "--rate", "5", "--systems", "gps,beidou"])
    #expect(set.status == 0, "\(kind): \(set.text) \(set.errors)")
    #expect(set.text.contains("rate 5 Hz: done\n"))
    #expect(set.text.contains("satellite systems gps,beidou: done\n"))
    #expect(port.now.state.period == 200 && port.now.flash == before)
    let again = try run(
      port, folder, ["set", "--rate", "5", "--elevation-mask", "10", "--format", "json"])
    let settings = try #require(try object(again)["settings"] as? [[String: Any]])
    #expect(settings[0]["result"] as? String == "already so", "\(kind): \(again.text)")
    #expect(settings[1]["isSet"] as? Bool == (kind != .l86))
    #expect(again.status == (kind == .l86 ? 1 : 0))
    let json = try object(try run(port, folder, ["show", "--format", "json"]))
    #expect((json["settings"] as? [String: Any])?["rate"] as? Double == 5)
    #expect(json["port"] as? String == port.path && json["time"] is String)
    let revert = try run(port, folder, ["revert"])
    #expect(revert.status == 0, "\(kind): \(revert.text) \(revert.errors)")
    #expect(port.now.state == before)
    #expect(try run(port, folder, ["revert"]).status == 69)
  }

  @Test("a u-blox receiver is set by the board file, saved, and reverted to what was before")
  func ublox() throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
    defer { port.stop() }
    let folder = try TemporaryFolder()
    let before = port.now.values
    try folder.write(
      "board: B\nreceiver: {port: /dev/x, rate: 10, sentences: [GGA, RMC], set-baud: 115200}\n",
      "/b.yaml")
    let set = try run(port, folder, ["set", "--board", folder.path + "/b.yaml", "--model", "sea"])
    #expect(set.status == 0, "\(set.text) \(set.errors)")
    #expect(set.text.hasPrefix("receiver: NEO-M9N (EXT CORE 4.04"), "\(set.text)")
    #expect(set.text.contains("baud rate 115200: done"))
    #expect(port.now[0x3021_0001] == 100 && port.now[0x2011_0021] == 5)
    #expect(port.now.baud == 115_200 && port.now[0x2091_00C5] == 0)
    let save = try run(port, folder, ["save"])
    #expect(save.status == 0 && save.text.contains("saved in the receiver"), "\(save.text)")
    port.change { $0.powerCycle() }
    #expect(port.now[0x3021_0001] == 100)
    let revert = try run(port, folder, ["revert"])
    #expect(revert.status == 0, "\(revert.text) \(revert.errors)")
    #expect(port.now.values == before)
  }

  @Test("a receiver of an unknown maker is named as such and not changed")
  func unknown() throws {
    let port = try EmulatedReceiverPort(EmulatedMakerReceiver(.other))
    defer { port.stop() }
    let folder = try TemporaryFolder()
    let set = try run(port, folder, ["set", "--rate", "5", "--save"])
    #expect(set.status == 69 && set.text.isEmpty)
    #expect(set.errors.contains("another maker") && set.errors.contains("nothing was changed"))
    #expect(port.now.state == port.now.flash)
  }

  @Test("a port that another program has is named with the remedy")
  func inUse() throws {
    let port = try EmulatedReceiverPort(EmulatedMakerReceiver(.l86))
    defer { port.stop() }
    let folder = try TemporaryFolder()
    let owner = try LinuxSerialPort(path: port.path, baud: 9600)
    let show = try run(port, folder, ["show"])
    #expect(show.status == 69 && show.errors.contains("in use"), "\(show.errors)")
    #expect(show.errors.contains("systemctl stop lodestar"))
    _ = owner.baud
  }

  @Test("an invalid setting, and none, are errors of the command line")
  func usage() throws {
    for (arguments, words) in [
      (["set", "--rate", "fast"], "--rate 'fast'"), (["set", "--systems", "loran"], "--systems"),
      (["set", "--base", "survey"], "--base"), (["set", "--port", "/dev/x"], "nothing to set"),
      (["show", "--port", "/dev/x", "--baud", "12"], "--baud 12"),
    ] {
      let outcome = try lodestar.run(
        ["receiver"] + arguments, environment: ["LODESTAR_SOCKET": "none"])
      #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
    let none = try lodestar.run(["receiver", "show", "--port", "/dev/not-there"])
    #expect(none.status == 69, "\(none.errors)")
  }

  @Test("the maker's defaults need a confirmation")
  func factory() throws {
    let port = try EmulatedReceiverPort(EmulatedMakerReceiver(.l86))
    defer { port.stop() }
    let folder = try TemporaryFolder()
    _ = try run(port, folder, ["set", "--rate", "5"])
    let refused = try run(port, folder, ["revert", "--factory"])
    #expect(refused.status == 1 && port.now.state.period == 200)
    let done = try run(port, folder, ["revert", "--factory", "--yes"])
    #expect(done.status == 0, "\(done.errors)")
    #expect(eventually { port.now.state.period == 1000 })
  }

  @Test("ends by itself on a signal while the receiver is silent", arguments: [SIGTERM, SIGINT])
  func signal(signal: Int32) throws {
    var receiver = EmulatedMakerReceiver(.um982)
    receiver.isSilent = true
    let port = try EmulatedReceiverPort(receiver)
    defer { port.stop() }
    let folder = try TemporaryFolder()
    let program = try RunningProgram(
      lodestar, ["receiver", "show", "--port", port.path],
      environment: ["LODESTAR_STATE": folder.path, "LODESTAR_SOCKET": "none"])
    #expect(eventually { program.catches(signal) || !program.isRunning })
    let end = program.ending(by: signal)
    #expect(["status \(128 + signal)", "status 130"].contains(end), "\(end): \(program.errors)")
  }
}
