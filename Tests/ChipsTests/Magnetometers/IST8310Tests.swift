import Chips
import Quantities
import Simulation
import Testing

@Suite("IST8310", .timeLimit(.minutes(30)))
struct IST8310Tests {
  @Test("decodes by hand-computed values: 13.2 counts a microtesla, z inverted")
  func decode() throws {
    // 1320, -1320 and 660.
    let bytes = RegisterBytes([0x5A, 0x28, 0x05, 0xD8, 0xFA, 0x94, 0x02])
    let field = try #require(IST8310<NoBus>.decode(bytes, at: 1).value?.components)
    for (value, expected) in zip([field.x, field.y, field.z], [100.0, -100, -50]) {
      #expect(abs(value - expected) < 1e-9)
    }
  }

  @Test("measures z to the end of its 16 bits, and reports the end as saturated")
  func zRange() throws {
    let bench = Bench(.ist8310)
    try bench.driver.start()
    for (z, isSaturated) in [(2480.0, false), (-2480, false), (2500, true), (-2500, true)] {
      bench.surroundings.field = SIMD3(0, 0, z)
      _ = try bench.read(atLeast: 1)
      let reading = try #require(bench.read(atLeast: 1).last?.vectors[.field])
      #expect((reading == .saturated) == isSaturated)
      if let field = reading.value { #expect(abs(field.z - z) < 0.1) }
    }
  }

  @Test("starts no measurement before the one before was read, and keeps its rate")
  func rate() throws {
    for (wish, rate) in [(1.0, 1.0), (50, 50), (150, 150), (999, 150)] {
      let bench = Bench(.ist8310, settings: ChipSettings(rateHertz: wish))
      #expect(abs(bench.driver.rateHertz - rate) < 0.01)
    }
  }

  @Test("writes averaging, 16 bits and normal pulses")
  func configuration() throws {
    let bench = Bench(.ist8310)
    try bench.driver.start()
    let file = try #require(bench.chip as? RegisterFile)
    #expect(file.registers[0x0D] == 0x70)
    #expect(Array(file.registers[0x41...0x42]) == [0x24, 0xC0])
  }
}
