#if !hasFeature(Embedded)

  extension ChipFact {
    static let mlx90393 = [
      ChipFact(
        .scale,
        "0.150 microtesla a count of x and y and 0.242 of z with GAIN_SEL 7, RES 0 and HALLCONF 0xC; twice that with RES 1, as it is used",
        .samples(
          SampleLayout(
            .field, from: 0x4E, at: 1, .big16, "+x +y +z", [.field(6000, 0.3004, z: 0.484)])),
        by: "Adafruit_MLX90393.h (a table of the data sheet of 2020)",
        "functionpointer arduino-MLX90393, MLX90393.cpp (0.150 and 0.242 by HALLCONF)",
        "avsa242 mlx90393-spin, sensor.magnetometer.3dof.mlx90393.spin",
        dispute:
          "tedyapo arduino-MLX90393 before 2018 and tedyapo MLX90393.py have 0.161 and 0.294 for any HALLCONF, from the data sheet of 2015; "
          + "its author found the later figures better in a Helmholtz coil (pull request 22)",
        proof:
          "one field along z and along x: where the older figures are right, z reads 0.88 of x"
      ),
      ChipFact(
        .scale, "98/75 of that with HALLCONF 0x0: 0.196 and 0.316 (the driver sets 0xC)",
        by: "functionpointer arduino-MLX90393, MLX90393.cpp",
        "Adafruit_MLX90393_Library, issue 7 (quotes the data sheet's footnote)",
        dispute:
          "Adafruit_MLX90393.h has 0.157 and 0.253, which issue 7 takes for those of 0xC at 35 degrees",
        proof: "one field read with both settings"),
      ChipFact(
        .axes, "x, y and z are taken as they are, right-handed",
        by: "INAV compass_mlx90393.c", "Adafruit_MLX90393_Library, compass_calibrated.ino"),
      ChipFact(
        .axes,
        "the print on Adafruit's board 4022 has x and y exchanged: x points along the arrow that says y",
        by: "Adafruit_MLX90393_Library, issue 22 (with the data sheet's figure)",
        "Adafruit_MLX90393_Library, issue 25"),
      ChipFact(
        .mode, "16 of the converter's 19 bits are read, from bit RES on, and wrap round beyond",
        by: "ESPHome, pull request 7635 (overflows near a magnet)",
        "Adafruit_CircuitPython_MLX90393 (counts to 22,000 with RES 2, to 11,000 with RES 3)"),
      ChipFact(
        .mode,
        "with HALLCONF 0xC no measurement ends where OSR and DIG_FILT are 0 and 0, 0 and 1 or 1 and 0",
        by: "RIOT, M. Ristau's mlx90393.c", "Adafruit_MLX90393_Library, issue 11",
        dispute: "tedyapo MLX90393.py has 1 and 1 in place of 1 and 0 (none is used)",
        proof: "a measurement with OSR 1 and DIG_FILT 0"),
      ChipFact(
        .boot, "RS of the first status byte after power-on or a reset is set, and no other's",
        by: "INAV compass_mlx90393.c", "Adafruit_MLX90393.cpp (the reset's status)"),
      ChipFact(
        .boot,
        "the first reading after power-on is no error where nothing was measured; later ones are",
        by: "SS_MLX90393.c by Wojtas5 (a list of faults)"),
      ChipFact(
        .identity,
        "it has none; the status after reading what was not measured is 0x12, and 0x10 for the temperature alone",
        by: "Melexis 3901090393 revision 002, page 13 (ERROR, D1 and D0)",
        "ST's forum, question 15176 (0x33 where four words were asked for too early)"),
    ]
  }

#endif
