import Chips
import Quantities
import Simulation
import Testing

@Suite("ICP-10125", .timeLimit(.minutes(30)))
struct ICP10125Tests {
  let bus = EmulatedBus()
  let chip = EmulatedICP10125(surroundings: FixedSurroundings())

  func driver(hertz: Double? = nil) -> ICP10125<EmulatedBus> {
    bus.place(chip, at: 0x63)
    return ICP10125(bus: bus, address: 0x63, settings: ChipSettings(rateHertz: hertz))
  }

  @Test("computes the data sheet's checksums")
  func checksum() {
    // DS-000177, table 16, and the address of the coefficients.
    #expect(ICP10125Calibration.check(RegisterBytes([0x00])) == 0xAC)
    #expect(ICP10125Calibration.check(RegisterBytes([0xBE, 0xEF])) == 0x92)
    #expect(ICP10125Calibration.check(RegisterBytes([0x00, 0x66])) == 0x9C)
  }

  /// - Source: worked out by the data sheet's sample code (section 5.11) in Python.
  @Test(
    "compensates as the data sheet's sample code",
    arguments: [
      (11500000, 24341, 1007.442389037722, 19.997482299804688),
      (4000000, 20000, 471.20780956077505, 8.40576171875),
      (8704000, 32768, 800.0, 42.5),
      (13000000, 40000, 1123.0149638921173, 61.8115234375),
      (500000, 60000, 242.36188075590414, 115.21728515625),
    ] as [(Int, Int, Double, Double)])
  func compensation(
    _ pressure: Int, _ temperature: Int, _ hectopascal: Double, _ celsius: Double
  ) {
    let calibration = ICP10125Calibration(SIMD4(1300, 900, -500, 4250))
    let bytes = [
      pressure >> 16, pressure >> 8, pressure, 0xAA, temperature >> 8, temperature,
    ]
    let reading = ICP10125<NoBus>.decode(
      RegisterBytes(bytes.map { UInt8(truncatingIfNeeded: $0) }), calibration)
    #expect(abs(reading.hectopascal - hectopascal) < 1e-6)
    #expect(abs(reading.celsius - celsius) < 1e-9)
  }

  @Test("computes with any words without stopping")
  func damaged() {
    // Any result is right that does not stop the program: `fault` and `measurable` judge it.
    for words in [
      SIMD4<Int16>(0, 0, 0, 0), SIMD4(1, 2, 3, 1792), SIMD4(-32_768, 32_767, -32_768, 32_767),
    ] {
      let wild = ICP10125Calibration(words)
      for raw in [0.0, 3_670_016, 16_777_215] {
        for temperature in [0.0, 32_768, 65_535] {
          _ = wild.pressure(raw: raw, temperature: temperature)
        }
      }
    }
    // The curve's second point lies at its first, 2048 times 1792.
    let flat = ICP10125Calibration(SIMD4(1, 2, 3, 1792))
    #expect(!flat.pressure(raw: 8_704_000, temperature: 32_768).isFinite)
  }

  @Test("refuses another identity, damaged coefficients, and words that do not fit their checksum")
  func refusals() {
    var driver = driver()
    chip.identity = 0x0149
    let wrong = refusal { try driver.start() }?.kind
    #expect(wrong == .wrongIdentity(register: 0xEF, expected: 0x08, found: 0x09))
    chip.identity = 0x0008
    chip.coefficients = [7, 7, 7, 7]
    let equal = refusal { try driver.start() }?.kind
    #expect(equal == .badFactoryData("all coefficients are equal"))
    chip.coefficients = [1300, 900, -500, 4250]
    chip.checkNoise = 1
    let noise = refusal { try driver.start() }?.kind
    #expect(noise == .impossibleValue("a word does not fit its checksum"))
  }

  @Test("delivers no sample with a wrong checksum, and continues")
  func noise() throws {
    var driver = driver()
    try driver.start()
    var (samples, errors) = (0, 0)
    for index in 0..<200 {
      chip.checkNoise = index % 50 < 25 ? 0 : 1
      bus.wait(nanoseconds: 8_000_000)
      do throws(ChipError) {
        guard let reading = try driver.readPressure() else { continue }
        #expect(abs(reading.hectopascal - 1013.25) < 0.01 && chip.checkNoise == 0)
        samples += 1
      } catch {
        #expect(error.kind == .impossibleValue("a word does not fit its checksum"))
        errors += 1
      }
    }
    #expect(samples > 15 && errors > 15)
  }

  @Test("uses the quietest mode that the rate leaves time for")
  func modes() throws {
    // The data sheet's longest times; four fifths of a period.
    for (hertz, latency) in [
      (1.0, 0.047_25), (8, 0.047_25), (9, 0.011_9), (33, 0.011_9), (34, 0.003_15),
      (126, 0.003_15), (128, 0.000_9), (5000, 0.000_9),
    ] {
      #expect(abs(driver(hertz: hertz).latencySeconds - latency) < 1e-9, "\(hertz)")
    }
  }

  @Test("emulated: answers only what was asked for, and not during a measurement")
  func emulatedAnswers() throws {
    bus.place(chip, at: 0x63)
    func answer(_ count: Int) throws -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      try bytes.withUnsafeMutableBytes { try bus.receive(into: $0, from: 0x63) }
      return bytes
    }
    #expect(throws: BusError.self) { _ = try answer(3) }
    try bus.write(0xC8, to: 0xEF, of: 0x63)
    #expect(try answer(2) == [0x01, 0x48])
    #expect(throws: BusError.self) { _ = try answer(3) }
    try bus.write(0xA3, to: 0x48, of: 0x63)
    bus.wait(nanoseconds: 6_000_000)
    #expect(throws: BusError.self) { _ = try answer(9) }
    bus.wait(nanoseconds: 300_000)
    #expect(try answer(9).count == 9)
  }
}
