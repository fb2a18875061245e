import Chips
import Quantities
import Simulation
import Testing

@Suite("BMP388 and BMP390", .timeLimit(.minutes(30)))
struct BMP388Tests {
  /// The emulated chip's coefficients in the format of the registers.
  private static var calibration: BMP388Calibration {
    let chip = EmulatedBMP388(surroundings: FixedSurroundings(), identity: 0x50)
    return BMP388Calibration(RegisterBytes(chip.registers[0x31...0x45]))
  }

  /// - Source: Worked out by the C expressions of Linux bmp280-core.c (bmp380), compiled.
  @Test(
    "compensates like the kernel's driver, to the last digit",
    arguments: [
      (6_500_000, 8_150_000, 1_284_039, 1959, 9_574_459),
      (6_000_000, 9_000_000, 2_265_507, 3456, 10_812_165),
      (9_500_000, 7_000_000, -47_577, -73, 4_180_922),
      (7_000_000, 8_500_000, 1_688_458, 2576, 8_849_385),
      (6_234_567, 8_123_456, 1_253_352, 1912, 10_019_530),
    ] as [(Int64, Int64, Int64, Int64, UInt64)])
  func compensation(
    _ pressure: Int64, _ temperature: Int64, _ fine: Int64, _ celsius: Int64, _ pascal: UInt64
  ) {
    let calibration = Self.calibration
    #expect(calibration.fineTemperature(raw: temperature) == fine)
    #expect(calibration.temperature(fine: fine) == celsius)
    #expect(calibration.pressure(raw: pressure, fine: fine) == pascal)
  }

  @Test("decodes 24 bits, low byte first")
  func decode() {
    // 6,500,000 and 8,150,000.
    let bytes = RegisterBytes([0x5A, 0xA0, 0x2E, 0x63, 0xF0, 0x5B, 0x7C])
    let reading = BMP388<NoBus>.decode(bytes, at: 1, Self.calibration)
    #expect(reading == PressureReading(hectopascal: 957.4459, celsius: 19.59))
  }

  @Test("agrees with the data sheet's formula over pressure and temperature")
  func surroundings() throws {
    let bench = Bench(.bmp388)
    try bench.driver.start()
    for (hectopascal, celsius) in [(310.0, -30.0), (700, 0), (1013.25, 25), (1240, 65)] {
      bench.surroundings.hectopascal = hectopascal
      bench.surroundings.celsius = celsius
      _ = try bench.read(atLeast: 1)
      let sample = try #require(bench.read(atLeast: 1).last?.vectors[.pressure]?.value)
      #expect(abs(sample.x - hectopascal) < 0.01)
    }
  }

  @Test("computes with damaged words and coefficients without stopping")
  func damaged() {
    // Any result is right that does not stop the program: `fault` and `measurable` judge it.
    for byte in [UInt8(0x00), 0x7F, 0x80, 0xFF] {
      let wild = BMP388Calibration(RegisterBytes([UInt8](repeating: byte, count: 21)))
      for raw in [Int64(0), 1, 0x7F_FFFF, 0xFF_FFFF] {
        let fine = wild.fineTemperature(raw: raw)
        _ = (wild.pressure(raw: raw, fine: fine), wild.temperature(fine: fine))
      }
    }
  }

  @Test("refuses coefficients that no factory wrote")
  func emptyCoefficients() {
    #expect(BMP388Calibration(RegisterBytes(count: 21)).fault != nil)
    #expect(Self.calibration.fault == nil)
  }

  @Test("a pressure outside the range is no measurement")
  func impossible() throws {
    let bench = Bench(.bmp388)
    try bench.driver.start()
    bench.surroundings.hectopascal = 10
    bench.bus.wait(nanoseconds: 100_000_000)
    guard case .impossibleValue = refusal({ _ = try bench.read() })?.kind else {
      Issue.record("delivered")
      return
    }
  }

  @Test("chooses the largest oversampling that a rate leaves time for")
  func oversampling() throws {
    for (wish, rate, samples, bits) in [
      (1.0, 1.5625, UInt8(0x05), UInt8(0x07)), (25, 25, 0x04, 0x03), (26, 50, 0x03, 0x02),
      (100, 100, 0x01, 0x01), (999, 200, 0x00, 0x00),
    ] {
      let bench = Bench(.bmp390, settings: ChipSettings(rateHertz: wish))
      try bench.driver.start()
      #expect(bench.driver.rateHertz == rate)
      #expect(2 * bench.driver.latencySeconds < 1 / rate)
      let file = try #require(bench.chip as? RegisterFile)
      #expect(file.registers[0x1C] == samples && file.registers[0x1D] == bits)
    }
  }
}
