import Chips
import Simulation

extension ChipCase {
  static let lsm303d = lsm303d(.lsm303d)
  static let lsm9ds0 = lsm303d(.lsm9ds0)

  private static func lsm303d(_ model: ChipModel) -> ChipCase {
    ChipCase(
      model: model, address: 0x1D,
      emulated: { EmulatedLSM303D(surroundings: $0, isLSM9DS0: model == .lsm9ds0) },
      driver: { LSM303D(bus: $0, address: 0x1D, settings: $1, model: model) },
      identity: (0x0F, [(0x3D, nil), (0x00, nil)]),
      // Steps: PX4 LSM303D.cpp, milli-g and milligauss; 32768 counts to an end.
      ranges: forces + fields, configurationRegister: 0x21)
  }

  private static var forces: [ChipRange] {
    [(2.0, 0.061), (4, 0.122), (6, 0.183), (8, 0.244), (16, 0.732)].map { g, milliG in
      .specificForce(g: g, rail: 32.768 * milliG, step: milliG * 9.806_65e-3)
    }
  }

  private static var fields: [ChipRange] {
    [(200.0, 0.008), (400, 0.016), (800, 0.032), (1200, 0.0479)].map { field, step in
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: field),
        inside: -field * 0.99...field * 0.99, beyond: field * 1.02, step: SIMD3(repeating: step))
    }
  }
}
