#if !hasFeature(Embedded)

  extension ChipFact {
    static let icm42670p = [
      ChipFact(
        .layout,
        "a packet of 16 bytes in the FIFO is a header, accelerometer, gyroscope, temperature, time; high bytes first where INTF_CONFIG0's "
          + "bit 4 is on, as after power-on",
        .samples(
          SampleLayout(
            .specificForce, from: 0x3F, at: 1, .big16, "+x +y +z", frame: (16, 0xF0, 0x60),
            invenSenseForces)),
        by: "TDK motion.mcu.icm42670p.driver, inv_imu_driver.c and inv_imu_regmap_rev_a.h",
        "ArduPilot AP_InertialSensor_Invensensev3.cpp (header 0x68; sets low bytes first)",
        "Zephyr icm42670.c (high bytes first after a reset)"),
      ChipFact(
        .scale, "16.4 counts a degree per second at ±2000; 2048 counts a g at ±16",
        .samples(
          SampleLayout(
            .angularRate, from: 0x3F, at: 7, .big16, "+x +y +z", frame: (16, 0xF0, 0x60),
            invenSenseRates)),
        by: "Zephyr icm42670.c", "ArduPilot AP_InertialSensor_Invensensev3.cpp"),
      ChipFact(
        .identity, "0x67", .identity(register: 0x75, values: [0x67]),
        by: "Zephyr icm42670_reg.h", "ArduPilot AP_InertialSensor_Invensensev3.cpp",
        "J. Braham's icm42670, lib.rs (which takes 0x60, the ICM-42607, too)"),
      ChipFact(
        .layout, "MREG1, with the FIFO's content, is block 0x00 of BLK_SEL_W and BLK_SEL_R",
        by: "TDK motion.arduino.ICM42670P, inv_imu_regmap_rev_a.h and inv_imu_transport.c",
        "ArduPilot AP_InertialSensor_Invensensev3.cpp",
        dispute:
          "Zephyr icm42670_reg.h has 0x28, the others' MREG2, and uses none of its registers",
        proof: "FIFO_CONFIG5 reads back as it was written, and the FIFO fills"),
      ChipFact(
        .mode, "MREG1 is reached only while the clock runs, which bit 3 of MCLK_RDY shows",
        by: "TDK motion.arduino.ICM42670P, inv_imu_transport.c", "Zephyr icm42670.c",
        dispute: "J. Braham's icm42670, lib.rs, waits for bit 0 in code that it does not use",
        proof: "0x00 read with IDLE set"),
      ChipFact(
        .mode, "it has no change of the gyroscope's mode that would repeat its values",
        by: "TDK motion.arduino.ICM42670P, inv_imu_regmap_rev_a.h (no bits for it)",
        dispute:
          "ArduPilot AP_InertialSensor_Invensensev3.cpp writes the ICM-42688-P's 0x4D to it too, a register that it does not have",
        proof: "whether two samples at 1600 Hz are equal where a turn passes 100 degrees per second"
      ),
      ChipFact(
        .layout, "the FIFO has 2.25 KB where SENSOR_CONFIG3's APEX_DISABLE is set, else 1 KB",
        by: "TDK motion.arduino.ICM42670P, inv_imu_regmap_rev_a.h",
        "ArduPilot AP_InertialSensor_Invensensev3.cpp (\"larger FIFO\")"),
      ChipFact(
        .boot,
        "a reset takes 1 ms, after which RESET_DONE is set; the gyroscope's samples are right after 60 ms",
        by: "TDK motion.mcu.icm42670p.driver, inv_imu_driver.c", "Zephyr icm42670.c (2 and 100 ms)"),
    ]
  }

#endif
