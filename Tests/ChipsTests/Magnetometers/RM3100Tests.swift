import Chips
import Quantities
import Simulation
import Testing

@Suite("RM3100", .timeLimit(.minutes(30)))
struct RM3100Tests {
  @Test("chooses the finest cycle count that a rate leaves time for, and the chip's bits")
  func cycleCounts() throws {
    for (wish, rate, count, tmrc) in [
      (1.0, 1.2, UInt8(200), UInt8(0x9B)), (10, 18, 200, 0x97), (75, 75, 200, 0x95),
      (76, 150, 100, 0x94), (151, 300, 50, 0x93), (999, 300, 50, 0x93),
    ] {
      let bench = Bench(.rm3100, settings: ChipSettings(rateHertz: wish))
      try bench.driver.start()
      #expect(bench.driver.rateHertz == rate)
      let file = try #require(bench.chip as? RegisterFile)
      #expect(Array(file.registers[0x04...0x09]) == [0, count, 0, count, 0, count])
      #expect(file.registers[0x0B] == tmrc && file.registers[0x01] == 0x71)
    }
  }

  @Test("decodes 24 bits by hand-computed values: 75, 38 and 20 counts a microtesla")
  func decode() {
    // 7500, -7500 and -1.
    let bytes = RegisterBytes(
      [0x5A, 0x00, 0x1D, 0x4C, 0xFF, 0xE2, 0xB4, 0xFF, 0xFF, 0xFF])
    let field = RM3100<NoBus>.decode(bytes, at: 1, cycleCount: .fine).components
    #expect(field.x == 100 && field.y == -100 && abs(field.z + 1.0 / 75) < 1e-12)
    #expect(RM3100<NoBus>.decode(bytes, at: 1, cycleCount: .coarse).components.x == 375)
    #expect(
      abs(RM3100<NoBus>.decode(bytes, at: 1, cycleCount: .middle).components.x - 197.368) < 1e-3)
  }

  @Test("is not taken for a port expander, whose registers all read as its pins")
  func portExpander() {
    let bus = EmulatedBus()
    var registers: [UInt8: UInt8] = [:]
    for register in UInt8.min...UInt8.max { registers[register] = 0x22 }
    bus.place(RegisterFile(defaults: registers, writable: [:]), at: 0x20)
    var driver = RM3100(bus: bus, address: 0x20, settings: ChipSettings())
    #expect(
      refusal { try driver.start() }?.kind
        == .wrongIdentity(register: 0x01, expected: 0x20, found: 0x22))
    #expect(bus.writes == 0)
  }

  @Test("a field of any strength is a count, and no measurement beyond the linear range")
  func strongField() throws {
    let bench = Bench(.rm3100)
    try bench.driver.start()
    bench.surroundings.field = SIMD3(20_000, 0, 0)
    _ = try bench.read(atLeast: 1)
    #expect(try bench.read(atLeast: 1).last?.vectors[.field] == .saturated)
  }
}
