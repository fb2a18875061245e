import Chips
import Configuration
import Engine
import Foundation
import Quantities
import Simulation
import Testing

/// The threads of an attached board, on emulated chips whose clock is the machine's.
@Suite("An attached board", .serialized)
struct AttachedBoardTests {
  /// A compass and a barometer on a bus, and ports that cannot be opened.
  private final class Desk: BoardHardware, @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private let board: EmulatedBoard
    private let begin = DispatchTime.now().uptimeNanoseconds

    init(_ sensors: [Board.Sensor]) throws {
      let start = try #require(UTCTime(year: 2026, month: 6, day: 1, hour: 12))
      board = try EmulatedBoard(
        scenario: .tableTop, seed: 1, startUTC: start, hasReceiver: false)
      for sensor in sensors {
        board.place(
          EmulatedBoard.Placement(
            model: sensor.chip, bus: sensor.bus, address: sensor.address,
            bodyToChip: AxisMount.standard.rotation.inverse, rateHertz: 50, latencySeconds: 0))
      }
    }

    /// Changes of the bus from the test's thread.
    func change(_ body: (EmulatedBus) -> Void) {
      lock.withLock { body(board.bus(named: Board.usualBus)) }
    }

    var now: Timestamp {
      Timestamp(nanoseconds: DispatchTime.now().uptimeNanoseconds - begin + 1_000_000_000)
    }
    var buses: [String] { [Board.usualBus] }
    var receiverPorts: [String] { [] }
    func bus(_ path: String) throws(BusError) -> any RegisterBus {
      guard path == Board.usualBus else { throw BusError(.missing, device: path) }
      return DeskBus(desk: self)
    }
    func serialPort(_ path: String, baud: Int) throws(BusError) -> any SerialPort {
      throw BusError(.inUse("another program"), device: path)
    }
    func alarm(dataReadyLines: [String]) throws(BusError) -> any BusAlarm {
      if let line = dataReadyLines.first { throw BusError(.noSuchLine(line), device: "GPIO") }
      return Sleep(desk: self)
    }

    private final class Sleep: BusAlarm {
      let desk: Desk
      init(desk: Desk) { self.desk = desk }
      func wait(until deadline: Timestamp) throws(BusError) -> (line: Int, edge: Timestamp)? {
        let seconds = deadline.seconds(since: desk.now)
        if seconds > 0 { Thread.sleep(forTimeInterval: seconds) }
        return nil
      }
    }

    /// The emulated bus, one transfer at a time, with its clock advanced to the machine's.
    private final class DeskBus: RegisterBus {
      let desk: Desk
      init(desk: Desk) { self.desk = desk }
      var name: String { Board.usualBus }
      var now: Timestamp { desk.now }
      func wait(nanoseconds: UInt64) { Thread.sleep(forTimeInterval: Double(nanoseconds) * 1e-9) }
      private func use<R>(_ body: (EmulatedBus) throws(BusError) -> R) throws(BusError) -> R {
        desk.lock.lock()
        defer { desk.lock.unlock() }
        desk.board.clock.advance(to: desk.now)
        return try body(desk.board.bus(named: Board.usualBus))
      }
      func read(
        _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
      ) throws(BusError) {
        try use { (bus) throws(BusError) in try bus.read(register, of: address, into: bytes) }
      }
      func write(
        _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
      ) throws(BusError) {
        try use { (bus) throws(BusError) in try bus.write(bytes, to: register, of: address) }
      }
      func receive(from address: UInt8) throws(BusError) -> UInt8 {
        try use { (bus) throws(BusError) in try bus.receive(from: address) }
      }
    }
  }

  private static let compass = Board.Sensor(chip: .lis3mdl)

  /// Waits for a condition, with a long timeout.
  private func eventually(_ holds: () -> Bool) -> Bool {
    for _ in 0..<1500 {
      if holds() { return true }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return false
  }

  private final class Notices: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String] = []
    func add(_ text: String) { lock.withLock { texts.append(text) } }
    func has(_ word: String) -> Bool { lock.withLock { texts.contains { $0.contains(word) } } }
  }

  @Test("gives a heading, reports a lost chip, and uses it again when it returns")
  func lostAndBack() throws {
    let desk = try Desk([Self.compass])
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "desk", sensors: [Self.compass])
    configuration.calibration = .assumed
    let player = try EstimatePlayer(attached: configuration, hardware: desk)
    defer { player.stop() }
    let notices = Notices()
    player.onNotice { notices.add($0) }
    player.start()
    #expect(eventually { player.latest?.magneticHeading != nil })
    desk.change { $0.faults.absent.insert(Self.compass.address) }
    #expect(eventually { notices.has("lost") })
    #expect(eventually { player.latest?.magneticHeading == nil })
    #expect(player.boardStatus?.chips.first?.fault?.contains("no answer") == true)
    desk.change { $0.faults.absent.remove(Self.compass.address) }
    #expect(eventually { notices.has("in service") })
    #expect(eventually { player.latest?.magneticHeading != nil })
    #expect(eventually { player.boardStatus?.lateness[Board.usualBus] != nil })
  }

  @Test("a chip missing at the start is reported, and the others are used")
  func oneMissing() throws {
    let missing = Board.Sensor(chip: .qmc5883l)
    let desk = try Desk([Self.compass])
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "desk", sensors: [missing, Self.compass])
    let player = try EstimatePlayer(attached: configuration, hardware: desk)
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
    let desk = try Desk([])
    func error(_ sensor: Board.Sensor) -> String {
      var configuration = PipelineConfiguration()
      configuration.board = Board(name: "desk", sensors: [sensor])
      do {
        _ = try EstimatePlayer(attached: configuration, hardware: desk)
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
