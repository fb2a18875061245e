import Chips
import Quantities
import Simulation
import Testing

@Suite("LIS3MDL and the LSM9DS1's magnetometer", .timeLimit(.minutes(30)))
struct LIS3MDLTests {
  private static let both = [ChipCase.lis3mdl, .lsm9ds1Magnetometer]

  @Test("delivers no sample of another range", arguments: both)
  func otherConfiguration(_ chip: ChipCase) throws {
    let bench = Bench(chip)
    try bench.driver.start()
    _ = try bench.read(atLeast: 2)
    // FS: 16 gauss, by another program.
    try bench.bus.write(0x60, to: 0x21, of: bench.address)
    for _ in 0..<20 {
      bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
      #expect(try bench.read().isEmpty)
    }
    #expect(try !bench.driver.holdsConfiguration())
  }

  @Test("drops a sample that an interrupted transfer may have read in half", arguments: both)
  func brokenTransfer(_ chip: ChipCase) throws {
    let bench = Bench(chip)
    bench.feel(.field, 10)
    try bench.driver.start()
    _ = try bench.read(atLeast: 2)
    bench.bus.wait(nanoseconds: 13_000_000)
    bench.bus.faults.failing = [bench.bus.transfers: .arbitrationLost]
    #expect(throws: ChipError.self) { try bench.read() }
    // The low byte of x was read.
    var half: [UInt8] = [0]
    half.withUnsafeMutableBytes { bench.chip.read(0x28, into: $0, at: bench.bus.now) }
    bench.feel(.field, 80)
    bench.bus.wait(nanoseconds: 1_000_000_000)
    let next = try #require(bench.read(atLeast: 1).first?.vectors[.field]?.value)
    #expect(abs(next.x - 80) < 0.1)
  }

  @Test("writes its best mode and the rate in the chip's own bits", arguments: both)
  func configuration(_ chip: ChipCase) throws {
    // CTRL_REG1: OM 11 and DO, or FAST_ODR.
    for (wish, rate, control) in [
      (0.1, 0.625, UInt8(0x60)), (9, 10, 0x70), (80, 80, 0x7C), (81, 155, 0x62),
    ] {
      let bench = Bench(chip, settings: ChipSettings(rateHertz: wish, fieldMicrotesla: 1000))
      try bench.driver.start()
      #expect(bench.driver.rateHertz == rate)
      let file = try #require(bench.chip as? RegisterFile)
      #expect(Array(file.registers[0x20...0x24]) == [control, 0x40, 0x00, 0x0C, 0x40])
    }
  }
}
