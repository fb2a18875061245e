import Chips
import Quantities
import Simulation
import Testing

/// What every driver of an inertial unit must do with its chip's FIFO.
@Suite("Every inertial unit's FIFO", .timeLimit(.minutes(30)))
struct FIFOTests {
  static var units: [ChipCase] { chipCases.filter { !$0.fifoRegisters.isEmpty } }

  @Test("stores all samples for a late thread", arguments: units)
  func lateThread(_ unit: ChipCase) throws {
    let bench = try prepared(unit)
    let begin = bench.bus.now
    // Twenty-eight samples: below every chip's depth.
    bench.bus.wait(nanoseconds: 140 * bench.fifthOfAPeriod)
    var taken: [InertialReading] = []
    let lost = try bench.readInertia { taken.append($0) }
    let made = bench.bus.now.seconds(since: begin) * bench.driver.rateHertz
    #expect(lost == 0)
    #expect(abs(Double(taken.count) - made) <= 1.5)
    for reading in taken { expectFelt(reading, of: unit) }
  }

  @Test(
    "reports the samples lost in an overflow, and delivers no torn one", arguments: units)
  func overflow(_ unit: ChipCase) throws {
    // Waits that end at every place of a sample within the FIFO.
    let wait = UInt64(5 * (unit.fifoSamples + 115))
    for extra in stride(from: UInt64(0), to: 60, by: 7) {
      let bench = try prepared(unit)
      let begin = bench.bus.now
      bench.bus.wait(nanoseconds: (wait + extra) * bench.fifthOfAPeriod)
      var taken = 0
      var lost = 0
      for _ in 0..<50 {
        lost += try bench.readInertia {
          taken += 1
          expectFelt($0, of: unit)
        }
        bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
      }
      let made = bench.bus.now.seconds(since: begin) * bench.driver.rateHertz
      #expect(lost >= unit.fifoSamples + 105)
      #expect(taken >= 7)
      #expect(abs(Double(taken + lost) - made) <= 3)
    }
  }

  @Test("starts with a whole sample after an interrupted reading", arguments: units)
  func torn(_ unit: ChipCase) throws {
    // A run without faults shows which transfers read the FIFO.
    let clean = try prepared(unit)
    let watched = WatchedChip(clean.chip)
    clean.bus.place(watched, at: clean.address)
    clean.bus.wait(nanoseconds: 12 * clean.fifthOfAPeriod)
    _ = try clean.readInertia { _ in }
    let torn = watched.reads.indices.filter { unit.fifoRegisters.contains(watched.reads[$0]) }
    #expect(!torn.isEmpty)
    for index in torn {
      for bytes in 1..<24 {
        let bench = try prepared(unit)
        // A hundredth a period: half of a sample beside half of the next one would show.
        bench.surroundings.growth = (bench.bus.now, 0.01 * bench.driver.rateHertz)
        bench.bus.wait(nanoseconds: 12 * bench.fifthOfAPeriod)
        bench.bus.faults.failing = [bench.bus.transfers + index: .stuck]
        #expect(throws: ChipError.self) {
          _ = try bench.readInertia { expectFelt($0, of: unit, isGrowing: true) }
        }
        // The samples read before the transfer was interrupted.
        var gone = [UInt8](repeating: 0, count: bytes)
        gone.withUnsafeMutableBytes {
          bench.chip.read(watched.reads[index], into: $0, at: bench.bus.now)
        }
        var taken = 0
        for _ in 0..<30 {
          bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
          _ = try bench.readInertia {
            taken += 1
            expectFelt($0, of: unit, isGrowing: true)
          }
        }
        #expect(taken >= 5, "transfer \(index), \(bytes) bytes")
      }
    }
  }

  @Test("delivers nothing if the power fails during a reading", arguments: units)
  func brownOutWithin(_ unit: ChipCase) throws {
    for cut in 0..<12 {
      let bench = try prepared(unit)
      let watched = WatchedChip(bench.chip)
      bench.bus.place(watched, at: bench.address)
      watched.beforeRead = { if $0 == cut { watched.losePower(at: $1) } }
      for _ in 0..<30 {
        bench.bus.wait(nanoseconds: bench.fifthOfAPeriod)
        _ = try bench.readInertia { expectFelt($0, of: unit) }
      }
      #expect(watched.reads.count > cut)
      #expect(try !bench.driver.holdsConfiguration())
    }
  }

  /// A started bench with a different input on each axis.
  private func prepared(_ unit: ChipCase) throws -> Bench {
    let bench = Bench(unit)
    bench.surroundings.angularRate = Self.rate
    bench.surroundings.specificForce = Self.force
    try bench.driver.start()
    return bench
  }

  private static let rate = SIMD3(0.5, -1.5, 3.0)
  private static let force = SIMD3(-4.0, 12.0, 25.0)

  private func expectFelt(_ reading: InertialReading, of unit: ChipCase, isGrowing: Bool = false) {
    let force = reading.specificForce?.value?.components
    let rate = reading.angularRate.map { $0.value?.components ?? .zero }
    let hasForce = unit.ranges.contains { $0.quantity == .specificForce }
    guard let z = hasForce ? force.map({ $0.z / Self.force.z }) : rate.map({ $0.z / Self.rate.z })
    else {
      Issue.record("\(reading)")
      return
    }
    let share = isGrowing ? z : 1
    #expect(share > 0.9)
    // The widest steps of the standing ranges are 38 mm/s² and 0.3 mrad/s.
    let forceError = force.map { $0 - share * Self.force } ?? .zero
    #expect((forceError * forceError).sum() < 1.2e-3, "\(reading)")
    guard let rate else { return }
    let rateError = rate - share * Self.rate
    // The data sheet's sensitivity and the kernel's differ by a thousandth: 4 mrad/s here; the
    // widest step is 1.2 mrad/s.
    #expect((rateError * rateError).sum() < 3e-5, "\(reading)")
  }
}

extension Bench {
  /// Reads an inertial unit; how many samples were lost.
  func readInertia(_ take: (InertialReading) -> Void) throws -> Int {
    var unit = try #require(driver as? any InertialUnit)
    defer { driver = unit }
    return try unit.readInertia(take)
  }
}
