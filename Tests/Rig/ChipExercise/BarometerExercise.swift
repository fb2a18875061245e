import Chips
import LinuxIO

#if canImport(Glibc)
  import Glibc
#endif

/// BMP280 and BME280: the kernel prints its whole compensation, to be met to the last digit.
func exerciseBosch(_ model: ChipModel, _ name: String, identity: UInt8, bus: String) -> Row {
  var row = Row(
    chip: model.rawValue,
    compared:
      "kilopascals to 9 decimals and temperature, \(calibrations.count) sets of coefficients, "
      + "IIO driver")
  do {
    let stub = try Stub(bus: bus, address: 0x76, mirror: 0)
    for calibration in calibrations {
      try stub.load([(0xD0, [identity]), (0xF3, [0, 0, 0]), (0x88, calibration)])
      let kernel = try Kernel(bus: bus, name: name, address: 0x76)
      row.driver = kernel.driver
      row.isBound = true
      let reader = try IIOReader(bus: bus, address: 0x76, model: model)
      do {
        try stub.load([(0xF7, boschBytes(pressure: 415_148, temperature: 519_888))])
        try reader.start()
        for words in boschPatterns() {
          row.patterns += 1
          try stub.load([
            (0xF7, boschBytes(pressure: words.pressure, temperature: words.temperature))
          ])
          try compareBosch(words, stub, kernel, reader, &row)
        }
        let blocks = try reader.blocksOfReading("in_pressure")
        row.check(blocks == 0, "our IIO driver asks for \(blocks) blocks of the heap")
      } catch { row.check(false, "\(error)") }
      try kernel.unbind()
      row.check(reader.knowsItIsUnbound(), "our IIO driver does not see that the kernel's is gone")
    }
  } catch { row.check(false, "\(error)") }
  return row
}

/// The data sheet's example (BST-BMP280-DS001, section 3.12), neighbours of it, and numbers that no
/// factory writes.
private let calibrations: [[UInt8]] = {
  let example: [Int] = [
    27_504, 26_435, -1000, 36_477, -10_685, 3024, 2855, 140, -7, 15_500, -14_600, 6000,
  ]
  func bytes(_ words: [Int]) -> [UInt8] {
    words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }
  var random = Random(seed: 20_261_123)
  let neighbours = (0..<2).map { _ in
    bytes(example.map { $0 * Int(80 + random.bits(16) % 41) / 100 })
  }
  let wild = bytes(example.map { _ in Int(random.word()) | 1 })
  return [bytes(example)] + neighbours + [wild]
}()

private func boschPatterns() -> [(pressure: UInt32, temperature: UInt32)] {
  let all = Patterns.words(pressureBits: 20, temperatureBits: 20)
  // The example's own, pressure that was not measured, and temperature that was not.
  let special: [(UInt32, UInt32)] = [(415_148, 519_888), (0x80000, 519_888), (415_148, 0x80000)]
  return special + all
}

private func boschBytes(pressure: UInt32, temperature: UInt32) -> [UInt8] {
  [pressure, temperature].flatMap {
    [UInt8($0 >> 12), UInt8(truncatingIfNeeded: $0 >> 4), UInt8(truncatingIfNeeded: $0 << 4)]
  }
}

private func compareBosch(
  _ words: (pressure: UInt32, temperature: UInt32), _ stub: Stub, _ kernel: Kernel,
  _ reader: IIOReader, _ row: inout Row
) throws {
  let coefficients = BMP280Calibration(try stub.read(0x88, count: BMP280Calibration.count))
  let ours = BMP280<B>.decode(try stub.read(0xF7, count: 6), at: 0, coefficients)
  guard case .success(let text) = try kernel.text("in_pressure_input") else {
    // The kernel refuses a word of 0x80000 in either place; in the temperature's ours takes it for
    // a temperature where the pressure was measured.
    let isKnown = words.pressure == 0x80000 ? ours == nil : words.temperature == 0x80000
    row.check(isKnown, "\(words): the kernel refuses, ours is \(String(describing: ours))")
    return
  }
  guard let ours, let pressure = IIODecimal(text) else {
    row.check(false, "\(words): kernel \(text), ours \(String(describing: ours))")
    return
  }
  // 1/256 Pa, of which the kernel keeps 32 bits; it prints 256000 parts of a kilopascal, cut off.
  let parts = Int64(Int32(truncatingIfNeeded: Int64((ours.hectopascal * 25_600).rounded())))
  row.check(
    pressure.places == 9 && pressure.digits == parts * 1_000_000_000 / 256_000,
    "\(words): kernel \(text) kPa, ours \(ours.hectopascal) hPa")
  let temperature = try kernel.number("in_temp_input")
  // Both compute hundredths of a degree from the same number. The data sheet shifts it, as ours
  // does; the kernel divides, so that a negative temperature may be a hundredth nearer to zero.
  let sum = coefficients.fineTemperature(raw: Int32(words.temperature)) &* 5 &+ 128
  row.check(
    temperature.value == Double(sum / 256) * 10
      && (ours.celsius * 100).rounded() == Double(sum >> 8),
    "\(words): kernel \(temperature.value), ours \(ours.celsius), from \(sum)")
  let read = try reader.readPressure()
  row.check(
    read?.hectopascal == pressure.value(timesTenTo: 1)
      && read?.celsius == temperature.value(timesTenTo: -3),
    "\(words): kernel \(text) kPa, our IIO driver \(String(describing: read))")
}

/// ST's barometers: counts of 24 and 16 bits with scales, and an offset of the LPS25H.
func exerciseLPS(
  _ variant: LPSVariant, _ model: ChipModel, _ name: String, registers: [(UInt8, [UInt8])],
  mirror: UInt8 = 0, countsPerDegree: Int64, atZero: Double, bus: String
) -> Row {
  var row = Row(chip: model.rawValue, compared: "")
  do {
    let stub = try Stub(bus: bus, address: 0x5D, mirror: mirror)
    try stub.load(registers + [(0x27, [0x03])])
    let kernel = try Kernel(bus: bus, name: name, address: 0x5D)
    row.driver = kernel.driver
    row.isBound = true
    let reader = try IIOReader(bus: bus, address: 0x5D, model: model)
    do {
      try kernel.set("sampling_frequency", "25")
      try reader.start()
      try compareLPS(variant, countsPerDegree, atZero, stub, kernel, reader, &row)
    } catch { row.check(false, "\(error)") }
    try kernel.unbind()
    row.check(reader.knowsItIsUnbound(), "our IIO driver does not see that the kernel's is gone")
  } catch { row.check(false, "\(error)") }
  return row
}

private func compareLPS(
  _ variant: LPSVariant, _ countsPerDegree: Int64, _ atZero: Double, _ stub: Stub,
  _ kernel: Kernel, _ reader: IIOReader, _ row: inout Row
) throws {
  let scale = try kernel.number("in_pressure_scale")
  // 4096 counts a hectopascal are 40960 a kilopascal.
  row.check(scale.places == 9 && scale.digits == 1_000_000_000 / 40_960, "scale \(scale)")
  let size = try kernel.number("in_temp_scale")
  row.check(
    size.places == 9 && size.digits == 1_000_000_000_000 / countsPerDegree,
    "temperature's scale \(size)")
  var offset = 0.0
  if kernel.node(with: "in_temp_offset") != nil {
    offset = try kernel.number("in_temp_offset").value
  }
  row.check(offset == atZero * Double(countsPerDegree), "temperature's offset \(offset)")
  for words in Patterns.words(pressureBits: 24, temperatureBits: 16) {
    row.patterns += 1
    let (p, t) = (words.pressure, words.temperature)
    try stub.load([
      (0x28, [p, p >> 8, p >> 16, t, t >> 8].map { UInt8(truncatingIfNeeded: $0) })
    ])
    let ours = variant.decode(try stub.read(0x28, count: 5), at: 0)
    let pressure = try kernel.number("in_pressure_raw").digits
    let temperature = try kernel.number("in_temp_raw").digits
    row.check(
      ours.hectopascal * 4096 == Double(pressure), "\(words): kernel \(pressure), ours \(ours)")
    row.check(
      ((ours.celsius - atZero) * Double(countsPerDegree) * 1e6).rounded()
        == Double(temperature) * 1e6,
      "\(words): kernel \(temperature), ours \(ours)")
    let read = try reader.readPressure()
    let hectopascal = Double(pressure) * scale.value * 10
    let celsius = (Double(temperature) + offset) * size.value / 1000
    row.check(
      read.map {
        abs($0.hectopascal - hectopascal) <= abs(hectopascal) * 1e-14
          && abs($0.celsius - celsius) <= abs(celsius) * 1e-14
      } == true,
      "\(words): kernel \(pressure) and \(temperature), our IIO driver \(String(describing: read))")
  }
  row.compared = "counts, scales \(scale.value) and \(size.value), offset \(offset), IIO driver"
}
