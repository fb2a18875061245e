#if !hasFeature(Embedded)

  extension ChipFact {
    static let ist8310 = [
      ChipFact(
        .axes,
        "the registers' axes are left-handed: z points against a right-handed package's; x, y, z low byte first",
        .samples(
          SampleLayout(
            .field, from: 0x02, at: 1, .little16, "+x +y -z", [.field(1600, 1 / 13.2)])),
        by: "PX4 IST8310.cpp (\"+x forward, +y right, +z up\": z is negated)",
        "ArduPilot AP_Compass_IST8310.cpp (\"flip Z to conform to right-hand rule convention\")"),
      ChipFact(
        .scale, "1320 counts a gauss with 16 bits, which 70H in 0DH switches on; 330 with 14",
        by: "PX4 IST8310.cpp (1320)", "ArduPilot AP_Compass_IST8310.cpp (0.3 microtesla, 14 bits)",
        dispute: "0.3 microtesla are 333 counts a gauss, 1 % from a quarter of 1320",
        proof: "the magnitude of the calibrated field with 14 and with 16 bits at one place"),
      ChipFact(
        .identity, "0x10 in 00H", .identity(register: 0x00, values: [0x10]),
        by: "PX4 IST8310.cpp", "ArduPilot AP_Compass_IST8310.cpp"),
      ChipFact(
        .boot, "a reset takes at most 50 ms, and SRST clears itself",
        by: "PX4 IST8310.cpp (\"Power On Reset: max 50ms\")",
        "ArduPilot AP_Compass_IST8310.cpp (SRST)"),
    ]
  }

#endif
