import Chips
import Simulation

extension ChipCase {
  static let bmp388 = bosch3(.bmp388, 0x50, others: [(0x60, "BMP390"), (0x58, nil)])
  static let bmp390 = bosch3(.bmp390, 0x60, others: [(0x50, "BMP388"), (0x58, nil)])

  private static func bosch3(
    _ model: ChipModel, _ identity: UInt8, others: [(value: UInt8, name: String?)]
  ) -> ChipCase {
    ChipCase(
      model: model, address: 0x77,
      emulated: { EmulatedBMP388(surroundings: $0, identity: identity) },
      driver: { BMP388(bus: $0, address: 0x77, model: model, settings: $1) },
      identity: (0x00, others),
      // Step: BST-BMP388-DS001, section 3.4.1: 0.16 Pa at x16; the whole numbers have 0.01 Pa.
      ranges: [
        ChipRange(
          quantity: .pressure, settings: ChipSettings(), inside: 25...1240, beyond: nil,
          step: SIMD3(repeating: 0.01))
      ],
      configurationRegister: 0x1D)
  }
}
