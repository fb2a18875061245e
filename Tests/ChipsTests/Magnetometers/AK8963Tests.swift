import Chips
import Quantities
import Simulation
import Testing

@Suite("AK8963", .timeLimit(.minutes(30)))
struct AK8963Tests {
  @Test("adjusts by the data sheet's formula, H ((ASA - 128) 0.5 / 128 + 1)")
  func adjustment() {
    // By hand: 128 leaves it, 0 halves it, 192 adds a quarter, 255 gives 1 + 127/256.
    for (byte, factor) in [(UInt8(128), 1.0), (0, 0.5), (192, 1.25), (64, 0.75), (255, 1.49609375)]
    {
      let factors = AK8963<EmulatedBus>.adjustment(RegisterBytes([byte, 128, byte]))
      #expect(factors == SIMD3(factor, 1, factor))
    }
  }

  @Test("reads the fuse ROM of its own chip and returns the true field")
  func fuseROM() throws {
    let bus = EmulatedBus()
    let surroundings = FixedSurroundings()
    let chip = EmulatedAK8963(surroundings: surroundings, adjustment: SIMD3(192, 64, 255))
    bus.place(chip, at: 0x0C)
    surroundings.field = SIMD3(150, -75, 300)
    var driver = AK8963(bus: bus, address: 0x0C, settings: ChipSettings())
    try driver.start()
    bus.wait(nanoseconds: 11_000_000)
    let field = try #require(driver.readField()?.value).components
    // 150/0.15/1.25 = 800; -75/0.15/0.75 = -666.7; 300/0.15/1.496 = 1336.8.
    #expect(Array(chip.registers[3...8]) == [0x20, 0x03, 0x65, 0xFD, 0x39, 0x05])
    #expect(abs(field.x - 150) < 0.1 && abs(field.y + 75) < 0.1 && abs(field.z - 300) < 0.15)
    // Outside its mode the ROM reads as zero.
    #expect(try bus.read(0x10, of: 0x0C) == 0)
  }

  @Test("refuses an AK8975, which has the same identity")
  func forerunner() {
    let bus = EmulatedBus()
    bus.place(EmulatedAK8963(surroundings: FixedSurroundings(), isAK8975: true), at: 0x0C)
    var driver = AK8963(bus: bus, address: 0x0C, settings: ChipSettings())
    let error = refusal { try driver.start() }
    #expect(error?.kind == .configurationRefused(register: 0x0A, wrote: 0x1F, found: 0x0F))
  }

  @Test("refuses a missing fuse ROM", arguments: [0x00, 0xFF] as [UInt8])
  func emptyROM(_ byte: UInt8) {
    let bus = EmulatedBus()
    let surroundings = FixedSurroundings()
    bus.place(
      EmulatedAK8963(surroundings: surroundings, adjustment: SIMD3(repeating: byte)), at: 0x0C)
    var driver = AK8963(bus: bus, address: 0x0C, settings: ChipSettings())
    let error = refusal { try driver.start() }
    #expect(error?.description.contains(Hexadecimal.text(byte)) == true)
  }

  @Test("reports saturation if the sum of the axes overflows, but no single one")
  func overflow() throws {
    let bench = Bench(.ak8963)
    try bench.driver.start()
    for (field, isSaturated) in [
      (SIMD3(1600.0, -1600, 1600), false), (SIMD3(1700.0, -1700, 1700), true),
    ] {
      bench.surroundings.field = field
      _ = try bench.read(atLeast: 1)
      let reading = try #require(bench.read(atLeast: 1).last?.vectors[.field])
      #expect((reading == .saturated) == isSaturated)
    }
  }

  @Test("continues after another program has read the data and left the chip locked")
  func heldBack() throws {
    let bench = Bench(.ak8963)
    try bench.driver.start()
    _ = try bench.read(atLeast: 1)
    bench.bus.wait(nanoseconds: 12_000_000)
    _ = try bench.bus.read(0x03, of: bench.address)
    bench.feel(.field, 700)
    #expect(try bench.read().isEmpty)
    let next = try #require(bench.read(atLeast: 1).first?.vectors[.field]?.value)
    #expect(abs(next.x - 700) < 0.2)
  }

  @Test("has the documented axes in the MPU-9250: x along y, y along x, z against z")
  func axes() throws {
    let mount = try #require(ChipModel.ak8963.axesInPackage)
    let forwardLeftUp = AxisMount.standard.rotation.inverse
    let own = MagneticField<SensorFrame>(microtesla: SIMD3(1, 2, 3))
    let mpu = forwardLeftUp(mount.rotation(own)).components
    let expected = SIMD3(2.0, 1, -3)
    for axis in 0..<3 { #expect(abs(mpu[axis] - expected[axis]) < 1e-12) }
  }

  @Test("has two rates")
  func rates() {
    let bus = EmulatedBus()
    for (wish, rate) in [(1.0, 8.0), (8, 8), (8.1, 100), (999, 100)] {
      let settings = ChipSettings(rateHertz: wish)
      #expect(AK8963(bus: bus, address: 0x0C, settings: settings).rateHertz == rate)
    }
  }
}
