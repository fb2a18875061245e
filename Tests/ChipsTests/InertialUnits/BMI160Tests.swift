import Chips
import Quantities
import Simulation
import Testing

@Suite("BMI160", .timeLimit(.minutes(30)))
struct BMI160Tests {
  @Test("sets rate and ranges of both halves, and loses nothing at the full rate")
  func rates() throws {
    let expected: [(Double?, Double, UInt8)] = [
      (nil, 200, 9), (1, 25, 6), (100, 100, 8), (101, 200, 9), (5000, 1600, 12),
    ]
    for (wish, rate, bits) in expected {
      let bus = EmulatedBus()
      let chip = EmulatedBMI160(surroundings: FixedSurroundings())
      bus.place(chip, at: 0x68)
      var driver = BMI160(
        bus: bus, address: 0x68,
        settings: ChipSettings(rateHertz: wish, drivesDataReadyLine: true))
      try driver.start()
      #expect(driver.rateHertz == rate)
      #expect(chip.registers[0x40] == 0x20 | bits && chip.registers[0x42] == 0x20 | bits)
      // ±8 g and ±1000 degrees a second by default.
      #expect(chip.registers[0x41] == 0x08 && chip.registers[0x43] == 0x01)
      #expect(chip.registers[0x51] == 0x40 && chip.registers[0x56] == 0x40)
      try expectEverySample(of: &driver, on: bus, hertz: rate)
    }
  }

  @Test("reads two's complement with the low byte first, gyroscope before accelerometer")
  func decoding() throws {
    let bytes = RegisterBytes([
      0x34, 0x12, 0xCC, 0xED, 0x01, 0x00, 0x00, 0x40, 0x00, 0xC0, 0xFF, 0xFF,
    ])
    let reading = BMI160<NoBus>.decode(bytes, at: 0, gyroscope: .degrees2000, accelerometer: .g2)
    let rate = try #require(reading.angularRate?.value).components * (180 / .pi)
    let expected = SIMD3(4660.0, -4660, 1) * (2000.0 / 32_768)
    #expect(abs((rate - expected).sum()) < 1e-9 && rate.x > 284 && rate.y < -284)
    let force = try #require(reading.specificForce?.value).components / 9.806_65
    #expect(force.x == 1 && force.y == -1 && abs(force.z + 1 / 16_384) < 1e-12)
  }
}
