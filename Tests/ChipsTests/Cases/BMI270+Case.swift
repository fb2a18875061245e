import Chips
import Simulation

extension ChipCase {
  static let bmi270 = ChipCase(
    model: .bmi270, address: 0x68,
    emulated: { EmulatedBMI270(surroundings: $0) },
    driver: { bus, settings in
      var settings = settings
      settings.image = EmulatedBMI270.image
      return BMI270(bus: bus, address: 0x68, settings: settings)
    },
    identity: (0x00, [(0xD1, "BMI160"), (0xEA, "ICM-20948"), (0x27, nil), (0x00, nil)]),
    // Steps: Linux bmi270_core.c, microradians per second and µm/s².
    ranges: [(250.0, 133.0), (500, 266), (1000, 532), (2000, 1065)].map {
      .angularRate(degrees: $0.0, step: $0.1 * 1e-6)
    }
      + [(2.0, 598.0), (4, 1197), (8, 2394), (16, 4788)].map {
        .specificForce(g: $0.0, step: $0.1 * 1e-6)
      },
    configurationRegister: 0x43, fifoRegisters: [0x26], fifoSamples: 170)
}
