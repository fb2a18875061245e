import Chips
import Quantities
import Simulation
import Testing

@Suite("LIS2MDL", .timeLimit(.minutes(30)))
struct LIS2MDLTests {
  @Test("writes temperature compensation, offset cancellation and the rate in the chip's bits")
  func configuration() throws {
    for (wish, rate, control) in [
      (1.0, 10.0, UInt8(0x80)), (11, 20, 0x84), (50, 50, 0x88), (999, 100, 0x8C),
    ] {
      for isWired in [false, true] {
        let bench = Bench(
          .lis2mdl, settings: ChipSettings(rateHertz: wish, drivesDataReadyLine: isWired))
        try bench.driver.start()
        #expect(bench.driver.rateHertz == rate)
        let file = try #require(bench.chip as? RegisterFile)
        #expect(Array(file.registers[0x60...0x62]) == [control, 0x02, isWired ? 0x11 : 0x10])
      }
    }
  }

  @Test("drops a sample that an interrupted transfer may have read in half")
  func brokenTransfer() throws {
    let bench = Bench(.lis2mdl)
    bench.feel(.field, 10)
    try bench.driver.start()
    _ = try bench.read(atLeast: 2)
    bench.bus.wait(nanoseconds: 11_000_000)
    bench.bus.faults.failing = [bench.bus.transfers: .arbitrationLost]
    #expect(throws: ChipError.self) { try bench.read() }
    // The low byte of x was read.
    var half: [UInt8] = [0]
    half.withUnsafeMutableBytes { bench.chip.read(0x68, into: $0, at: bench.bus.now) }
    bench.feel(.field, 80)
    bench.bus.wait(nanoseconds: 1_000_000_000)
    let next = try #require(bench.read(atLeast: 1).first?.vectors[.field]?.value)
    #expect(abs(next.x - 80) < 0.2)
  }

  @Test("delivers no sample of another configuration", arguments: [0x60, 0x61, 0x62] as [UInt8])
  func otherConfiguration(_ register: UInt8) throws {
    let bench = Bench(.lis2mdl)
    try bench.driver.start()
    _ = try bench.read(atLeast: 2)
    try bench.bus.write(0x00, to: register, of: bench.address)
    bench.bus.wait(nanoseconds: 150_000_000)
    #expect(try bench.read().isEmpty)
    #expect(try !bench.driver.holdsConfiguration())
  }

  @Test("decodes by hand-computed values: 1.5 milligauss a count, z mirrored")
  func decode() {
    // 1000, -1000 and the ends.
    let bytes = RegisterBytes([0x5A, 0xE8, 0x03, 0x18, 0xFC, 0xFF, 0x7F])
    let field = LIS2MDL<NoBus>.decode(bytes, at: 1).components
    for (value, expected) in zip([field.x, field.y, field.z], [150, -150, -4915.05]) {
      #expect(abs(value - expected) < 1e-9)
    }
  }
}
