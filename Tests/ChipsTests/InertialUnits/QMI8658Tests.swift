import Chips
import Quantities
import Simulation
import Testing

@Suite("QMI8658", .timeLimit(.minutes(30)))
struct QMI8658Tests {
  @Test("sets rate and ranges of both halves, and the order of the bytes")
  func rates() throws {
    let expected: [(Double?, Double, UInt8)] = [
      (nil, 224.2, 5), (1, 28.025, 8), (113, 224.2, 5), (5000, 896.8, 3),
    ]
    for (wish, rate, bits) in expected {
      let (bus, chip) = (EmulatedBus(), EmulatedQMI8658(surroundings: FixedSurroundings()))
      bus.place(chip, at: 0x6A)
      var driver = QMI8658(bus: bus, address: 0x6A, settings: ChipSettings(rateHertz: wish))
      try driver.start()
      #expect(driver.rateHertz == rate)
      // ±1024 degrees a second and ±8 g by default.
      #expect(chip.registers[0x04] == 0x60 | bits && chip.registers[0x03] == 0x20 | bits)
      #expect(chip.registers[0x02] == 0x40 && chip.registers[0x08] == 0x03)
    }
  }

  @Test("a sample that is replaced while it is read is dropped and counted, not mixed")
  func replaced() throws {
    let surroundings = FixedSurroundings()
    let chip = EmulatedQMI8658(surroundings: surroundings)
    let bus = EmulatedBus()
    let watched = WatchedChip(chip)
    bus.place(watched, at: 0x6B)
    var driver = QMI8658(bus: bus, address: 0x6B, settings: ChipSettings(rateHertz: 112))
    try driver.start()
    bus.wait(nanoseconds: 50_000_000)
    // Between the data and the second look at the status another sample comes.
    let first = watched.reads.count
    watched.beforeRead = { index, _ in
      if index == first + 2 { bus.wait(nanoseconds: 10_000_000) }
    }
    var count = 0
    let lost = try driver.readInertia { _ in count += 1 }
    #expect(lost == 1 && count == 1)
  }
}
