import Chips
import Quantities
import Simulation
import Testing

@Suite("LSM6DS family, started again", .timeLimit(.minutes(30)))
struct LSM6DSRestartTests {
  @Test("with samples in the FIFO, where the chip does not acknowledge its reset")
  func restart() throws {
    for (part, variant) in [
      (EmulatedLSM6DSFamily.Part.lsm6dso, LSM6DSVariant.lsm6dso), (.ism330dhcx, .ism330dhcx),
      (.lsm6dso32, .lsm6dso32),
    ] {
      let bus = EmulatedBus()
      let chip = EmulatedLSM6DSFamily(part, surroundings: FixedSurroundings())
      bus.place(chip, at: 0x6A)
      for _ in 0..<3 {
        var driver = LSM6DSFamily(
          bus: bus, address: 0x6A, settings: ChipSettings(), variant: variant)
        try driver.start()
        bus.wait(nanoseconds: 500_000_000)
      }
      // The chip by itself refuses the reset in this state.
      #expect(throws: BusError.self) { try bus.write(0x05, to: 0x12, of: 0x6A) }
    }
  }
}
