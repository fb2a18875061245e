import Board
import Chips
import Configuration
import Foundation
import LinuxIO
import Pipeline
import Quantities
import ReceiverProtocols
import Simulation
import TestSupport
import Testing

/// The receiver's own thread on a terminal of the kernel, with an emulated receiver at its other
/// end.
@Suite("A receiver's thread", .serialized, .timeLimit(.minutes(30)))
struct ReceiverSetUpTests {

  private func player(
    _ path: String, activity: Activity = .other, _ adjust: (inout Board.Receiver) -> Void
  ) throws -> EstimatePlayer {
    var receiver = Board.Receiver(port: path, baud: 9600)
    adjust(&receiver)
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "desk", receiver: receiver)
    configuration.activity = activity
    let player = try EstimatePlayer(attached: configuration, hardware: LinuxHardware())
    player.start()
    return player
  }

  private static let rate: UInt32 = 0x3021_0001

  @Test(
    "sets the receiver up and restores its settings when it is stopped",
    arguments: [EmulatedUBloxReceiver.Generation.m8, .m9])
  func setUpAndUndone(generation: EmulatedUBloxReceiver.Generation) throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(generation))
    defer { port.stop() }
    let before = port.now.values
    let player = try player(port.path, activity: .automotiveNavigation) {
      $0.setUp.rateHertz = 10
      $0.setUp.messages = .both
      $0.setUp.baud = 115_200
    }
    #expect(eventually { player.boardStatus?.receiverSetUp != nil })
    let status = try #require(player.boardStatus?.receiverSetUp)
    #expect(status.refused.isEmpty && status.set.count == 10, "\(status.text)")
    #expect(port.now[Self.rate] == 100 && port.now[0x2011_0021] == 4 && port.now.baud == 115_200)
    #expect(eventually { player.latest?.position != nil })
    player.stop()
    #expect(port.now.values == before)
  }

  @Test("follows the activity of an application, and restores the settings at its end")
  func activity() throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
    defer { port.stop() }
    let before = port.now.values
    let player = try player(port.path) { $0.setUp.rateHertz = 5 }
    #expect(eventually { player.boardStatus?.receiverSetUp != nil })
    let model: UInt32 = 0x2011_0021
    for activity in [Activity.automotiveNavigation, .fitness, .airborne] {
      player.setActivity(activity)
      let wanted = try #require(activity.dynamicModel)
      #expect(eventually { port.now[model] == UInt64(wanted.rawValue) })
    }
    player.setActivity(.other)
    #expect(eventually { port.now[model] == UInt64(UBXDynamicModel.portable.rawValue) })
    #expect(port.now[Self.rate] == 200)
    player.stop()
    #expect(port.now.values == before)
  }

  @Test("keeps the motion model of the board file whatever the activity is")
  func modelOfBoardFile() throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
    defer { port.stop() }
    let player = try player(port.path) { $0.setUp.model = .sea }
    #expect(eventually { player.boardStatus?.receiverSetUp != nil })
    player.setActivity(.fitness)
    #expect(eventually { player.latest?.position != nil })
    #expect(port.now[0x2011_0021] == UInt64(UBXDynamicModel.sea.rawValue))
    player.stop()
  }

  @Test("sends nothing to a receiver without requested settings or with a forbidden set-up")
  func leftAlone() throws {
    for manner in [nil, Board.SetUp.Manner.no] {
      let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
      defer { port.stop() }
      let player = try player(port.path) {
        $0.setUp.manner = manner
        if manner != nil { $0.setUp.rateHertz = 5 }
      }
      #expect(eventually { player.latest?.position != nil })
      player.stop()
      #expect(port.now.commands.isEmpty && player.boardStatus?.receiverSetUp == nil)
    }
  }

  @Test("a receiver with NMEA only stays in use and is reported as not set up")
  func silent() throws {
    var receiver = EmulatedUBloxReceiver(.m9)
    receiver.knowsUBX = false
    let port = try EmulatedReceiverPort(receiver)
    defer { port.stop() }
    let player = try player(port.path) {
      $0.setUp.manner = .temporary; $0.setUp.rateHertz = 5
    }
    #expect(eventually { player.latest?.position != nil })
    #expect(
      eventually {
        player.boardStatus?.receiverSetUp?.receiver == nil
          && player.boardStatus?.receiverSetUp != nil
      })
    #expect(player.boardStatus?.receiverSetUp?.text.contains("not set up") == true)
    player.stop()
  }

  @Test("the port of a stopped board is free for the next one")
  func nextBoard() throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
    defer { port.stop() }
    for _ in 0..<2 {
      let player = try player(port.path) { _ in }
      #expect(eventually { player.latest?.position != nil })
      player.stop()
    }
  }

  @Test("a set-up to save is saved and not restored")
  func saved() throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
    defer { port.stop() }
    let player = try player(port.path) {
      $0.setUp.manner = .save; $0.setUp.rateHertz = 4
    }
    #expect(eventually { player.boardStatus?.receiverSetUp != nil })
    #expect(player.boardStatus?.receiverSetUp?.saved == "saved")
    player.stop()
    port.change { $0.powerCycle() }
    #expect(port.now[Self.rate] == 250)
  }

  @Test(
    "a receiver that returns without its settings is set up again, and restored at the end"
  )
  func vanishes() throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
    defer { port.stop() }
    let before = port.now.values
    let player = try player(port.path) {
      $0.setUp.rateHertz = 5
      $0.setUp.baud = 115_200
    }
    #expect(eventually { player.boardStatus?.receiverSetUp?.set.count == 2 })
    port.pullOut()
    #expect(eventually { player.boardStatus?.receiverFault != nil })
    port.change { $0.powerCycle() }
    #expect(port.now.baud == 9600)
    try port.plugIn()
    #expect(eventually { port.now[Self.rate] == 200 && port.now.baud == 115_200 })
    #expect(eventually { player.boardStatus?.receiverFault == nil })
    // Unplugged again, but with its own power: it keeps its settings.
    port.pullOut()
    #expect(eventually { player.boardStatus?.receiverFault != nil })
    let asked = port.now.commands.count
    try port.plugIn()
    #expect(eventually { port.now.commands.count > asked + 4 })
    #expect(eventually { player.boardStatus?.receiverFault == nil })
    Thread.sleep(forTimeInterval: 1)
    player.stop()
    #expect(port.now.values == before)
  }

  @Test("a receiver that loses its power behind an open port is set up again")
  func brownOut() throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m8))
    defer { port.stop() }
    let player = try player(port.path) {
      $0.setUp.rateHertz = 5
      $0.setUp.baud = 115_200
    }
    #expect(eventually { player.boardStatus?.receiverSetUp?.set.count == 2 })
    port.change { $0.powerCycle() }
    #expect(eventually { port.now[Self.rate] == 200 && port.now.baud == 115_200 })
    player.stop()
    #expect(eventually { port.now[Self.rate] == 1000 && port.now.baud == 9600 })
  }

  @Test("finds the speed of a receiver that sends UBX only")
  func ubxOnly() throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9, baud: 38_400))
    defer { port.stop() }
    // 0x1074_0002: NMEA out; 0x2091_0007: NAV-PVT.
    port.change {
      _ = $0.receive(
        UBXCommand.set(
          [(.sends(.nmea, on: .uart1), 0), (.rate(of: .navigationPVT, on: .uart1), 1)], in: .ram)?
          .bytes ?? [])
    }
    let player = try player(port.path) {
      $0.baud = nil
      $0.setUp.rateHertz = 5
    }
    // A busy machine may deliver no frame within the 1.3 s of a speed: the next round of the nine
    // speeds, 12 s, finds it.
    #expect(eventually(within: 120) { port.now[Self.rate] == 200 })
    player.stop()
    #expect(port.now[Self.rate] == 1000)
  }

  @Test(
    "sets up a receiver of another maker, and restores its settings when it is stopped",
    arguments: [EmulatedMakerReceiver.Kind.l86, .lc29h, .um982, .uranus5, .skyTraq])
  func otherMakers(kind: EmulatedMakerReceiver.Kind) throws {
    let port = try EmulatedReceiverPort(EmulatedMakerReceiver(kind))
    defer { port.stop() }
    let before = port.now.state
    let player = try player(port.path) {
      $0.setUp.rateHertz = 5
      $0.setUp.systems = [.gps, .beidou]
    }
    #expect(eventually { player.boardStatus?.receiverSetUp != nil })
    let status = try #require(player.boardStatus?.receiverSetUp)
    #expect(status.refused.isEmpty && status.set.count == 2, "\(kind): \(status.text)")
    #expect(port.now.state.period == 200 && port.now.state.systems == ["GPS", "BDS"])
    #expect(port.now.flash == before)
    #expect(eventually { player.latest?.position != nil })
    #expect(player.boardStatus?.troubles.isEmpty == true)
    player.stop()
    #expect(port.now.state == before, "\(kind)")
  }

  @Test("a refused setting is a trouble of the status, and the positions are used")
  func refusedSetting() throws {
    var receiver = EmulatedMakerReceiver(.lc29h)
    receiver.refused = ["PAIR050"]
    let port = try EmulatedReceiverPort(receiver)
    defer { port.stop() }
    let player = try player(port.path) {
      $0.setUp.rateHertz = 5
      $0.setUp.maskDegrees = 10
    }
    #expect(eventually { player.boardStatus?.receiverSetUp != nil })
    #expect(eventually { player.latest?.position != nil })
    let trouble = player.boardStatus?.troubles.first
    #expect(trouble?.device == "receiver's set-up")
    #expect(trouble?.fault?.contains("rate 5 Hz: refused (unsupported command)") == true)
    #expect(port.now.state.mask == 10)
    player.stop()
  }
}
