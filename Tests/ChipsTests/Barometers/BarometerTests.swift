import Chips
import Quantities
import Simulation
import Testing

/// What every barometer must do beyond the conformance suite.
@Suite("Every barometer", .timeLimit(.minutes(30)))
struct BarometerTests {
  static let cases = chipCases.filter { $0.model.quantity == .pressure }

  @Test("reports the age of its samples", arguments: cases)
  func latency(_ chip: ChipCase) throws {
    let hectopascalPerSecond = 20.0
    let surroundings = RampSurroundings(hectopascalPerSecond: hectopascalPerSecond)
    let bus = EmulatedBus()
    bus.place(chip.emulated(surroundings), at: chip.address)
    var driver = try #require(chip.driver(bus, ChipSettings()) as? any Barometer)
    try driver.start()
    let poll = 0.2 / driver.rateHertz
    var ages: [Double] = []
    while bus.now.seconds < 6 {
      bus.wait(nanoseconds: UInt64(nanosecondsIn: poll))
      guard let reading = try driver.readPressure(), bus.now.seconds > 3 else { continue }
      let felt = (reading.hectopascal - RampSurroundings.start) / hectopascalPerSecond
      ages.append(bus.now.seconds - felt)
    }
    #expect(ages.count > 60)
    for age in ages {
      // `latencySeconds`; more by up to a poll and the spread of the measurement times; less by the
      // resolution and by the filter's error for polls that do not fit the period.
      #expect(age > driver.latencySeconds - 0.003, "\(age)")
      #expect(age < driver.latencySeconds + poll + 0.003, "\(age)")
    }
  }

  @Test("is never faster than configured, with any polling rate", arguments: cases, [5.0, 25])
  func pace(_ chip: ChipCase, hertz: Double) throws {
    let bench = Bench(chip, settings: ChipSettings(rateHertz: hertz))
    try bench.driver.start()
    #expect(bench.driver.rateHertz >= hertz)
    let begin = bench.bus.now
    var count = 0
    while bench.bus.now.seconds(since: begin) < 8 {
      bench.bus.wait(nanoseconds: 400_000)
      count += try bench.read().count
    }
    #expect(Double(count) <= 8 * bench.driver.rateHertz + 1)
    #expect(Double(count) >= 8 * bench.driver.rateHertz - 2)
  }

  @Test("delivers nearly every sample to a caller that polls once a period", arguments: cases)
  func lazyCaller(_ chip: ChipCase) throws {
    let bench = Bench(chip)
    try bench.driver.start()
    var count = 0
    for index in 0..<200 {
      // Three percent of a period early and late in turn.
      let share = index.isMultiple(of: 2) ? 4.85 : 5.15
      bench.bus.wait(nanoseconds: UInt64(bounded: share * Double(bench.fifthOfAPeriod)))
      count += try bench.read().count
    }
    #expect(count >= 170, "\(count)")
  }

  @Test("reports an impossible pressure, and continues after it", arguments: cases)
  func impossible(_ chip: ChipCase) throws {
    for pressure in chip.impossiblePressures {
      let bench = Bench(chip)
      try bench.driver.start()
      _ = try bench.read(atLeast: 2)
      bench.surroundings.hectopascal = pressure
      var texts: [String] = []
      for _ in 0..<600 {
        bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
        do throws(ChipError) {
          let samples = try bench.readPressure()
          // The present measurement, and the filter's output before it has settled.
          #expect(texts.isEmpty || samples.isEmpty)
        } catch {
          guard case .impossibleValue = error.kind else { throw error }
          texts.append(error.description)
        }
      }
      let text = try #require(texts.last)
      #expect(
        text.contains("\(Int(bounded: pressure)) hPa") && text.contains(chip.model.rawValue),
        "\(text)")
      bench.surroundings.hectopascal = 1000
      for _ in 0..<300 {
        bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
        do throws(ChipError) { _ = try bench.readPressure() } catch { continue }
      }
      let last = try #require(bench.read(atLeast: 1).last?.vectors[.pressure]?.value)
      #expect(abs(last.x - 1000) < 0.1)
    }
  }

  @Test("delivers no value from a dead bus, and no old one after it", arguments: cases)
  func deadBus(_ chip: ChipCase) throws {
    for byte in [UInt8(0x00), 0xFF] {
      for delay in 0..<40 {
        // So slow that no filter holds earlier values.
        let bench = Bench(chip, settings: ChipSettings(rateHertz: 5))
        try bench.driver.start()
        _ = try bench.read(atLeast: 2)
        bench.bus.wait(nanoseconds: UInt64(delay) * 5_000_000)
        bench.surroundings.hectopascal = 1000
        bench.bus.faults.constantByte = byte
        for _ in 0..<50 {
          bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
          do throws(ChipError) {
            let samples = try bench.readPressure()
            #expect(samples.isEmpty, "byte \(byte) after \(delay)")
          } catch { continue }
        }
        bench.bus.faults.constantByte = nil
        if try !bench.driver.holdsConfiguration() { try bench.driver.start() }
        let samples = try bench.read(atLeast: 3)
        #expect(samples.count == 3)
        for sample in samples {
          let value = try #require(sample.vectors[.pressure]?.value)
          #expect(abs(value.x - 1000) < 0.1, "byte \(byte) after \(delay)")
        }
      }
    }
  }

  @Test("detects a loss of power at any instant", arguments: cases)
  func powerLoss(_ chip: ChipCase) throws {
    for step in 0..<160 {
      let bench = Bench(chip)
      try bench.driver.start()
      _ = try bench.read(atLeast: 3)
      var left = UInt64(step) * 500_000
      while left > 0 {
        let wait = min(left, 2_000_000)
        bench.bus.wait(nanoseconds: wait)
        left -= wait
        _ = try bench.readPressure()
      }
      // Checking the chip's state must not clear the sign of the loss.
      if step.isMultiple(of: 2) { #expect(try bench.driver.holdsConfiguration()) }
      bench.surroundings.hectopascal = 990
      bench.chip.losePower(at: bench.bus.now)
      for _ in 0..<15 {
        bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
        do throws(ChipError) {
          let samples = try bench.readPressure()
          guard chip.survivesPowerLoss else {
            #expect(samples.isEmpty, "after \(step)")
            continue
          }
          // The measurement in progress is lost, the next one is right.
          #expect(samples.allSatisfy { abs($0.hectopascal - 990) < 0.1 }, "after \(step)")
        } catch { continue }
      }
      #expect(try bench.driver.holdsConfiguration() == chip.survivesPowerLoss, "after \(step)")
    }
  }
}

extension Bench {
  /// One reading of a barometer, with the error's type.
  func readPressure() throws(ChipError) -> [PressureReading] {
    guard var barometer = driver as? any Barometer else { return [] }
    defer { driver = barometer }
    return try barometer.readPressure().map { [$0] } ?? []
  }
}
