import Chips
import Quantities
import Simulation
import Testing

@Suite("BMP180", .timeLimit(.minutes(30)))
struct BMP180Tests {
  static func calibration(_ words: [Int]) -> BMP180Calibration {
    BMP180Calibration(
      RegisterBytes(
        words.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }))
  }
  static let example = calibration(EmulatedBMP180.example)

  @Test("gives the data sheet's worked example")
  func workedExample() {
    // BST-BMP180-DS000, figure 4: 15.0 °C and 69964 Pa. It prints 2399 for B5, as it rounds X2
    // down, where C rounds to zero; both give the same results.
    #expect(Self.example.fineTemperature(raw: 27_898) == 2400)
    #expect(Self.example.temperature(fine: 2400) == 150)
    #expect(Self.example.temperature(fine: 2399) == 150)
    for fine in [Int32(2399), 2400] {
      #expect(Self.example.pressure(raw: 23_843, oversampling: 0, fine: fine) == 69_964)
    }
    let bytes = RegisterBytes([0x00, 0x00, 0x5D, 0x23, 0x00])
    let reading = BMP180<NoBus>.decode(bytes, at: 2, Self.example, oversampling: 0, fine: 2399)
    #expect(reading == PressureReading(hectopascal: 699.64, celsius: 15))
  }

  /// - Source: Worked out by the C expressions of Linux bmp280-core.c (bmp180), compiled.
  @Test(
    "compensates like the kernel's driver, to the last digit",
    arguments: [
      (27_898, 23_843, 0, 2_400, 69_964),
      (20_000, 30_000, 0, 59_665, 2_105_722),
      (23_153, 60_000, 1, -6_220, 77_923),
      (30_000, 120_000, 2, 5_008, 91_595),
      (34_000, 260_000, 3, 9_542, 105_402),
      (25_000, 300_000, 3, -1_938, 104_168),
      (40_000, 190_000, 3, 15_936, 82_674),
      (65_535, 524_287, 3, 41_973, 813_114),
      (0, 0, 0, -22_267, 176_963),
    ] as [(UInt16, UInt32, UInt8, Int32, Int32)])
  func compensation(
    _ temperature: UInt16, _ pressure: UInt32, _ oversampling: UInt8, _ fine: Int32,
    _ pascal: Int32
  ) {
    #expect(Self.example.fineTemperature(raw: temperature) == fine)
    #expect(
      Self.example.pressure(raw: pressure, oversampling: oversampling, fine: fine) == pascal)
  }

  @Test("computes with damaged words and coefficients without stopping")
  func damaged() {
    // Any result is right that does not stop the program: `measurable` judges it.
    for word in [0, 1, 0x7FFF, 0x8000, 0xFFFF, 0x5555] {
      let wild = Self.calibration([Int](repeating: word, count: 11))
      for raw in [UInt16(0), 1, 0x7FFF, 0xFFFF] {
        let fine = wild.fineTemperature(raw: raw) ?? .min
        for oversampling in UInt8(0)...3 {
          _ = wild.pressure(raw: UInt32(raw) << 3, oversampling: oversampling, fine: fine)
        }
        _ = wild.temperature(fine: fine)
      }
    }
    // Only a division by zero is told from a result.
    let empty = Self.calibration([Int](repeating: 0, count: 11))
    #expect(empty.fineTemperature(raw: 23_843) == nil)
    #expect(empty.pressure(raw: 23_843, oversampling: 0, fine: 0) == nil)
  }

  @Test("refuses a coefficient that no factory wrote, wherever it is")
  func emptyCoefficient() throws {
    for index in 0..<11 {
      for word in [0, 0xFFFF] {
        var words = EmulatedBMP180.example
        words[index] = word
        let bus = EmulatedBus()
        bus.place(
          EmulatedBMP180(surroundings: FixedSurroundings(), coefficients: words), at: 0x77)
        var driver = BMP180(bus: bus, address: 0x77, settings: ChipSettings())
        guard case .badFactoryData = refusal({ try driver.start() })?.kind else {
          Issue.record("started")
          return
        }
      }
    }
  }

  @Test("agrees with the data sheet's formulas over pressure and temperature")
  func surroundings() throws {
    let bench = Bench(.bmp180)
    try bench.driver.start()
    for (hectopascal, celsius) in [(310.0, -30.0), (700, 0), (1013.25, 25), (1090, 65)] {
      bench.surroundings.hectopascal = hectopascal
      bench.surroundings.celsius = celsius
      _ = try bench.read(atLeast: 2)
      let reading = try bench.reading()
      // The words have 16 bits: a step of the temperature's is 6 mK, 0.06 hPa.
      #expect(abs(try #require(reading).hectopascal - hectopascal) < 0.1)
      #expect(abs(try #require(reading).celsius - celsius) < 0.11)
    }
  }

  @Test("averages as much as the rate leaves time for")
  func oversampling() throws {
    // The data sheet's longest times; four fifths of a period for both conversions.
    for (hertz, latency, control) in [
      (1.0, 0.012_75, UInt8(0xD4)), (26, 0.012_75, 0xD4), (40, 0.006_75, 0x94),
      (60, 0.003_75, 0x54), (80, 0.002_25, 0x14), (5000, 0.002_25, 0x14),
    ] {
      let bench = Bench(.bmp180, settings: ChipSettings(rateHertz: hertz))
      try bench.driver.start()
      #expect(abs(bench.driver.latencySeconds - latency) < 1e-9, "\(hertz)")
      let file = try #require(bench.chip as? RegisterFile)
      var found: Set<UInt8> = []
      for _ in 0..<2000 {
        bench.bus.wait(nanoseconds: 500_000)
        _ = try bench.read()
        found.insert(file.registers[0xF4] & ~0x20)
      }
      #expect(found.subtracting([0x00]) == [0x0E, control], "\(hertz): \(found)")
    }
  }

  @Test("the result of another command gives no sample")
  func otherCommand() throws {
    let bench = Bench(.bmp180)
    try bench.driver.start()
    _ = try bench.read(atLeast: 2)
    let file = try #require(bench.chip as? RegisterFile)
    file.frozenRegister = 0xF4
    for _ in 0..<100 {
      bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
      #expect(try bench.read().isEmpty)
    }
  }
}
