import Chips
import Quantities
import Simulation
import Testing

@Suite("ICM-45686", .timeLimit(.minutes(30)))
struct ICM45686Tests {
  @Test("sets rate and ranges of both halves, and loses nothing at the full rate")
  func rates() throws {
    let expected: [(Double?, Double, UInt8)] = [
      (nil, 200, 0x08), (1, 12.5, 0x0C), (201, 400, 0x07), (700, 800, 0x06),
    ]
    for (wish, rate, bits) in expected {
      let (bus, chip) = placed()
      var driver = ICM45686(
        bus: bus, address: 0x68,
        settings: ChipSettings(rateHertz: wish, drivesDataReadyLine: true))
      try driver.start()
      #expect(driver.rateHertz == rate)
      // ±1000 degrees a second and ±8 g by default.
      #expect(chip.registers[0x1C] == 0x20 | bits && chip.registers[0x1B] == 0x20 | bits)
      #expect(chip.registers[0x16] == 0x02 && chip.registers[0x18] == 0x01)
      #expect(chip.registers[0x1D] == 0x87 && chip.registers[0x21] == 0x07)
      try expectEverySample(of: &driver, on: bus, hertz: rate)
    }
  }

  @Test("sets the indirect registers' bits, and names one that does not hold")
  func indirect() throws {
    let (bus, chip) = placed()
    var driver = ICM45686(bus: bus, address: 0x68, settings: ChipSettings())
    try driver.start()
    #expect(chip.indirect == [0xA258: 0x61, 0xA4AC: 0x01, 0xA583: 0x01])
    for register in [UInt16(0xA258), 0xA4AC, 0xA583] {
      let (bus, chip) = placed()
      chip.frozenIndirect = register
      var driver = ICM45686(bus: bus, address: 0x68, settings: ChipSettings())
      let error = refusal { try driver.start() }
      #expect(
        error?.kind
          == .configurationRefused(register: UInt8(register & 0xFF), wrote: 0x01, found: 0x00))
    }
  }

  @Test("starts though the first transfer after power-on is not acknowledged")
  func firstTransfer() throws {
    let (bus, chip) = placed()
    chip.refusesNext = true
    var driver = ICM45686(bus: bus, address: 0x68, settings: ChipSettings())
    try driver.start()
    #expect(try driver.holdsConfiguration())
  }

  private func placed() -> (EmulatedBus, EmulatedICM45686) {
    let (bus, chip) = (EmulatedBus(), EmulatedICM45686(surroundings: FixedSurroundings()))
    bus.place(chip, at: 0x68)
    return (bus, chip)
  }
}
