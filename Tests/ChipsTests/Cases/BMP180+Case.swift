import Chips
import Simulation

extension ChipCase {
  static let bmp180 = ChipCase(
    model: .bmp180, address: 0x77,
    emulated: { EmulatedBMP180(surroundings: $0) },
    driver: { BMP180(bus: $0, address: 0x77, settings: $1) },
    identity: (0xD0, [(0x58, "BMP280"), (0x60, "BME280"), (0x12, nil)]),
    // Step: the whole numbers' 1 Pa.
    ranges: [
      ChipRange(
        quantity: .pressure, settings: ChipSettings(), inside: 25...1090, beyond: nil,
        step: SIMD3(repeating: 0.01))
    ],
    configurationRegister: nil, survivesPowerLoss: true)
}
