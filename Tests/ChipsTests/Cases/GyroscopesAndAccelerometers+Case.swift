import Chips
import Simulation

/// Chips of one quantity, which boards of several chips have: GY-80, GY-85.
extension ChipCase {
  static let l3g4200d = gyroscope(.l3g4200d, others: [(0x12, nil), (0x00, nil)])
  static let l3gd20 = gyroscope(.l3gd20, others: [(0xD7, "L3GD20H"), (0x6B, "ISM330DHCX")])
  static let l3gd20h = gyroscope(.l3gd20h, others: [(0xD4, "L3GD20"), (0x00, nil)])

  private static func gyroscope(
    _ model: ChipModel, others: [(value: UInt8, name: String?)]
  ) -> ChipCase {
    ChipCase(
      model: model, address: model.addresses[0],
      emulated: { EmulatedL3GD20(model, surroundings: $0) },
      driver: { L3GD20(bus: $0, address: model.addresses[0], settings: $1, model: model) },
      identity: (0x0F, others),
      // Steps: Linux st_gyro_core.c, micro-degrees per second.
      ranges: [(245.0, 8750.0), (500, 17_500), (2000, 70_000)].map {
        .angularRate(degrees: $0.0, rail: $0.1 * 32_768e-6, step: $0.1 * 1e-6 * .pi / 180)
      }, configurationRegister: 0x23, fifoRegisters: [0xA8], fifoSamples: 32)
  }

  static let adxl345 = ChipCase(
    model: .adxl345, address: 0x53,
    emulated: { EmulatedADXL345(surroundings: $0) },
    driver: { ADXL345(bus: $0, address: 0x53, settings: $1) },
    identity: (0x00, [(0xE6, nil), (0x00, nil)]),
    // Step: 256 counts a g, Linux adxl345_core.c.
    ranges: [.specificForce(g: 15.9, rail: 15.996, step: 9.806_65 / 256)],
    configurationRegister: 0x31, fifoRegisters: [0x32], fifoSamples: 32)

  static let itg3205 = ChipCase(
    model: .itg3205, address: 0x68,
    emulated: { EmulatedITG3205(surroundings: $0) },
    driver: { ITG3205(bus: $0, address: 0x68, settings: $1) },
    identity: (0x00, [(0xE5, nil), (0x00, nil)]),
    // Step: Linux itg3200_core.c.
    ranges: [.angularRate(degrees: 2000, rail: 32_768 / 14.375, step: 1_214_142e-9)],
    configurationRegister: 0x16)
}
