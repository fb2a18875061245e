import Chips
import Quantities

/// What a chip does with the bytes of an SPI transfer, written from its data sheet and not from
/// `SPIFraming`.
package struct EmulatedSPIWires: Sendable {
  /// A bit of the first byte without which a longer transfer stays at its register; 0 for none.
  package var incrementBit: UInt8 = 0
  /// Whether the first byte of an answer has no meaning.
  package var hasDummyByte = false
  /// Whether the first byte is a command.
  package var hasCommands = false
  /// Whether its registers are from 0x80 on, whose numbers lose their highest bit.
  package var hasHighRegisters = false
  /// The register and the bits without which it reads by three wires, so that nothing is received.
  package var fourWires: (register: UInt8, bits: UInt8)?
  /// The write that resets it to I2C, from which the next edge of the chip select switches it to
  /// SPI; nil for a chip that has both at any time.
  package var resetToI2C: (register: UInt8, value: UInt8)?

  package init() {}
}

/// The wires of an SPI chip, whose registers are those of the chip on an emulated bus: with its
/// clock, its faults and its counts of transfers.
package final class EmulatedSPI: SPIDevice {
  private let bus: EmulatedBus
  private let address: UInt8
  private let wires: EmulatedSPIWires
  /// Whether the chip has seen an edge of its chip select since its reset.
  private var isOnSPI = false
  /// The first bytes of all transfers; for tests.
  package private(set) var headers: [UInt8] = []

  package init(_ bus: EmulatedBus, address: UInt8, wires: EmulatedSPIWires) {
    (self.bus, self.address, self.wires) = (bus, address, wires)
  }

  package var name: String { bus.name }
  package var now: Timestamp { bus.now }
  package func wait(nanoseconds: UInt64) { bus.wait(nanoseconds: nanoseconds) }

  package func exchange(_ bytes: UnsafeMutableRawBufferPointer) throws(BusError) {
    guard let first = bytes.first else { return }
    headers.append(first)
    let hasSwitched = wires.resetToI2C == nil || isOnSPI
    isOnSPI = true
    let data = UnsafeMutableRawBufferPointer(rebasing: bytes[1...])
    if wires.hasCommands {
      return data.isEmpty
        ? try bus.write(UnsafeRawBufferPointer(data), to: first, of: address)
        : try bus.read(first, of: address, into: data)
    }
    var register = first & 0x7F & ~wires.incrementBit
    if wires.hasHighRegisters { register |= 0x80 }
    guard hasSwitched else {
      for index in data.indices { data[index] = 0xFF }
      return
    }
    if first & 0x80 == 0 {
      try bus.write(UnsafeRawBufferPointer(data), to: register, of: address)
      if let reset = wires.resetToI2C, reset.register == register, data.first == reset.value {
        isOnSPI = false
      }
      return
    }
    let skipped = wires.hasDummyByte ? 1 : 0
    let answer = UnsafeMutableRawBufferPointer(rebasing: data[skipped...])
    if wires.hasDummyByte { data[0] = 0xA5 }
    if wires.incrementBit != 0, answer.count > 1 {
      // The emulated registers count up where I2C's own bit is set.
      let counts = first & wires.incrementBit != 0
      try bus.read(counts ? register | 0x80 : register, of: address, into: answer)
    } else {
      try bus.read(register, of: address, into: answer)
    }
    if let mode = wires.fourWires, let file = bus.chip(at: address) as? RegisterFile,
      file.registers[Int(mode.register)] & mode.bits != mode.bits
    {
      for index in answer.indices { answer[index] = 0xFF }
    }
  }
}
