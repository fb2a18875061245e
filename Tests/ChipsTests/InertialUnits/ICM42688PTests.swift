import Chips
import Quantities
import Simulation
import Testing

@Suite("ICM-42688-P", .timeLimit(.minutes(30)))
struct ICM42688PTests {
  @Test("sets rate and ranges of both halves, and loses nothing at the full rate")
  func rates() throws {
    let expected: [(Double?, Double, UInt8)] = [
      (nil, 200, 0x07), (1, 12.5, 0x0B), (201, 500, 0x0F), (5000, 1000, 0x06),
    ]
    for (wish, rate, bits) in expected {
      let (bus, chip) = placed()
      var driver = ICM42688P(
        bus: bus, address: 0x68,
        settings: ChipSettings(rateHertz: wish, drivesDataReadyLine: true))
      try driver.start()
      #expect(driver.rateHertz == rate)
      // ±1000 degrees a second and ±8 g by default.
      #expect(chip.registers[0x4F] == 0x20 | bits && chip.registers[0x50] == 0x20 | bits)
      #expect(chip.registers[0x65] == 0x04 && chip.registers[0x64] == 0)
      try expectEverySample(of: &driver, on: bus, hertz: rate)
    }
  }

  @Test("no sample repeats the one before where a rate crosses 100 degrees per second")
  func noHeldSample() throws {
    for (begin, slope) in [(90.0, 1000.0), (110, -1000)] {
      let surroundings = FixedSurroundings()
      surroundings.angularRate = SIMD3(1, -1, 1) * (begin * Double.pi / 180)
      let (bus, chip) = placed(surroundings)
      var driver = ICM42688P(bus: bus, address: 0x68, settings: ChipSettings(rateHertz: 1000))
      try driver.start()
      #expect(chip.registers[0x4D] == 0x51)
      // A degree per second more or less each millisecond.
      surroundings.growth = (bus.now, slope / begin)
      var rates: [SIMD3<Double>] = []
      for _ in 0..<8 {
        bus.wait(nanoseconds: 5_000_000)
        _ = try driver.readInertia { reading in
          if let rate = reading.angularRate?.value { rates.append(rate.radiansPerSecond) }
        }
      }
      #expect(rates.count >= 39)
      let step = Double.pi / 180
      for (one, other) in zip(rates, rates.dropFirst()) {
        for axis in 0..<3 { #expect(abs(abs(other[axis] - one[axis]) - step) < 0.1 * step) }
      }
    }
  }

  @Test("notices where the hold of the gyroscope is on again")
  func holdOn() throws {
    let (bus, chip) = placed()
    var driver = ICM42688P(bus: bus, address: 0x68, settings: ChipSettings())
    try driver.start()
    #expect(try driver.holdsConfiguration())
    chip.registers[0x4D] = 0x91
    #expect(try !driver.holdsConfiguration())
  }

  @Test("returns to bank 0 from the one in which another program left the chip")
  func banks() throws {
    for bank in UInt8(1)...4 {
      let (bus, chip) = placed()
      try bus.write(bank, to: 0x76, of: 0x68)
      var driver = ICM42688P(bus: bus, address: 0x68, settings: ChipSettings())
      try driver.start()
      #expect(chip.registers[0x76] == 0)
    }
  }

  private func placed(
    _ surroundings: FixedSurroundings = FixedSurroundings()
  ) -> (EmulatedBus, EmulatedICM42688P) {
    let (bus, chip) = (EmulatedBus(), EmulatedICM42688P(surroundings: surroundings))
    bus.place(chip, at: 0x68)
    return (bus, chip)
  }
}
