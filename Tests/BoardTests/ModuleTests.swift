import Board
import Chips
import Configuration
import Formats
import Foundation
import Quantities
import Simulation
import TestSupport
import Testing

/// Modules that fuse inside, from the board file to the rows.
@Suite("A module that fuses inside", .timeLimit(.minutes(30)))
struct ModuleTests {
  private func board(_ sensor: String) throws -> Board {
    try Board(yaml: "board: a\nsensors:\n  - {\(sensor)}", path: "b")
  }

  /// The rows of a simulated board at rest.
  private func rows(_ board: Board, count: Int) throws -> [SensorSamples] {
    let start = try #require(UTCTime(year: 2026, month: 1, day: 1))
    var samples = try SimulatedBoardSamples(
      board, scenario: .levelRover, seed: 1, startUTC: start)
    var rows: [SensorSamples] = []
    while rows.count < count, let row = try samples.next() { rows.append(row) }
    return rows
  }

  @Test(
    "gives rate, force and field, over I2C and over a serial port",
    arguments: [
      "chip: BNO055", "chip: BNO055, bus: /dev/serial0", "chip: BNO085",
      "chip: BNO085, bus: /dev/serial0",
      "chip: WT901, bus: /dev/serial0", "chip: BMI270",
    ])
  func samples(_ sensor: String) throws {
    let board = try board(sensor)
    let rows = try rows(board, count: 300)
    #expect(rows.count == 300)
    let inertial = rows.filter {
      $0.inertial?.angularRate != nil && $0.inertial?.specificForce != nil
    }
    #expect(inertial.count >= 290)
    #expect(rows.contains { $0.field != nil } == board.sensors[0].measures(.field))
    #expect(rows.allSatisfy { $0.heading == nil })
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp })
    // At rest the force is gravity, and the field that of the Earth.
    let force = try #require(inertial.last?.inertial?.specificForce).components
    #expect(abs((force * force).sum().squareRoot() - 9.8) < 0.5)
    if let field = rows.last(where: { $0.field != nil })?.field?.field.components {
      let strength = (field * field).sum().squareRoot()
      #expect(strength > 20 && strength < 70)
    }
  }

  @Test(
    "by choice gives the heading of its firmware by its mount, and no sample",
    arguments: [
      // The emulated attitudes are the identity: x east, y north.
      ("chip: BNO055, attitude: module", 90.0),
      (
        "chip: BNO055, bus: /dev/serial0, attitude: module, mount: {x: right, y: forward, z: up}", 0
      ),
      ("chip: BNO085, attitude: module, mount: {x: left, y: backward, z: up}", 180),
      ("chip: WT901, bus: /dev/serial0, attitude: module, mount: {x: right, y: forward, z: up}", 0),
    ])
  func attitude(_ sensor: String, heading: Double) throws {
    var board = try board(sensor)
    board.trim.heading = Angle(degrees: 5)
    #expect(!board.sensors[0].measures(.field) && !board.sensors[0].measures(.inertia))
    let rows = try rows(board, count: 20)
    #expect(rows.count == 20)
    #expect(rows.allSatisfy { $0.inertial == nil && $0.field == nil })
    let degrees = try #require(rows.last?.heading?.magnetic).angle.degrees
    // The board is turned clockwise on the body: the body's bow is to the left of where the board
    // points.
    let difference = Angle(degrees: degrees - (heading - 5)).wrappedToHalfTurn.degrees
    #expect(abs(difference) < 0.2, "\(degrees)")
  }

  @Test("its keys are read, written and refused where they have no meaning")
  func boardFile() throws {
    for sensor in [
      "chip: WT901, bus: /dev/ttyUSB0, baud: 115200, attitude: module",
      "chip: BNO055, attitude: module",
      "chip: BNO085, bus: /dev/serial0", "chip: BMI270, image: /a/b.fw",
    ] {
      let board = try board(sensor)
      #expect(try Board(yaml: board.yaml, path: "b") == board, "\(board.yaml)")
    }
    for sensor in [
      "chip: WT901", "chip: WT901, bus: /dev/i2c-1", "chip: MPU-6050, attitude: module",
      "chip: MPU-6050, bus: /dev/serial0", "chip: BNO055, attitude: filter",
      "chip: BNO055, image: a",
      "chip: BNO055, baud: 9600", "chip: WT901, bus: /dev/ttyUSB0, baud: 12",
    ] {
      #expect(throws: BoardFileError.self, "\(sensor)") { _ = try self.board(sensor) }
    }
    #expect(throws: BoardFileError.self) {
      _ = try Board(
        yaml: "board: a\nsensors:\n  - {chip: BNO055, bus: /dev/a}\n  - {chip: WT901, bus: /dev/a}",
        path: "b")
    }
  }

  // MARK: Probe

  private final class Machine: BoardHardware, @unchecked Sendable {
    var chips: [String: EmulatedBus] = [:]
    var adapters: [String: String] = [:]
    var lines: [String: EmulatedSerialLine] = [:]
    var openings = 0
    let clock = EmulatedClock()
    var now: Timestamp { clock.now }
    func wait(nanoseconds: UInt64) { clock.advance(nanoseconds: nanoseconds) }
    var buses: [String] { chips.keys.sorted() }
    var receiverPorts: [String] { lines.keys.sorted() }
    func adapter(of bus: String) -> String? { adapters[bus] }
    func bus(_ path: String) throws(BusError) -> any RegisterBus {
      guard let bus = chips[path] else { throw BusError(.missing, device: path) }
      return bus
    }
    func serialPort(_ path: String, baud: Int) throws(BusError) -> any SerialPort {
      openings += 1
      guard let line = lines[path] else { throw BusError(.missing, device: path) }
      line.setBaud(baud)
      return line
    }
    func alarm(dataReadyLines: [String]) throws(BusError) -> any BusAlarm {
      throw BusError(.unsupported("waiting is not supported"), device: "GPIO")
    }
  }

  @Test(
    "a scan explains the clock stretching of a Raspberry Pi's controller, and the ways round it")
  func stretching() throws {
    for (adapter, isExplained) in [
      ("bcm2835 (i2c@7e804000)", true), ("Synopsys DesignWare I2C adapter", false),
      ("i2c-gpio", false),
    ] {
      for model in [ChipModel.bno055, .bno085, .bmp280] {
        let machine = Machine()
        let bus = EmulatedBus(name: "/dev/i2c-1")
        bus.wait(nanoseconds: 50_000_000)
        bus.place(model.emulated(FixedSurroundings()), at: model.addresses[0])
        machine.chips["/dev/i2c-1"] = bus
        machine.adapters["/dev/i2c-1"] = adapter
        let inventory = BoardFinder(hardware: machine, library: BoardLibrary(folders: []))
          .inventory()
        let finding = try #require(inventory.findings.first)
        #expect(finding.device == .chip(model) && bus.writes == 0)
        let remark = finding.remark ?? ""
        for words in ["clock", "PS1", "i2c-gpio", "i2c_arm_baudrate"] {
          #expect(remark.contains(words) == (isExplained && model != .bmp280), "\(remark)")
        }
      }
    }
  }

  @Test("a module that sends by itself is found by listening, at its speed")
  func listening() throws {
    let machine = Machine()
    for (path, baud) in [("/dev/ttyUSB0", 9600), ("/dev/ttyUSB1", 115_200)] {
      machine.lines[path] = EmulatedSerialLine(
        EmulatedWT901(surroundings: FixedSurroundings(), baud: baud), name: path,
        clock: machine.clock)
    }
    let silent = EmulatedSerialLine(
      EmulatedWT901(surroundings: FixedSurroundings()), name: "/dev/ttyUSB2", clock: machine.clock)
    silent.isCut = true
    machine.lines["/dev/ttyUSB2"] = silent
    let found = BoardFinder(hardware: machine, library: BoardLibrary(folders: []))
      .modules(on: machine.receiverPorts + ["/dev/ttyUSB3"])
    #expect(found.map(\.module) == [.wt901, .wt901, nil, nil])
    #expect(found.map(\.baud) == [9600, 115_200, nil, nil])
    #expect(found.last?.fault?.kind == .missing)
    #expect(machine.lines.values.allSatisfy { $0.written.isEmpty })
  }

  @Test("a module that only answers is found where its port is named, at its speed")
  func asking() throws {
    let machine = Machine()
    for (path, model) in [("/dev/ttyUSB0", ChipModel.bno055), ("/dev/ttyUSB1", .bno085)] {
      let device = try #require(model.emulatedSerial(FixedSurroundings()))
      machine.lines[path] = EmulatedSerialLine(device, name: path, clock: machine.clock)
    }
    let mute = EmulatedSerialLine(
      EmulatedWT901(surroundings: FixedSurroundings()), name: "/dev/ttyUSB2", clock: machine.clock)
    mute.isCut = true
    machine.lines["/dev/ttyUSB2"] = mute
    machine.clock.advance(nanoseconds: 1_000_000_000)
    let finder = BoardFinder(hardware: machine, library: BoardLibrary(folders: []))
    let found = finder.askedModules(on: machine.receiverPorts + ["/dev/ttyUSB3"])
    #expect(found.map(\.module) == [.bno055, .bno085, nil, nil])
    #expect(found.map(\.baud) == [115_200, 3_000_000, nil, nil])
    #expect(found.map { $0.fault?.kind } == [nil, nil, nil, .missing])
  }
}
