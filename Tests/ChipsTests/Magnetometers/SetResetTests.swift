import Chips
import Quantities
import Simulation
import Testing

@Suite("MMC5603 and MMC5983MA", .timeLimit(.minutes(30)))
struct SetResetTests {
  private static let both = [ChipCase.mmc5603, .mmc5983ma]

  @Test("removes the bridge's offset, and follows it in service without a gap", arguments: both)
  func drift(_ chip: ChipCase) throws {
    let bench = Bench(chip)
    let emulated = try #require(bench.chip as? EmulatedSetReset)
    bench.surroundings.field = SIMD3(20, -5, 40)
    try bench.driver.start()
    emulated.bridgeOffset = SIMD3(15, -11, 3)
    let pulses = emulated.pulses
    let begin = bench.bus.now
    var times: [Timestamp] = []
    var last = SIMD3<Double>.zero
    while bench.bus.now.seconds(since: begin) < 25 {
      bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
      for sample in try bench.read() {
        last = try #require(sample.vectors[.field]?.value)
        times.append(bench.bus.now)
      }
    }
    #expect((last - SIMD3(20, -5, 40)).isSmall(0.02), "\(last)")
    // Two renewals of two pulses each.
    #expect(emulated.pulses - pulses == 4)
    let gaps = zip(times, times.dropFirst()).map { $1.seconds(since: $0) }
    let longest = try #require(gaps.max())
    #expect(longest <= 1.5 / bench.driver.rateHertz, "\(longest)")
    #expect(abs(Double(times.count) - 25 * bench.driver.rateHertz) <= 3)
  }

  @Test("keeps the sample's sign while the bridge is reversed", arguments: both)
  func renewalSamples(_ chip: ChipCase) throws {
    let bench = Bench(chip)
    bench.surroundings.field = SIMD3(20, -5, 40)
    try bench.driver.start()
    for _ in 0..<8000 {
      bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
      for sample in try bench.read() {
        let field = try #require(sample.vectors[.field]?.value)
        #expect((field - SIMD3(20, -5, 40)).isSmall(0.02), "\(field)")
      }
    }
  }

  @Test("takes an even turn of the field for no offset", arguments: both)
  func turning(_ chip: ChipCase) throws {
    let bench = Bench(chip)
    bench.surroundings.field = SIMD3(20, -5, 40)
    try bench.driver.start()
    // 1 µT a second on x, over a renewal.
    bench.surroundings.growth = (bench.bus.now, 0.05)
    _ = try bench.read(atLeast: Int(bounded: 11 * bench.driver.rateHertz))
    bench.surroundings.growth = nil
    bench.bus.wait(nanoseconds: 100_000_000)
    _ = try bench.read(atLeast: 2)
    let field = try #require(bench.read(atLeast: 1).last?.vectors[.field]?.value)
    #expect((field - SIMD3(20, -5, 40)).isSmall(0.03), "\(field)")
  }

  @Test("measures the offset again after a saturation", arguments: both)
  func afterSaturation(_ chip: ChipCase) throws {
    let bench = Bench(chip)
    let emulated = try #require(bench.chip as? EmulatedSetReset)
    bench.surroundings.field = SIMD3(20, -5, 40)
    try bench.driver.start()
    _ = try bench.read(atLeast: 2)
    bench.surroundings.field = SIMD3(5000, 0, 0)
    _ = try bench.read(atLeast: 2)
    #expect(try bench.read(atLeast: 1).last?.vectors[.field] == .saturated)
    emulated.bridgeOffset = SIMD3(-20, 20, 5)
    bench.surroundings.field = SIMD3(20, -5, 40)
    _ = try bench.read(atLeast: 6)
    let field = try #require(bench.read(atLeast: 1).last?.vectors[.field]?.value)
    #expect((field - SIMD3(20, -5, 40)).isSmall(0.02), "\(field)")
  }

  @Test("starts in a field beyond its range, and measures once it is gone", arguments: both)
  func saturatedStart(_ chip: ChipCase) throws {
    let bench = Bench(chip)
    bench.surroundings.field = SIMD3(5000, 0, 0)
    try bench.driver.start()
    #expect(try bench.read(atLeast: 1).last?.vectors[.field] == .saturated)
    bench.surroundings.field = SIMD3(20, -5, 40)
    _ = try bench.read(atLeast: 6)
    let field = try #require(bench.read(atLeast: 1).last?.vectors[.field]?.value)
    #expect((field - SIMD3(20, -5, 40)).isSmall(0.02), "\(field)")
  }

  @Test("is right after a bus error at every transfer of a renewal", arguments: both)
  func faultsInRenewal(_ chip: ChipCase) throws {
    for delay in 0..<12 {
      let bench = Bench(chip)
      bench.surroundings.field = SIMD3(20, -5, 40)
      try bench.driver.start()
      let begin = bench.bus.now
      while bench.bus.now.seconds(since: begin) < 9.99 {
        bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
        _ = try bench.read()
      }
      bench.bus.faults.failing = [bench.bus.transfers + delay: .noAnswer]
      var values: [SIMD3<Double>] = []
      for _ in 0..<200 {
        bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
        do {
          for sample in try bench.read() {
            values.append(try #require(sample.vectors[.field]?.value))
          }
        } catch is ChipError { continue }
      }
      #expect(values.count >= 30)
      #expect(values.allSatisfy { ($0 - SIMD3(20, -5, 40)).isSmall(0.02) }, "\(delay)")
    }
  }

  @Test("decodes 20 and 18 bits by hand-computed values")
  func decode() {
    // 20 bits: 0x80000 is the zero, 0xABCDE and 0x00001 as they stand.
    let twenty = RegisterBytes([0x80, 0x00, 0xAB, 0xCD, 0x00, 0x00, 0x00, 0xE0, 0x10])
    #expect(SetResetLayout.bits20.counts(twenty) == SIMD3(0x80000, 0xABCDE, 0x00001))
    // 18 bits: 0x20000, 0x3FFFF and 0x00002.
    let eighteen = RegisterBytes([0x80, 0x00, 0xFF, 0xFF, 0x00, 0x00, 0x38])
    #expect(SetResetLayout.bits18.counts(eighteen) == SIMD3(0x20000, 0x3FFFF, 0x00002))
  }
}

extension SIMD3<Double> {
  fileprivate func isSmall(_ limit: Double) -> Bool {
    abs(x) <= limit && abs(y) <= limit && abs(z) <= limit
  }
}
