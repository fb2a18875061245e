#if !hasFeature(Embedded)

  extension ChipFact {
    static let qmc5883l = [
      ChipFact(
        .axes, "the registers' axes are right-handed, as printed; also of a QMC5883L marked HA-588",
        by: "PX4 QMC5883L.cpp (forward x, right -y, down -z)",
        "ArduPilot AP_Compass_QMC5883L.cpp (x and z are negated, which is a rotation)",
        dispute:
          "Betaflight's pull requests 15313 and 15314 negate z of chips marked HA-588-1A31; their author withdrew them: "
          + "\"the fix doesn't work\"",
        proof:
          "turn the module through all attitudes: the angle of the field to gravity stays the same only with the right handedness "
          + "('lodestar check')"),
      ChipFact(
        .layout,
        "x, y, z from 00H on, low byte first; 12,000 counts a gauss at 2 gauss, 3000 at 8 gauss",
        .samples(
          SampleLayout(
            .field, from: 0x00, at: 0, .little16, "+x +y +z",
            [.field(200, 1 / 120.0), .field(800, 1 / 30.0)])),
        by: "Linux qmc5883l.c (83,333 and 333,333 nanogauss)",
        "PX4 QMC5883L.cpp (1/12000 gauss)", "ArduPilot AP_Compass_QMC5883L.cpp (1/3000 gauss)"),
      ChipFact(
        .identity,
        "0xFF in 0DH, like an empty bus; the first revision of the data sheet has no identity",
        .identity(register: 0x0D, values: [0xFF]),
        by: "Linux qmc5883l.c (\"rev 1.0 had this register reserved\")",
        "PX4 QMC5883L.cpp", "ArduPilot AP_Compass_QMC5883L.cpp (also 01H in 0CH)"),
      ChipFact(
        .boot, "the identity is reliable only after register 00H was read once, or after a reset",
        by: "ArduPilot AP_Compass_QMC5883L.cpp (\"must read registers 0x00 once or reset\")",
        "PX4 QMC5883L.cpp (\"first read 0x0 once\")"),
    ]
  }

#endif
