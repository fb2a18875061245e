#if !hasFeature(Embedded)

  extension ChipFact {
    static let lis2mdl = [
      ChipFact(
        .axes, "the registers' axes are left-handed: z points against a right-handed package's",
        .samples(
          SampleLayout(
            .field, from: 0x60, at: 8, .little16, "+x +y -z", [.field(4900, 0.15)])),
        by: "ArduPilot AP_Compass_LIS2MDL.cpp and AP_Compass_IIS2MDC.cpp (z is negated)",
        "Betaflight compass_lis2mdl.c (x is negated: \"left-handed\")",
        "phoenix-rtos-devices, pull request 398 (tested by hand)"),
      ChipFact(
        .identity, "0x40, in the LSM303AGR and IIS2MDC too",
        .identity(register: 0x4F, values: [0x40]),
        by: "ST lis2mdl_reg.h", "Linux st_magn_core.c"),
    ]
  }

#endif
