import Chips
import Simulation

extension ChipCase {
  static let bmp581 = bosch5(.bmp581, 0x50, others: [(0x51, "BMP585"), (0x58, nil)])
  static let bmp585 = bosch5(.bmp585, 0x51, others: [(0x50, "BMP581"), (0x58, nil)])

  private static func bosch5(
    _ model: ChipModel, _ identity: UInt8, others: [(value: UInt8, name: String?)]
  ) -> ChipCase {
    ChipCase(
      model: model, address: 0x47,
      emulated: { EmulatedBMP581(surroundings: $0, identity: identity) },
      driver: { BMP581(bus: $0, address: 0x47, model: model, settings: $1) },
      identity: (0x01, others),
      // Step: Linux bmp280-core.c (bmp580): 64 parts of a pascal.
      ranges: [
        ChipRange(
          quantity: .pressure, settings: ChipSettings(), inside: 25...1245, beyond: nil,
          step: SIMD3(repeating: 0.000_157))
      ],
      configurationRegister: 0x36)
  }
}
