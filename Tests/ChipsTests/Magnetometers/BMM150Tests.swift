import Chips
import Quantities
import Simulation
import Testing

@Suite("BMM150", .timeLimit(.minutes(30)))
struct BMM150Tests {
  /// x1 2, y1 -3, z4 10, x2 26, y2 27, z2 763, z1 24747, xyz1 6753, z3 -10, xy2 -3, xy1 29.
  private static let bytes: [UInt8] = [
    0x02, 0xFD, 0, 0, 0, 0x0A, 0x00, 0x1A, 0x1B, 0, 0, 0xFB, 0x02, 0xAB, 0x60, 0x61, 0x1A, 0xF6,
    0xFF, 0xFD, 0x1D,
  ]

  @Test("reads the trim registers in their places")
  func registers() {
    let trim = BMM150Trim(RegisterBytes(Self.bytes))
    #expect([trim.x1, trim.y1, trim.x2, trim.y2, trim.xy1, trim.xy2] == [2, -3, 26, 27, 29, -3])
    #expect([trim.z1, trim.z2, trim.z3, trim.z4, trim.xyz1] == [24_747, 763, -10, 10, 6753])
    #expect(trim.fault == nil)
    #expect(BMM150Trim(RegisterBytes(count: 21)).fault != nil)
  }

  /// - Source: Worked out by the C expressions of Linux bmc150_magn.c, compiled. Without a
  ///   resistance the kernel takes the reference for x and y only, Lodestar for z too.
  @Test(
    "compensates like the kernel's driver, to the last digit",
    arguments: [
      (SIMD3(0, 0, 0), 6753, SIMD3(16, -24, -55)),
      (SIMD3(100, -100, 1000), 6753, SIMD3(597, -609, 5533)),
      (SIMD3(-4095, 4095, -16_383), 6820, SIMD3(-23_760, 23_879, -90_829)),
      (SIMD3(4095, 4095, 16_383), 5000, SIMD3(24_728, 24_821, 118_199)),
      (SIMD3(1, -1, 1), 0, SIMD3(21, -30, -50)),
      (SIMD3(777, -1234, 4321), 16_383, SIMD3(4213, -6726, 10_755)),
    ])
  func compensation(_ raw: SIMD3<Int>, _ resistance: Int, _ expected: SIMD3<Int>) {
    let trim = BMM150Trim(RegisterBytes(Self.bytes))
    #expect(trim.sixteenths(raw, resistance: resistance) == expected)
  }

  @Test("reports each axis's overflow as saturated")
  func overflow() {
    let trim = BMM150Trim(RegisterBytes(Self.bytes))
    for raw in [SIMD3(-4096, 0, 0), SIMD3(0, -4096, 0), SIMD3(0, 0, -16_384)] {
      #expect(trim.sixteenths(raw, resistance: 6753) == nil)
    }
  }

  @Test("refuses a trim that no factory wrote")
  func damagedTrim() throws {
    let bench = Bench(.bmm150)
    let empty = RegisterFile(defaults: [0x40: 0x32], writable: [0x4B: 0x07])
    bench.bus.place(empty, at: bench.address)
    let error = refusal { try bench.driver.start() }
    guard case .badFactoryData = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("chooses the preset by the rate")
  func presets() throws {
    for (wish, rate, xy, z) in [
      (1.0, 2.0, UInt8(23), UInt8(82)), (7, 8, 23, 82), (20, 20, 23, 82), (21, 25, 7, 26),
      (999, 30, 7, 26),
    ] {
      let bench = Bench(.bmm150, settings: ChipSettings(rateHertz: wish))
      try bench.driver.start()
      #expect(bench.driver.rateHertz == rate)
      let file = try #require(bench.chip as? RegisterFile)
      #expect(Array(file.registers[0x51...0x52]) == [xy, z])
    }
  }
}
