import Board
import Chips
import Configuration
import Foundation
import LocationHost
import Quantities
import Simulation
import TestSupport
import Testing

@Suite("The board that is attached", .timeLimit(.minutes(30)))
struct BoardFinderTests {
  /// Emulated buses, and ports whose receivers send at one speed. Reads advance the time.
  private final class Machine: BoardHardware, @unchecked Sendable {
    var chips: [String: EmulatedBus] = [:]
    /// The speed of each port's receiver; nil for a port without a receiver.
    var speeds: [String: Int?] = [:]
    let clock = EmulatedClock()

    var now: Timestamp { clock.now }
    /// Existing buses that cannot be opened.
    var hidden: [String] = []
    var kernelChips: [KernelChip] = []
    var drivers: [UInt8: String] = [:]
    func kernelDriver(bus: String, address: UInt8) -> String? { drivers[address] }
    var buses: [String] { chips.keys.sorted() + hidden }
    var receiverPorts: [String] { speeds.keys.sorted() }
    func bus(_ path: String) throws(BusError) -> any RegisterBus {
      guard let bus = chips[path] else { throw BusError(.missing, device: path) }
      return bus
    }
    func serialPort(_ path: String, baud: Int) throws(BusError) -> any SerialPort {
      guard let speed = speeds[path] else { throw BusError(.missing, device: path) }
      return Port(path, speaksAt: speed, clock)
    }
    func alarm(dataReadyLines: [String]) throws(BusError) -> any BusAlarm {
      throw BusError(.unsupported("waiting is not supported"), device: "GPIO")
    }
  }

  private final class Port: SerialPort {
    let name: String
    var baud = 0
    private let speaksAt: Int?
    private let clock: EmulatedClock
    init(_ name: String, speaksAt: Int?, _ clock: EmulatedClock) {
      (self.name, self.speaksAt, self.clock) = (name, speaksAt, clock)
    }
    func setBaud(_ baud: Int) throws(BusError) { self.baud = baud }
    func read(
      into bytes: UnsafeMutableRawBufferPointer, until deadline: Timestamp
    ) throws(BusError) -> Int {
      clock.advance(nanoseconds: 100_000_000)
      guard let speaksAt else {
        clock.advance(to: deadline)
        return 0
      }
      // At another speed a receiver's sentences are noise.
      let text =
        baud == speaksAt ? "$GPGLL,4916.45,N,12311.12,W,225444,A*31\r\n" : "\u{7F}~\u{1}x$GP"
      for (index, byte) in text.utf8.enumerated() { bytes[index] = byte }
      return text.utf8.count
    }
    func write(_ bytes: UnsafeRawBufferPointer) throws(BusError) {}
  }

  private func finder(_ machine: Machine) -> BoardFinder {
    let folder = SharedData.repository.appendingPathComponent("Boards").path
    return BoardFinder(hardware: machine, library: BoardLibrary(folders: [folder]))
  }

  private func bus(_ chips: [(ChipModel, UInt8)], name: String) -> EmulatedBus {
    let bus = EmulatedBus(name: name)
    for (model, address) in chips {
      bus.place(model.emulated(FixedSurroundings()), at: address)
    }
    return bus
  }

  @Test("is the one whose file matches, on the bus where its chips are")
  func match() throws {
    let machine = Machine()
    machine.chips["/dev/i2c-1"] = bus([], name: "/dev/i2c-1")
    machine.chips["/dev/i2c-3"] = bus(
      [(.qmc5883l, 0x0D), (.bmp280, 0x76)], name: "/dev/i2c-3")
    let board = try finder(machine).board()
    #expect(board.name == "GY-271 and BMP280")
    #expect(board.sensors.map(\.bus) == ["/dev/i2c-3", "/dev/i2c-3"])
  }

  @Test("is made from the findings if no file matches, with an unknown mount")
  func composed() throws {
    let machine = Machine()
    machine.chips["/dev/i2c-1"] = bus([(.ms5611, 0x77), (.lis3mdl, 0x1E)], name: "/dev/i2c-1")
    machine.speeds["/dev/serial0"] = 9600
    let board = try finder(machine).board()
    #expect(board.sensors.map(\.chip) == [.lis3mdl, .ms5611])
    #expect(board.hasUnknownMount)
    #expect(board.receiver == Board.Receiver(port: "/dev/serial0"))
    #expect(try Board(yaml: board.yaml, path: "b.yaml") == board)
  }

  @Test(
    "a silent port is no board; a receiver alone is one, at its detected speed"
  )
  func receiverAlone() throws {
    let machine = Machine()
    machine.speeds["/dev/serial0"] = .some(nil)
    var caught: SourceError?
    do { _ = try finder(machine).board() } catch { caught = error }
    guard case .noSensors = caught else {
      Issue.record("\(String(describing: caught))")
      return
    }
    machine.speeds["/dev/ttyACM0"] = 38_400
    let board = try finder(machine).board()
    #expect(board.receiver == Board.Receiver(port: "/dev/ttyACM0", baud: 38_400))
    #expect(board.sensors.isEmpty)
  }

  @Test("chips of kernel drivers are found on any bus, and a board is made of them")
  func kernelChips() throws {
    let machine = Machine()
    machine.chips["/dev/i2c-1"] = bus([(.bmp280, 0x76)], name: "/dev/i2c-1")
    func chip(_ bus: String, _ address: UInt8, _ models: [ChipModel]) -> KernelChip {
      KernelChip(
        bus: bus, address: address, driver: "d", models: models, access: "from the kernel's buffer")
    }
    machine.drivers = [0x68: "d"]
    machine.kernelChips = [
      chip("/dev/i2c-1", 0x68, [.mpu9250, .ak8963]),
      chip("spi0.1", 0, [.ofKernel("fxos8700", .inertia), .ofKernel("fxos8700", .field)]),
    ]
    let inventory = finder(machine).inventory()
    #expect(
      inventory.deviceLines == [
        "/dev/i2c-1",
        "  0x68  MPU-9250, owned by the kernel's driver d  (from the kernel's buffer)",
        "  0x76  BMP280",
        "  0x0C  AK8963, owned by the kernel's driver d, behind the MPU-9250  "
          + "(from the kernel's buffer)",
        "spi0.1  (kernel driver d)",
        "  fxos8700, inertia of the kernel's driver d  (from the kernel's buffer)",
        "  fxos8700, field of the kernel's driver d  (from the kernel's buffer)",
      ])
    // The GY-91's file matches though the kernel has two of its chips.
    #expect(try finder(machine).board().name.contains("GY-91"))
    machine.kernelChips.removeFirst()
    machine.drivers = [:]
    machine.chips = [:]
    let board = try finder(machine).board()
    #expect(board.sensors.map(\.chip) == machine.kernelChips[0].models)
    #expect(board.sensors.map(\.bus) == ["spi0.1", "spi0.1"])
    #expect(try Board(yaml: board.yaml, path: "b.yaml") == board)
    // It is emulated by chips of the catalogue.
    var samples = try SimulatedBoardSamples(
      board, scenario: SourceChoice.scenario(for: board), seed: 1,
      startUTC: try #require(UTCTime(year: 2026, month: 6, day: 1)))
    var (hasForce, hasField) = (false, false)
    while let row = try samples.next(), row.timestamp.seconds < 1 {
      hasForce = hasForce || row.inertial?.specificForce != nil
      hasField = hasField || row.field != nil
    }
    #expect(hasForce && hasField)
  }

  @Test("a single chip identifies no board, and is used with its own axes")
  func ambiguous() throws {
    let machine = Machine()
    machine.chips["/dev/i2c-1"] = bus([(.qmc5883l, 0x0D)], name: "/dev/i2c-1")
    machine.speeds["/dev/serial0"] = 9600
    #expect(finder(machine).inventory().matches.contains { $0.isAmbiguous })
    let compass = try finder(machine).board()
    #expect(compass.mount == .automatic)
    machine.chips["/dev/i2c-1"] = bus([(.mpu9250, 0x68), (.ak8963, 0x0C)], name: "/dev/i2c-1")
    let module = try finder(machine).board()
    #expect(module.sensors.map(\.chip) == [.mpu9250, .ak8963])
    let turned = try #require(AxisMount(x: .left, y: .forward, z: .down))
    #expect(module.sensors.last?.mount == .axes(turned))
  }

  @Test("a bus without permission is reported before a port alone is used")
  func forbiddenBus() throws {
    let machine = Machine()
    machine.hidden = ["/dev/i2c-1"]
    machine.speeds["/dev/serial0"] = 9600
    var caught: SourceError?
    do { _ = try finder(machine).board() } catch { caught = error }
    #expect("\(String(describing: caught))".contains("/dev/i2c-1"))
  }
}
