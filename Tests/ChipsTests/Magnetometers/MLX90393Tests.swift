import Chips
import Quantities
import Simulation
import Testing

@Suite("MLX90393", .timeLimit(.minutes(30)))
struct MLX90393Tests {
  @Test("decodes by hand-computed values")
  func decode() throws {
    // 0x00 status, 1000, -1000 and 500.
    let bytes = RegisterBytes([0x00, 0x03, 0xE8, 0xFC, 0x18, 0x01, 0xF4])
    let field = try #require(MLX90393<NoBus>.decode(bytes, at: 1).value?.components)
    for (value, expected) in zip([field.x, field.y, field.z], [300.4, -300.4, 242]) {
      #expect(abs(value - expected) < 1e-9)
    }
  }

  @Test("writes gain, HALLCONF, resolution and filter, and leaves the trim")
  func configuration() throws {
    // The slowest filter that the rate leaves time for.
    let expected: [(Double?, Double, UInt16)] = [
      (nil, 25.0, 3), (1, 1, 5), (10, 10, 5), (21, 21, 4), (60, 60, 2), (1000, 109.4, 0),
    ]
    for (hertz, rate, filter) in expected {
      let bench = Bench(.mlx90393, settings: ChipSettings(rateHertz: hertz))
      try bench.driver.start()
      let chip = try #require(bench.chip as? EmulatedMLX90393)
      #expect(chip.registers[0] == 0x727C && chip.registers[1] == 0)
      #expect(chip.registers[2] == 0x02A3 | filter << 2)
      #expect(abs(bench.driver.rateHertz - rate) < 0.1)
    }
  }

  @Test("reports a field that wraps round as saturated, however strong")
  func wrapping() throws {
    let bench = Bench(.mlx90393)
    try bench.driver.start()
    for strong in [6100.0, 9000, 9840, 9900, 12_000, 13_200, 19_700, 50_000] {
      for sign in [1.0, -1] {
        bench.feel(.field, sign * strong)
        _ = try bench.read(atLeast: 2)
        for sample in try bench.read(atLeast: 2) { #expect(sample.vectors[.field] == .saturated) }
      }
    }
  }

  @Test("is recognised by reads that change nothing, after power-on, in use and in burst mode")
  func recognition() throws {
    let bench = Bench(.mlx90393)
    let driver = MLX90393(bus: bench.bus, address: 0x0C, settings: ChipSettings())
    try driver.recognise()
    try driver.recognise()
    #expect(bench.bus.writes == 0)
    try bench.driver.start()
    _ = try bench.read(atLeast: 2)
    try driver.recognise()
    // Another program left it in burst mode.
    _ = try bench.bus.read(0x1E, of: 0x0C)
    bench.bus.wait(nanoseconds: 100_000_000)
    try driver.recognise()
    try bench.driver.start()
    #expect(try !bench.read(atLeast: 2).isEmpty)
  }

  @Test("refuses other chips at its addresses and writes nothing to them")
  func others() throws {
    for other in [
      ChipModel.ak8963, .ak09916, .ist8310, .qmc5883l, .mag3110, .bmm150, .lsm303dlhcAccelerometer,
    ] {
      let bus = EmulatedBus()
      bus.place(other.emulated(FixedSurroundings()), at: 0x0C)
      var driver = MLX90393(bus: bus, address: 0x0C, settings: ChipSettings())
      #expect(throws: ChipError.self) { try driver.recognise() }
      #expect(throws: ChipError.self) { try driver.start() }
      #expect(bus.writes == 0, "\(other)")
    }
  }

  @Test("names the register that does not keep its value")
  func frozen() throws {
    let bench = Bench(.mlx90393)
    let chip = try #require(bench.chip as? EmulatedMLX90393)
    chip.frozenRegister = 2
    let error = refusal { try bench.driver.start() }
    #expect(error?.kind == .configurationRefused(register: 2, wrote: 0xAF, found: 0x00))
  }

  @Test("notices a write of another program where it does not measure")
  func overwritten() throws {
    let bench = Bench(.mlx90393, settings: ChipSettings(rateHertz: 1))
    try bench.driver.start()
    _ = try bench.read(atLeast: 1)
    #expect(try bench.driver.holdsConfiguration())
    try [UInt8(0x00), 0x00, 0x08].withUnsafeBytes { try bench.bus.write($0, to: 0x60, of: 0x0C) }
    #expect(try !bench.driver.holdsConfiguration())
    #expect(try bench.read().isEmpty)
  }
}
