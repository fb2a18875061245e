import Bus
import Quantities

/// The one clock of an emulated board. It moves only when somebody waits or transfers.
public final class EmulatedClock {
  /// The present instant.
  public private(set) var now: Timestamp

  /// Makes a clock.
  public init(now: Timestamp = Timestamp(nanoseconds: 0)) { self.now = now }

  /// Moves on.
  public func advance(nanoseconds: UInt64) { now = now.advanced(byNanoseconds: nanoseconds) }

  /// Moves on to an instant; one that has passed changes nothing.
  public func advance(to instant: Timestamp) { now = max(now, instant) }
}

/// An I2C bus of emulated chips: what a driver sees of it is what it would see of the kernel's.
public final class EmulatedBus: RegisterBus {
  /// What messages call it.
  public let name: String
  /// The clock, shared with the other buses of the board.
  public let clock: EmulatedClock
  /// What goes wrong and when; for tests and for `--simulate`'s faults.
  package var faults = EmulatedFaults()
  /// How many transfers there have been.
  package private(set) var transfers = 0
  /// How many of them wrote bytes behind a register's number.
  package private(set) var writes = 0

  private var chips: [UInt8: any EmulatedChip] = [:]
  private var gates: [UInt8: () -> Bool] = [:]

  /// Nanoseconds of a byte and its acknowledgement at 400 kHz.
  private static var byteNanoseconds: UInt64 { 22_500 }

  /// Makes a bus that nobody is on.
  public init(name: String = "simulated-i2c", clock: EmulatedClock = EmulatedClock()) {
    self.name = name
    self.clock = clock
  }

  /// Puts a chip on the bus, or takes the one there off it.
  package func place(_ chip: (any EmulatedChip)?, at address: UInt8) { chips[address] = chip }

  /// Lets a chip answer only while its gate is open: one behind another chip's bypass.
  package func gate(_ address: UInt8, _ isOpen: @escaping () -> Bool) { gates[address] = isOpen }

  /// The chip at an address.
  package func chip(at address: UInt8) -> (any EmulatedChip)? { chips[address] }

  /// The emulated clock's present instant.
  public var now: Timestamp { clock.now }

  /// Moves the emulated clock on.
  public func wait(nanoseconds: UInt64) { clock.advance(nanoseconds: nanoseconds) }

  /// Reads from the chip at the address; the clock moves on by the transfer.
  public func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) {
    let chip = try transfer(bytes.count + 3, address)
    if let constant = faults.constantByte {
      for index in bytes.indices { bytes[index] = constant }
    } else {
      chip.read(register, into: bytes, at: now)
    }
  }

  /// Writes to the chip at the address; the clock moves on by the transfer.
  public func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) {
    let chip = try transfer(bytes.count + 2, address)
    if !bytes.isEmpty { writes += 1 }
    if faults.constantByte == nil { chip.write(bytes, to: register, at: now) }
  }

  /// Whether a chip is at the address.
  public func receive(from address: UInt8) throws(BusError) -> UInt8 {
    _ = try transfer(2, address)
    return faults.constantByte ?? 0
  }

  private func transfer(_ bytes: Int, _ address: UInt8) throws(BusError) -> any EmulatedChip {
    let index = transfers
    transfers += 1
    clock.advance(nanoseconds: UInt64(bytes) * Self.byteNanoseconds)
    if let kind = faults.fault(atTransfer: index) {
      throw BusError(kind, device: name, address: address)
    }
    guard let chip = chips[address], !faults.absent.contains(address),
      gates[address]?() ?? true
    else {
      throw BusError(.noAnswer, device: name, address: address)
    }
    return chip
  }
}

/// What goes wrong on an emulated bus.
package struct EmulatedFaults {
  /// Transfers, counted from the bus's first, that fail, and how.
  package var failing: [Int: BusError.Kind] = [:]
  /// Every transfer fails like this.
  package var always: BusError.Kind?
  /// Every byte reads as this one and no write arrives: a dead chip that still acknowledges.
  package var constantByte: UInt8?
  /// Addresses at which the chip does not answer for now.
  package var absent: Set<UInt8> = []

  func fault(atTransfer index: Int) -> BusError.Kind? { always ?? failing[index] }
}
