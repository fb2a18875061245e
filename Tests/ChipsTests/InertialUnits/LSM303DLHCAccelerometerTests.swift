import Chips
import Quantities
import Simulation
import Testing

@Suite("LSM303DLHC accelerometer", .timeLimit(.minutes(30)))
struct LSM303DLHCAccelerometerTests {
  typealias Driver = LSM303DLHCAccelerometer<EmulatedBus>

  /// Two bytes, left-aligned, with what they stand for in m/s²: 1, 2, 4 and 12 thousandths of
  /// 9.80665 m/s² to a 12-bit count.
  static let patterns: [(low: UInt8, high: UInt8, range: Driver.Range, force: Double)] = [
    (0x00, 0x00, .g2, 0.0),
    (0x10, 0x00, .g4, 0.0196133),
    (0xF0, 0xFF, .g8, -0.0392266),
    (0x20, 0x00, .g16, 0.2353596),
    (0xE0, 0xFF, .g2, -0.0196133),
    (0x70, 0x00, .g4, 0.1372931),
    (0x80, 0xFF, .g8, -0.3138128),
    (0xF0, 0x00, .g16, 1.765197),
    (0x00, 0xFF, .g2, -0.1569064),
    (0xF0, 0x07, .g4, 2.4908891),
    (0x10, 0xF8, .g8, -4.9817782),
    (0x00, 0x08, .g16, 15.0630144),
    (0x00, 0xF8, .g2, -1.2552512),
    (0xF0, 0x0F, .g4, 5.0013914999999995),
    (0x00, 0xF0, .g8, -10.0420096),
    (0x30, 0x12, .g16, 34.2448218),
    (0xD0, 0xED, .g2, -2.8537351499999994),
    (0x50, 0x5A, .g4, 28.3412185),
    (0xB0, 0xA5, .g8, -56.682437),
    (0xE0, 0x7F, .g16, 240.7728708),
    (0x10, 0x80, .g2, -20.07421255),
    (0x80, 0x3E, .g4, 19.6133),
    (0x80, 0xC1, .g8, -39.2266),
  ]

  @Test("reads twelve left-aligned bits with their sign")
  func decoding() {
    for pattern in Self.patterns {
      for axis in 0..<3 {
        var bytes = RegisterBytes(count: 7)
        bytes[1 + 2 * axis] = pattern.low
        bytes[2 + 2 * axis] = pattern.high
        let force = Driver.decode(bytes, at: 1, range: pattern.range).value
        for other in 0..<3 {
          let expected = other == axis ? pattern.force : 0
          #expect(force.map { abs($0.components[other] - expected) < 1e-9 } == true)
        }
      }
    }
  }

  @Test("marks a count at either rail, and ignores the unused bits")
  func rails() {
    for low in [UInt8(0xF0), 0xFF] {
      var bytes = RegisterBytes([0, 0, low, 0x7F, 0, 0])
      var reading = Driver.decode(bytes, at: 0, range: .g2)
      #expect(reading.value == nil && reading.clippedValue != nil)
      bytes = RegisterBytes([0, 0, low & 0x0F, 0x80, 0, 0])
      reading = Driver.decode(bytes, at: 0, range: .g2)
      #expect(reading.value == nil && reading.clippedValue != nil)
    }
  }

  @Test(
    "accepts an unknown undocumented identity, but no unimplemented bits")
  func identities() throws {
    for identity in [UInt8(0x00), 0x33, 0x5A, 0xFF] {
      let (driver, chip, _) = bench()
      chip.registers[0x0F] = identity
      try start(driver)
    }
    // A bit that the chip does not have.
    for register in [0x24, 0x25, 0x32, 0x38] {
      let (driver, chip, bus) = bench()
      chip.registers[0x0F] = 0x5A
      chip.registers[register] = 0xFF
      let error = refusal { try start(driver) }
      #expect(error?.kind == .wrongIdentity(register: 0x0F, expected: 0x33, found: 0x5A))
      #expect(bus.writes == 0)
    }
  }

  @Test("uses the lowest rate not below the requested one")
  func rates() throws {
    let expected: [(Double?, Double, UInt8)] = [
      (nil, 200, 0x67), (1, 1, 0x17), (5, 10, 0x27), (20, 25, 0x37), (50, 50, 0x47),
      (60, 100, 0x57), (1000, 400, 0x77),
    ]
    for (wish, rate, control) in expected {
      let (driver, chip, _) = bench(ChipSettings(rateHertz: wish))
      try start(driver)
      #expect(driver.rateHertz == rate)
      #expect(chip.registers[0x20] == control)
      // BDU, ±8 g, high resolution.
      #expect(chip.registers[0x23] == 0xA8)
    }
  }

  private func start(_ driver: Driver) throws {
    var driver = driver
    try driver.start()
  }

  private func bench(
    _ settings: ChipSettings = ChipSettings()
  ) -> (Driver, EmulatedLSM303DLHCAccelerometer, EmulatedBus) {
    let bus = EmulatedBus()
    let chip = EmulatedLSM303DLHCAccelerometer(surroundings: FixedSurroundings())
    bus.place(chip, at: 0x19)
    return (LSM303DLHCAccelerometer(bus: bus, address: 0x19, settings: settings), chip, bus)
  }
}
