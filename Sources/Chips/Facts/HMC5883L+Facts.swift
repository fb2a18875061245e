#if !hasFeature(Embedded)

  extension ChipFact {
    static let hmc5883l = [
      ChipFact(
        .axes, "right-handed; the registers hold x, z, y, high byte first",
        .samples(
          SampleLayout(
            .field, from: 0x00, at: 3, .big16, "+x +z +y",
            [
              .field(88, 100 / 1370.0), .field(130, 100 / 1090.0), .field(190, 100 / 820.0),
              .field(250, 100 / 660.0), .field(400, 100 / 440.0), .field(470, 100 / 390.0),
              .field(560, 100 / 330.0), .field(810, 100 / 230.0),
            ])),
        by: "ArduPilot AP_Compass_HMC5843.cpp (x and z are negated, which is a rotation)",
        "PX4 HMC5883.cpp (-y, x, z)"),
      ChipFact(
        .scale, "1370, 1090, 820, 660, 440, 390, 330 and 230 counts a gauss by range",
        by: "PX4 HMC5883.cpp (all)", "ArduPilot AP_Compass_HMC5843.cpp (1090 at 1.3 gauss)"),
      ChipFact(
        .identity,
        "\"H43\" in 0AH to 0CH, of an LSM303DLHC's magnetometer too; some QMC5883L answer so at this address",
        .identity(register: 0x0A, values: [0x48]),
        by: "ArduPilot AP_Compass_HMC5843.cpp",
        "Betaflight issue 4531 (a QMC5883L \"DA 5883\" with this identity)"),
    ]
  }

#endif
