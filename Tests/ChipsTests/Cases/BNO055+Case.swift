import Chips
import Simulation

extension ChipCase {
  private static var ranges: [ChipRange] {
    var ranges: [ChipRange] = []
    for degrees in [250.0, 500, 1000, 2000] {
      ranges.append(.angularRate(degrees: degrees, step: degrees / 1_877_467))
    }
    for g in [2.0, 4, 8, 16] { ranges.append(.specificForce(g: g, step: 0.01)) }
    let step = SIMD3(repeating: 1.0 / 16)
    ranges.append(
      ChipRange(
        quantity: .field, settings: ChipSettings(), inside: -1250...1250, beyond: 1400, step: step))
    return ranges
  }

  static let bno055 = ChipCase(
    model: .bno055, address: 0x28,
    emulated: { EmulatedBNO055(surroundings: $0) },
    driver: { BNO055(bus: $0, address: 0x28, settings: $1) },
    identity: (0x00, [(0xA1, nil), (0x24, nil), (0x00, nil)]),
    // Steps: Linux bno055.c, degrees a second over 1877467 rad/s; 10 mm/s²; 16 counts a microtesla.
    ranges: ranges,
    configurationRegister: 0x3B, settlingSamples: 8, bootMilliseconds: 650)
}
