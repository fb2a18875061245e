import Board
import Configuration
import Foundation
import LinuxIO
import Pipeline
import Simulation
import TestSupport
import Testing

/// Programs that have set up a receiver and receive a signal to end. No limit of time decides a
/// test: the way in which a program ends shows whether it has kept its own.
@Suite("A program that has set up a receiver", .serialized, .timeLimit(.minutes(30)))
struct ReceiverEndingTests {
  private static let lodestar = BuiltProgram("lodestar")
  private static let rate: UInt32 = 0x3021_0001

  /// A program with an emulated receiver whose rate it has set, as a child with its errors in a
  /// file.
  private final class Rig {
    let port: EmulatedReceiverPort<EmulatedUBloxReceiver>
    let before: [UInt32: UInt64]
    private let folder: URL
    private let process = ChildProcess()

    init(_ arguments: [String]) throws {
      port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
      before = port.now.values
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let board = folder.appendingPathComponent("board.yaml").path
      let text =
        "board: desk\nreceiver: {port: \(port.path), baud: 9600, set-up: temporary, rate: 5}\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: board))
      try Data().write(to: folder.appendingPathComponent("errors"))
      process.executableURL = URL(fileURLWithPath: lodestar.path)
      process.arguments =
        arguments.map { $0.replacing("$folder", with: folder.path) } + ["--board", board]
      process.environment = ProcessInfo.processInfo.environment.merging([
        "LODESTAR_SOCKET": arguments[0] == "serve" ? folder.path + "/s" : "none"
      ]) { $1 }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = try FileHandle(
        forWritingTo: folder.appendingPathComponent("errors"))
      try process.start()
    }

    deinit {
      if process.isRunning { process.send(SIGKILL) }
      process.waitOrKill()
      port.stop()
      do { try FileManager.default.removeItem(at: folder) } catch { print("left: \(folder.path)") }
    }

    var errors: String {
      let data = FileManager.default.contents(atPath: folder.path + "/errors")
      return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// Sends a signal and waits for the end.
    /// - Returns: The exit status, which depends on what it has received by then; nil where a signal
    ///   has ended it, such as that of the test after its deadline.
    func end(_ signal: Int32) -> Int32? {
      process.send(signal)
      process.waitOrKill()
      if process.terminationReason == .exit { return process.terminationStatus }
      print("ended by signal \(process.terminationStatus)")
      return nil
    }
  }

  private static let commands = [
    ["location"], ["record", "--reserve", "0", "$folder/a.mcap"],
    ["serve", "--state", "$folder/state", "--gpsd-port", "0", "--http-port", "0"],
  ]

  @Test("undoes it before it ends", arguments: commands, [SIGTERM, SIGINT])
  func undone(_ arguments: [String], _ signal: Int32) throws {
    let rig = try Rig(arguments)
    #expect(eventually { rig.port.now[Self.rate] == 200 }, "\(rig.errors)")
    let commands = rig.port.now.commands.count
    let status = rig.end(signal)
    #expect(status != nil, "\(rig.errors)")
    if arguments.first == "location" { #expect(status == 128 + signal) }
    // They have arrived at the terminal, and the receiver has executed them.
    #expect(rig.port.now.commands.count > commands)
    #expect(rig.port.now.values == rig.before)
  }

  @Test("ends although the receiver answers no more", arguments: commands)
  func unanswered(_ arguments: [String]) throws {
    let rig = try Rig(arguments)
    #expect(eventually { rig.port.now[Self.rate] == 200 }, "\(rig.errors)")
    rig.port.change { $0.knowsUBX = false }
    let heard = rig.port.heard
    let status = rig.end(SIGTERM)
    #expect(status != nil, "\(rig.errors)")
    #expect(rig.port.heard > heard)
  }

  @Test("ends although the receiver is gone", arguments: commands)
  func gone(_ arguments: [String]) throws {
    let rig = try Rig(arguments)
    #expect(eventually { rig.port.now[Self.rate] == 200 }, "\(rig.errors)")
    rig.port.pullOut()
    let status = rig.end(SIGTERM)
    #expect(status != nil, "\(rig.errors)")
  }

  @Test("states its own limits: 1 s, and 6 s for a receiver")
  func limits() throws {
    #expect(EndingSignals.longestEnd < 1)
    for (rate, limit) in [(nil, 0...0), (5, 1...6)] as [(Double?, ClosedRange<Double>)] {
      let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
      defer { port.stop() }
      var receiver = Board.Receiver(port: port.path, baud: 9600)
      receiver.setUp.rateHertz = rate
      var configuration = PipelineConfiguration()
      configuration.board = Board(name: "desk", receiver: receiver)
      let player = try EstimatePlayer(attached: configuration, hardware: LinuxHardware())
      #expect(limit.contains(player.undoSeconds))
    }
  }
}
