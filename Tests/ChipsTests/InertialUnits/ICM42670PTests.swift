import Chips
import Quantities
import Simulation
import Testing

@Suite("ICM-42670-P", .timeLimit(.minutes(30)))
struct ICM42670PTests {
  @Test("sets rate, filters and ranges of both halves, and loses nothing at the full rate")
  func rates() throws {
    let expected: [(Double?, Double, UInt8, UInt8)] = [
      (nil, 200, 0x08, 3), (1, 12.5, 0x0C, 7), (201, 400, 0x07, 2), (700, 800, 0x06, 1),
    ]
    for (wish, rate, bits, filter) in expected {
      let (bus, chip) = placed()
      var driver = ICM42670P(
        bus: bus, address: 0x68,
        settings: ChipSettings(rateHertz: wish, drivesDataReadyLine: true))
      try driver.start()
      #expect(driver.rateHertz == rate)
      // ±1000 degrees a second and ±8 g by default.
      #expect(chip.registers[0x20] == 0x20 | bits && chip.registers[0x21] == 0x20 | bits)
      #expect(chip.registers[0x23] & 7 == filter && chip.registers[0x24] & 7 == filter)
      #expect(chip.registers[0x2B] == 0x04)
      try expectEverySample(of: &driver, on: bus, hertz: rate)
    }
  }

  @Test("sets MREG1 while the clock runs, and names a register of it that does not hold")
  func block() throws {
    let (bus, chip) = placed()
    var driver = ICM42670P(bus: bus, address: 0x68, settings: ChipSettings())
    try driver.start()
    #expect(chip.block[0x06] == 0x40 && chip.block[0x01] == 0x23)
    for register in [UInt8(0x06), 0x01] {
      let (bus, chip) = placed()
      chip.frozenBlockRegister = register
      var driver = ICM42670P(bus: bus, address: 0x68, settings: ChipSettings())
      let error = refusal { try driver.start() }
      guard case .configurationRefused(register, _, _) = error?.kind else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test("returns from the block in which another program left the chip")
  func otherBlock() throws {
    let (bus, chip) = placed()
    try bus.write(0x28, to: 0x79, of: 0x68)
    try bus.write(0x50, to: 0x7C, of: 0x68)
    var driver = ICM42670P(bus: bus, address: 0x68, settings: ChipSettings())
    try driver.start()
    #expect(chip.block[0x01] == 0x23)
  }

  private func placed() -> (EmulatedBus, EmulatedICM42670P) {
    let (bus, chip) = (EmulatedBus(), EmulatedICM42670P(surroundings: FixedSurroundings()))
    bus.place(chip, at: 0x68)
    return (bus, chip)
  }
}
