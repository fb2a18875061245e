import Chips
import Simulation

extension ChipCase {
  static let qmp6988 = omron(.qmp6988, .qmp6988)
  static let smpb02b = omron(.smpb02b, .smpb02b)

  private static func omron(_ model: ChipModel, _ part: EmulatedQMP6988.Part) -> ChipCase {
    ChipCase(
      model: model, address: 0x70,
      emulated: { EmulatedQMP6988(part, surroundings: $0) },
      driver: { QMP6988(bus: $0, address: 0x70, model: model, settings: $1) },
      identity: (0xD1, [(0x58, nil), (0x00, nil)]),
      // Step: 24 bits of some 0.03 Pa.
      ranges: [
        ChipRange(
          quantity: .pressure, settings: ChipSettings(), inside: 25...1095, beyond: nil,
          step: SIMD3(repeating: 0.000_5))
      ],
      configurationRegister: 0xF5)
  }
}
