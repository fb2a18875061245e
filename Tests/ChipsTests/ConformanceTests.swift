import Chips
import Quantities
import Simulation
import Testing

/// What every driver must do, run over every chip.
@Suite("Every chip", .timeLimit(.minutes(30)))
struct ConformanceTests {
  @Test("the limits of an inertial unit's ranges are known", arguments: chipCases)
  func limits(_ chip: ChipCase) {
    for range in chip.ranges {
      let full = range.settings.fullScale(of: chip.model)
      let limit =
        switch range.quantity {
        case .angularRate: full.radiansPerSecond
        case .specificForce: full.metresPerSecondSquared
        case .field, .pressure: range.inside.upperBound as Double?
        }
      #expect(limit.map { $0 >= 0.999 * range.inside.upperBound } == true, "\(full)")
      if let limit, let beyond = range.beyond { #expect(limit <= beyond) }
    }
  }

  @Test(
    "reads each axis with its sign, and nothing of it on the others",
    arguments: chipCases + spiCases)
  func axes(_ chip: ChipCase) throws {
    for range in chip.ranges where range.quantity != .pressure {
      let bench = Bench(chip, settings: range.settings)
      try bench.driver.start()
      for axis in 0..<3 {
        for value in [0.6 * range.inside.upperBound, 0.6 * range.inside.lowerBound] {
          bench.feel(range.quantity, value, axis: axis)
          // The measurement in progress at the change is ignored.
          _ = try bench.read(atLeast: chip.settlingSamples)
          let last = try #require(try bench.next(range.quantity))
          let vector = try #require(last.vectors[range.quantity]?.value)
          for other in 0..<3 {
            let expected = other == axis ? value : 0
            // Data sheets round their sensitivities to three digits.
            let slack = 1.5 * range.step[other] + abs(expected) * 0.003
            #expect(abs(vector[other] - expected) <= slack, "axis \(other)")
          }
        }
      }
    }
  }

  @Test(
    "follows its range from end to end in the datasheet's steps", arguments: chipCases + spiCases)
  func rangeSweep(_ chip: ChipCase) throws {
    for range in chip.ranges {
      let bench = Bench(chip, settings: range.settings)
      try bench.driver.start()
      let span = range.inside.upperBound - range.inside.lowerBound
      for share in stride(from: 0.0, through: 1, by: 0.125) {
        let value = range.inside.lowerBound + share * span
        let axes = range.quantity == .pressure ? 1 : 3
        for axis in 0..<axes {
          bench.feel(range.quantity, value, axis: axis)
          _ = try bench.read(atLeast: chip.settlingSamples)
          let last = try #require(try bench.next(range.quantity))
          let vector = try #require(last.vectors[range.quantity]?.value)
          // The step's own rounding in the second source shows over a whole range: three in a
          // thousand.
          #expect(abs(vector[axis] - value) <= range.step[axis] + abs(value) * 0.003)
        }
      }
    }
  }

  @Test(
    "marks a saturated sample and never passes it on as a value", arguments: chipCases + spiCases)
  func saturation(_ chip: ChipCase) throws {
    for range in chip.ranges {
      guard let beyond = range.beyond else { continue }
      for sign in range.quantity == .pressure ? [1.0] : [1, -1] {
        let bench = Bench(chip, settings: range.settings)
        try bench.driver.start()
        bench.feel(range.quantity, sign * beyond, axis: 1)
        _ = try bench.read(atLeast: 2)
        let last = try #require(try bench.next(range.quantity))
        for sample in try [last] + bench.read(atLeast: 3)
        where sample.vectors[range.quantity] != nil {
          #expect(sample.vectors[range.quantity] == .saturated)
        }
      }
    }
  }

  @Test(
    "delivers each conversion once, and nothing before the first", arguments: chipCases + spiCases)
  func notReady(_ chip: ChipCase) throws {
    let bench = Bench(chip)
    try bench.driver.start()
    _ = try bench.read(atLeast: 2)
    let begin = bench.bus.now
    var count = 0
    for _ in 0..<500 {
      bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
      count += try bench.read().count
    }
    let expected = bench.bus.now.seconds(since: begin) * bench.driver.rateHertz
    #expect(abs(Double(count) - expected) <= 0.02 * expected + 2)
  }

  @Test(
    "refuses another chip by its identity and writes nothing to it", arguments: chipCases + spiCases
  )
  func wrongIdentity(_ chip: ChipCase) throws {
    guard let identity = chip.identity else { return }
    for other in identity.others {
      let bench = Bench(chip)
      let file = try #require(bench.chip as? RegisterFile)
      file.registers[Int(identity.register)] = other.value
      let text = try #require(refusal { try bench.driver.start() }?.description)
      #expect(text.contains(bench.bus.name) && text.contains(chip.model.rawValue))
      if let name = other.name { #expect(text.contains(name), "\(text)") }
      #expect(bench.bus.writes == 0)
    }
  }

  @Test("refuses a dead bus, at the start and in service", arguments: chipCases + spiCases)
  func constantBytes(_ chip: ChipCase) throws {
    for byte in [UInt8(0x00), 0xFF] {
      let bench = Bench(chip)
      bench.bus.faults.constantByte = byte
      #expect(throws: ChipError.self) { try bench.driver.start() }
      bench.bus.faults.constantByte = nil
      try bench.driver.start()
      _ = try bench.read(atLeast: 2)
      bench.bus.faults.constantByte = byte
      for _ in 0..<20 {
        bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
        var samples: [Sample] = []
        do { samples = try bench.read() } catch { continue }
        #expect(samples.isEmpty, "byte \(byte)")
      }
    }
  }

  @Test("names the register that does not hold its configuration", arguments: chipCases + spiCases)
  func configurationRefused(_ chip: ChipCase) throws {
    guard let register = chip.configurationRegister else { return }
    let bench = Bench(chip)
    let file = try #require(bench.chip as? RegisterFile)
    file.frozenRegister = register
    let error = refusal { try bench.driver.start() }
    #expect(error?.description.contains(Hexadecimal.text(register)) == true)
  }

  @Test(
    "detects a brown-out, delivers no false sample after it, and restarts",
    arguments: chipCases + spiCases)
  func brownOut(_ chip: ChipCase) throws {
    for range in chip.ranges {
      let bench = Bench(chip, settings: range.settings)
      let value =
        range.quantity == .pressure
        ? 1000 : 0.4 * range.inside.upperBound
      try bench.driver.start()
      bench.feel(range.quantity, value)
      _ = try bench.read(atLeast: 4)
      #expect(try bench.driver.holdsConfiguration())
      bench.chip.losePower(at: bench.bus.now)
      for _ in 0..<30 {
        bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
        var samples: [Sample] = []
        do { samples = try bench.read() } catch { continue }
        for sample in samples {
          guard let reading = sample.vectors[range.quantity] else { continue }
          let vector = try #require(reading.value)
          #expect(abs(vector.x - value) <= abs(value) * 0.01 + 1.5 * range.step.x)
        }
      }
      if chip.bootMilliseconds > 0 {
        bench.bus.wait(nanoseconds: chip.bootMilliseconds * 1_000_000)
        #expect(try bench.read().isEmpty)
      }
      if !chip.survivesPowerLoss {
        #expect(try !bench.driver.holdsConfiguration())
        try bench.driver.start()
      }
      #expect(try bench.driver.holdsConfiguration())
      _ = try bench.read(atLeast: 3)
      let last = try #require(try bench.next(range.quantity))
      #expect(last.vectors[range.quantity]?.value != nil)
    }
  }

  @Test(
    "survives a bus error at every transfer and delivers no old sample",
    arguments: chipCases + spiCases)
  func busErrors(_ chip: ChipCase) throws {
    // One run without faults counts the transfers.
    let clean = Bench(chip)
    try clean.driver.start()
    let startTransfers = clean.bus.transfers
    _ = try clean.read(atLeast: 5)
    let quantity = chip.ranges[0].quantity
    for index in 0..<clean.bus.transfers {
      let bench = Bench(chip)
      // A chip that boots does not acknowledge either, so its driver waits then; another fault of
      // the bus ends the start.
      bench.bus.faults.failing = [index: chip.bootMilliseconds > 0 ? .arbitrationLost : .noAnswer]
      if index < startTransfers {
        #expect(throws: ChipError.self, "transfer \(index)") { try bench.driver.start() }
      }
      try bench.driver.start()
      var given: [Double] = []
      // The input grows all the time, so that an old sample is recognised by its value: by a
      // hundredth of the range, or a hectopascal, in a period.
      let value = quantity == .pressure ? 900 : chip.ranges[0].inside.upperBound * 0.1
      bench.feel(quantity, value)
      let share = quantity == .pressure ? 1.0 / 900 : 0.1
      bench.surroundings.growth = (bench.bus.now, share * bench.driver.rateHertz)
      for _ in 0..<60 {
        bench.bus.wait(nanoseconds: 5 * bench.fifthOfAPeriod)
        do {
          for sample in try bench.read() {
            if let vector = sample.vectors[quantity]?.value { given.append(vector.x) }
          }
        } catch let error as ChipError {
          guard case .bus = error.kind else { throw error }
        }
      }
      #expect(given.count >= 40, "transfer \(index): \(given.count) samples")
      #expect(zip(given, given.dropFirst()).allSatisfy { $0 < $1 }, "transfer \(index)")
    }
  }
}
