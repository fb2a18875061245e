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

  // Steps: the data sheets' resolutions at a ratio of 4096.
  static let ms5607 = relative(.ms5607, .ms5607, .ms5607, at: 0x77, 15...1195, 0.024)
  static let ms5637 = relative(
    .ms5637, .ms5637, .ms5637, at: 0x76, 15...1995, 0.021, impossible: [4, 2500])
  static let ms5837With30Bar = relative(
    .ms5837With30Bar, .ms5837With30Bar, .ms5837With30Bar, at: 0x76, 15...29_900, 0.28,
    impossible: [4, 31_000])
  static let ms5837With2Bar = relative(
    .ms5837With2Bar, .ms5837With2Bar, .ms5837With2Bar, at: 0x76, 15...1995, 0.022,
    impossible: [4, 2500])

  private static func relative(
    _ model: ChipModel, _ part: EmulatedMS5611.Part, _ variant: MS5611Variant,
    at address: UInt8, _ inside: ClosedRange<Double>, _ step: Double,
    impossible: [Double] = [4, 1300]
  ) -> ChipCase {
    ChipCase(
      model: model, address: address,
      emulated: { EmulatedMS5611(part, surroundings: $0) },
      driver: { MS5611(bus: $0, address: address, variant: variant, settings: $1) },
      identity: nil,
      ranges: [
        ChipRange(
          quantity: .pressure, settings: ChipSettings(), inside: inside, beyond: nil,
          step: SIMD3(repeating: step))
      ],
      configurationRegister: nil, impossiblePressures: impossible)
  }
}
