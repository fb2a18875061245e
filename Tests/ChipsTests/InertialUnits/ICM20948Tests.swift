import Chips
import Quantities
import Simulation
import Testing

@Suite("ICM-20948", .timeLimit(.minutes(30)))
struct ICM20948Tests {
  typealias Driver = ICM20948<EmulatedBus>

  @Test("connects its AK09916 to the main bus")
  func bypass() throws {
    let (bus, chip) = placed()
    bus.place(EmulatedAK09916(surroundings: FixedSurroundings()), at: 0x0C)
    bus.placeBehindUnit(0x0C)
    var compass = AK09916(bus: bus, address: 0x0C, settings: ChipSettings())
    #expect(throws: ChipError.self) { try compass.start() }
    var driver = Driver(bus: bus, address: 0x68, settings: ChipSettings())
    try driver.start()
    #expect(chip.isBypassOn)
    try compass.start()
    bus.wait(nanoseconds: 20_000_000)
    #expect(try compass.readField()?.value != nil)
  }

  @Test("returns to bank 0 from the one in which another program or a fault left the chip")
  func banks() throws {
    for bank in [UInt8(0x10), 0x20, 0x30] {
      let (bus, _) = placed()
      try bus.write(bank, to: 0x7F, of: 0x68)
      var driver = Driver(bus: bus, address: 0x68, settings: ChipSettings())
      try driver.start()
      #expect(try driver.holdsConfiguration())
    }
    // A fault at each transfer of the check of the configuration, which looks into bank 2.
    let (clean, _) = placed()
    var driver = Driver(bus: clean, address: 0x68, settings: ChipSettings())
    try driver.start()
    let before = clean.transfers
    #expect(try driver.holdsConfiguration())
    for index in 0..<clean.transfers - before {
      let (bus, _) = placed()
      var driver = Driver(bus: bus, address: 0x68, settings: ChipSettings())
      try driver.start()
      bus.faults.failing = [bus.transfers + index: .noAnswer]
      #expect(throws: ChipError.self) { _ = try driver.holdsConfiguration() }
      bus.wait(nanoseconds: 30_000_000)
      var count = 0
      _ = try driver.readInertia { _ in count += 1 }
      #expect(count >= 5, "transfer \(index)")
      #expect(try driver.holdsConfiguration())
    }
  }

  @Test("filters below half the rate and uses the lowest rate not below the requested one")
  func rates() throws {
    // Wish, rate, divider, filter setting.
    let expected: [(Double?, Double, UInt8, UInt8)] = [
      (nil, 225, 4, 2), (200, 225, 4, 2), (1125, 1125, 0, 1), (5000, 1125, 0, 1),
      (100, 1125.0 / 11, 10, 3), (1, 1125.0 / 256, 255, 6),
    ]
    for (wish, rate, divider, _) in expected {
      let (bus, chip) = placed()
      var driver = Driver(
        bus: bus, address: 0x68,
        settings: ChipSettings(rateHertz: wish, drivesDataReadyLine: true))
      try driver.start()
      #expect(abs(driver.rateHertz - rate) < 1e-9)
      #expect(chip.registers[0x80] == divider && chip.registers[0x91] == divider)
      // ±1000 degrees a second and ±8 g by default, with the filter on.
      #expect(chip.registers[0x81] & 0x07 == 0x05 && chip.registers[0x94] & 0x07 == 0x05)
      #expect(chip.registers[0x81] >> 3 == chip.registers[0x94] >> 3)
      #expect(chip.registers[0x11] == 0x01)
    }
  }

  @Test("loses nothing at the full rate")
  func fullRate() throws {
    let (bus, _) = placed()
    var driver = Driver(bus: bus, address: 0x68, settings: ChipSettings(rateHertz: 1125))
    try driver.start()
    let begin = bus.now
    var count = 0
    for _ in 0..<100 {
      bus.wait(nanoseconds: 10_000_000)
      #expect(try driver.readInertia { _ in count += 1 } == 0)
    }
    #expect(abs(Double(count) - bus.now.seconds(since: begin) * 1125) <= 3)
  }

  private func placed() -> (EmulatedBus, EmulatedICM20948) {
    let (bus, chip) = (EmulatedBus(), EmulatedICM20948(surroundings: FixedSurroundings()))
    bus.place(chip, at: 0x68)
    return (bus, chip)
  }
}
