import Chips
import Quantities
import Simulation
import Testing

@Suite("LSM9DS1 accelerometer and gyroscope", .timeLimit(.minutes(30)))
struct LSM9DS1InertialTests {
  typealias Driver = LSM9DS1Inertial<EmulatedBus>

  /// Two bytes with what they stand for in two ranges: rad/s by 8.75, 17.5 and 70 millidegrees per
  /// second, m/s² by 0.061, 0.122, 0.244 and 0.732 thousandths of 9.80665 m/s².
  static let patterns:
    [(
      low: UInt8, high: UInt8, gyroscope: Driver.GyroscopeRange,
      accelerometer: Driver.AccelerometerRange, rate: Double, force: Double
    )] = [
      (0x00, 0x00, .degrees245, .g2, 0.0, 0.0),
      (0x01, 0x00, .degrees500, .g4, 0.0003054326190990077, 0.0011964113),
      (0xFF, 0xFF, .degrees2000, .g8, -0.0012217304763960308, -0.0023928226),
      (0x02, 0x00, .degrees245, .g16, 0.0003054326190990077, 0.014356935599999999),
      (0xFE, 0xFF, .degrees500, .g2, -0.0006108652381980154, -0.0011964113),
      (0x7F, 0x00, .degrees2000, .g4, 0.1551597705022959, 0.1519442351),
      (0x80, 0x00, .degrees245, .g8, 0.019547687622336492, 0.3062812928),
      (0x81, 0xFF, .degrees500, .g16, -0.038789942625573975, -0.9116654106),
      (0x80, 0xFF, .degrees2000, .g2, -0.15638150097869194, -0.0765703232),
      (0x7F, 0xFF, .degrees245, .g4, -0.019700403931885997, -0.15433705769999997),
      (0xFF, 0x00, .degrees500, .g8, 0.07788531787024697, 0.6101697629999999),
      (0x00, 0x01, .degrees2000, .g16, 0.3127630019573839, 1.8376877567999998),
      (0x01, 0xFF, .degrees245, .g2, -0.038942658935123484, -0.15254244074999998),
      (0x00, 0xFF, .degrees500, .g4, -0.07819075048934597, -0.3062812928),
      (0xFF, 0xFE, .degrees2000, .g8, -0.31398473243377995, -0.6149554081999999),
      (0x34, 0x12, .degrees245, .g16, 0.711658002500688, 33.451659948),
      (0xCC, 0xED, .degrees500, .g2, -1.423316005001376, -2.787638329),
      (0xFE, 0x7F, .degrees2000, .g4, 40.031220789592346, 39.2016126558),
      (0x01, 0x80, .degrees245, .g8, -5.004055315008593, -78.40561813419998),
      (0x00, 0x40, .degrees500, .g16, 5.004208031318142, 117.61201643519999),
      (0x00, 0xC0, .degrees2000, .g2, -20.01683212527257, -9.8010013696),
      (0xFF, 0x00, .degrees245, .g4, 0.038942658935123484, 0.30508488149999996),
      (0xA5, 0x5A, .degrees500, .g8, 7.087563926192473, 55.525448432999994),
      (0x5B, 0xA5, .degrees2000, .g16, -28.350255704769893, -166.576345299),
    ]

  @Test("reads two's complement with the low byte first, and inverts x")
  func decoding() {
    for pattern in Self.patterns {
      for axis in 0..<3 {
        var bytes = RegisterBytes(count: 8)
        bytes[2 + 2 * axis] = pattern.low
        bytes[3 + 2 * axis] = pattern.high
        let rate = Driver.decodeAngularRate(bytes, at: 2, range: pattern.gyroscope).value
        let force = Driver.decodeSpecificForce(bytes, at: 2, range: pattern.accelerometer).value
        let sign = axis == 0 ? -1.0 : 1
        for other in 0..<3 {
          let share = other == axis ? sign : 0
          #expect(
            rate.map { abs($0.components[other] - share * pattern.rate) < 1e-12 } == true)
          #expect(
            force.map { abs($0.components[other] - share * pattern.force) < 1e-12 } == true)
        }
      }
    }
  }

  @Test("marks a count at either rail")
  func rails() {
    for (low, high) in [(UInt8(0xFF), UInt8(0x7F)), (0x00, 0x80)] {
      for axis in 0..<3 {
        var bytes = RegisterBytes(count: 6)
        bytes[2 * axis] = low
        bytes[2 * axis + 1] = high
        let rate = Driver.decodeAngularRate(bytes, at: 0, range: .degrees500)
        #expect(rate.value == nil && rate.clippedValue != nil)
        let force = Driver.decodeSpecificForce(bytes, at: 0, range: .g4)
        #expect(force.value == nil && force.clippedValue != nil)
      }
    }
  }

  @Test("uses the lowest rate not below the requested one, the same for both halves")
  func rates() throws {
    let expected: [(Double?, Double, UInt8)] = [
      (nil, 238, 4), (1, 14.9, 1), (50, 59.5, 2), (100, 119, 3), (238, 238, 4), (300, 476, 5),
      (5000, 952, 6),
    ]
    for (wish, rate, bits) in expected {
      let bus = EmulatedBus()
      let chip = EmulatedLSM9DS1Inertial(surroundings: FixedSurroundings())
      bus.place(chip, at: 0x6A)
      var driver = LSM9DS1Inertial(
        bus: bus, address: 0x6A, settings: ChipSettings(rateHertz: wish, drivesDataReadyLine: true))
      try driver.start()
      #expect(driver.rateHertz == rate)
      #expect(abs(driver.latencySeconds - 1 / rate) < 1e-12)
      // By default ±2000 degrees a second, the next above 1000, and ±8 g.
      let (gyroscope, accelerometer): (UInt8, UInt8) = (bits << 5 | 0x18, bits << 5 | 0x18)
      #expect(chip.registers[0x10] == gyroscope)
      #expect(chip.registers[0x20] & 0xF8 == accelerometer)
      #expect(chip.registers[0x0C] == 0x08)
    }
  }
}
