import Chips
import Quantities
import Simulation
import Testing

@Suite("AK09916", .timeLimit(.minutes(30)))
struct AK09916Tests {
  @Test("decodes the data sheet's table of the measurement's format")
  func decode() {
    // 32,752, 1 and -32,752 (AK09918, table 11.3): 4912, 0.15 and -4912 µT, rounded.
    let bytes = RegisterBytes([0x5A, 0xF0, 0x7F, 0x01, 0x00, 0x10, 0x80])
    let field = AK09916<NoBus>.decode(bytes, at: 1).components
    #expect(abs(field.x - 4912) < 1 && abs(field.y - 0.15) < 1e-12 && abs(field.z + 4912) < 1)
  }

  @Test("is not taken for an AK8963, nor an AK8963 for it, and nothing is written to either")
  func neighbours() {
    for (chip, driver) in [(ChipModel.ak09916, ChipModel.ak8963), (.ak8963, .ak09916)] {
      let bus = EmulatedBus()
      bus.place(chip.emulated(FixedSurroundings()), at: 0x0C)
      var wrong = driver.driver(bus: bus, address: 0x0C, settings: ChipSettings())
      let error = refusal { try wrong.start() }
      #expect(error?.description.contains(chip.rawValue) == true)
      #expect(bus.writes == 0)
    }
  }

  @Test("reports saturation if the sum of the axes overflows, but no single one")
  func overflow() throws {
    let bench = Bench(.ak09916)
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
    let bench = Bench(.ak09916)
    try bench.driver.start()
    _ = try bench.read(atLeast: 1)
    bench.bus.wait(nanoseconds: 12_000_000)
    _ = try bench.bus.read(0x11, of: bench.address)
    bench.feel(.field, 700)
    #expect(try bench.read().isEmpty)
    let next = try #require(bench.read(atLeast: 1).first?.vectors[.field]?.value)
    #expect(abs(next.x - 700) < 0.2)
  }

  @Test("has the documented axes in the ICM-20948: x along x, y and z against y and z")
  func axes() throws {
    let mount = try #require(ChipModel.ak09916.axesInPackage)
    let forwardLeftUp = AxisMount.standard.rotation.inverse
    let own = MagneticField<SensorFrame>(microtesla: SIMD3(1, 2, 3))
    let unit = forwardLeftUp(mount.rotation(own)).components
    let expected = SIMD3(1.0, -2, -3)
    for axis in 0..<3 { #expect(abs(unit[axis] - expected[axis]) < 1e-12) }
  }

  @Test("has four rates")
  func rates() {
    let bus = EmulatedBus()
    for (wish, rate) in [(1.0, 10.0), (11, 20), (50, 50), (51, 100), (999, 100)] {
      let settings = ChipSettings(rateHertz: wish)
      #expect(AK09916(bus: bus, address: 0x0C, settings: settings).rateHertz == rate)
    }
  }
}
