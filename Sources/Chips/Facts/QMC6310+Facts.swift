#if !hasFeature(Embedded)

  extension ChipFact {
    static let qmc6310 = [
      ChipFact(
        .axes, "right-handed, by the likeness to the QMC5883P, with 06H in the sign register 29H",
        by: "SunFounder qmc6310.py (writes 06H to 29H and takes the axes as they are)",
        proof: "turn it through all attitudes: the angle of the field to gravity stays the same"),
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
        by: "lewisxhe SensorLib SensorQMC6310.hpp",
        "Linux qmc6308.c (a chip with the same registers)",
        dispute: "SunFounder qmc6310.py has 32,768 counts at the range's end, 9 % more",
        proof: "the magnitude of the calibrated field beside that of the magnetic model"),
      ChipFact(
        .identity, "0x80 in 00H, as a QMC5883P or QMC6308, which have another address",
        .identity(register: 0x00, values: [0x80]),
        by: "lewisxhe SensorLib QMC6310Constants.h", "Linux qmc6308.c (the QMC6308)"),
    ]

    static let qmc6309 = [
      ChipFact(
        .axes, "right-handed as the registers have them",
        by:
          "ArduPilot AP_Compass_QMC6309.cpp (takes them as they are; pull request 34158: calibrated and flown)"
      ),
      ChipFact(
        .layout,
        "x, y, z from 01H on, low byte first; 4000, 2000 and 1000 counts a gauss at 8, 16 and 32 gauss",
        .samples(
          SampleLayout(
            .field, from: 0x01, at: 0, .little16, "+x +y +z",
            [.field(800, 1 / 40.0), .field(1600, 1 / 20.0), .field(3200, 1 / 10.0)])),
        by: "ArduPilot AP_Compass_QMC6309.cpp (8 gauss)", "lewisxhe SensorLib SensorQMC6309.hpp"),
      ChipFact(
        .identity, "0x90 in 00H", .identity(register: 0x00, values: [0x90]),
        by: "ArduPilot AP_Compass_QMC6309.cpp", "PCBCUPID_QMC6309.cpp"),
      ChipFact(
        .mode,
        "SOFT_RST of 0BH stays set until it is written back; the rate is in bits 6 to 4 of 0BH",
        by: "ArduPilot AP_Compass_QMC6309.cpp", "lewisxhe SensorLib SensorQMC6309.hpp",
        "SunFounder qmc6309.py"),
    ]
  }

#endif
