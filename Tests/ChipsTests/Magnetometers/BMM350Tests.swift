import Chips
import Quantities
import Simulation
import Testing

@Suite("BMM350", .timeLimit(.minutes(30)))
struct BMM350Tests {
  @Test("reads the trim words in their places")
  func words() {
    let trim = BMM350Trim(EmulatedBMM350.trim)
    #expect(trim.offset == SIMD3(3, -5, 7))
    #expect(trim.sensitivity == SIMD3(2.0 / 256, -3.0 / 256 + 0.01, 1.0 / 256))
    #expect(trim.offsetByTemperature == SIMD3(1.0, 2, -1) / 32)
    #expect(
      trim.sensitivityByTemperature
        == SIMD3(4.0, -2, 2) / 16_384 - SIMD3(0, 0, 0.0001))
    #expect((trim.yInX, trim.xInY) == (2.0 / 800, 3.0 / 800))
    #expect((trim.xInZ, trim.yInZ) == (1.0 / 800, -4.0 / 800))
    #expect((trim.temperatureOffset, trim.temperatureSensitivity) == (1, 2.0 / 512))
    #expect(trim.reference == 23.5)
  }

  /// - Source: Worked out in Python by the expressions of PX4's BMM350.cpp, in double precision.
  @Test(
    "compensates like PX4's driver",
    arguments: [
      (SIMD4(0.0, 0, 0, 0), SIMD3(2.325555361230, -6.397423736007, 7.672058071064)),
      (
        SIMD4(10_000.0, -20_000, 30_000, 48_000),
        SIMD3(74.607756787475, -146.472226850598, 222.293203722668)
      ),
      (
        SIMD4(-280_000.0, 280_000, -270_000, -5000),
        SIMD3(-1997.955661795308, 1978.127530031380, -1925.440712873404)
      ),
      (SIMD4(1.0, 1, 1, 90_000), SIMD3(4.239247428559, -2.485395868195, 5.716505643622)),
    ])
  func compensation(_ raw: SIMD4<Double>, _ expected: SIMD3<Double>) {
    let field = BMM350Trim(EmulatedBMM350.trim).field(raw)
    for axis in 0..<3 { #expect(abs(field[axis] - expected[axis]) < 1e-9) }
  }

  @Test("decodes 24 bits, low byte first, with their sign")
  func decode() {
    // 10,000, -20,000, 30,000 and 48,000.
    let bytes = RegisterBytes(
      [0x5A, 0x10, 0x27, 0x00, 0xE0, 0xB1, 0xFF, 0x30, 0x75, 0x00, 0x80, 0xBB, 0x00])
    let field = BMM350<NoBus>.decode(bytes, at: 1, BMM350Trim(EmulatedBMM350.trim)).components
    #expect(abs(field.x - 74.607756787475) < 1e-9 && abs(field.y + 146.472226850598) < 1e-9)
  }

  @Test("follows the temperature by its trim")
  func temperature() throws {
    let bench = Bench(.bmm350)
    bench.surroundings.field = SIMD3(20, -5, 40)
    try bench.driver.start()
    for celsius in [-24.0, 0, 23.5, 70] {
      bench.surroundings.celsius = celsius
      _ = try bench.read(atLeast: 1)
      let field = try #require(bench.read(atLeast: 1).last?.vectors[.field]?.value)
      #expect(abs(field.x - 20) < 0.02 && abs(field.y + 5) < 0.02 && abs(field.z - 40) < 0.02)
    }
  }

  @Test("refuses a factory memory without a trim", arguments: [0x0000, 0xFFFF] as [UInt16])
  func emptyMemory(_ word: UInt16) throws {
    let bus = EmulatedBus()
    let trim = [UInt16](repeating: word, count: BMM350Trim.words.count)
    bus.place(EmulatedBMM350(surroundings: FixedSurroundings(), trim: trim), at: 0x14)
    var driver = BMM350(bus: bus, address: 0x14, settings: ChipSettings())
    guard case .badFactoryData = refusal({ try driver.start() })?.kind else {
      Issue.record("accepted")
      return
    }
  }

  @Test("chooses the largest average that a rate leaves time for")
  func averages() throws {
    for (wish, rate, bits) in [
      (1.0, 1.5625, UInt8(0x3A)), (50, 50, 0x35), (51, 100, 0x24), (200, 200, 0x13),
      (999, 400, 0x02),
    ] {
      let bench = Bench(.bmm350, settings: ChipSettings(rateHertz: wish))
      try bench.driver.start()
      #expect(bench.driver.rateHertz == rate)
      let file = try #require(bench.chip as? RegisterFile)
      #expect(file.registers[0x04] == bits)
    }
  }
}
