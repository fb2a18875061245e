import Chips
import Simulation

extension ChipCase {
  static let bme680 = ChipCase(
    model: .bme680, address: 0x76,
    emulated: { EmulatedBME680(surroundings: $0) },
    driver: { BME680(bus: $0, address: 0x76, settings: $1) },
    identity: (0xD0, [(0x58, "BMP280"), (0x60, "BME280"), (0x12, nil)]),
    // Step: 20 bits of some 0.18 Pa.
    ranges: [
      ChipRange(
        quantity: .pressure, settings: ChipSettings(), inside: 25...1095, beyond: nil,
        step: SIMD3(repeating: 0.002))
    ],
    configurationRegister: 0x74)
}
