import Chips
import Quantities

/// The clock of an emulated board. It advances only during waits and transfers.
public final class EmulatedClock {
  /// The present instant.
  public private(set) var now: Timestamp

  /// Makes a clock.
  public init(now: Timestamp = Timestamp(nanoseconds: 0)) { self.now = now }

  /// Advances the clock.
  public func advance(nanoseconds: UInt64) { now = now.advanced(byNanoseconds: nanoseconds) }

  /// Advances the clock to an instant; does nothing for a past one.
  public func advance(to instant: Timestamp) { now = max(now, instant) }
}

/// An I2C bus of emulated chips; behaves like the kernel's for a driver.
public final class EmulatedBus: RegisterBus {
  /// The name for messages.
  public let name: String
  /// The clock, shared with the other buses of the board.
  public let clock: EmulatedClock
  /// The injected faults; for tests and for `--simulate`'s faults.
  package var faults = EmulatedFaults()
  /// The number of transfers.
  package private(set) var transfers = 0
  /// The number of transfers that wrote data bytes.
  package private(set) var writes = 0
  /// Sees what each read of registers got; for tests of the bytes themselves.
  package var observer: ((_ register: UInt8, _ bytes: [UInt8]) -> Void)?

  private var chips: [UInt8: any EmulatedChip] = [:]
  private var gates: [UInt8: () -> Bool] = [:]

  /// Nanoseconds of a byte and its acknowledgement at 400 kHz.
  private static var byteNanoseconds: UInt64 { 22_500 }

  /// Makes a bus without chips.
  public init(name: String = "simulated-i2c", clock: EmulatedClock = EmulatedClock()) {
    self.name = name
    self.clock = clock
  }

  /// Adds a chip at an address, or removes the one there.
  package func place(_ chip: (any EmulatedChip)?, at address: UInt8) { chips[address] = chip }

  /// Makes a chip answer only while `isOpen` returns true, as behind another chip's bypass.
  package func gate(_ address: UInt8, _ isOpen: @escaping () -> Bool) { gates[address] = isOpen }

  /// The chip at an address.
  package func chip(at address: UInt8) -> (any EmulatedChip)? { chips[address] }

  /// The emulated clock's present instant.
  public var now: Timestamp { clock.now }

  /// Advances the emulated clock.
  public func wait(nanoseconds: UInt64) { clock.advance(nanoseconds: nanoseconds) }

  /// Reads from the chip at the address; advances the clock by the transfer's time.
  public func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) {
    let chip = try transfer(bytes.count + 3, address)
    if let constant = faults.constantByte {
      for index in bytes.indices { bytes[index] = constant }
    } else {
      chip.read(register, into: bytes, at: now)
    }
    if let observer { observer(register, [UInt8](bytes)) }
  }

  /// Writes to the chip at the address; advances the clock by the transfer's time.
  public func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) {
    let chip = try transfer(bytes.count + 2, address)
    if !bytes.isEmpty { writes += 1 }
    if chip.refuses(bytes, to: register, at: now) {
      throw BusError(.noAnswer, device: name, address: address)
    }
    if faults.constantByte == nil { chip.write(bytes, to: register, at: now) }
  }

  /// Whether a chip is at the address.
  public func receive(from address: UInt8) throws(BusError) -> UInt8 {
    var byte: UInt8 = 0
    // A typed error does not pass through the standard library's closures.
    var failure: BusError?
    withUnsafeMutableBytes(of: &byte) {
      do throws(BusError) { try receive(into: $0, from: address) } catch { failure = error }
    }
    if let failure { throw failure }
    return byte
  }

  /// Reads from the chip at the address without a register number.
  public func receive(
    into bytes: UnsafeMutableRawBufferPointer, from address: UInt8
  ) throws(BusError) {
    let chip = try transfer(bytes.count + 1, address)
    if let constant = faults.constantByte {
      for index in bytes.indices { bytes[index] = constant }
    } else if !chip.receive(into: bytes, at: now) {
      throw BusError(.noAnswer, device: name, address: address)
    }
  }

  private func transfer(_ bytes: Int, _ address: UInt8) throws(BusError) -> any EmulatedChip {
    let index = transfers
    transfers += 1
    clock.advance(nanoseconds: UInt64(bytes) * Self.byteNanoseconds)
    if let kind = faults.fault(atTransfer: index) ?? faults.randomFault() {
      throw BusError(kind, device: name, address: address)
    }
    guard let chip = chips[address], !faults.absent.contains(address),
      gates[address]?() ?? true, chip.acknowledges(at: now)
    else {
      throw BusError(.noAnswer, device: name, address: address)
    }
    return chip
  }
}

/// The injected faults of an emulated bus.
package struct EmulatedFaults {
  /// The failing transfers, counted from the bus's first, with their errors.
  package var failing: [Int: BusError.Kind] = [:]
  /// The error of every transfer; nil for none.
  package var always: BusError.Kind?
  /// Every byte reads as this one and writes are ignored, as of a dead chip that still
  /// acknowledges.
  package var constantByte: UInt8?
  /// Addresses whose chips do not answer now.
  package var absent: Set<UInt8> = []
  /// The share of transfers that fail, not acknowledged, and their random numbers; nil for none.
  package var random: (share: Double, stream: RandomStream)?

  mutating func randomFault() -> BusError.Kind? {
    guard let share = random?.share, let number = random?.stream.uniform() else { return nil }
    return number < share ? .noAnswer : nil
  }

  func fault(atTransfer index: Int) -> BusError.Kind? { always ?? failing[index] }
}
