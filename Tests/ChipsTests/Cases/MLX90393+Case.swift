import Chips
import Simulation

extension ChipCase {
  static let mlx90393 = ChipCase(
    model: .mlx90393, address: 0x0C,
    emulated: { EmulatedMLX90393(surroundings: $0) },
    driver: { MLX90393(bus: $0, address: 0x0C, settings: $1) },
    identity: nil,
    // Steps: Adafruit_MLX90393.h, HALLCONF 0xC, GAIN_SEL 7, RES 1.
    ranges: [
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: 6000), inside: -5950...5950,
        beyond: 6100, step: SIMD3(0.3, 0.3, 0.484))
    ],
    configurationRegister: nil)
}
