import Chips
import Engine
import Quantities
import Simulation
import Testing

@Suite("Finding chips on SPI")
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
      (.lsm9ds1Inertial, { _ in }),
    ]
    for (model, wiring) in chips {
      let (finding, spi, bus) = try scan(model, wiring)
      #expect(finding?.model == model, "\(model)")
      #expect(finding?.address == 0)
      #expect(bus.writes == 0 && spi.headers.allSatisfy { $0 & 0x80 != 0 }, "\(model)")
    }
  }

  @Test("the registers that are read are those of the documentation")
  func registers() {
    #expect(SPIScanner.registers == [0x00, 0x0F, 0x2F, 0x36, 0x40, 0x50, 0x75])
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
