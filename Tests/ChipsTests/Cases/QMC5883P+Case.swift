import Chips
import Simulation

extension ChipCase {
  static let qmc5883p = ChipCase(
    model: .qmc5883p, address: 0x2C,
    emulated: { EmulatedQMC5883P(surroundings: $0) },
    driver: { QMC5883P(bus: $0, address: 0x2C, settings: $1) },
    identity: (0x00, [(0x00, nil), (0x90, nil)]),
    // Steps: Adafruit_QMC5883P.cpp, counts a gauss: 15,000, 3750, 2500, 1000. Beyond 30,000 counts
    // OVFL.
    ranges: [(200.0, 0.006_67), (800, 0.026_7), (1200, 0.04), (3000, 0.1)].map {
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: $0.0),
        inside: -$0.0 * 0.99...$0.0 * 0.99, beyond: $0.0 * 1.01, step: SIMD3(repeating: $0.1))
    },
    configurationRegister: 0x0B)

  static let qmc6310 = ChipCase(
    model: .qmc6310, address: 0x1C,
    emulated: { EmulatedQMC5883P(surroundings: $0, part: .qmc6310) },
    driver: { QMC5883P(bus: $0, address: 0x1C, settings: $1, variant: .qmc6310) },
    identity: (0x00, [(0x00, nil), (0x90, nil)]),
    // Steps: SensorLib SensorQMC6310.hpp, microtesla, with more digits.
    ranges: [(200.0, 0.006_67), (800, 0.026_7), (1200, 0.04), (3000, 0.1)].map {
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: $0.0),
        inside: -$0.0 * 0.99...$0.0 * 0.99, beyond: $0.0 * 1.01, step: SIMD3(repeating: $0.1))
    },
    configurationRegister: 0x0B)

  static let qmc6309 = ChipCase(
    model: .qmc6309, address: 0x7C,
    emulated: { EmulatedQMC5883P(surroundings: $0, part: .qmc6309) },
    driver: { QMC5883P(bus: $0, address: 0x7C, settings: $1, variant: .qmc6309) },
    identity: (0x00, [(0x00, nil), (0x80, nil)]),
    // Steps: SensorLib SensorQMC6309.hpp, 4000, 2000 and 1000 counts a gauss.
    ranges: [(800.0, 0.025), (1600, 0.05), (3200, 0.1)].map {
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: $0.0),
        inside: -$0.0 * 0.99...$0.0 * 0.99, beyond: $0.0 * 1.01, step: SIMD3(repeating: $0.1))
    },
    configurationRegister: 0x0B)
}
