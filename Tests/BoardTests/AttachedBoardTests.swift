import Board
import Chips
import Configuration
import Foundation
import Pipeline
import Quantities
import ScriptedSource
import Simulation
import TestSupport
import Testing

/// The threads of an attached board, on emulated chips whose clock is the machine's.
@Suite("An attached board", .serialized, .timeLimit(.minutes(30)))
struct AttachedBoardTests {
  private static let compass = Board.Sensor(chip: .lis3mdl)

  @Test("gives a heading, reports a lost chip, and uses it again when it returns")
  func lostAndBack() throws {
    let hardware = try EmulatedHardware([Self.compass])
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "emulated", sensors: [Self.compass])
    configuration.calibration = .assumed
    let player = try EstimatePlayer(attached: configuration, hardware: hardware)
    defer { player.stop() }
    let notices = Notices()
    player.onNotice { notices.add($0) }
    player.start()
    #expect(eventually { player.latest?.magneticHeading != nil })
    var health: DeviceHealth? { player.boardStatus?.health.first }
    #expect(eventually { health?.state == .live })
    #expect(health?.bus == "/dev/i2c-1" && health?.restarts == 0 && health?.fault == nil)
    hardware.change { $0.faults.absent.insert(Self.compass.address) }
    #expect(eventually { notices.has("lost") })
    #expect(eventually { player.latest?.magneticHeading == nil })
    #expect(player.boardStatus?.chips.first?.fault?.contains("no answer") == true)
    #expect(health?.state == .lost && health?.fault?.contains("no answer") == true)
    #expect((health?.errors ?? 0) > 0 && health?.restarts == 0)
    hardware.change { $0.faults.absent.remove(Self.compass.address) }
    #expect(eventually { notices.has("in service") })
    #expect(eventually { player.latest?.magneticHeading != nil })
    #expect(eventually { player.boardStatus?.lateness[Board.usualBus] != nil })
    #expect(eventually { health?.state == .live && health?.restarts == 1 })
    #expect((health?.ageSeconds).map { $0 < 1.5 } == true && health?.fault == nil)
  }

  @Test("a bus whose chips are all lost is closed while it is waited for")
  func release() throws {
    let hardware = try EmulatedHardware([Self.compass])
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "emulated", sensors: [Self.compass])
    let player = try EstimatePlayer(attached: configuration, hardware: hardware)
    defer { player.stop() }
    player.start()
    #expect(eventually { (player.boardStatus?.chips.first?.samples ?? 0) > 5 })
    #expect(hardware.releases == 0)
    hardware.change { $0.faults.always = .disconnected }
    #expect(eventually { hardware.releases > 1 })
    hardware.change { $0.faults.always = nil }
    #expect(eventually { player.boardStatus?.chips.first?.fault == nil })
  }

  @Test("a bus that is missing at the start delays no receiver, and is used once it is there")
  func missingBus() throws {
    let hardware = try EmulatedHardware([Self.compass])
    hardware.isBusMissing = true
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "emulated", sensors: [Self.compass])
    #expect(throws: SourceError.bus(BusError(.missing, device: Board.usualBus))) {
      _ = try EstimatePlayer(attached: configuration, hardware: hardware)
    }
    configuration.board.receiver = Board.Receiver(port: "/dev/rx", baud: 9600)
    let player = try EstimatePlayer(attached: configuration, hardware: hardware)
    defer { player.stop() }
    player.start()
    #expect(player.boardStatus?.chips.first?.fault?.contains("no such device") == true)
    hardware.isBusMissing = false
    #expect(eventually { (player.boardStatus?.chips.first?.samples ?? 0) > 5 })
    #expect(player.boardStatus?.chips.first?.fault == nil)
  }

  @Test("lost data-ready lines are closed and opened again; meanwhile the chips are polled")
  func lostLines() throws {
    var wired = Self.compass
    wired.dataReadyLine = "GPIO17"
    let hardware = try EmulatedHardware([wired])
    hardware.dataReadyLines = ["GPIO17"]
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "emulated", sensors: [wired])
    let player = try EstimatePlayer(attached: configuration, hardware: hardware)
    defer { player.stop() }
    let notices = Notices()
    player.onNotice { notices.add($0) }
    player.start()
    hardware.dataReadyLines = []
    #expect(eventually { notices.has("data-ready lines of /dev/i2c-1 are lost") })
    #expect(player.boardStatus?.dataReadyFaults["/dev/i2c-1"] != nil)
    let before = player.boardStatus?.chips.first?.samples ?? 0
    #expect(eventually { (player.boardStatus?.chips.first?.samples ?? 0) > before + 10 })
    hardware.dataReadyLines = ["GPIO17"]
    #expect(eventually { notices.has("data-ready lines of /dev/i2c-1 are back") })
    #expect(player.boardStatus?.dataReadyFaults.isEmpty == true)
  }

  @Test("a chip that reports zeros is not used, and the status names it so")
  func zeros() throws {
    let hardware = try EmulatedHardware([Self.compass])
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "emulated", sensors: [Self.compass])
    let player = try EstimatePlayer(attached: configuration, hardware: hardware)
    defer { player.stop() }
    let notices = Notices()
    player.onNotice { notices.add($0) }
    player.start()
    #expect(eventually { player.latest?.magneticHeading != nil })
    #expect(
      player.boardStatus?.words(hasReceiver: false, hasCompass: false)
        == ["magnetometer", "no receiver"])
    hardware.zeroesFields = true
    #expect(eventually { notices.has("does not measure, going on without it") })
    #expect(eventually { player.latest?.magneticHeading == nil })
    #expect(player.boardStatus?.health.first?.state == .contradicted)
    #expect(
      player.boardStatus?.words(hasReceiver: false, hasCompass: false) == [
        "no receiver",
        "LIS3MDL at 0x1C of /dev/i2c-1 not used: it reports a field of exactly zero",
      ])
    hardware.zeroesFields = false
    #expect(eventually { player.latest?.magneticHeading != nil })
  }

  @Test("a chip missing at the start is reported, and the others are used")
  func oneMissing() throws {
    let missing = Board.Sensor(chip: .qmc5883l)
    let hardware = try EmulatedHardware([Self.compass])
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "emulated", sensors: [missing, Self.compass])
    let player = try EstimatePlayer(attached: configuration, hardware: hardware)
    defer { player.stop() }
    let notices = Notices()
    player.onNotice { notices.add($0) }
    player.start()
    #expect(notices.has("QMC5883L at 0x0D of /dev/i2c-1 is lost"))
    #expect(eventually { player.latest?.magneticHeading != nil })
  }

  @Test(
    "without a chip, a bus or a data-ready line it does not start and reports the cause"
  )
  func refusals() throws {
    let hardware = try EmulatedHardware([])
    func error(_ sensor: Board.Sensor) -> String {
      var configuration = PipelineConfiguration()
      configuration.board = Board(name: "emulated", sensors: [sensor])
      do {
        _ = try EstimatePlayer(attached: configuration, hardware: hardware)
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(error(Self.compass).contains("/dev/i2c-1 address 0x1C: no answer"))
    #expect(error(Board.Sensor(chip: .lis3mdl, bus: "/dev/i2c-7")).contains("/dev/i2c-7: no such"))
    var wired = Self.compass
    wired.dataReadyLine = "GPIO99"
    #expect(error(wired).contains("no line is named 'GPIO99'"))
  }
}
