import Chips
import Quantities
import Simulation
import Testing

@Suite("BMP581 and BMP585", .timeLimit(.minutes(30)))
struct BMP581Tests {
  @Test("decodes 24 bits, low byte first, the temperature with its sign")
  func decode() {
    // Exact quotients from Python's fractions.
    for (bytes, hectopascal, celsius) in [
      ([UInt8(0x00), 0x00, 0x19, 0x40, 0x54, 0x62], 1006.89, 25.0),
      ([0x00, 0x00, 0xD8, 0x00, 0x53, 0x07], 75.0, -40.0),
      ([0x01, 0x80, 0x00, 0x01, 0x00, 0x00], 0.00015625, 0.5000152587890625),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 2621.43984375, -0.0000152587890625),
      ([0x00, 0x00, 0x80, 0x00, 0x00, 0x80], 1310.72, -128.0),
    ] {
      let reading = BMP581<NoBus>.decode(RegisterBytes(bytes), at: 0)
      #expect(reading == PressureReading(hectopascal: hectopascal, celsius: celsius))
    }
    let unmeasured = RegisterBytes([0x00, 0x00, 0x19, 0x7F, 0x7F, 0x7F])
    #expect(BMP581<NoBus>.decode(unmeasured, at: 0) == nil)
  }

  @Test("chooses an oversampling that a rate leaves time for, and the interrupt where it is wired")
  func rates() throws {
    for (wish, rate, oversampling, bits) in [
      (0.1, 1.0, UInt8(0x78), UInt8(0xF1)), (5, 5, 0x78, 0xE1), (6, 10, 0x70, 0xDD),
      (25, 25, 0x68, 0xD1), (50, 50, 0x60, 0xBD), (100, 100.2, 0x58, 0xA9), (999, 240, 0x48, 0x81),
    ] {
      let bench = Bench(
        .bmp581, settings: ChipSettings(rateHertz: wish, drivesDataReadyLine: wish > 20))
      try bench.driver.start()
      #expect(bench.driver.rateHertz == rate)
      #expect(2 * bench.driver.latencySeconds < 0.7 / rate)
      let file = try #require(bench.chip as? RegisterFile)
      #expect(file.registers[0x36] == oversampling && file.registers[0x37] == bits)
      #expect(file.registers[0x14] == (wish > 20 ? 0x3B : 0x33))
    }
  }

  @Test("refuses a chip that was not reset, or whose memory reports an error")
  func damaged() throws {
    for (register, value, kind) in [
      (
        UInt8(0x28), UInt8(0x07),
        ChipError.Kind.badFactoryData("the chip reports an error of its memory")
      ),
      (0x28, 0x01, .badFactoryData("the chip reports an error of its memory")),
      (0x27, 0x00, .unfinished("its reset")),
    ] {
      let bus = EmulatedBus()
      bus.place(FixedRegister(register, value), at: 0x46)
      var driver = BMP581(bus: bus, address: 0x46, model: .bmp581, settings: ChipSettings())
      #expect(refusal({ try driver.start() })?.kind == kind)
    }
  }

  /// A BMP581 with a register that never changes.
  private final class FixedRegister: EmulatedChip {
    private let chip = EmulatedBMP581(surroundings: FixedSurroundings(), identity: 0x50)
    private let register, content: UInt8

    init(_ register: UInt8, _ content: UInt8) {
      (self.register, self.content) = (register, content)
    }

    func read(
      _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
    ) {
      chip.read(register, into: bytes, at: instant)
      if register == self.register { bytes[0] = content }
    }
    func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp) {
      chip.write(bytes, to: register, at: instant)
    }
    func losePower(at instant: Timestamp) { chip.losePower(at: instant) }
  }
}
