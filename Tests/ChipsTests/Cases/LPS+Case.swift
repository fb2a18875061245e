import Chips
import Simulation

extension ChipCase {
  static let lps25hb = lps(
    .lps25hb, .lps25hb, others: [(0xB1, "LPS22HB"), (0xBB, "LPS331AP"), (0x01, nil)],
    configuration: 0x10)
  static let lps22hb = lps(
    .lps22hb, .lps22hb, others: [(0xB3, "LPS22HH"), (0xBD, "LPS25HB"), (0x01, nil)],
    configuration: 0x10)
  static let lps22hh = lps(
    .lps22hh, .lps22hh, others: [(0xB1, "LPS22HB"), (0xB4, "LPS22DF"), (0x01, nil)],
    configuration: 0x11)
  static let lps22df = lps(
    .lps22df, .lps22df, others: [(0xB1, "LPS22HB"), (0xB3, "LPS22HH"), (0x01, nil)],
    configuration: 0x11)

  private static func lps(
    _ variant: LPSVariant, _ part: EmulatedLPSFamily.Part,
    others: [(value: UInt8, name: String?)], configuration: UInt8
  ) -> ChipCase {
    ChipCase(
      model: LPSFamily(
        bus: NoBus(), address: 0x5C, settings: ChipSettings(), variant: variant
      ).model,
      address: 0x5C,
      emulated: { EmulatedLPSFamily(part, surroundings: $0) },
      driver: { LPSFamily(bus: $0, address: 0x5C, settings: $1, variant: variant) },
      identity: (0x0F, others),
      // Step: Linux st_pressure_core.c: 4096 counts a millibar.
      ranges: [
        ChipRange(
          quantity: .pressure, settings: ChipSettings(), inside: 25...1255, beyond: nil,
          step: SIMD3(repeating: 0.000_244))
      ],
      configurationRegister: configuration)
  }
}
