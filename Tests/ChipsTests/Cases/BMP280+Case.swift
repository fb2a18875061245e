import Chips
import Simulation

extension ChipCase {
  static let bmp280 = bosch(
    .bmp280, .bmp280, .bmp280, others: [(0x60, "BME280"), (0x61, "BME680 or BME688"), (0x12, nil)])
  static let bme280 = bosch(
    .bme280, .bme280, .bme280, others: [(0x58, "BMP280"), (0x61, "BME680 or BME688"), (0x12, nil)])

  private static func bosch(
    _ model: ChipModel, _ emulated: EmulatedBMP280.Variant, _ variant: BMP280Variant,
    others: [(value: UInt8, name: String?)]
  ) -> ChipCase {
    ChipCase(
      model: model, address: 0x76,
      emulated: { EmulatedBMP280(surroundings: $0, variant: emulated) },
      driver: { BMP280(bus: $0, address: 0x76, variant: variant, settings: $1) },
      identity: (0xD0, others),
      // Step: BST-BMP280-DS001-23, table 4: 0.33 Pa at ×8.
      ranges: [
        ChipRange(
          quantity: .pressure, settings: ChipSettings(), inside: 25...1090, beyond: nil,
          step: SIMD3(repeating: 0.003_3))
      ],
      configurationRegister: 0xF5,
      // The filter of coefficient 4 keeps 0.75 of a step a sample: 0.75^40 is one in 100 000.
      settlingSamples: 40)
  }
}
