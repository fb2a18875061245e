import Chips
import Quantities
import Simulation
import Testing

@Suite("LSM6DS family", .timeLimit(.minutes(30)))
struct LSM6DSFamilyTests {
  typealias Driver = LSM6DSFamily<EmulatedBus>

  static let parts: [(LSM6DSVariant, EmulatedLSM6DSFamily.Part)] = [
    (.lsm6ds3, .lsm6ds3), (.lsm6dso, .lsm6dso), (.lsm6dsv, .lsm6dsv), (.ism330dhcx, .ism330dhcx),
  ]

  @Test("decodes the example of ST's application notes: 350 mg and 100 degrees a second")
  func example() throws {
    // AN4650 and AN5192, output data: ±2 g 0x1669 is 350 mg, 0xE997 is -350 mg; ±250 0x2CA4 is 100
    // degrees a second, 0xD35C is -100.
    let force = RegisterBytes([0x69, 0x16, 0x97, 0xE9, 0x00, 0x00])
    let g = try #require(Driver.decodeSpecificForce(force, at: 0, range: .g2).value).components
    #expect(abs(g.x / 9.806_65 - 0.35) < 1e-4 && abs(g.y / 9.806_65 + 0.35) < 1e-4 && g.z == 0)
    let rate = RegisterBytes([0xA4, 0x2C, 0x5C, 0xD3, 0x00, 0x00])
    let degrees =
      try #require(Driver.decodeAngularRate(rate, at: 0, range: .degrees250).value).components
      * (180 / .pi)
    #expect(abs(degrees.x - 100) < 0.01 && abs(degrees.y + 100) < 0.01 && degrees.z == 0)
  }

  @Test("uses the lowest rate not below the requested one, for both halves and the FIFO")
  func rates() throws {
    let bits: [(Double?, UInt8)] = [(nil, 5), (1, 1), (26, 2), (100, 4), (208, 5), (5000, 7)]
    for (wish, setting) in bits {
      for (variant, part) in Self.parts where variant.model != .lsm6dsv {
        let (chip, _) = try started(variant, part, ChipSettings(rateHertz: wish))
        #expect(chip.registers[0x10] >> 4 == setting)
        #expect(chip.registers[0x11] >> 4 == setting)
        let batch =
          variant.model == .lsm6ds3 ? chip.registers[0x0A] >> 3 : chip.registers[0x09] >> 4
        #expect(batch == setting)
        // ±8 g and ±1000 degrees a second by default.
        #expect(chip.registers[0x10] & 0x0C == 0x0C && chip.registers[0x11] & 0x0C == 0x08)
      }
    }
    for (wish, setting) in [(nil, 7), (1.0, 3), (240, 7), (800, 9), (5000, 9)] as [(Double?, UInt8)]
    {
      let (chip, _) = try started(.lsm6dsv, .lsm6dsv, ChipSettings(rateHertz: wish))
      #expect(chip.registers[0x10] == setting && chip.registers[0x11] == setting)
      #expect(chip.registers[0x09] == setting << 4 | setting)
      #expect(chip.registers[0x15] == 0x03 && chip.registers[0x17] == 0x02)
    }
  }

  @Test("knows the chip's own rate from its trim", arguments: [Int8(-46), 0, 46])
  func trim(steps: Int8) throws {
    for (variant, part) in Self.parts where variant.model != .lsm6ds3 {
      let (chip, driver) = try started(variant, part, ChipSettings(rateHertz: 833), trim: steps)
      var unit = driver
      let bus = chip.bus
      let begin = bus.now
      var count = 0
      for _ in 0..<600 {
        bus.wait(nanoseconds: 10_000_000)
        #expect(try unit.readInertia { _ in count += 1 } == 0)
      }
      let measured = Double(count) / bus.now.seconds(since: begin)
      #expect(abs(measured / unit.rateHertz - 1) < 0.001)
      let share = variant.model == .lsm6dsv ? 0.0013 : 0.0015
      let nominal = variant.model == .lsm6dsv ? 960 : 6667.0 / 8
      #expect(abs(unit.rateHertz - nominal * (1 + share * Double(steps))) < 1e-9)
    }
  }

  @Test("loses and doubles no sample at 833 Hz and more, whenever the thread comes")
  func everySample() throws {
    for (variant, part) in Self.parts {
      let (bus, surroundings) = (EmulatedBus(), CountingSurroundings())
      bus.place(EmulatedLSM6DSFamily(part, surroundings: surroundings), at: 0x6A)
      var driver = Driver(
        bus: bus, address: 0x6A, settings: ChipSettings(rateHertz: 833), variant: variant)
      try driver.start()
      surroundings.period = UInt64(bounded: 1e9 / driver.rateHertz)
      _ = try driver.readInertia { _ in }
      var last: Int?
      var (count, faults) = (0, 0)
      var random = RandomStream(seed: 7, stream: 1)
      let begin = bus.now
      while bus.now.seconds(since: begin) < Self.seconds {
        bus.wait(nanoseconds: UInt64(bounded: random.uniform() * 40e6))
        let lost = try driver.readInertia {
          let x = $0.specificForce?.value?.components.x ?? -1
          let number = Int(bounded: (x / CountingSurroundings.step).rounded())
          if let last, number != (last + 1) % CountingSurroundings.modulus { faults += 1 }
          last = number
          count += 1
        }
        #expect(lost == 0)
      }
      #expect(faults == 0, "\(variant.model)")
      #expect(abs(Double(count) / driver.rateHertz - Self.seconds) < 0.1)
    }
  }

  /// Emulated time; an hour takes two minutes and was run by hand.
  private static let seconds = 20.0

  private struct Placed {
    let chip: EmulatedLSM6DSFamily
    let bus: EmulatedBus
    var registers: [UInt8] { chip.registers }
  }

  private func started(
    _ variant: LSM6DSVariant, _ part: EmulatedLSM6DSFamily.Part, _ settings: ChipSettings,
    trim: Int8 = 0
  ) throws -> (Placed, Driver) {
    let bus = EmulatedBus()
    let chip = EmulatedLSM6DSFamily(part, surroundings: FixedSurroundings())
    chip.trim = trim
    bus.place(chip, at: 0x6B)
    var driver = Driver(bus: bus, address: 0x6B, settings: settings, variant: variant)
    try driver.start()
    return (Placed(chip: chip, bus: bus), driver)
  }
}

/// A specific force that grows by a step in each sampling period, and begins again.
private final class CountingSurroundings: Surroundings {
  static let modulus = 4096
  /// Two counts of the range of ±8 g.
  static let step = 0.488e-3 * 9.806_65
  var period: UInt64 = 1_000_000

  func specificForce(at instant: Timestamp) -> SIMD3<Double> {
    let number = (instant.nanoseconds / period) % UInt64(Self.modulus)
    return SIMD3(Double(number) * Self.step, 0, 0)
  }
  func field(at instant: Timestamp) -> SIMD3<Double> { .zero }
  func angularRate(at instant: Timestamp) -> SIMD3<Double> { .zero }
  func hectopascal(at instant: Timestamp) -> Double { 1013 }
  func celsius(at instant: Timestamp) -> Double { 20 }
}
