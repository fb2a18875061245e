import Board
import Chips
import Configuration
import Foundation
import Quantities
import Simulation

/// Emulated chips on one bus, whose clock is the machine's, and serial ports that cannot be opened.
package final class EmulatedHardware: BoardHardware, @unchecked Sendable {
  // Unchecked: the board is used under the lock, which a driver takes again within a transfer.
  private let lock = NSRecursiveLock()
  private let board: EmulatedBoard
  private let begin = DispatchTime.now().uptimeNanoseconds
  private var lines: Set<String> = []
  private var releaseCount = 0
  private var areFieldsZero = false
  private var isMissing = false

  /// Places the chips with their axes along the body's.
  /// - Throws: The fault of a scenario that cannot be made.
  package init(_ sensors: [Board.Sensor], rateHertz: Double = 50) throws {
    board = try EmulatedBoard(
      scenario: .tableTop, seed: 1,
      startUTC: UTCTime(nanosecondsSince1970: 1_780_315_200_000_000_000),
      hasReceiver: false)
    for sensor in sensors {
      board.place(
        EmulatedBoard.Placement(
          model: sensor.chip, bus: sensor.bus, address: sensor.address,
          bodyToChip: AxisMount.standard.rotation.inverse, rateHertz: rateHertz, latencySeconds: 0))
    }
  }

  /// Changes the bus from the test's thread.
  package func change(_ body: (EmulatedBus) -> Void) {
    lock.withLock { body(board.bus(named: Board.usualBus)) }
  }

  /// The data-ready lines that exist, without edges; one that is removed while it is open fails.
  package var dataReadyLines: Set<String> {
    get { lock.withLock { lines } }
    set { lock.withLock { lines = newValue } }
  }
  /// Whether a LIS3MDL's data registers read as zero.
  package var zeroesFields: Bool {
    get { lock.withLock { areFieldsZero } }
    set { lock.withLock { areFieldsZero = newValue } }
  }
  /// Whether the bus cannot be opened.
  package var isBusMissing: Bool {
    get { lock.withLock { isMissing } }
    set { lock.withLock { isMissing = newValue } }
  }
  /// How often the bus was released.
  package var releases: Int { lock.withLock { releaseCount } }

  package var now: Timestamp {
    Timestamp(nanoseconds: DispatchTime.now().uptimeNanoseconds - begin + 1_000_000_000)
  }
  package var buses: [String] { [Board.usualBus] }
  package var receiverPorts: [String] { [] }
  package func bus(_ path: String) throws(BusError) -> any RegisterBus {
    guard path == Board.usualBus, !isBusMissing else { throw BusError(.missing, device: path) }
    return Bus(hardware: self)
  }
  package func serialPort(_ path: String, baud: Int) throws(BusError) -> any SerialPort {
    throw BusError(.inUse("another program"), device: path)
  }
  package func alarm(dataReadyLines: [String]) throws(BusError) -> any BusAlarm {
    if let line = dataReadyLines.first(where: { !self.dataReadyLines.contains($0) }) {
      throw BusError(.noSuchLine(line), device: "GPIO")
    }
    return Sleep(hardware: self, lines: dataReadyLines)
  }

  private final class Sleep: BusAlarm {
    let hardware: EmulatedHardware
    let lines: [String]
    init(hardware: EmulatedHardware, lines: [String]) {
      (self.hardware, self.lines) = (hardware, lines)
    }
    func wait(until deadline: Timestamp) throws(BusError) -> (line: Int, edge: Timestamp)? {
      guard hardware.dataReadyLines.isSuperset(of: lines) else {
        throw BusError(.disconnected, device: "GPIO")
      }
      let seconds = deadline.seconds(since: hardware.now)
      if seconds > 0 { Thread.sleep(forTimeInterval: seconds) }
      return nil
    }
  }

  /// The emulated bus, one transfer at a time, with its clock advanced to the machine's.
  private final class Bus: RegisterBus {
    let hardware: EmulatedHardware
    init(hardware: EmulatedHardware) { self.hardware = hardware }
    var name: String { Board.usualBus }
    var now: Timestamp { hardware.now }
    func wait(nanoseconds: UInt64) { Thread.sleep(forTimeInterval: Double(nanoseconds) * 1e-9) }
    private func use<R>(_ body: (EmulatedBus) throws(BusError) -> R) throws(BusError) -> R {
      hardware.lock.lock()
      defer { hardware.lock.unlock() }
      hardware.board.clock.advance(to: hardware.now)
      return try body(hardware.board.bus(named: Board.usualBus))
    }
    func read(
      _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
    ) throws(BusError) {
      try use { (bus) throws(BusError) in try bus.read(register, of: address, into: bytes) }
      guard hardware.zeroesFields, bytes.count > 6 else { return }
      // OUT_X_L and the following ones are the last of a sample's transfer.
      for index in bytes.indices.suffix(6) { bytes[index] = 0 }
    }
    func write(
      _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
    ) throws(BusError) {
      try use { (bus) throws(BusError) in try bus.write(bytes, to: register, of: address) }
    }
    func release() { hardware.lock.withLock { hardware.releaseCount += 1 } }
    func receive(from address: UInt8) throws(BusError) -> UInt8 {
      try use { (bus) throws(BusError) in try bus.receive(from: address) }
    }
    func receive(
      into bytes: UnsafeMutableRawBufferPointer, from address: UInt8
    ) throws(BusError) {
      try use { (bus) throws(BusError) in try bus.receive(into: bytes, from: address) }
    }
  }
}
