#if !hasFeature(Embedded)

  extension ChipFact {
    static let qmc5883p = [
      ChipFact(
        .axes,
        "right-handed; in the place of a QMC5883L its x points along that chip's -y, its y along -x, its z along -z",
        by: "INAV compass_qmc5883p.c (for a drop-in replacement: x = -y, y = -x, z = -z)",
        "ArduPilot F4BY_H743 hwdef.dat (yaw 180, an HMC5883L in its place yaw 270) with pull request 31874 (the QMC5883L as the HMC5883L)",
        dispute:
          "PX4's two drivers (forward x, right -y, down -z of the QMC5883L; forward -y, right -x, down -z of this chip) would have it "
          + "turned by 90 degrees about z only, if both were meant for one mount; its issue 26342 doubts this chip's",
        proof:
          "level, with a known north: the horizontal axis that reads most shows the turn, and the sign of z (north of the magnetic "
          + "equator the field points down) the side"),
      ChipFact(
        .layout,
        "x, y, z from 01H on, low byte first; 15,000, 3750, 2500 and 1000 counts a gauss at 2, 8, 12 and 30 gauss",
        .samples(
          SampleLayout(
            .field, from: 0x01, at: 0, .little16, "+x +y +z",
            [
              .field(200, 1 / 150.0), .field(800, 1 / 37.5), .field(1200, 1 / 25.0),
              .field(3000, 1 / 10.0),
            ])),
        by: "Adafruit_QMC5883P.cpp",
        "Linux qmc6308.c (a chip with the same registers and identity)",
        dispute:
          "PX4 QMC5883P.cpp and ArduPilot AP_Compass_QMC5883P.cpp have the QMC5883L's 12,000 and 3000 counts a gauss",
        proof: "the magnitude of the calibrated field beside that of the magnetic model: 25 % apart"
      ),
      ChipFact(
        .identity,
        "0x80 in 00H; a QMC6308 at the same address answers alike and has the same registers",
        .identity(register: 0x00, values: [0x80]),
        by: "ArduPilot AP_Compass_QMC5883P.cpp", "INAV compass_qmc5883p.c", "Linux qmc6308.c"),
      ChipFact(
        .mode, "SOFT_RST of 0BH stays set until it is written back",
        by: "Linux qmc6308.c (\"not auto-cleared\")",
        dispute: "PX4 QMC5883P.cpp waits until it has cleared itself",
        proof: "read 0BH after a reset; the driver works with both, as it writes the register anew"),
    ]
  }

#endif
