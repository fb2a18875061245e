import Chips
import Quantities
import Simulation
import Testing

@Suite("HMC5883L and the LSM303DLHC's magnetometer", .timeLimit(.minutes(30)))
struct HMC5883Tests {
  @Test("requires all three letters of the identity", arguments: [0x0A, 0x0B, 0x0C] as [UInt8])
  func identity(_ register: UInt8) throws {
    let bench = Bench(.hmc5883l)
    let file = try #require(bench.chip as? RegisterFile)
    file.registers[Int(register)] = 0x35
    let error = refusal { try bench.driver.start() }
    #expect(error?.description.contains(Hexadecimal.text(register)) == true)
    #expect(bench.bus.writes == 0)
  }

  @Test("is not taken for its successor, nor the successor for it, and neither is written to")
  func clones() {
    let bus = EmulatedBus()
    let surroundings = FixedSurroundings()
    bus.place(EmulatedQMC5883L(surroundings: surroundings), at: 0x1E)
    bus.place(EmulatedHMC5883L(surroundings: surroundings), at: 0x0D)
    var older = HMC5883L(bus: bus, address: 0x1E, settings: ChipSettings())
    #expect(throws: ChipError.self) { try older.start() }
    var newer = QMC5883L(bus: bus, address: 0x0D, settings: ChipSettings())
    #expect(throws: ChipError.self) { try newer.start() }
    #expect(bus.writes == 0)
  }

  @Test("reports saturation if any axis overflows", arguments: 0..<3)
  func overflow(_ axis: Int) throws {
    for chip in [ChipCase.hmc5883l, .lsm303dlhcMagnetometer] {
      let bench = Bench(chip)
      try bench.driver.start()
      bench.feel(.field, 250, axis: axis)
      _ = try bench.read(atLeast: 1)
      #expect(try bench.read(atLeast: 1).last?.vectors[.field] == .saturated)
      let file = try #require(bench.chip as? RegisterFile)
      // -4096 in the place of that axis: x, z, y.
      let place = 3 + 2 * [0, 2, 1][axis]
      #expect(file.registers[place] == 0xF0 && file.registers[place + 1] == 0x00)
      // And it is over with the next measurement.
      bench.feel(.field, 50, axis: axis)
      _ = try bench.read(atLeast: 1)
      #expect(try bench.read(atLeast: 1).last?.vectors[.field]?.value != nil)
    }
  }

  @Test("refuses a count that twelve bits cannot hold")
  func impossible() throws {
    let bench = Bench(.hmc5883l)
    try bench.driver.start()
    _ = try bench.read(atLeast: 1)
    let file = try #require(bench.chip as? RegisterFile)
    var kinds: [ChipError.Kind] = []
    for _ in 0..<100 where kinds.isEmpty {
      bench.bus.wait(nanoseconds: 200_000)
      _ = try bench.bus.read(0x0A, of: bench.address)
      // The bits of 2048, in place of the present measurement.
      file.registers.replaceSubrange(3...4, with: [0x08, 0x00])
      do { #expect(try bench.read().isEmpty) } catch let error as ChipError {
        kinds.append(error.kind)
      }
    }
    #expect(kinds == [.impossibleValue("a count of 2048")])
  }

  @Test("drops the first measurement, which still has the previous gain")
  func oldGain() throws {
    for chip in [ChipCase.hmc5883l, .lsm303dlhcMagnetometer] {
      let bench = Bench(chip, settings: ChipSettings(fieldMicrotesla: 810))
      bench.feel(.field, 100)
      try bench.driver.start()
      let first = try #require(bench.read(atLeast: 1).first?.vectors[.field]?.value)
      #expect(abs(first.x - 100) < 0.5)
    }
  }

  @Test("drops old data that an interrupted transfer left locked")
  func locked() throws {
    let bench = Bench(.hmc5883l)
    bench.feel(.field, 10)
    try bench.driver.start()
    _ = try bench.read(atLeast: 2)
    // The status is read, the data transfer stops after two bytes, and the bus fails for a
    // second.
    bench.bus.wait(nanoseconds: 15_000_000)
    bench.bus.faults.failing = [bench.bus.transfers + 1: .arbitrationLost]
    #expect(throws: ChipError.self) { try bench.read() }
    var half: [UInt8] = [0, 0]
    half.withUnsafeMutableBytes { bench.chip.read(0x03, into: $0, at: bench.bus.now) }
    bench.feel(.field, 80)
    bench.bus.wait(nanoseconds: 1_000_000_000)
    let next = try #require(bench.read(atLeast: 1).first?.vectors[.field]?.value)
    #expect(abs(next.x - 80) < 0.2)
  }

  @Test("loses no measurement where the line's edges come early or late")
  func dataReadyLine() throws {
    let bench = Bench(.hmc5883l, settings: ChipSettings(drivesDataReadyLine: true))
    try bench.driver.start()
    _ = try bench.read(atLeast: 1)
    var count = 0
    let begin = bench.bus.now
    for index in 1...100 {
      // Two milliseconds early and late in turn: too early for a full period since the last.
      let jitter = index.isMultiple(of: 2) ? 2e6 : -2e6
      let instant = UInt64(bounded: Double(index) * 1e9 / 75 + jitter) + 5_000_000
      bench.bus.clock.advance(to: begin.advanced(byNanoseconds: instant))
      count += try bench.read().count
    }
    #expect(count == 100)
    #expect(bench.driver.latencySeconds == 0.003)
  }

  @Test("uses the LSM303DLHC's own gain on z, in the order x, z, y")
  func gainOnZ() throws {
    let bench = Bench(.lsm303dlhcMagnetometer)
    bench.surroundings.field = SIMD3(100, 50, -100)
    try bench.driver.start()
    let sample = try #require(bench.read(atLeast: 2).last?.vectors[.field]?.value)
    let file = try #require(bench.chip as? RegisterFile)
    // 1 gauss is 1100 counts on x and 980 on z: 0x044C, -980 = 0xFC2C, 550 = 0x0226.
    #expect(Array(file.registers[3...8]) == [0x04, 0x4C, 0xFC, 0x2C, 0x02, 0x26])
    #expect(abs(sample.x - 100) < 1e-9 && abs(sample.y - 50) < 1e-9 && abs(sample.z + 100) < 1e-9)
  }

  @Test("shows a brown-out also where rate and gain are those of power-on", arguments: [15.0, 3])
  func brownOutAtDefaults(_ rate: Double) throws {
    for chip in [ChipCase.hmc5883l, .lsm303dlhcMagnetometer] {
      let bench = Bench(chip, settings: ChipSettings(rateHertz: rate))
      try bench.driver.start()
      bench.chip.losePower(at: bench.bus.now)
      // Even if another program has started it again.
      try bench.bus.write(0x00, to: 0x02, of: bench.address)
      #expect(try !bench.driver.holdsConfiguration())
      for _ in 0..<20 {
        bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
        #expect(try bench.read().isEmpty)
      }
    }
  }

  @Test("uses the lowest rate not below the requested one")
  func rates() {
    let bus = EmulatedBus()
    for (wish, hmc, lsm) in [(0.1, 0.75, 0.75), (7.6, 15, 15), (75, 75, 75), (76, 75, 220)] {
      let settings = ChipSettings(rateHertz: wish)
      #expect(HMC5883L(bus: bus, address: 0x1E, settings: settings).rateHertz == hmc)
      #expect(LSM303DLHCMagnetometer(bus: bus, address: 0x1E, settings: settings).rateHertz == lsm)
    }
  }
}
