import Chips
import LinuxIO
import Quantities
import Testing

@Suite("Inertial units and barometers through IIO", .timeLimit(.minutes(30)))
struct IIOInertialUnitTests {
  private func attributes(_ stem: String, _ scale: String, _ raw: [Int]) -> [String: String] {
    [
      "\(stem)_scale": scale, "\(stem)_x_raw": "\(raw[0])", "\(stem)_y_raw": "\(raw[1])",
      "\(stem)_z_raw": "\(raw[2])",
    ]
  }

  private func unit(_ tree: IIOTree, _ model: ChipModel) throws -> IIOInertialUnit {
    IIOInertialUnit(
      device: try tree.found(address: 0x68), model: model, settings: ChipSettings(rateHertz: 100)
    ) { tree.clock.read() }
  }

  private func readings(_ unit: inout IIOInertialUnit) throws -> [InertialReading] {
    var all: [InertialReading] = []
    _ = try unit.readInertia { all.append($0) }
    return all
  }

  @Test("both quantities of one device are one reading, in the ABI's units")
  func oneDevice() throws {
    let tree = try IIOTree(driver: "inv-mpu6050-i2c", address: 0x68)
    try tree.node(0, ["name": "mpu6050", "sampling_frequency": "100"])
    try tree.node(0, attributes("in_anglvel", "0.001064724", [1000, -2000, 3000]))
    try tree.node(0, attributes("in_accel", "0.000598", [-16_384, 1, 32_767]))
    var unit = try unit(tree, .mpu6050)
    try unit.start()
    #expect(unit.rateHertz == 100)
    let all = try readings(&unit)
    #expect(all.count == 1)
    let rate = try #require(all.first?.angularRate?.value?.components)
    #expect(rate == SIMD3(1.064_724, -2.129_448, 3.194_172))
    let force = try #require(all.first?.specificForce)
    #expect(force.value == nil && force.clippedValue?.components.z == 0.000598 * 32_767 * 1)
    #expect(try readings(&unit).count == 0)
    tree.clock.advance(milliseconds: 10)
    #expect(try readings(&unit).count == 1)
    for (count, isRail) in [(-32_768, true), (-32_767, false), (32_766, false)] {
      try tree.node(0, ["in_anglvel_z_raw": "\(count)"])
      tree.clock.advance(milliseconds: 10)
      let reading = try readings(&unit).first
      #expect((reading?.angularRate?.value == nil) == isRail)
    }
  }

  @Test(
    "a scale in another unit than the ABI's is corrected, and the rails of a driver without a buffer are known",
    arguments: [
      ("fxos8700", "in_accel", "0.000244", 9.806_65, [8190, 8191]),
      ("fxos8700", "in_accel", "0.002394", 1, [8190, 8191]),
      ("fxas21002c", "in_anglvel", "62.500000000", .pi / 180_000, [32_766, 32_767]),
      ("fxas21002c", "in_anglvel", "0.001090831", 1, [32_766, 32_767]),
      ("adxl345", "in_accel", "0.038300", 1, [4094, 4095]),
    ])
  func otherUnits(
    _ name: String, _ stem: String, _ scale: String, _ unit: Double, _ counts: [Int]
  ) throws {
    let tree = try IIOTree(driver: "\(name)_i2c", address: 0x68)
    try tree.node(0, ["name": name])
    let number = try #require(IIODecimal(scale)).value
    // By the catalogue's name and by the kernel's.
    for model in [try #require(try tree.found(address: 0x68).model), .ofKernel(name, .inertia)] {
      for (count, isRail) in zip(counts, [false, true]) {
        try tree.node(0, attributes(stem, scale, [count, -100, 100]))
        var chip = try self.unit(tree, model)
        try chip.start()
        let reading = try #require(try readings(&chip).first)
        let vector =
          stem == "in_accel"
          ? reading.specificForce?.value?.components : reading.angularRate?.value?.components
        #expect((vector == nil) == isRail)
        if let vector { #expect(abs(vector.y + 100 * number * unit) < 1e-12) }
      }
    }
  }

  @Test("two devices of one chip are read together, with right-handed axes")
  func twoDevices() throws {
    let tree = try IIOTree(driver: "st_lsm6dsx_i2c", address: 0x68)
    try tree.node(0, ["name": "lsm9ds1-imu_accel"])
    try tree.node(0, attributes("in_accel", "0.001", [1, 2, 3]))
    try tree.node(1, ["name": "lsm9ds1-imu_gyro"])
    try tree.node(1, attributes("in_anglvel", "0.01", [4, 5, 6]))
    // However long the reads take.
    tree.clock.step = 40_000_000
    var unit = try unit(tree, .lsm9ds1Inertial)
    try unit.start()
    tree.clock.advance(milliseconds: 1000)
    let all = try readings(&unit)
    #expect(all.count == 1)
    #expect(all[0].specificForce?.value?.components == SIMD3(-0.001, 0.002, 0.003))
    #expect(all[0].angularRate?.value?.components == SIMD3(-0.04, 0.05, 0.06))
  }

  @Test(
    "samples of two buffers are paired by the kernel's stamps, and separate if one is missing")
  func pairing() throws {
    let tree = try IIOTree(driver: "st_lsm6dsx_i2c", address: 0x68)
    for (number, stem, half) in [(0, "in_accel", "accel"), (1, "in_anglvel", "gyro")] {
      try tree.node(number, ["name": "lsm9ds1-imu_\(half)", "sampling_frequency": "100"])
      try tree.node(number, attributes(stem, "1", [0, 0, 0]))
      try tree.buffer(
        number,
        [("x", 0), ("y", 1), ("z", 2)].map { ("\(stem)_\($0.0)", $0.1, "le:s16/16>>0") }
          + [("in_timestamp", 3, "le:s64/64>>0")])
      try tree.node(number, ["trigger/current_trigger": "any"])
    }
    var unit = try unit(tree, .lsm9ds1Inertial)
    try unit.start()
    #expect(unit.isBuffered)
    let (force, rate) = (try tree.pipe(0), try tree.pipe(1))
    func scan(_ count: Int16, milliseconds: Int64) -> [UInt8] {
      littleEndian(count, count, count) + [0, 0] + littleEndian(milliseconds * 1_000_000)
    }
    for index in Int16(1)...4 {
      try force.write(scan(index, milliseconds: Int64(index) * 10))
      // The second of the gyroscope's is missing.
      if index != 2 { try rate.write(scan(100 + index, milliseconds: Int64(index) * 10 + 3)) }
    }
    let all = try readings(&unit)
    #expect(all.map { $0.specificForce?.value?.components.y } == [1, 2, 3, 4])
    #expect(all.map { $0.angularRate?.value?.components.y } == [101, nil, 103, 104])
  }

  @Test("a barometer's compensated value is read, or its counts with offset and scale")
  func barometers() throws {
    let tree = try IIOTree(driver: "bmp280", address: 0x68)
    try tree.node(
      0,
      [
        "name": "bmp280", "in_pressure_input": "100.653253906", "in_temp_input": "25080.000000000",
        "in_pressure_raw": "1", "in_pressure_scale": "1", "in_temp_raw": "1", "in_temp_scale": "1",
      ])
    var bosch = IIOBarometer(
      device: try tree.found(address: 0x68), model: .bmp280, settings: ChipSettings(rateHertz: 10)
    ) { tree.clock.read() }
    try bosch.start()
    #expect(
      try bosch.readPressure() == PressureReading(hectopascal: 1006.532_539_06, celsius: 25.08))
    #expect(try bosch.readPressure() == nil)
    tree.clock.advance(milliseconds: 100)
    #expect(try bosch.readPressure() != nil)
    #expect(try bosch.holdsConfiguration() == true)

    let other = try IIOTree(driver: "st-press-i2c", address: 0x68)
    try other.node(
      0,
      [
        "name": "lps25h", "in_pressure_raw": "4194304", "in_pressure_scale": "0.000024414",
        "in_temp_raw": "-2400", "in_temp_scale": "2.083333333", "in_temp_offset": "20400.000000000",
        "sampling_frequency": "1", "sampling_frequency_available": "1 7 13 25",
      ])
    var st = IIOBarometer(
      device: try other.found(address: 0x68), model: .lps25hb, settings: ChipSettings()
    ) { other.clock.read() }
    try st.start()
    #expect(try other.read("sampling_frequency") == "25")
    let reading = try #require(try st.readPressure())
    // 4,194,304 counts of 1/4096 hPa.
    #expect(abs(reading.hectopascal - 1024) < 0.02)
    #expect(abs(reading.celsius - 37.5) < 1e-6)
  }

  @Test(
    "a request outside the range of rates is set to its limit",
    arguments: [(3.0, "5"), (12, "15"), (90, "50")])
  func rateRange(wish: Double, text: String) throws {
    let tree = try IIOTree(driver: "bmp280", address: 0x68)
    try tree.node(
      0,
      [
        "name": "bmp280", "in_pressure_input": "100", "in_temp_input": "1",
        "sampling_frequency": "7", "sampling_frequency_available": "[5 5 50]",
      ])
    var barometer = IIOBarometer(
      device: try tree.found(address: 0x68), model: .bmp280, settings: ChipSettings(rateHertz: wish)
    ) { tree.clock.read() }
    try barometer.start()
    #expect(try tree.read("sampling_frequency") == text)
    #expect(barometer.rateHertz == IIODecimal(text)?.value)
  }
}
