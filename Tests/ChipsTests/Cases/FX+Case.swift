import Chips
import Simulation

extension ChipCase {
  static let fxos8700 = ChipCase(
    model: .fxos8700, address: 0x1F,
    emulated: { EmulatedFXOS8700(surroundings: $0) },
    driver: { FXOS8700(bus: $0, address: 0x1F, settings: $1) },
    identity: (0x0D, [(0xC4, nil), (0x00, nil), (0xD7, nil)]),
    // Steps: PX4 FXOS8701CQ.cpp and Adafruit_FXOS8700.h: 0.244, 0.488 and 0.976 milli-g of a 14-bit
    // count, 0.1 µT.
    ranges: [
      .specificForce(g: 2, step: 0.244e-3 * 9.806_65),
      .specificForce(g: 4, step: 0.488e-3 * 9.806_65),
      .specificForce(g: 8, step: 0.976e-3 * 9.806_65),
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: 1200), inside: -1188...1188,
        beyond: 1224, step: SIMD3(repeating: 0.1)),
    ],
    configurationRegister: 0x0E)

  static let fxas21002 = ChipCase(
    model: .fxas21002, address: 0x21,
    emulated: { EmulatedFXAS21002(surroundings: $0) },
    driver: { FXAS21002(bus: $0, address: 0x21, settings: $1) },
    identity: (0x0C, [(0xD6, nil), (0x00, nil), (0xC7, nil)]),
    // Steps: Adafruit_FXAS21002C.h, millidegrees per second; 32768 counts to an end.
    ranges: [(250.0, 7.8125), (500, 15.625), (1000, 31.25), (2000, 62.5)].map {
      .angularRate(degrees: $0.0, rail: 32.768 * $0.1, step: $0.1 * 1e-3 * .pi / 180)
    },
    configurationRegister: 0x0D, settlingSamples: 3)
}
