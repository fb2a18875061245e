import Chips
import Quantities
import Simulation
import Testing

@Suite("BMI270", .timeLimit(.minutes(30)))
struct BMI270Tests {
  private func bench(
    _ image: [UInt8], rate: Double? = nil
  ) -> (EmulatedBus, EmulatedBMI270, BMI270<EmulatedBus>) {
    let bus = EmulatedBus()
    let chip = EmulatedBMI270(surroundings: FixedSurroundings())
    bus.place(chip, at: 0x69)
    var settings = ChipSettings(rateHertz: rate, drivesDataReadyLine: true)
    settings.image = image
    return (bus, chip, BMI270(bus: bus, address: 0x69, settings: settings))
  }

  @Test(
    "without its image it is not started, nothing is written, and the error tells where the image is"
  )
  func noImage() throws {
    var (bus, _, driver) = bench([])
    let text = try #require(refusal { try driver.start() }?.description)
    #expect(text.contains("bmi270-init-data.fw") && text.contains("BMI270_SensorAPI"))
    #expect(bus.writes == 0)
  }

  @Test("an image of a wrong size is refused before, one of wrong content by the chip")
  func wrongImage() throws {
    for count in [8193, 8194, 101] {
      var (bus, _, driver) = bench([UInt8](repeating: 1, count: count))
      let text = try #require(refusal { try driver.start() }?.description)
      #expect(text.contains("\(count) bytes") && bus.writes == 0)
    }
    var image = EmulatedBMI270.image
    image[5000] ^= 1
    var (_, _, driver) = bench(image)
    let text = try #require(refusal { try driver.start() }?.description)
    #expect(text.contains("INTERNAL_STATUS 0x02"))
  }

  @Test("sets rate and ranges of both halves, and loses nothing at the full rate")
  func rates() throws {
    let expected: [(Double?, Double, UInt8)] = [
      (nil, 200, 9), (1, 25, 6), (100, 100, 8), (101, 200, 9), (5000, 1600, 12),
    ]
    for (wish, rate, bits) in expected {
      var (bus, chip, driver) = bench(EmulatedBMI270.image, rate: wish)
      try driver.start()
      #expect(driver.rateHertz == rate)
      #expect(chip.registers[0x40] == 0xA0 | bits && chip.registers[0x42] == 0xE0 | bits)
      // ±8 g and ±1000 degrees a second by default.
      #expect(chip.registers[0x41] == 0x02 && chip.registers[0x43] == 0x01)
      #expect(chip.registers[0x53] == 0x0A && chip.registers[0x58] == 0x02)
      try expectEverySample(of: &driver, on: bus, hertz: rate)
    }
  }

  @Test("a turn around z is no turn around x, whatever the chip's own factor")
  func crossAxis() throws {
    for factor: Int8 in [-64, -1, 0, 21, 63] {
      let bus = EmulatedBus()
      let surroundings = FixedSurroundings()
      surroundings.angularRate = SIMD3(0.1, -0.2, 10)
      let chip = EmulatedBMI270(surroundings: surroundings)
      chip.crossAxisFactor = factor
      // Another program may have left another page of features.
      chip.registers[0x2F] = 1
      bus.place(chip, at: 0x68)
      var settings = ChipSettings()
      settings.image = EmulatedBMI270.image
      var driver = BMI270(bus: bus, address: 0x68, settings: settings)
      try driver.start()
      bus.wait(nanoseconds: 50_000_000)
      var rates: [SIMD3<Double>] = []
      _ = try driver.readInertia {
        if let rate = $0.angularRate?.value { rates.append(rate.radiansPerSecond) }
      }
      let last = try #require(rates.last)
      for axis in 0..<3 {
        #expect(abs(last[axis] - SIMD3(0.1, -0.2, 10)[axis]) < 0.002, "factor \(factor): \(last)")
      }
    }
  }

  @Test("reads two's complement with the low byte first, gyroscope before accelerometer")
  func decoding() throws {
    let bytes = RegisterBytes([
      0x34, 0x12, 0xCC, 0xED, 0x01, 0x00, 0x00, 0x40, 0x00, 0xC0, 0xFF, 0xFF,
    ])
    let reading = BMI270<NoBus>.decode(bytes, at: 0, gyroscope: .degrees2000, accelerometer: .g2)
    let rate = try #require(reading.angularRate?.value).components * (180 / .pi)
    #expect(abs((rate - SIMD3(4660.0, -4660, 1) * (2000.0 / 32_768)).sum()) < 1e-9)
    let force = try #require(reading.specificForce?.value).components / 9.806_65
    #expect(force.x == 1 && force.y == -1 && abs(force.z + 1 / 16_384) < 1e-12)
  }
}
