import Chips
import Quantities
import Simulation
import Testing

@Suite("QMC5883L", .timeLimit(.minutes(30)))
struct QMC5883LTests {
  @Test(
    "refuses a chip whose unused bits are set", arguments: [0x06, 0x09, 0x0A] as [UInt8])
  func plausibility(_ register: UInt8) throws {
    let bench = Bench(.qmc5883l)
    let file = try #require(bench.chip as? RegisterFile)
    file.registers[Int(register)] = 0x22 | (register == 0x06 ? 0x08 : 0)
    let error = refusal { try bench.driver.start() }
    #expect(error?.description.contains(Hexadecimal.text(register)) == true)
    #expect(bench.bus.writes == 0)
  }

  @Test("reads register 00H before the identity, which is not there without")
  func firstRead() throws {
    let bench = Bench(.qmc5883l)
    #expect(try bench.bus.read(0x0D, of: bench.address) == 0x00)
    try bench.driver.start()
    #expect(try bench.bus.read(0x0D, of: bench.address) == 0xFF)
    bench.chip.losePower(at: bench.bus.now)
    #expect(try bench.bus.read(0x0D, of: bench.address) == 0x00)
  }

  @Test("refuses an empty bus, which has the same identity")
  func emptyBus() {
    let bench = Bench(.qmc5883l)
    bench.bus.faults.constantByte = 0xFF
    let error = refusal { try bench.driver.start() }
    #expect(error?.kind == .constantBytes(0xFF))
  }

  @Test("uses the overflow bit, on every axis, and only while it is set", arguments: 0..<3)
  func overflow(_ axis: Int) throws {
    let bench = Bench(.qmc5883l, settings: ChipSettings(fieldMicrotesla: 200))
    try bench.driver.start()
    // 12000 counts a gauss: 16 bits end at 273.07 µT.
    for (field, flag) in [(260.0, false), (274, true), (-274, true), (150, false)] {
      bench.feel(.field, field, axis: axis)
      _ = try bench.read(atLeast: 1)
      let reading = try #require(bench.read(atLeast: 1).last?.vectors[.field])
      let file = try #require(bench.chip as? RegisterFile)
      #expect(file.isSet(0x02, in: 0x06) == flag)
      // Beyond the data sheet's 2 gauss there is no value either.
      #expect((reading == .saturated) == (abs(field) > 200))
    }
  }

  @Test("uses the overflow bit also with plausible data")
  func overflowBitAlone() throws {
    let bench = Bench(.qmc5883l)
    try bench.driver.start()
    _ = try bench.read(atLeast: 1)
    let file = try #require(bench.chip as? RegisterFile)
    bench.bus.wait(nanoseconds: 11_000_000)
    _ = try bench.bus.read(0x06, of: bench.address)
    file.set(0x02, in: 0x06)
    #expect(try bench.read().first?.vectors[.field] == .saturated)
  }

  @Test("switches the line on only where it is wired")
  func dataReadyLine() throws {
    for (isWired, control) in [(false, UInt8(0x01)), (true, 0x00)] {
      let bench = Bench(.qmc5883l, settings: ChipSettings(drivesDataReadyLine: isWired))
      try bench.driver.start()
      let file = try #require(bench.chip as? RegisterFile)
      #expect(file.registers[0x0A] == control)
      // 512 samples, 8 gauss, 100 Hz, continuous; the recommended period.
      #expect(file.registers[0x09] == 0x19 && file.registers[0x0B] == 0x01)
    }
  }

  @Test("delivers no sample of another configuration")
  func otherConfiguration() throws {
    for (register, value) in [(UInt8(0x09), UInt8(0x09)), (0x0B, 0x00), (0x0A, 0x40)] {
      let bench = Bench(.qmc5883l)
      try bench.driver.start()
      _ = try bench.read(atLeast: 2)
      try bench.bus.write(value, to: register, of: bench.address)
      bench.bus.wait(nanoseconds: 30_000_000)
      #expect(try bench.read().isEmpty)
      #expect(try !bench.driver.holdsConfiguration())
    }
  }

  @Test("rolls its pointer over data and status if configured")
  func rollOver() throws {
    let chip = EmulatedQMC5883L(surroundings: FixedSurroundings())
    let now = Timestamp(nanoseconds: 0)
    var bytes = [UInt8](repeating: 0, count: 9)
    chip.registers.replaceSubrange(0..<9, with: [10, 11, 12, 13, 14, 15, 16, 17, 18])
    bytes.withUnsafeMutableBytes { chip.read(0x05, into: $0, at: now) }
    let status: UInt8 = 16 & ~5
    #expect(Array(bytes.prefix(4)) == [15, status, 17, 18] as [UInt8])
    withUnsafeBytes(of: UInt8(0x40)) { chip.write($0, to: 0x0A, at: now) }
    bytes.withUnsafeMutableBytes { chip.read(0x05, into: $0, at: now) }
    #expect(Array(bytes.prefix(4)) == [15, status, 10, 11] as [UInt8])
  }

  @Test("uses the lowest rate not below the requested one")
  func rates() {
    let bus = EmulatedBus()
    for (wish, rate) in [(1.0, 10.0), (11, 50), (100, 100), (101, 200), (999, 200)] {
      let settings = ChipSettings(rateHertz: wish)
      #expect(QMC5883L(bus: bus, address: 0x0D, settings: settings).rateHertz == rate)
    }
  }
}
