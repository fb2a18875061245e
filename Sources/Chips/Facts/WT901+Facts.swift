#if !hasFeature(Embedded)

  extension ChipFact {
    static let wt901 = [
      ChipFact(
        .scale,
        "16 g and 2000 degrees per second over 2^15 counts, low bytes first, in frames of 11 bytes with their sum",
        by: "WitMotion's Python protocol resolver (accRange 16, gyroRange 2000, PackSize 11)",
        "WitMotion WT901 datasheet v20-0702, section 5.1"),
      ChipFact(
        .layout, "0x51 acceleration, 0x52 angular rate, 0x53 angles, 0x54 field, 0x59 quaternion",
        by: "eluinstra/msp-ui WitMotionProtocol.tsx",
        "ElettraSciComp/witmotion_IMU_QT util.cpp (header, three values and a fourth, sum of ten bytes)"
      ),
    ]
  }

#endif
