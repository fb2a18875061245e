import Chips
import Quantities
import Simulation
import Testing

@Suite("BME680 and MPL3115A2", .timeLimit(.minutes(30)))
struct BME680Tests {
  /// Pascals and hundredths of a degree by Linux bme680_core.c's whole numbers, in Python.
  @Test("computes what the kernel does, to its rounding")
  func compensation() throws {
    let figures: [(Int, Int, Double, Double)] = [
      (400000, 500000, 90675, 2630),
      (350000, 480000, 98227, 1999),
      (600000, 520000, 57197, 3261),
      (800000, 430000, 21774, 421),
      (380000, 600000, 99020, 5787),
    ]
    let chip = EmulatedBME680(surroundings: FixedSurroundings())
    let calibration = BME680Calibration(
      RegisterBytes(Array(chip.registers[0x8A...0xA0])),
      t1: RegisterBytes(Array(chip.registers[0xE9...0xEA])))
    for (pressure, temperature, pascal, centicelsius) in figures {
      let fine = calibration.fineTemperature(raw: Double(temperature))
      #expect(abs(calibration.pressure(raw: Double(pressure), fine: fine) - pascal) < 8)
      #expect(abs(fine / 51.2 - centicelsius) < 1)
    }
  }

  @Test("agrees with the surroundings over pressure and temperature", arguments: [false, true])
  func surroundings(isNXP: Bool) throws {
    let bench = Bench(isNXP ? .mpl3115a2 : .bme680)
    try bench.driver.start()
    for (hectopascal, celsius) in [(305.0, -30.0), (700, 0), (1013.25, 25), (1095, 65)] {
      bench.surroundings.hectopascal = hectopascal
      bench.surroundings.celsius = celsius
      _ = try bench.read(atLeast: 2)
      let reading = try #require(try bench.reading())
      #expect(abs(reading.hectopascal - hectopascal) < 0.01)
      #expect(abs(reading.celsius - celsius) < 0.04)
    }
  }

  @Test(
    "an MPL3115A2 is freed from the offsets of an earlier program, and measures as the rate lets it"
  )
  func offsets() throws {
    for (hertz, bits) in [(1.0, UInt8(0x38)), (5, 0x28), (25, 0x10), (200, 0x08)] {
      let bench = Bench(.mpl3115a2, settings: ChipSettings(rateHertz: hertz))
      let file = try #require(bench.chip as? RegisterFile)
      file.registers[0x2B] = 0x7F
      file.registers[0x2C] = 0x80
      file.registers[0x26] = 0x81
      try bench.driver.start()
      #expect(file.registers[0x26] == bits && file.registers[0x2B] == 0)
      let reading = try #require(try bench.reading())
      #expect(abs(reading.hectopascal - 1013.25) < 0.01 && abs(reading.celsius - 20) < 0.04)
    }
  }

  @Test("computes with damaged words and coefficients, and refuses those that no factory wrote")
  func damaged() {
    for byte in [UInt8(0x00), 0x7F, 0x80, 0xFF] {
      let wild = BME680Calibration(
        RegisterBytes([UInt8](repeating: byte, count: 23)),
        t1: RegisterBytes([UInt8](repeating: byte, count: 2)))
      _ = BME680<NoBus>.decode(RegisterBytes([UInt8](repeating: byte, count: 6)), at: 0, wild)
      #expect((wild.fault != nil) == (byte == 0))
    }
  }
}
