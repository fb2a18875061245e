import Chips
import Quantities
import Simulation
import Testing

@Suite("DPS310 and SPL06-001", .timeLimit(.minutes(30)))
struct DPS310Tests {
  private static let calibration = DPS310Calibration(RegisterBytes(EmulatedDPS310.coefficients))

  /// Coefficients of a real chip (Infineon/DPS310-Pressure-Sensor, issue 30); raw pressure and
  /// temperature, precision, hectopascal and degrees by Python's fractions. The second line's
  /// temperature is the issue's.
  @Test(
    "compensates with coefficients of 12, 16 and 20 bits and the factor of each precision",
    arguments: [
      (-80000, 160000, 4, 958.1190892428359, 20.36279296875),
      (-260000, 200498, 4, 1272.9721528020907, -2.5786170959472656),
      (100000, 160000, 4, 555.5477580241006, 20.36279296875),
      (0, 0, 0, 798.32, 111.0),
      (-200000, 300000, 0, 983.5250853005665, -58.94476318359375),
      (-1000000, 160000, 1, 1110.7473473099008, 20.36279296875),
      (2000000, -50000, 2, 461.9765928675886, 139.32412719726562),
      (-3000000, 120000, 3, 993.2400537657135, 43.0220947265625),
      (-150000, 160000, 5, 945.8413175742173, 20.36279296875),
      (-700000, 100000, 7, 971.320659995983, 54.35174560546875),
      (8388607, 8388607, 0, -77966.93658670661, -4640.999433517456),
      (-8388608, -8388608, 4, 366755.79632237926, 4863.0),
    ] as [(Int, Int, Int, Double, Double)])
  func compensation(
    _ pressure: Int, _ temperature: Int, _ precision: Int, _ hectopascal: Double,
    _ celsius: Double
  ) {
    let bytes = [pressure >> 16, pressure >> 8, pressure, temperature >> 16, temperature >> 8]
    let reading = DPS310<NoBus>.decode(
      RegisterBytes((bytes + [temperature]).map { UInt8(truncatingIfNeeded: $0) }), at: 0,
      Self.calibration, precision: precision)
    #expect(abs(reading.hectopascal - hectopascal) <= abs(hectopascal) * 1e-12)
    #expect(abs(reading.celsius - celsius) <= 1e-9)
  }

  /// By Python's fractions: the lines above with c31 = -150 and c40 = 320.
  @Test("adds the two coefficients of an SPL07-003")
  func longCoefficients() {
    let bytes = EmulatedDPS310.coefficients + [0xF6, 0xA1, 0x40]
    let calibration = DPS310Calibration(RegisterBytes(bytes))
    for (p, t, expected) in [
      (-0.5, 0.3125, 104813.59375), (0.25, -0.25, 65612.1484375), (-1.25, 0.75, 135632.8203125),
      (1.5, 1.0, -29573.125),
    ] as [(Double, Double, Double)] {
      let pascal = calibration.pressure(scaled: p, temperature: t)
      #expect(abs(pascal - expected) <= 1e-7)
    }
  }

  @Test("computes with damaged words and coefficients, and refuses those that no factory wrote")
  func damaged() {
    for byte in [UInt8(0x00), 0x7F, 0x80, 0xFF] {
      let wild = DPS310Calibration(RegisterBytes([UInt8](repeating: byte, count: 18)))
      for precision in 0...7 {
        let bytes = RegisterBytes([UInt8](repeating: byte, count: 6))
        let reading = DPS310<NoBus>.decode(bytes, at: 0, wild, precision: precision)
        #expect(reading.hectopascal.isFinite && reading.celsius.isFinite)
      }
    }
    #expect(DPS310Calibration(RegisterBytes(count: 18)).fault != nil)
    #expect(Self.calibration.fault == nil)
  }

  @Test("agrees with the data sheet's formula over pressure and temperature")
  func surroundings() throws {
    let bench = Bench(.dps310)
    try bench.driver.start()
    for (hectopascal, celsius) in [(305.0, -30.0), (700, 0), (1013.25, 25), (1195, 65)] {
      bench.surroundings.hectopascal = hectopascal
      bench.surroundings.celsius = celsius
      // A period of the temperature.
      _ = try bench.read(atLeast: 10)
      let reading = try #require(try bench.reading())
      #expect(abs(reading.hectopascal - hectopascal) < 0.01)
      #expect(abs(reading.celsius - celsius) < 0.001)
    }
  }

  @Test("corrects a chip whose thermometer reads too high, and no other chip")
  func wrongFuse() throws {
    for isWrong in [false, true] {
      let bus = EmulatedBus()
      let chip = EmulatedDPS310(surroundings: FixedSurroundings(), hasWrongFuse: isWrong)
      bus.place(chip, at: 0x76)
      var driver = DPS310(bus: bus, address: 0x76, settings: ChipSettings())
      try driver.start()
      // Reset, the first temperature, the table, and the sequence.
      #expect(bus.writes == (isWrong ? 12 : 7))
      #expect(chip.registers[0x0E] == 0 && chip.registers[0x0F] == 0)
      bus.wait(nanoseconds: 400_000_000)
      let reading = try #require(try driver.readPressure())
      #expect(abs(reading.celsius - 20) < 0.001 && abs(reading.hectopascal - 1013.25) < 0.01)
    }
  }

  @Test("uses the thermometer that the coefficients were made with")
  func thermometer() throws {
    for source in [UInt8(0x00), 0x80] {
      let bus = EmulatedBus()
      let chip = EmulatedDPS310(surroundings: FixedSurroundings())
      chip.registers[0x28] = source
      bus.place(KeepingSource(chip, source), at: 0x76)
      var driver = DPS310(bus: bus, address: 0x76, settings: ChipSettings())
      try driver.start()
      #expect(chip.registers[0x07] & 0x80 == source)
    }
  }

  @Test(
    "an SPL06-001 needs its own name: as a DPS310 it reads wrong, without a write that its sheet does not have"
  )
  func similarChip() throws {
    for variant in [DPS310Variant.dps310, .spl06] {
      let bus = EmulatedBus()
      let chip = EmulatedDPS310(.spl06, surroundings: FixedSurroundings())
      bus.place(chip, at: 0x76)
      var driver = DPS310(bus: bus, address: 0x76, variant: variant, settings: ChipSettings())
      try driver.start()
      #expect(bus.writes == 7 && chip.undocumentedWrites.isEmpty)
      bus.wait(nanoseconds: 400_000_000)
      let reading = try #require(try driver.readPressure())
      let isRight = variant == .spl06
      #expect((abs(reading.celsius - 20) < 0.001) == isRight)
      #expect((abs(reading.hectopascal - 1013.25) < 0.01) == isRight)
      #expect(chip.registers[0x07] & 0x80 == (isRight ? 0x80 : 0))
    }
  }

  @Test(
    "measures as often in a sample as the rate leaves time for, with the shift where it is needed")
  func precision() throws {
    for (wish, rate, pressure, temperature, shift) in [
      (0.1, 1.0, UInt8(0x07), UInt8(0x80), UInt8(0x04)), (4, 4, 0x27, 0x80, 0x04),
      (5, 8, 0x36, 0x80, 0x04), (16, 16, 0x45, 0x90, 0x04), (25, 32, 0x54, 0xA0, 0x04),
      (64, 64, 0x62, 0xB0, 0x00), (999, 128, 0x71, 0xC0, 0x00),
    ] {
      let bench = Bench(.dps310, settings: ChipSettings(rateHertz: wish))
      try bench.driver.start()
      #expect(bench.driver.rateHertz == rate)
      let file = try #require(bench.chip as? RegisterFile)
      #expect(file.registers[0x06] == pressure && file.registers[0x07] == temperature)
      #expect(file.registers[0x09] == shift && file.registers[0x08] & 0x07 == 0x07)
      // All measurements of a second take less than it.
      #expect(2 * bench.driver.latencySeconds * rate < 0.95)
    }
  }

  /// A chip whose source of the coefficients a reset does not change.
  private final class KeepingSource: EmulatedChip {
    private let chip: EmulatedDPS310
    private let source: UInt8

    init(_ chip: EmulatedDPS310, _ source: UInt8) { (self.chip, self.source) = (chip, source) }

    func read(
      _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
    ) {
      chip.read(register, into: bytes, at: instant)
      if register == 0x28 { bytes[0] = source }
    }
    func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp) {
      chip.write(bytes, to: register, at: instant)
    }
    func losePower(at instant: Timestamp) { chip.losePower(at: instant) }
  }
}

extension Bench {
  /// The next sample of a barometer, with its temperature.
  func reading() throws(ChipError) -> PressureReading? {
    for _ in 0..<40 {
      bus.wait(nanoseconds: fifthOfAPeriod)
      if let reading = try readPressure().last { return reading }
    }
    return nil
  }
}
