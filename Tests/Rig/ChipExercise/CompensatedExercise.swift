import Chips
import LinuxIO

#if canImport(Glibc)
  import Glibc
#endif

/// BMP580: the kernel prints 64 parts of a pascal as kilopascals with nine decimals, cut off.
func exerciseBMP580(bus: String) -> Row {
  exercise(.bmp581, "bmp580", 0x76, "kilopascals and degrees to 9 decimals, IIO driver", bus) {
    stub, kernel, reader, row in
    for words in Patterns.words(pressureBits: 24, temperatureBits: 24) {
      row.patterns += 1
      let (p, t) = (words.pressure, words.temperature)
      try stub.load([
        (0x1D, [t, t >> 8, t >> 16, p, p >> 8, p >> 16].map { UInt8(truncatingIfNeeded: $0) })
      ])
      guard let ours = BMP581<B>.decode(try stub.read(0x1D, count: 6), at: 0) else {
        throw Trouble("\(words) is not measured")
      }
      let pressure = try kernel.number("in_pressure_input")
      let parts = Int64((ours.hectopascal * 6400).rounded())
      row.check(
        pressure.places == 9 && pressure.digits == parts * 1_000_000_000 / 64_000,
        "\(words): kernel \(pressure.value) kPa, ours \(ours.hectopascal) hPa")
      let temperature = try kernel.number("in_temp_input")
      let counts = Int64((ours.celsius * 65_536).rounded())
      row.check(
        temperature.places == 9 && temperature.digits == counts * 125_000_000_000 / 8192,
        "\(words): kernel \(temperature.value), ours \(ours.celsius)")
      try compare(reader, pressure, temperature, "\(words)", &row)
    }
  } registers: {
    // por of INT_STATUS, nvm_rdy of STATUS, odr_is_valid of OSR_EFF.
    [[(0x01, [0x50, 0x32]), (0x27, [0x10, 0x02]), (0x37, [0x70, 0x80])]]
  }
}

/// BMP388 and BMP390: the kernel prints hundredths of a pascal as kilopascals, and hundredths of a
/// degree, both within the chip's range (bmp280-core.c: 300 to 1250 hPa, -40 to 85 degrees).
func exerciseBMP388(_ model: ChipModel, identity: UInt8, bus: String) -> Row {
  exercise(
    model, "bmp380", 0x76,
    "hundredths of a pascal and of a degree, 3 sets of coefficients, IIO driver", bus
  ) { stub, kernel, reader, row in
    let calibration = BMP388Calibration(try stub.read(0x31, count: BMP388Calibration.count))
    for index in 0..<28 {
      row.patterns += 1
      let (p, t) = (4_800_000 + 220_003 * index, 6_300_000 + 110_011 * ((index * 11) % 28))
      let bytes = [p, p >> 8, p >> 16, t, t >> 8, t >> 16].map { UInt8(truncatingIfNeeded: $0) }
      try stub.load([(0x04, bytes)])
      let ours = BMP388<B>.decode(try stub.read(0x04, count: 6), at: 0, calibration)
      let pressure = try kernel.number("in_pressure_input")
      row.check(
        pressure.value(timesTenTo: 5)
          == (min(max(ours.hectopascal, 300), 1250) * 10_000).rounded(),
        "\(p) and \(t): kernel \(pressure.value) kPa, ours \(ours.hectopascal) hPa")
      let temperature = try kernel.number("in_temp_input")
      row.check(
        temperature.value == (min(max(ours.celsius, -40), 85) * 100).rounded() * 10,
        "\(p) and \(t): kernel \(temperature.value), ours \(ours.celsius)")
      try compare(reader, pressure, temperature, "\(p) and \(t)", &row)
    }
  } registers: {
    // An ordinary calibration and neighbours of it: T1, T2, T3, P1 to P11.
    let ordinary: [UInt8] = [
      0x7A, 0x6B, 0x53, 0x49, 0xF6, 0x3B, 0x00, 0x1C, 0xF3, 0x23, 0x00, 0x7C, 0x60, 0x54, 0x76,
      0xF3, 0xF6, 0x8B, 0x3F, 0x17, 0xC4,
    ]
    return [0, 5, 11].map { change in
      // The low bytes only, of the words.
      let bytes = ordinary.enumerated().map { $0 % 2 == 0 ? $1 &+ UInt8(change) : $1 }
      return [(0x00, [identity, 0x00, 0x00, 0x70]), (0x31, bytes)]
    }
  }
}

/// DPS310: the kernel prints whole pascals and thousandths of a degree. It computes the cube of the
/// raw pressure times a coefficient in 64 bits, which bounds the patterns; and it multiplies the
/// remainders of its seven quotients by 1e9 in 64 bits, which overflows for four of them: of each
/// of these up to a pascal is lost.
func exerciseDPS310(bus: String) -> Row {
  exercise(
    .dps310, "dps310", 0x76,
    "pascals within 5 (the kernel loses four remainders), thousandths of a degree, 2 sets, IIO driver",
    bus
  ) { stub, kernel, reader, row in
    let calibration = DPS310Calibration(try stub.read(0x10, count: DPS310Calibration.count))
    for index in 0..<28 {
      row.patterns += 1
      let (p, t) = (-178_000 + 13_117 * index, -90_000 + 21_011 * ((index * 11) % 28))
      let bytes = [p >> 16, p >> 8, p, t >> 16, t >> 8, t].map { UInt8(truncatingIfNeeded: $0) }
      try stub.load([(0x00, bytes)])
      let ours = DPS310<B>.decode(
        try stub.read(0x00, count: 6), at: 0, calibration, precision: 0)
      let pressure = try kernel.number("in_pressure_input")
      let pascal = pressure.value(timesTenTo: 3)
      row.check(
        abs(ours.hectopascal * 100 - pascal) < 5,
        "\(p) and \(t): kernel \(pascal) Pa, ours \(ours.hectopascal) hPa")
      let temperature = try kernel.number("in_temp_input")
      row.check(
        temperature.value == (ours.celsius * 1000).rounded(.towardZero),
        "\(p) and \(t): kernel \(temperature.value), ours \(ours.celsius)")
      try compare(reader, pressure, temperature, "\(p) and \(t)", &row)
    }
  } registers: {
    // Coefficients of a real chip (Infineon/DPS310-Pressure-Sensor, issue 30), and their negatives'
    // neighbours.
    [
      [
        0x0D, 0xEE, 0xD7, 0x13, 0x7D, 0x8F, 0x24, 0x0C, 0xF7, 0x09, 0x05, 0xA4, 0xDA, 0x1B,
        0x00, 0x6F, 0xFA, 0xF7,
      ],
      [
        0x0C, 0x7F, 0x0B, 0x14, 0x0B, 0x3F, 0x1E, 0x51, 0xF4, 0x11, 0x06, 0x66, 0xD6, 0x6B,
        0xFF, 0x3A, 0xFB, 0xE1,
      ],
    ].map { coefficients -> [(UInt8, [UInt8])] in
      // From 0x00 on what another exercise left.
      [
        (0x00, [UInt8](repeating: 0, count: 8)), (0x08, [0xF0]), (0x0D, [0x10]),
        (0x10, coefficients), (0x28, [0x80]), (0x32, [0x02]),
      ]
    }
  }
}

/// BMP180: the kernel starts conversions, which `convertForever` in another process ends.
func exerciseBMP180(bus: String) -> Row {
  exercise(
    .bmp180, "bmp180", 0x77, "pascals, tenths of a degree, 3 sets of coefficients, IIO driver",
    bus
  ) { stub, kernel, reader, row in
    let calibration = BMP180Calibration(try stub.read(0xAA, count: BMP180Calibration.count))
    for index in 0..<16 {
      row.patterns += 1
      let (t, p) = (22_000 + 811 * ((index * 7) % 16), 240_000 + 11_003 * index)
      let bytes = [t >> 8, t, p >> 11, p >> 3, p << 5].map { UInt8(truncatingIfNeeded: $0) }
      try stub.load([(converterWords, bytes)])
      guard let fine = calibration.fineTemperature(raw: UInt16(t)),
        let ours = BMP180<B>.decode(
          RegisterBytes(bytes), at: 2, calibration, oversampling: 3, fine: fine)
      else { throw Trouble("\(p) and \(t) have no pressure") }
      let pressure = try retried { try kernel.number("in_pressure_input") }
      row.check(
        pressure.value(timesTenTo: 3) == (ours.hectopascal * 100).rounded(),
        "\(p) and \(t): kernel \(pressure.value) kPa, ours \(ours.hectopascal) hPa")
      let temperature = try retried { try kernel.number("in_temp_input") }
      // Both compute sixteenths of a tenth of a degree from the same number. The data sheet shifts
      // them, as ours does; the kernel divides, so that a negative temperature may be a tenth
      // nearer to zero.
      row.check(
        temperature.value == Double((fine + 8) / 16 * 100)
          && (ours.celsius * 10).rounded() == Double((fine + 8) >> 4),
        "\(p) and \(t): kernel \(temperature.value), ours \(ours.celsius)")
      try retried { try compare(reader, pressure, temperature, "\(p) and \(t)", &row) }
    }
  } registers: {
    // The data sheet's example and neighbours.
    let example = [
      408, -72, -14_383, 32_741, 32_757, 23_153, 6190, 4, -32_768, -8711, 2868,
    ]
    return [100, 97, 103].map { percent in
      let words = example.map { $0 == -32_768 ? $0 : $0 * percent / 100 }
      return [
        (0xAA, words.flatMap { [$0 >> 8, $0].map { UInt8(truncatingIfNeeded: $0) } }),
        (0xD0, [0x55]), (0xF4, [0x00]),
      ]
    }
  }
}

/// MPL3115A2: the kernel starts measurements, which `convertForever` ends.
func exerciseMPL3115A2(bus: String) -> Row {
  exercise(
    .mpl3115a2, "mpl3115", 0x60, "quarters of a pascal, sixteenths of a degree, IIO driver", bus
  ) { stub, kernel, reader, row in
    let scales = (
      try kernel.number("in_pressure_scale").value, try kernel.number("in_temp_scale").value
    )
    row.check(scales == (0.000_25, 0.0625), "scales \(scales)")
    for words in Patterns.words(pressureBits: 20, temperatureBits: 12) {
      row.patterns += 1
      let (p, t) = (words.pressure << 4, words.temperature << 4)
      try stub.load([(0x01, [p >> 16, p >> 8, p, t >> 8, t].map { UInt8(truncatingIfNeeded: $0) })])
      let ours = MPL3115A2<B>.decode(try stub.read(0x01, count: 5), at: 0)
      let pressure = Double(try kernel.number("in_pressure_raw").digits)
      let temperature = Double(try kernel.number("in_temp_raw").digits)
      row.check(
        abs(ours.hectopascal * 400 - pressure) < 1e-9 && ours.celsius * 16 == temperature,
        "\(words): kernel \(pressure) and \(temperature), ours \(ours)")
      let read = try reader.readPressure()
      row.check(
        read.map {
          abs($0.hectopascal - ours.hectopascal) < 1e-9
            && abs($0.celsius * 1000 - ours.celsius) < 1e-9
        } == true, "\(words): ours \(ours), our IIO driver \(String(describing: read))")
    }
  } registers: {
    [[(0x00, [0x0F]), (0x0C, [0xC4])]]
  }
}

/// BME680: the kernel computes whole pascals and hundredths of a degree in whole numbers, whose
/// shifts lose some pascals. From about 1050 hPa on, by par_p10, its cubic term is beyond 32 bits,
/// and the pressure 2^32 / 2^17 / 16 Pa too low.
func exerciseBME680(bus: String) -> Row {
  exercise(
    .bme680, "bme680", 0x76,
    "pascals within 8 (the kernel's shifts), 20.48 hPa less above 1050 hPa, hundredths of a degree, 3 sets, IIO driver",
    bus
  ) { stub, kernel, reader, row in
    let calibration = BME680Calibration(
      try stub.read(0x8A, count: BME680Calibration.count), t1: try stub.read(0xE9, count: 2))
    for index in 0..<14 {
      row.patterns += 1
      let (p, t) = (250_000 + 31_003 * index, 380_000 + 17_011 * ((index * 5) % 14))
      let bytes = [p >> 12, p >> 4, p << 4, t >> 12, t >> 4, t << 4].map {
        UInt8(truncatingIfNeeded: $0)
      }
      try stub.load([(0x1F, bytes)])
      guard let ours = BME680<B>.decode(try stub.read(0x1F, count: 6), at: 0, calibration) else {
        throw Trouble("\(p) and \(t) have no pressure")
      }
      let pressure = try kernel.number("in_pressure_input")
      let excess = ours.hectopascal * 100 - pressure.value(timesTenTo: 3)
      row.check(
        abs(excess) < 8 || ours.hectopascal > 1050 && abs(excess - 2048) < 8,
        "\(p) and \(t): kernel \(pressure.value) kPa, ours \(ours.hectopascal) hPa")
      // Below zero the kernel's division may be a hundredth nearer to zero.
      let temperature = try kernel.number("in_temp_input")
      row.check(
        abs(ours.celsius * 100 - temperature.value / 10) < (ours.celsius < 0 ? 2 : 1),
        "\(p) and \(t): kernel \(temperature.value), ours \(ours.celsius)")
      try compare(reader, pressure, temperature, "\(p) and \(t)", &row)
    }
  } registers: {
    [100, 96, 104].map(bme680Registers)
  }
}

/// Identity, the flag of new data, and percents of coefficients of a usual size: t2, t3, p1 to p5,
/// p7, p6, p8 to p10, and t1.
private func bme680Registers(percent: Int) -> [(UInt8, [UInt8])] {
  let values: [(value: Int, count: Int)] = [
    (26_469, 2), (3, 1), (0, 1), (36_673, 2), (-10_515, 2), (88, 1), (0, 1), (7310, 2), (-128, 2),
    (46, 1), (30, 1), (0, 2), (-3177, 2), (-2379, 2), (30, 1),
  ]
  func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: (value * percent / 100) >> (8 * $0)) }
  }
  return [
    (0xD0, [0x61]), (0x1D, [0x80]), (0xE9, bytes(26_041, 2)),
    (0x8A, values.flatMap { bytes($0.value, $0.count) }),
  ]
}

/// Where `exerciseBMP180` puts the words of the next conversions in the stub: two bytes and three.
private let converterWords: UInt8 = 0x10

/// Ends the conversions of the BMP180 and the MPL3115A2 in the stub, of which a guest has one,
/// until this process is ended.
func convertForever(bus: String) throws -> Never {
  let (bmp180, mpl3115a2) = (
    try Stub(bus: bus, address: 0x77, mirror: 0), try Stub(bus: bus, address: 0x60, mirror: 0)
  )
  while true {
    if let control = try? bmp180.written(0xF4), control & 0x20 != 0 {
      let words = try bmp180.read(converterWords, count: 5)
      let isPressure = control & 0x1F == 0x14
      let bytes = isPressure ? [words[2], words[3], words[4]] : [words[0], words[1], 0]
      try bmp180.load([(0xF6, bytes), (0xF4, [control & ~0x20])])
    }
    if let control = try? mpl3115a2.written(0x26), control & 0x02 != 0 {
      try mpl3115a2.load([(0x26, [control & ~0x02])])
    }
    usleep(300)
  }
}

/// Tries again where the converter came too late for the kernel's driver.
private func retried<R>(_ body: () throws -> R) throws -> R {
  for _ in 0..<20 {
    do { return try body() } catch { continue }
  }
  return try body()
}

/// Our IIO driver's values are the kernel's.
private func compare(
  _ reader: IIOReader, _ pressure: IIODecimal, _ temperature: IIODecimal, _ words: String,
  _ row: inout Row
) throws {
  let read = try reader.readPressure()
  row.check(
    read?.hectopascal == pressure.value(timesTenTo: 1)
      && read?.celsius == temperature.value(timesTenTo: -3),
    "\(words): kernel \(pressure.value) kPa, our IIO driver \(String(describing: read))")
}

/// Binds the kernel's driver for each set of registers and compares.
private func exercise(
  _ model: ChipModel, _ name: String, _ address: UInt8, _ compared: String, _ bus: String,
  _ body: (Stub, Kernel, IIOReader, inout Row) throws -> Void,
  registers: () -> [[(UInt8, [UInt8])]]
) -> Row {
  var row = Row(chip: model.rawValue, compared: compared)
  do {
    let stub = try Stub(bus: bus, address: address, mirror: 0)
    for set in registers() {
      try stub.load(set)
      let kernel = try Kernel(bus: bus, name: name, address: address)
      row.driver = kernel.driver
      row.isBound = true
      do {
        let reader = try IIOReader(bus: bus, address: address, model: model)
        try retried { try reader.start() }
        try body(stub, kernel, reader, &row)
        // A conversion that the BMP180's converter missed is an error, which allocates.
        if model != .bmp180 {
          let blocks = try reader.blocksOfReading("in_pressure")
          row.check(blocks == 0, "our IIO driver asks for \(blocks) blocks of the heap")
        }
      } catch { row.check(false, "\(error)") }
      try kernel.unbind()
    }
  } catch { row.check(false, "\(error)") }
  return row
}
