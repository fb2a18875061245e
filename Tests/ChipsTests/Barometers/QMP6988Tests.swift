import Chips
import Quantities
import Simulation
import Testing

@Suite("QMP6988 and 2SMPB-02B", .timeLimit(.minutes(30)))
struct QMP6988Tests {
  /// Raw pressure and temperature less 2^23, pascals and degrees by Python's fractions and decimals
  /// with the drivers' formulas as written there (the roots by the usual formula).
  @Test("compensates with coefficients of 16, 20 and 24 bits")
  func compensation() throws {
    let figures: [(EmulatedQMP6988.Part, Int, Int, Double, Double)] = [
      (.qmp6988, 2400000, 0, 102168.2425228621, 25.002197265625),
      (.qmp6988, 500000, -900000, 38075.99013864483, 47.154018775976496),
      (.qmp6988, -1500000, 1200000, -33663.28960805163, -4.700155654233394),
      (.qmp6988, 1100000, 150000, 57244.4166225513, 21.299815082271227),
      (.smpb02b, 2400000, 0, 144228.05989284595, 24.501147694298925),
      (.smpb02b, 500000, -900000, 85586.88288472059, 46.573337993290004),
      (.smpb02b, -1500000, 1200000, 15793.74550557894, -4.897266368661978),
      (.smpb02b, 1100000, 150000, 101372.68144110314, 20.824399688527244),
    ]
    for (part, pressure, temperature, pascal, celsius) in figures {
      let chip = EmulatedQMP6988(part, surroundings: FixedSurroundings())
      let bytes = RegisterBytes(Array(chip.registers[0xA0...0xB8]))
      let calibration = QMP6988Calibration(bytes, part == .qmp6988 ? .polynomial : .roots)
      let result = calibration.compensated(
        pressure: Double(pressure), temperature: Double(temperature))
      #expect(abs(result.pascal - pascal) < 1e-5 && abs(result.celsius - celsius) < 1e-9)
    }
  }

  @Test("agrees with the surroundings over pressure and temperature", arguments: [false, true])
  func surroundings(isOmron: Bool) throws {
    let bench = Bench(isOmron ? .smpb02b : .qmp6988)
    try bench.driver.start()
    for (hectopascal, celsius) in [(305.0, -30.0), (700, 0), (1013.25, 25), (1095, 65)] {
      bench.surroundings.hectopascal = hectopascal
      bench.surroundings.celsius = celsius
      _ = try bench.read(atLeast: 2)
      let reading = try #require(try bench.reading())
      #expect(abs(reading.hectopascal - hectopascal) < 0.01)
      #expect(abs(reading.celsius - celsius) < 0.001)
    }
  }

  @Test("a chip whose other name is right is named, and computes with any coefficients")
  func similarChip() throws {
    for (part, model, name) in [
      (EmulatedQMP6988.Part.smpb02b, ChipModel.qmp6988, "2SMPB-02B"),
      (.qmp6988, .smpb02b, "QMP6988"),
    ] {
      let bus = EmulatedBus()
      bus.place(EmulatedQMP6988(part, surroundings: FixedSurroundings()), at: 0x70)
      var driver = QMP6988(bus: bus, address: 0x70, model: model, settings: ChipSettings())
      try driver.start()
      let error = refusal {
        for _ in 0..<20 {
          bus.wait(nanoseconds: 10_000_000)
          _ = try driver.readPressure()
        }
      }
      #expect(error?.description.contains("a \(name)") == true, "\(String(describing: error))")
    }
    for byte in [UInt8(0x00), 0x7F, 0x80, 0xFF] {
      let bytes = RegisterBytes([UInt8](repeating: byte, count: 25))
      for form in [QMP6988Calibration.Form.polynomial, .roots] {
        let sample = RegisterBytes([UInt8](repeating: byte, count: 6))
        _ = QMP6988<NoBus>.decode(sample, at: 0, QMP6988Calibration(bytes, form))
      }
    }
  }

  @Test("averages as much as the rate leaves time for")
  func averages() throws {
    for (hertz, bits) in [(5.0, UInt8(0x78)), (25, 0x54), (50, 0x30), (90, 0x2C), (120, 0x28)] {
      let bench = Bench(.qmp6988, settings: ChipSettings(rateHertz: hertz))
      try bench.driver.start()
      let file = try #require(bench.chip as? RegisterFile)
      #expect(file.registers[0xF4] == bits, "\(hertz)")
    }
  }
}
