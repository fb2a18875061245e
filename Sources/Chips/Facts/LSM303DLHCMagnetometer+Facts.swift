#if !hasFeature(Embedded)

  extension ChipFact {
    static let lsm303dlhcMagnetometer = [
      ChipFact(
        .layout,
        "x, z, y from 03H on, high byte first; z has fewer counts a gauss than x and y: 1100 and 980, 855 and 760, 670 and 600, 450 and "
          + "400, 400 and 355, 330 and 295, 230 and 205 by range",
        .samples(
          SampleLayout(
            .field, from: 0x00, at: 3, .big16, "+x +z +y",
            [
              .field(130, 100 / 1100.0, z: 100 / 980.0), .field(190, 100 / 855.0, z: 100 / 760.0),
              .field(250, 100 / 670.0, z: 100 / 600.0), .field(400, 100 / 450.0, z: 100 / 400.0),
              .field(470, 100 / 400.0, z: 100 / 355.0), .field(560, 100 / 330.0, z: 100 / 295.0),
              .field(810, 100 / 230.0, z: 100 / 205.0),
            ])),
        by: "ST LSM303DLHC data sheet DocID018771", "Linux st_magn_core.c (as microgauss, rounded)"),
      ChipFact(
        .axes, "right-handed, the accelerometer's",
        by: "ST LSM303DLHC data sheet DocID018771, figure of the axes"),
      ChipFact(
        .identity, "the HMC5883L's \"H43\"; only the accelerometer at 0x19 tells them apart",
        by: "Linux st_magn_core.c (WHO_AM_I is of no use)",
        "cleanflight pull request 387 (its HMC5883L driver reads it)"),
    ]
  }

#endif
