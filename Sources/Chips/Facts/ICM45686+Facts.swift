#if !hasFeature(Embedded)

  extension ChipFact {
    private static let frame45686: (bytes: Int, mask: UInt8, value: UInt8) = (16, 0xF0, 0x60)

    static let icm45686 = [
      ChipFact(
        .layout,
        "a packet of 16 bytes in the FIFO is a header, accelerometer, gyroscope, temperature, time, low bytes first as after power-on",
        .samples(
          SampleLayout(
            .specificForce, from: 0x14, at: 1, .little16, "+x +y +z", frame: frame45686,
            [2.0, 4, 8, 16, 32].map { .force($0, $0 * Unit.gravity / 32_768) })),
        by: "Linux inv_icm45600_buffer.c", "PX4 ICM45686.cpp (swapped against the manual)",
        "ArduPilot AP_InertialSensor_Invensensev3.cpp",
        dispute:
          "a comment of Linux inv_icm45600.h says high bytes first; its code reads low bytes first",
        proof: "gravity at rest"),
      ChipFact(
        .scale, "the range over 2^15 counts, to ±4000 degrees per second and ±32 g",
        .samples(
          SampleLayout(
            .angularRate, from: 0x14, at: 7, .little16, "+x +y +z", frame: frame45686,
            [250.0, 500, 1000, 2000, 4000].map { .rate($0, $0 * Unit.degree / 32_768) })),
        by: "Linux inv_icm45600_gyro.c", "PX4 ICM45686.cpp (8.192 counts a degree at ±4000)"),
      ChipFact(
        .scale, "packets of 20 bytes have the widest ranges whatever is set; they are not used",
        by: "PX4 ICM45686.cpp", "Zephyr icm45686_stream.c"),
      ChipFact(
        .axes, "x forward, y left, z up",
        by: "PX4 ICM45686.cpp (y and z are negated for z down)",
        "ArduPilot AP_InertialSensor_Invensensev3.cpp (taken as they are, with a rotation)"),
      ChipFact(
        .identity, "0xE9 in 0x72", .identity(register: 0x72, values: [0xE9]),
        by: "Linux inv_icm45600.h", "PX4 InvenSense_ICM45686_registers.hpp",
        "Zephyr icm45686_reg.h"),
      ChipFact(
        .layout,
        "FIFO_COUNT counts frames, and its first read may be stale (AN-000364, 2.2): the second is taken",
        by: "PX4 ICM45686.cpp", "SlimeVR-Tracker-nRF, pull request 156",
        dispute: "in that request a maintainer holds that it is true of frames of 8 bytes only",
        proof: "two reads in a row that differ by more than the samples between them"),
      ChipFact(
        .mode,
        "in stream mode a read that empties the FIFO may corrupt it (AN-000364): it is used with stop when full, as PX4 and ArduPilot do",
        by: "TDK motion.mcu.icm45686.driver, adv_read_fifo.c", "Zephyr icm45686_stream.c",
        dispute:
          "Linux inv_icm45600_buffer.c empties it in stream mode; SlimeVR-Tracker-nRF, issue 23, had corrupt frames of 16 bytes and uses 20",
        proof: "headers that are none of a packet's, counted for a day"),
      ChipFact(
        .boot, "the first transfer on I2C after power-on may not be acknowledged (AN-000364)",
        by: "TDK motion.mcu.icm45686.driver, inv_imu_driver.c", "SlimeVR-Tracker-nRF (a dummy read)"
      ),
      ChipFact(
        .boot, "a reset takes 1 ms, after which RESET_DONE is set; samples are right within 60 ms",
        by: "Linux inv_icm45600_core.c", "TDK motion.mcu.icm45686.driver, inv_imu_driver.c"),
      ChipFact(
        .mode, "INT1_CONFIG2's bit 2 is an open drain (the line, where it is wired)",
        by: "PX4 InvenSense_ICM45686_registers.hpp", "Betaflight accgyro_spi_icm456xx.c",
        "Zephyr icm45686_reg.h",
        dispute: "Linux inv_icm45600.h has push-pull there",
        proof: "the line's level without a pull-up"),
    ]
  }

#endif
