import Board
import Chips
import Quantities
import Simulation
import Testing

@Suite("Finding chips on SPI", .timeLimit(.minutes(30)))
struct SPIScannerTests {
  private func scan(
    _ model: ChipModel, _ wiring: (inout EmulatedSPIWires) -> Void = { _ in }
  ) throws -> (finding: Finding?, spi: EmulatedSPI, bus: EmulatedBus) {
    var wires = EmulatedSPIWires()
    wiring(&wires)
    let bus = EmulatedBus(name: "/dev/spidev0.0")
    let address = model.addresses[0]
    bus.place(model.emulated(FixedSurroundings()), at: address)
    let spi = EmulatedSPI(bus, address: address, wires: wires)
    return (try SPIScanner(device: spi).scan(), spi, bus)
  }

  @Test("a chip is found by its identity, and only read")
  func found() throws {
    let chips: [(ChipModel, (inout EmulatedSPIWires) -> Void)] = [
      (.lis3mdl, { $0.incrementBit = 0x40 }), (.lps25hb, { $0.incrementBit = 0x40 }),
      (.bmp280, { $0.hasHighRegisters = true }), (.bmp388, { $0.hasDummyByte = true }),
      (.bmi160, { $0.resetToI2C = (0x7E, 0xB6) }), (.icm20948, { _ in }), (.icm42688p, { _ in }),
      (.mpu9250, { _ in }), (.lsm6dso, { _ in }), (.rm3100, { _ in }), (.mmc5983ma, { _ in }),
      (.lsm9ds1Inertial, { _ in }), (.bmp581, { $0.resetToI2C = (0x7E, 0xB6) }),
      (.bmp585, { $0.resetToI2C = (0x7E, 0xB6) }), (.lps22hb, { _ in }), (.lps22hh, { _ in }),
      (.lps22df, { _ in }), (.dps310, { $0.resetToI2C = (0x0C, 0x09) }),
      (.bmp390, { $0.hasDummyByte = true }),
      (
        .bmi270,
        {
          $0.hasDummyByte = true
          $0.resetToI2C = (0x7E, 0xB6)
        }
      ),
    ]
    for (model, wiring) in chips {
      let (finding, spi, bus) = try scan(model, wiring)
      #expect(finding?.model == model, "\(model)")
      #expect(finding?.address == 0)
      #expect(bus.writes == 0 && spi.headers.allSatisfy { $0 & 0x80 != 0 }, "\(model)")
    }
  }

  @Test("a measurement that looks like another chip's identity does not hide the chip")
  func chance() throws {
    let bus = EmulatedBus(name: "/dev/spidev0.0")
    let surroundings = FixedSurroundings()
    let chip = ChipModel.dps310.emulated(surroundings)
    bus.place(chip, at: 0x77)
    var wires = EmulatedSPIWires()
    wires.resetToI2C = (0x0C, 0x09)
    let spi = EmulatedSPI(bus, address: 0x77, wires: wires)
    // Another program has left it measuring: its middle byte of the pressure is the identity of a
    // BMP581 in one reading.
    let watched = PassingIdentity(chip, register: 0x01, byte: 0x50)
    bus.place(watched, at: 0x77)
    #expect(try SPIScanner(device: spi).scan()?.model == .dps310)
    #expect(watched.reads >= 2)
  }

  /// A chip of which one register holds a byte at the first reading.
  private final class PassingIdentity: EmulatedChip {
    private let chip: any EmulatedChip
    private let register: UInt8
    private let byte: UInt8
    private(set) var reads = 0

    init(_ chip: any EmulatedChip, register: UInt8, byte: UInt8) {
      (self.chip, self.register, self.byte) = (chip, register, byte)
    }

    func read(
      _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
    ) {
      chip.read(register, into: bytes, at: instant)
      guard register == self.register, !bytes.isEmpty else { return }
      reads += 1
      if reads == 1 { bytes[0] = byte }
    }
    func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp) {
      chip.write(bytes, to: register, at: instant)
    }
    func losePower(at instant: Timestamp) { chip.losePower(at: instant) }
  }

  @Test("the registers that are read are those of the documentation")
  func registers() {
    #expect(SPIScanner.registers == [0x00, 0x01, 0x0D, 0x0F, 0x2F, 0x36, 0x40, 0x50, 0x72, 0x75])
  }

  @Test("a device without a chip has no finding, and a broken one an error")
  func nothing() throws {
    let bus = EmulatedBus(name: "/dev/spidev0.0")
    let spi = EmulatedSPI(bus, address: 0x1C, wires: EmulatedSPIWires())
    bus.place(ChipModel.lis3mdl.emulated(FixedSurroundings()), at: 0x1C)
    bus.faults.constantByte = 0xFF
    #expect(try SPIScanner(device: spi).scan() == nil)
    bus.faults.always = .disconnected
    #expect(throws: BusError.self) { _ = try SPIScanner(device: spi).scan() }
  }
}
