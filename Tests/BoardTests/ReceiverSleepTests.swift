import Board
import Configuration
import Foundation
import LinuxIO
import LocationHost
import Pipeline
import Quantities
import Simulation
import TestSupport
import Testing

/// The receiver's own thread on a terminal of the kernel, with an emulated receiver at its other
/// end.
@Suite("A receiver with a reduced demand", .serialized, .timeLimit(.minutes(30)))
struct ReceiverSleepTests {
  private static let rate: UInt32 = 0x3021_0001

  private func player(
    _ path: String, _ adjust: (inout Board.Receiver) -> Void = { _ in }
  ) throws -> EstimatePlayer {
    var receiver = Board.Receiver(port: path, baud: 9600)
    adjust(&receiver)
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "desk", receiver: receiver)
    let player = try EstimatePlayer(attached: configuration, hardware: LinuxHardware())
    player.start()
    return player
  }

  @Test(
    "sleeps for the interval, wakes for a fix, is set up again, and sleeps again",
    arguments: [(EmulatedUBloxReceiver.Generation.m8, 9600), (.m9, 115_200)])
  func interval(generation: EmulatedUBloxReceiver.Generation, baud: Int) throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(generation))
    defer { port.stop() }
    let player = try player(port.path) {
      $0.setUp.rateHertz = 5
      if baud != 9600 { $0.setUp.baud = baud }
    }
    #expect(eventually { port.now[Self.rate] == 200 && port.now.baud == baud })
    #expect(eventually { player.latest?.position != nil })
    player.setReceiverDemand(.every(seconds: 5))
    #expect(eventually { port.now.isAsleep })
    let sent = port.now.commands.count
    #expect(eventually { !port.now.isAsleep })
    // The sleep discarded its settings: they are sent again.
    #expect(
      eventually {
        let now = port.now
        return now.commands.count > sent && now[Self.rate] == 200 && now.baud == baud
      })
    #expect(eventually { port.now.sleeps >= 2 })
    player.setReceiverDemand(.continuous)
    #expect(eventually { !port.now.isAsleep && port.now[Self.rate] == 200 })
    player.stop()
    #expect(eventually { port.now[Self.rate] == 1000 && port.now.baud == 9600 })
  }

  @Test("one without requested settings is identified, put to sleep, and woken at the end")
  func unasked() throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
    defer { port.stop() }
    let before = port.now.values
    let player = try player(port.path)
    #expect(eventually { player.latest?.position != nil })
    #expect(port.now.commands.isEmpty)
    player.setReceiverDemand(.none)
    #expect(eventually { port.now.isAsleep })
    // Version, duration of an hour, backup and force, waking by the UART.
    let expected: [UInt8] = [0, 0, 0, 0, 0x80, 0xEE, 0x36, 0, 6, 0, 0, 0, 8, 0, 0, 0]
    #expect(port.now.sleepCommands == [expected])
    #expect(player.isReceiverResting && player.boardStatus?.receiverSetUp == nil)
    player.stop()
    #expect(eventually { !port.now.isAsleep })
    #expect(port.now.values == before)
  }

  @Test("sleeps for an interval that no clock can count, and wakes when the demand changes")
  func endless() throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
    defer { port.stop() }
    let player = try player(port.path)
    #expect(eventually { player.latest?.position != nil })
    player.setReceiverDemand(.every(seconds: 1e11))
    #expect(eventually { port.now.isAsleep })
    Thread.sleep(forTimeInterval: 0.5)
    #expect(port.now.isAsleep && player.isReceiverResting)
    player.setReceiverDemand(.continuous)
    #expect(eventually { !port.now.isAsleep })
    player.stop()
  }

  @Test("one with NMEA only, or with a forbidden set-up, gets no command; its fixes are withheld")
  func heardLess() throws {
    for isForbidden in [false, true] {
      var receiver = EmulatedUBloxReceiver(.m9)
      receiver.knowsUBX = isForbidden
      let port = try EmulatedReceiverPort(receiver)
      defer { port.stop() }
      let player = try player(port.path) { if isForbidden { $0.setUp.manner = .no } }
      #expect(eventually { player.latest?.position != nil })
      player.setReceiverDemand(.none)
      #expect(eventually { player.isReceiverResting })
      let newest = player.latest?.fixTimestamp
      Thread.sleep(forTimeInterval: 2.5)
      // What comes now is dead reckoning at most, not the receiver's.
      let now = player.latest
      #expect(now?.fixTimestamp == newest || now?.fixKind == .deadReckoning)
      #expect(!port.now.isAsleep)
      if isForbidden { #expect(port.now.commands.isEmpty) }
      player.setReceiverDemand(.continuous)
      #expect(
        eventually {
          player.latest?.fixTimestamp != newest && player.latest?.fixKind != .deadReckoning
        })
      player.stop()
    }
  }

  @Test("the simulated board's fixes are withheld in the same way")
  func simulated() throws {
    let player = try SourceChoice.simulation.open()
    player.start()
    #expect(eventually { player.latest?.position != nil })
    player.setReceiverDemand(.none)
    #expect(eventually { player.isReceiverResting })
    let newest = player.latest?.fixTimestamp
    Thread.sleep(forTimeInterval: 1.5)
    #expect(player.latest?.fixTimestamp == newest)
    player.setReceiverDemand(.continuous)
    #expect(eventually { player.latest?.fixTimestamp != newest })
    player.stop()
  }
}
