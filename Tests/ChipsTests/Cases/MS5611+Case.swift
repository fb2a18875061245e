import Chips
import Simulation

extension ChipCase {
  static let ms5611 = ChipCase(
    model: .ms5611, address: 0x77,
    emulated: { EmulatedMS5611(surroundings: $0) },
    driver: { MS5611(bus: $0, address: 0x77, settings: $1) },
    identity: nil,
    // Step: the data sheet's resolution at a ratio of 4096, 0.012 hPa.
    ranges: [
      ChipRange(
        quantity: .pressure, settings: ChipSettings(), inside: 15...1195, beyond: nil,
        step: SIMD3(repeating: 0.012))
    ],
    configurationRegister: nil)
}
