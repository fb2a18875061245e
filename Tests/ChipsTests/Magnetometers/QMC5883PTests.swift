import Chips
import Quantities
import Simulation
import Testing

@Suite("QMC5883P", .timeLimit(.minutes(30)))
struct QMC5883PTests {
  @Test("delivers each conversion once, whichever reading clears the ready bit")
  func ready() throws {
    for isClearedByData in [false, true] {
      let bus = EmulatedBus()
      let surroundings = FixedSurroundings()
      bus.place(
        EmulatedQMC5883P(surroundings: surroundings, isClearedByData: isClearedByData), at: 0x2C)
      var driver = QMC5883P(bus: bus, address: 0x2C, settings: ChipSettings())
      try driver.start()
      let begin = bus.now
      var count = 0
      for _ in 0..<1000 {
        bus.wait(nanoseconds: 2_000_000)
        if try driver.readField() != nil { count += 1 }
      }
      #expect(abs(Double(count) - 100 * bus.now.seconds(since: begin)) <= 2)
    }
  }

  @Test("sets the signs of the data sheet's example, whatever another program left")
  func signs() throws {
    let bench = Bench(.qmc5883p)
    #expect(try bench.bus.read(0x29, of: bench.address) == 0x06)
    try bench.bus.write(0x00, to: 0x29, of: bench.address)
    try bench.driver.start()
    bench.surroundings.field = SIMD3(10, 20, 30)
    let field = try #require(bench.read(atLeast: 2).last?.vectors[.field]?.value)
    #expect(abs(field.y - 20) < 0.03 && abs(field.z - 30) < 0.03)
    try bench.bus.write(0x00, to: 0x29, of: bench.address)
    let turned = try #require(bench.read(atLeast: 2).last?.vectors[.field]?.value)
    #expect(abs(turned.x - 10) < 0.03 && abs(turned.y + 20) < 0.03 && abs(turned.z + 30) < 0.03)
  }

  @Test("writes range, rate and normal mode in the chip's bits, with set and reset on")
  func configuration() throws {
    for (field, hertz, control1, control2) in [
      (100.0, 10.0, UInt8(0x01), UInt8(0x0C)), (800, 100, 0x09, 0x08), (1200, 200, 0x0D, 0x04),
      (9999, 999, 0x0D, 0x00),
    ] {
      let bench = Bench(
        .qmc5883p, settings: ChipSettings(rateHertz: hertz, fieldMicrotesla: field))
      try bench.driver.start()
      let file = try #require(bench.chip as? RegisterFile)
      #expect(file.registers[0x0A] == control1 && file.registers[0x0B] == control2)
    }
  }

  @Test("delivers no sample of another range")
  func otherConfiguration() throws {
    let bench = Bench(.qmc5883p)
    try bench.driver.start()
    _ = try bench.read(atLeast: 2)
    try bench.bus.write(0x0C, to: 0x0B, of: bench.address)
    bench.bus.wait(nanoseconds: 30_000_000)
    #expect(try bench.read().isEmpty)
    #expect(try !bench.driver.holdsConfiguration())
  }

  @Test("decodes by hand-computed values: 15,000 counts a gauss are 150 a microtesla")
  func decode() {
    let bytes = RegisterBytes([0x5A, 0x98, 0x3A, 0x68, 0xC5, 0x96, 0x00])
    let field = QMC5883P<NoBus>.decode(bytes, at: 1, range: .gauss2).components
    #expect(field == SIMD3(100, -100, 1))
    #expect(QMC5883P<NoBus>.decode(bytes, at: 1, range: .gauss30).components.x == 1500)
  }
}
