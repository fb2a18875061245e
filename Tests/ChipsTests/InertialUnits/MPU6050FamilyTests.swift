import Chips
import Quantities
import Simulation
import Testing

@Suite("MPU-6050 family", .timeLimit(.minutes(30)))
struct MPU6050FamilyTests {
  /// Two bytes with what they stand for in two ranges: rad/s by Linux's 133,090 nanoradians per
  /// second of the finest range and its multiples, m/s² by 16,384, 8192, 4096 and 2048 counts of
  /// 9.80665 m/s².
  static let patterns:
    [(
      high: UInt8, low: UInt8, gyroscope: MPUGyroscopeRange, accelerometer: MPUAccelerometerRange,
      rate: Double, force: Double
    )] = [
      (0x00, 0x00, .degrees250, .g2, 0.0, 0.0),
      (0x00, 0x01, .degrees500, .g4, 0.000266181, 0.001197100830078125),
      (0xFF, 0xFF, .degrees1000, .g8, -0.000532362, -0.00239420166015625),
      (0x00, 0x02, .degrees2000, .g16, 0.002129448, 0.009576806640625),
      (0xFF, 0xFE, .degrees250, .g2, -0.00026618, -0.001197100830078125),
      (0x00, 0x7F, .degrees500, .g4, 0.033804987, 0.15203180541992187),
      (0x00, 0x80, .degrees1000, .g8, 0.068142336, 0.3064578125),
      (0xFF, 0x81, .degrees2000, .g16, -0.135219948, -0.6081272216796875),
      (0xFF, 0x80, .degrees250, .g2, -0.01703552, -0.076614453125),
      (0xFF, 0x7F, .degrees500, .g4, -0.034337349, -0.15442600708007811),
      (0x00, 0xFF, .degrees1000, .g8, 0.13575231, 0.6105214233398437),
      (0x01, 0x00, .degrees2000, .g16, 0.272569344, 1.22583125),
      (0xFF, 0x01, .degrees250, .g2, -0.03393795, -0.15263035583496093),
      (0xFF, 0x00, .degrees500, .g4, -0.068142336, -0.3064578125),
      (0xFE, 0xFF, .degrees1000, .g8, -0.136817034, -0.6153098266601562),
      (0x12, 0x34, .degrees2000, .g16, 4.96161384, 22.313959472656247),
      (0xED, 0xCC, .degrees250, .g2, -0.6201994, -2.789244934082031),
      (0x7F, 0xFE, .degrees500, .g4, 8.721686646, 39.22420579833984),
      (0x80, 0x01, .degrees1000, .g8, -17.443905654, -78.45080579833984),
      (0x40, 0x00, .degrees2000, .g16, 17.444438016, 78.4532),
      (0xC0, 0x00, .degrees250, .g2, -2.18054656, -9.80665),
      (0x00, 0xFF, .degrees500, .g4, 0.067876155, 0.30526071166992186),
      (0x5A, 0xA5, .degrees1000, .g8, 12.35346021, 55.557449523925776),
      (0xA5, 0x5B, .degrees2000, .g16, -24.70692042, -111.11489904785155),
    ]

  @Test("reads two's complement with the high byte first, each axis from its own bytes")
  func decoding() {
    for pattern in Self.patterns {
      for axis in 0..<3 {
        var bytes = RegisterBytes(count: 24)
        for first in [12, 18] {
          bytes[first + 2 * axis] = pattern.high
          bytes[first + 2 * axis + 1] = pattern.low
        }
        let reading = MPU6050Family<EmulatedBus>.decode(
          bytes, at: 12, gyroscope: pattern.gyroscope, accelerometer: pattern.accelerometer)
        for other in 0..<3 {
          let rate = reading.angularRate?.value?.components[other]
          let force = reading.specificForce?.value?.components[other]
          #expect(rate.map { abs($0 - (other == axis ? pattern.rate : 0)) < 1e-12 } == true)
          #expect(force.map { abs($0 - (other == axis ? pattern.force : 0)) < 1e-12 } == true)
        }
      }
    }
  }

  @Test("marks a count at either rail, only for its quantity")
  func rails() {
    for (high, low) in [(UInt8(0x7F), UInt8(0xFF)), (0x80, 0x00)] {
      for index in stride(from: 0, to: 12, by: 2) {
        var bytes = RegisterBytes(count: 12)
        bytes[index] = high
        bytes[index + 1] = low
        let reading = MPU6050Family<EmulatedBus>.decode(
          bytes, at: 0, gyroscope: .degrees250, accelerometer: .g2)
        #expect((reading.specificForce?.value == nil) == (index < 6))
        #expect((reading.angularRate?.value == nil) == (index >= 6))
        let end = (reading.specificForce?.clippedValue?.components ?? .zero)[index / 2 % 3]
        #expect(index >= 6 || abs(abs(end) - 2 * 9.806_65) < 0.001)
      }
    }
  }

  @Test(
    "accepts an MPU-9255 as an MPU-9250, and the parts that are sold as MPU-6050 where that is named"
  )
  func variants() throws {
    var parts: [(EmulatedMPU6050Family.Part, Set<ChipModel>)] = [
      (.mpu6050, [.mpu6050]), (.mpu6500, [.mpu6050, .mpu6500]), (.mpu9250, [.mpu9250]),
      (.mpu9255, [.mpu9250]), (.icm20689, [.mpu6050]),
    ]
    for identity: UInt8 in [0x72, 0x74, 0x75, 0x78] {
      parts.append((.clone(identity), [.mpu6050, .mpu6500]))
    }
    for (part, models) in parts {
      for variant in [MPUVariant.mpu6050, .mpu6500, .mpu9250] {
        let bus = EmulatedBus()
        bus.place(EmulatedMPU6050Family(part, surroundings: FixedSurroundings()), at: 0x69)
        var driver = MPU6050Family(
          bus: bus, address: 0x69, settings: ChipSettings(), variant: variant)
        if models.contains(variant.model) {
          try driver.start()
          // Both filters are set, and the FIFO's size, which differs, loses nothing.
          let chip = try #require(bus.chip(at: 0x69) as? EmulatedMPU6050Family)
          let isOld = chip.registers[0x75] == 0x68
          #expect(chip.registers[0x1A] == 2 && chip.registers[0x1D] == (isOld ? 0 : 2))
          #expect(driver.latencySeconds == (isOld ? 2.8e-3 : 3.9e-3))
          try expectEverySample(of: &driver, on: bus, hertz: 200)
        } else {
          #expect(throws: ChipError.self) { try driver.start() }
          #expect(bus.writes == 0)
        }
      }
    }
  }

  @Test("no part that is sold as an MPU-6050 fills a FIFO beyond what the driver reads of it")
  func substituteFIFO() throws {
    for part in [EmulatedMPU6050Family.Part.icm20689, .clone(0x72)] {
      let bus = EmulatedBus()
      bus.place(EmulatedMPU6050Family(part, surroundings: FixedSurroundings()), at: 0x68)
      var driver = MPU6050Family(
        bus: bus, address: 0x68, settings: ChipSettings(), variant: .mpu6050)
      try driver.start()
      // 39 samples of 12 bytes fit besides the reserve of three; the 60 of 300 ms do not.
      for (milliseconds, isLost) in [(150, false), (300, true), (150, false)] {
        bus.wait(nanoseconds: UInt64(milliseconds) * 1_000_000)
        var count = 0
        let lost = try driver.readInertia { _ in count += 1 }
        #expect((lost > 0) == isLost && (count > 25) == !isLost)
      }
    }
  }

  @Test("connects the auxiliary magnetometer to the main bus")
  func bypass() throws {
    let bus = EmulatedBus()
    let chip = EmulatedMPU6050Family(.mpu9250, surroundings: FixedSurroundings())
    bus.place(chip, at: 0x68)
    var driver = MPU6050Family(
      bus: bus, address: 0x68, settings: ChipSettings(), variant: .mpu9250)
    #expect(!chip.isBypassOn)
    try driver.start()
    #expect(chip.isBypassOn)
    chip.losePower(at: bus.now)
    #expect(!chip.isBypassOn)
  }

  @Test("filters below half the rate and uses the lowest rate not below the requested one")
  func rates() throws {
    // Wish, rate, divider, filter setting and delay in milliseconds (MPU-6050, MPU-9250).
    let expected: [(Double?, Double, UInt8, UInt8, Double, Double)] = [
      (nil, 200, 4, 2, 2.8, 3.9), (200, 200, 4, 2, 2.8, 3.9), (1000, 1000, 0, 1, 1.9, 2.9),
      (5000, 1000, 0, 1, 1.9, 2.9), (180, 200, 4, 2, 2.8, 3.9), (100, 100, 9, 3, 4.8, 5.9),
      (50, 50, 19, 4, 8.3, 9.9), (3, 3.906_25, 255, 6, 18.6, 33.48),
      (0, 3.906_25, 255, 6, 18.6, 33.48),
    ]
    for (wish, rate, divider, filter, delay6050, delay9250) in expected {
      for (part, variant, delay) in [
        (EmulatedMPU6050Family.Part.mpu6050, MPUVariant.mpu6050, delay6050),
        (.mpu9250, .mpu9250, delay9250),
      ] {
        let bus = EmulatedBus()
        let chip = EmulatedMPU6050Family(part, surroundings: FixedSurroundings())
        bus.place(chip, at: 0x68)
        var driver = MPU6050Family(
          bus: bus, address: 0x68, settings: ChipSettings(rateHertz: wish), variant: variant)
        try driver.start()
        #expect(abs(driver.rateHertz - rate) < 1e-9)
        #expect(abs(driver.latencySeconds - delay * 1e-3) < 1e-9)
        #expect(chip.registers[0x19] == divider)
        #expect(chip.registers[0x1A] == filter)
        #expect(chip.registers[0x1D] == (variant.model == .mpu6050 ? 0 : filter))
      }
    }
  }

  @Test("loses nothing at the full rate, and switches the line on where it is wired")
  func fullRate() throws {
    for isWired in [false, true] {
      let bus = EmulatedBus()
      let chip = EmulatedMPU6050Family(.mpu6500, surroundings: FixedSurroundings())
      bus.place(chip, at: 0x68)
      var driver = MPU6050Family(
        bus: bus, address: 0x68,
        settings: ChipSettings(rateHertz: 1000, drivesDataReadyLine: isWired), variant: .mpu6500)
      try driver.start()
      #expect(chip.registers[0x38] & 0x01 == (isWired ? 1 : 0))
      let begin = bus.now
      var count = 0
      for _ in 0..<100 {
        bus.wait(nanoseconds: 10_000_000)
        let lost = try driver.readInertia { _ in count += 1 }
        #expect(lost == 0)
      }
      #expect(abs(Double(count) - bus.now.seconds(since: begin) * 1000) <= 2)
    }
  }

  @Test("reports a reset that does not end")
  func resetWithoutEnd() throws {
    let bus = EmulatedBus()
    let chip = WatchedChip(
      EmulatedMPU6050Family(.mpu6050, surroundings: FixedSurroundings()))
    bus.place(chip, at: 0x68)
    // Right before the second read, which looks for the bit, another reset begins.
    chip.beforeRead = { index, instant in
      guard index == 1 else { return }
      withUnsafeBytes(of: UInt8(0x80)) { chip.write($0, to: 0x6B, at: instant) }
    }
    var driver = MPU6050Family(
      bus: bus, address: 0x68, settings: ChipSettings(), variant: .mpu6050)
    let error = refusal { try driver.start() }
    #expect(error?.kind == .unfinished("its reset"))
  }
}
