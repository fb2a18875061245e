import Board
import Chips
import Configuration
import Foundation
import LinuxIO
import Pipeline
import Quantities
import Simulation
import TestSupport
import Testing

/// A receiver on an I2C bus, from the scan to the estimate.
@Suite("A receiver on an I2C bus", .serialized, .timeLimit(.minutes(30)))
struct I2CReceiverTests {
  /// A bus with one receiver, by the machine's clock.
  private final class Bus: RegisterBus, @unchecked Sendable {
    let name = "/dev/i2c-1"
    private let lock = NSLock()
    private let chip: EmulatedUBloxI2C
    private var isAbsent = false
    private let begin = MonotonicClock.now

    init(_ generation: EmulatedUBloxReceiver.Generation) {
      chip = EmulatedUBloxI2C(EmulatedUBloxReceiver(generation, port: 0))
    }

    var receiver: EmulatedUBloxReceiver { lock.withLock { chip.receiver } }
    func change(_ body: (EmulatedUBloxI2C) -> Void) { lock.withLock { body(chip) } }
    func remove(_ isAbsent: Bool) { lock.withLock { self.isAbsent = isAbsent } }

    var now: Timestamp { MonotonicClock.now }
    private var instant: Timestamp { Timestamp(nanoseconds: now.nanoseconds - begin.nanoseconds) }
    func wait(nanoseconds: UInt64) {
      MonotonicClock.sleep(until: now.advanced(byNanoseconds: nanoseconds))
    }
    private func check(_ address: UInt8) throws(BusError) {
      let isThere = lock.withLock { !isAbsent } && address == 0x42
      guard isThere else { throw BusError(.noAnswer, device: name, address: address) }
    }
    func read(
      _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
    ) throws(BusError) {
      try check(address)
      lock.withLock { chip.read(register, into: bytes, at: instant) }
    }
    func write(
      _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
    ) throws(BusError) {
      try check(address)
      lock.withLock { chip.write(bytes, to: register, at: instant) }
    }
    func receive(from address: UInt8) throws(BusError) -> UInt8 {
      try check(address)
      return 0xFF
    }
  }

  private final class Machine: BoardHardware, @unchecked Sendable {
    let device: Bus
    init(_ device: Bus) { self.device = device }
    var now: Timestamp { MonotonicClock.now }
    var buses: [String] { [device.name] }
    var receiverPorts: [String] { [] }
    func bus(_ path: String) throws(BusError) -> any RegisterBus { device }
    func alarm(dataReadyLines: [String]) throws(BusError) -> any BusAlarm {
      throw BusError(.missing, device: "GPIO")
    }
    func serialPort(_ path: String, baud: Int) throws(BusError) -> any SerialPort {
      guard let place = I2CReceiver(path), place.bus == device.name else {
        throw BusError(.missing, device: path)
      }
      return UBloxI2CPort(bus: device, address: place.address)
    }
  }

  private func player(_ bus: Bus, _ keys: String = "") throws -> EstimatePlayer {
    var configuration = PipelineConfiguration()
    configuration.board = try Board(
      yaml: "board: a\nreceiver: {port: '/dev/i2c-1@0x42'\(keys)}", path: "b")
    let player = try EstimatePlayer(attached: configuration, hardware: Machine(bus))
    player.start()
    return player
  }

  @Test("is read, reported where it does not answer, and read again")
  func reading() throws {
    let bus = Bus(.m8)
    let player = try player(bus, ", set-up: no")
    defer { player.stop() }
    #expect(eventually { player.latest?.position != nil })
    let place = try #require(player.latest?.position?.latitude.degrees)
    #expect(abs(place - (47 + 17.1143 / 60)) < 1e-7)
    #expect(bus.receiver.commands.isEmpty)
    bus.remove(true)
    #expect(eventually { player.boardStatus?.receiverFault?.contains("0x42") == true })
    bus.remove(false)
    #expect(eventually { player.boardStatus?.receiverFault == nil })
  }

  @Test(
    "is set up through the bus, and its settings are restored",
    arguments: [EmulatedUBloxReceiver.Generation.m8, .m9])
  func setUp(generation: EmulatedUBloxReceiver.Generation) throws {
    let bus = Bus(generation)
    let before = bus.receiver.values
    let player = try player(bus, ", rate: 10, messages: both, model: sea")
    #expect(eventually { player.boardStatus?.receiverSetUp != nil })
    let status = try #require(player.boardStatus?.receiverSetUp)
    #expect(status.refused.isEmpty && status.receiver != nil, "\(status.text)")
    #expect(bus.receiver[0x3021_0001] == 100 && bus.receiver[0x2011_0021] == 5)
    player.stop()
    #expect(bus.receiver.values == before)
  }

  @Test("gets corrections in whole frames")
  func corrections() throws {
    let bus = Bus(.m9)
    var frame: [UInt8] = [0xD3, 0, 19, 0x3E, 0xD0]
    for index in 0..<17 { frame.append(UInt8((index * 37 + 1005) & 255)) }
    frame += [0x64, 0x04, 0xF2]
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).rtcm3")
    try Data((0..<50).flatMap { _ in frame }).write(to: file)
    defer { do { try FileManager.default.removeItem(at: file) } catch { _ = error } }
    let player = try player(bus, ", rate: 10, corrections: \(file.path)")
    defer { player.stop() }
    #expect(eventually { bus.receiver.corrections.count == 50 })
    #expect(bus.receiver.corrections.allSatisfy { $0 == frame } && bus.receiver.strayBytes == 0)
  }

  @Test("is found by a scan, which writes nothing, and makes a board")
  func scan() throws {
    let bus = EmulatedBus(name: "/dev/i2c-1")
    let receiver = EmulatedUBloxI2C(EmulatedUBloxReceiver(.m8, port: 0))
    bus.place(receiver, at: 0x42)
    bus.place(ChipModel.ist8310.emulated(FixedSurroundings()), at: 0x0E)
    let findings = try BusScanner(bus: bus).scan(opensBypass: true)
    #expect(findings.map(\.device) == [.chip(.ist8310), .receiver])
    #expect(findings.last?.receiverPort == "/dev/i2c-1@0x42")
    #expect(receiver.shortWrites == 0 && receiver.receiver.commands.isEmpty)
    #expect(bus.writes == 0)
    let board = Board(findings: findings, port: findings.last?.receiverPort)
    #expect(try Board(yaml: board.yaml, path: "b") == board)
  }

  @Test("one that sends nothing is said to be idle; other devices there are no receiver")
  func idle() throws {
    let bus = EmulatedBus(name: "/dev/i2c-1")
    let chip = RegisterFile(defaults: [0xFE: 0x1E], writable: [:])
    bus.place(chip, at: 0x42)
    // A PCA9685 has its prescaler at 0xFE: 30 waiting bytes of zero.
    #expect(try BusScanner(bus: bus).scan(opensBypass: true).first?.device == .unknown)
    let mute = RegisterFile(defaults: [0xFF: 0xFF], writable: [:])
    bus.place(mute, at: 0x42)
    let finding = try BusScanner(bus: bus).scan(opensBypass: true).first
    #expect(finding?.device == .unknown && finding?.remark?.contains("idle") == true)
  }

  @Test("one on SPI is named by its device, and has no speed")
  func spi() throws {
    let text = "board: a\nreceiver: {port: /dev/spidev0.1, rate: 5, messages: both}"
    let board = try Board(yaml: text, path: "b")
    #expect(board.receiver?.isOnSPI == true && board.receiver?.i2c == nil)
    #expect(try Board(yaml: board.yaml, path: "b") == board)
    for key in ["baud", "set-baud"] {
      #expect(throws: BoardFileError.self, "\(key)") {
        _ = try Board(
          yaml: "board: a\nreceiver: {port: /dev/spidev0.1, \(key): 9600}", path: "b")
      }
    }
  }

  @Test("has no speed, and only an address in its port")
  func boardFile() throws {
    for port in ["/dev/i2c-1", "/dev/i2c-1@66", "/dev/i2c-@0x42", "/dev/i2c-1@0x78"] {
      #expect(throws: BoardFileError.self, "\(port)") {
        _ = try Board(yaml: "board: a\nreceiver: {port: '\(port)'}", path: "b")
      }
    }
    for key in ["baud", "set-baud"] {
      #expect(throws: BoardFileError.self, "\(key)") {
        _ = try Board(
          yaml: "board: a\nreceiver: {port: '/dev/i2c-1@0x42', \(key): 9600}", path: "b")
      }
    }
    let board = try Board(yaml: "board: a\nreceiver: {port: '/dev/i2c-1@0x42', rate: 5}", path: "b")
    #expect(board.receiver?.i2c == I2CReceiver("/dev/i2c-1@0x42") && board.receiver?.i2c != nil)
    #expect(try Board(yaml: board.yaml, path: "b") == board)
  }
}
