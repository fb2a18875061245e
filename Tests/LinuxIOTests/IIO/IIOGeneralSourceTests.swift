import Chips
import LinuxIO
import Quantities
import Testing

@Suite("Any chip of a kernel driver as a source", .timeLimit(.minutes(30)))
struct IIOGeneralSourceTests {
  private static func axes(
    _ stem: String, _ scale: String, _ raw: [Int] = [1, 2, 3]
  ) -> [String: String] {
    [
      "\(stem)_scale": scale, "\(stem)_x_raw": "\(raw[0])", "\(stem)_y_raw": "\(raw[1])",
      "\(stem)_z_raw": "\(raw[2])",
    ]
  }

  /// The devices that Linux 6.12's drivers make: name and attributes of each.
  private static let drivers: [(driver: String, nodes: [(String, [String: String])])] = [
    ("st-magn-i2c", [("lis2mdl", axes("in_magn", "0.001500"))]),
    (
      "st_lsm6dsx_i2c",
      [
        ("lsm6dsox_accel", axes("in_accel", "0.002393")),
        ("lsm6dsox_gyro", axes("in_anglvel", "0.000610")),
      ]
    ),
    (
      "bmi160_i2c",
      [
        (
          "bmi160",
          axes("in_accel", "0.002394").merging(axes("in_anglvel", "0.000532")) { one, _ in one }
        )
      ]
    ),
    ("bmp280", [("bmp380", ["in_pressure_input": "100.1", "in_temp_input": "25000"])]),
    ("dps310", [("dps310", ["in_pressure_input": "100.1", "in_temp_input": "25000"])]),
    (
      "st-press-i2c",
      [
        (
          "lps22hb",
          [
            "in_pressure_raw": "4100096", "in_pressure_scale": "0.000024414",
            "in_temp_raw": "2500", "in_temp_scale": "10.000000",
          ]
        )
      ]
    ),
    ("kxcjk1013", [("kxtj21009", axes("in_accel", "0.009582"))]),
    ("mmc5983", [("mmc5983", axes("in_magn", "0.000061035"))]),
    ("mmc35240", [("MMC35240", axes("in_magn", "0.001000"))]),
    ("fxas21002c_i2c", [("fxas21002c", axes("in_anglvel", "0.001065"))]),
  ]

  private func tree(_ driver: String, chip: String? = nil) throws -> IIOTree {
    let nodes = try #require(Self.drivers.first { $0.driver == driver }).nodes
    let tree =
      try chip.map { try IIOTree(driver: driver, chip: $0) } ?? IIOTree(driver: driver)
    for (number, node) in nodes.enumerated() {
      try tree.node(number, ["name": node.0])
      try tree.node(number, node.1)
      try tree.list(number)
    }
    return tree
  }

  @Test(
    "is found with its name, bus and address, and read in our units",
    arguments: [
      // Left-handed registers: z is mirrored, and of the MMC5983MA every axis.
      ("st-magn-i2c", "lis2mdl", [0.15, 0.3, -0.45]),
      ("mmc5983", "mmc5983", [-0.006_103_5, -0.012_207, -0.018_310_5]),
      ("st_lsm6dsx_i2c", "lsm6dsox", [0.002_393, 0.004_786, 0.007_179]),
      ("bmi160_i2c", "bmi160", [0.002_394, 0.004_788, 0.007_182]),
      ("bmp280", "bmp380", [1001]), ("dps310", "dps310", [1001]),
      ("st-press-i2c", "lps22hb", [1001]),
      ("kxcjk1013", "kxtj21009", [0.009_582, 0.019_164, 0.028_746]),
      ("mmc35240", "MMC35240", [0.1, 0.2, 0.3]), ("fxas21002c_i2c", "fxas21002c", []),
    ])
  func read(driver: String, name: String, values: [Double]) throws {
    let tree = try tree(driver)
    let device = try #require(tree.all().first)
    #expect(device.bus.hasSuffix("/dev/i2c-1") && device.address == 0x1E)
    #expect(device.driver == driver)
    #expect(device.models.count == 1)
    let found = try #require(device.model)
    // By the name in a board file as well.
    for model in [found, .ofKernel(name, found.quantity)] {
      #expect(device.reads(model))
      let chip = try #require(device.driver(for: model, settings: ChipSettings()))
      if var magnetometer = chip as? any Magnetometer {
        try magnetometer.start()
        let field = try #require(try magnetometer.readField()?.value?.components)
        #expect((field - SIMD3(values[0], values[1], values[2])).length < 1e-9)
      } else if var unit = chip as? any InertialUnit {
        try unit.start()
        var all: [InertialReading] = []
        _ = try unit.readInertia { all.append($0) }
        let force = all.first?.specificForce?.value?.components
        if values.isEmpty {
          #expect(force == nil && all.first?.angularRate?.value != nil)
        } else {
          #expect((try #require(force) - SIMD3(values[0], values[1], values[2])).length < 1e-9)
        }
      } else if var barometer = chip as? any Barometer {
        try barometer.start()
        let reading = try #require(try barometer.readPressure())
        #expect(abs(reading.hectopascal - values[0]) < 0.05 && abs(reading.celsius - 25) < 1e-9)
      } else {
        Issue.record("\(chip)")
      }
    }
    #expect(!device.reads(.ofKernel("another", found.quantity)))
  }

  @Test("a name of the catalogue is that chip, another one the kernel's")
  func models() throws {
    let expected: [(String, ChipModel)] = [
      ("st_lsm6dsx_i2c", .lsm6dso), ("bmi160_i2c", .bmi160), ("bmp280", .bmp388),
      ("kxcjk1013", .ofKernel("kxtj21009", .inertia)),
    ]
    for (driver, model) in expected {
      let tree = try tree(driver)
      #expect(try tree.found().models == [model])
    }
    let tree = try tree("bmp280")
    let bosch = try tree.found()
    #expect(bosch.reads(.bmp390) && !bosch.reads(.bmp280))
  }

  @Test("a chip on SPI or of another kind of device is found by its folder's name")
  func places() throws {
    let spi = try tree("bmi160_i2c", chip: "sys/devices/platform/spi0.1").all()
    #expect(spi.map(\.bus) == ["spi0.1"] && spi.map(\.address) == [0])
    let hid = try tree("mmc35240", chip: "sys/devices/HID-SENSOR-200083.2.auto").all()
    #expect(hid.map(\.bus) == ["HID-SENSOR-200083.2.auto"] && hid.map(\.address) == [0])
  }

  @Test("the mount matrix of the device tree is applied once, by the attribute of any level")
  func mountMatrix() throws {
    for name in ["in_mount_matrix", "mount_matrix", "in_magn_mount_matrix"] {
      let tree = try tree("mmc35240")
      try tree.node(0, [name: "0, -1, 0; 1, 0, 0; 0, 0, 1"])
      var chip = IIOMagnetometer(
        device: try tree.found(), model: .ofKernel("MMC35240", .field), settings: ChipSettings()
      ) { tree.clock.read() }
      try chip.start()
      let field = try #require(try chip.readField()?.value?.components)
      #expect((field - SIMD3(-0.2, 0.1, 0.3)).length < 1e-9, "\(name)")
    }
  }

  @Test(
    "left-handed axes become right-handed beside a matrix that turns, and stay beside one that mirrors",
    arguments: [
      ("0, -1, 0; 1, 0, 0; 0, 0, 1", SIMD3(-0.3, 0.15, -0.45)),
      ("1, 0, 0; 0, 1, 0; 0, 0, -1", SIMD3(0.15, 0.3, -0.45)),
    ])
  func leftHanded(matrix: String, expected: SIMD3<Double>) throws {
    let tree = try tree("st-magn-i2c")
    try tree.node(0, ["mount_matrix": matrix])
    for model in [ChipModel.lis2mdl, .ofKernel("lis2mdl", .field)] {
      var chip = IIOMagnetometer(
        device: try tree.found(), model: model, settings: ChipSettings()
      ) { tree.clock.read() }
      try chip.start()
      let field = try #require(try chip.readField()?.value?.components)
      #expect((field - expected).length < 1e-9)
    }
  }

  @Test("a mount matrix that is no rotation is an error with its name")
  func badMatrix() throws {
    for text in ["1, 0, 0; 0, 1, 0", "1, 1, 0; 0, 1, 0; 0, 0, 1", "a, b, c; d, e, f; g, h, i"] {
      let tree = try tree("mmc35240")
      try tree.node(0, ["mount_matrix": text])
      var chip = IIOMagnetometer(
        device: try tree.found(), model: .ofKernel("MMC35240", .field), settings: ChipSettings())
      let error = try chipFailure { try chip.start() }
      #expect("\(error)".contains("mount_matrix of iio:device0"), "\(error)")
    }
  }

  /// An MPU-9250 as inv_mpu6050 has it, with the matrix of its AK8963 in the package.
  private func nineAxes(_ matrix: [String: String] = [:]) throws -> IIOTree {
    let tree = try IIOTree(driver: "inv-mpu6050-i2c", address: 0x68)
    try tree.node(
      0,
      [
        "name": "mpu9250", "sampling_frequency": "50",
        "sampling_frequency_available": "10 20 50 100 200 500",
        "in_magn_mount_matrix": "0, 1, 0; 1, 0, 0; 0, 0, -1",
        "in_mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1",
      ])
    try tree.node(0, Self.axes("in_accel", "1", [10, 20, 30]))
    try tree.node(0, Self.axes("in_anglvel", "1", [40, 50, 60]))
    try tree.node(0, Self.axes("in_magn", "0.01", [1, 2, 3]))
    try tree.node(0, matrix)
    return tree
  }

  @Test("an AK8963 in an MPU-9250 has its own axes, which the board file's mount turns")
  func package() throws {
    // A board that is turned by a quarter: the kernel's product of its matrix and the package's.
    let quarter = [
      "in_magn_mount_matrix": "-1, 0, 0; 0, 1, 0; 0, 0, -1",
      "in_mount_matrix": "0, -1, 0; 1, 0, 0; 0, 0, 1",
    ]
    let cases: [([String: String], SIMD3<Double>)] = [
      ([:], SIMD3(1, 2, 3)), (quarter, SIMD3(2, -1, 3)),
    ]
    for (matrix, expected) in cases {
      let tree = try nineAxes(matrix)
      var chip = IIOMagnetometer(
        device: try tree.found(address: 0x68), model: .ak8963, settings: ChipSettings()
      ) { tree.clock.read() }
      try chip.start()
      let field = try #require(try chip.readField()?.value?.components)
      #expect((field - expected).length < 1e-9)
      // By its kernel's name the axes are the board's.
      var other = IIOMagnetometer(
        device: try tree.found(address: 0x68), model: .ofKernel("mpu9250", .field),
        settings: ChipSettings()
      ) { tree.clock.read() }
      try other.start()
      let turned = try #require(try other.readField()?.value?.components)
      let onBoard: SIMD3<Double> = matrix.isEmpty ? SIMD3(2, 1, -3) : SIMD3(-1, 2, -3)
      #expect((turned - onBoard).length < 1e-9)
    }
  }

  @Test("two drivers of one device share its buffer, and its rate is the higher request")
  func sharedBuffer() throws {
    let tree = try nineAxes()
    let names = ["in_accel", "in_anglvel", "in_magn"].flatMap { stem in
      ["x", "y", "z"].map { "\(stem)_\($0)" }
    }
    try tree.buffer(
      0,
      names.enumerated().map { ($1, $0, "le:s16/16>>0") } + [("in_timestamp", 9, "le:s64/64>>0")])
    try tree.node(0, ["trigger/current_trigger": "mpu9250-dev0"])
    let (device, sharing) = (try tree.found(address: 0x68), IIOSharing())
    var unit = IIOInertialUnit(
      device: device, model: .mpu9250, settings: ChipSettings(rateHertz: 200), sharing: sharing
    ) { tree.clock.read() }
    var compass: IIOMagnetometer? = IIOMagnetometer(
      device: device, model: .ak8963, settings: ChipSettings(rateHertz: 50), sharing: sharing
    ) { tree.clock.read() }
    try unit.start()
    try compass?.start()
    #expect(unit.isBuffered && compass?.isBuffered == true)
    #expect(try tree.read("sampling_frequency") == "200")
    #expect(try unit.holdsConfiguration() && compass?.holdsConfiguration() == true)
    let pipe = try tree.pipe()
    for index in Int16(0)..<8 {
      // The magnetometer measures at a quarter of the rate: its words stand four times.
      let field = 100 + index / 4
      let words = [index, index, index, -index, -index, -index, field, field, field]
      try pipe.write(words.flatMap { littleEndian($0) } + [0, 0, 0, 0, 0, 0])
      try pipe.write(littleEndian(Int64(index) * 5_000_000 + 1))
    }
    var fields: [(Double, UInt64?)] = []
    while let field = try compass?.readField()?.value {
      fields.append((field.components.x, compass?.sampleTimestamp?.nanoseconds))
    }
    #expect(fields.map(\.0) == [100, 101] && fields.map(\.1) == [1, 20_000_001])
    var readings: [InertialReading] = []
    _ = try unit.readInertia { readings.append($0) }
    let forces = readings.compactMap { $0.specificForce?.value?.components.y }
    let rates = readings.compactMap { $0.angularRate?.value?.components.y }
    #expect(forces == [0, 1, 2, 3, 4, 5, 6, 7])
    #expect(rates == forces.map { -$0 })
    let stamps: [UInt64] = readings.compactMap { $0.timestamp?.nanoseconds }
    #expect(stamps == (0..<8).map { (index: UInt64) -> UInt64 in index * 5_000_000 + 1 })
    // The other's end does not end the buffer.
    compass = nil
    #expect(try unit.holdsConfiguration())
    try pipe.write(Array(repeating: 1, count: 24) + littleEndian(Int64(90_000_000)))
    readings = []
    _ = try unit.readInertia { readings.append($0) }
    #expect(readings.count == 1)
  }

  @Test("a driver that waits for each value measures at its highest rate")
  func slowDriver() throws {
    let tree = try tree("st-magn-i2c")
    try tree.node(
      0, ["sampling_frequency": "10", "sampling_frequency_available": "10 20 50 100"])
    tree.clock.step = 30_000_000
    var chip = IIOMagnetometer(
      device: try tree.found(), model: .lis2mdl, settings: ChipSettings(rateHertz: 50)
    ) { tree.clock.read() }
    try chip.start()
    #expect(try tree.read("sampling_frequency") == "100")
    #expect(abs(chip.rateHertz - 1 / 0.03) < 1e-9)
    #expect(try chip.holdsConfiguration())
    // A sample is stamped with the middle of its reads.
    tree.clock.advance(milliseconds: 100)
    let begin = tree.clock.now
    _ = try chip.readField()
    #expect(chip.sampleTimestamp == begin.advanced(byNanoseconds: 45_000_000))
  }

  @Test("the full scale is that of the range that is set, or will be")
  func fullScale() throws {
    let tree = try tree("bmi160_i2c")
    let device = try tree.found()
    let present = device.fullScale(of: .bmi160, settings: ChipSettings())
    #expect(abs(try #require(present.metresPerSecondSquared) - 0.002_394 * 32_767) < 1e-9)
    #expect(abs(try #require(present.radiansPerSecond) - 0.000_532 * 32_767) < 1e-9)
    try tree.node(0, ["in_accel_scale_available": "0.000598 0.001197 0.002394 0.004788"])
    let chosen = device.fullScale(
      of: .bmi160, settings: ChipSettings(specificForceMetresPerSecondSquared: 30))
    #expect(abs(try #require(chosen.metresPerSecondSquared) - 0.001_197 * 32_767) < 1e-9)
    #expect(device.fullScale(of: .lis2mdl, settings: ChipSettings()) == SensorFullScale())
  }

  @Test("what would enable the kernel's buffer is known without a write")
  func access() throws {
    let tree = try tree("mmc35240")
    let model = ChipModel.ofKernel("MMC35240", .field)
    #expect(try tree.found().access(to: model) == .direct(remedy: nil))
    try tree.buffer(0, ["x", "y", "z"].enumerated().map { ("in_magn_\($1)", $0, "le:s16/16>>0") })
    guard case .direct(let remedy?) = try tree.found().access(to: model) else {
      Issue.record("no remedy")
      return
    }
    #expect(remedy.contains("lodestar-hrtimer-0"))
    try tree.trigger(1, "mmc35240-dev0", ofChip: true)
    #expect(try tree.found().access(to: model) == .buffered)
  }
}
