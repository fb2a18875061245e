import Chips
import LinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Our IIO drivers on the kernel's buffers, triggered by a timer: scans of two byte orders, of
/// unused bits and of three sizes, with instants.
func exerciseBuffers(bus: String) -> [Row] {
  [
    buffer(
      hmc5883l, bus: bus, words: [0x0714, -33, -2000], scale: 0.000_009_174 * 1e4
    ) { words in (0x03, bigEndian(words.x, words.z, words.y)) },
    buffer(lsm303dlhcAccelerometer, bus: bus, words: [1600, -16, -32_000], scale: 0.009_806 / 16) {
      (0x28, littleEndian($0))
    },
    pressureBuffer(bus: bus),
  ]
}

private func buffer(
  _ chip: ChipCase, bus: String, words: [Int16], scale: Double,
  registers: (SIMD3<Int16>) -> (UInt8, [UInt8])
) -> Row {
  var row = Row(chip: "\(chip.model.rawValue) buffer", compared: "")
  do {
    let stub = try Stub(bus: bus, address: chip.address, mirror: chip.mirror)
    try stub.load(chip.powerOn)
    let kernel = try Kernel(bus: bus, name: chip.kernelName, address: chip.address)
    row.driver = kernel.driver
    row.isBound = true
    let stem = chip.quantities[0].stem
    do {
      let settings = ChipSettings(rateHertz: 50)
      let reader = try IIOReader(
        bus: bus, address: chip.address, model: chip.model, settings: settings)
      let first = SIMD3(words[0] & 0x7FF0, words[1] & -16, words[2] & -16)
      try stub.load([registers(first)])
      try reader.start()
      row.check(reader.isBuffered, "our IIO driver does not use the buffer")
      row.check(
        refusesSecondReader(bus, chip),
        "a second reader of the buffer gets no error that it is in use")
      for sign in [Int16(1), -1] {
        let words = SIMD3(first.x * sign, first.y * sign, first.z * sign)
        try stub.load([registers(words)])
        // Earlier samples may still be in the buffer.
        usleep(100_000)
        try reader.empty(stem)
        try readSamples(reader, stem, words, scale, &row)
      }
      let blocks = try reader.blocksOfReading(stem)
      row.check(blocks == 0, "our IIO driver asks for \(blocks) blocks of the heap")
      try kernel.unbind()
      row.check(reader.knowsItIsUnbound(), "our IIO driver does not see that the kernel's is gone")
    } catch { row.check(false, "\(error)") }
  } catch { row.check(false, "\(error)") }
  return row
}

private func readSamples(
  _ reader: IIOReader, _ stem: String, _ words: SIMD3<Int16>, _ scale: Double, _ row: inout Row
) throws {
  var instants: [Timestamp] = []
  let deadline = MonotonicClock.now.advanced(byNanoseconds: 5_000_000_000)
  while instants.count < 20 && MonotonicClock.now < deadline {
    guard let read = try reader.read(stem) else {
      usleep(5000)
      continue
    }
    row.patterns += 1
    if let instant = reader.newestTimestamp { instants.append(instant) }
    let expected = SIMD3(Double(words.x), Double(words.y), Double(words.z)) * scale
    let difference = (read.value ?? SIMD3(repeating: .infinity)) - expected
    row.check(
      max(abs(difference.x), abs(difference.y), abs(difference.z)) < 1e-9,
      "\(words): \(read), not \(expected)")
  }
  row.check(instants.count == 20, "\(instants.count) samples with instants in 5 s")
  row.check(instants.allSatisfy { $0 < MonotonicClock.now }, "an instant of another clock")
  row.check(zip(instants, instants.dropFirst()).allSatisfy { $0 < $1 }, "instants out of order")
  if let first = instants.first, let last = instants.last {
    let hertz = (Double(instants.count - 1) / last.seconds(since: first)).rounded()
    row.compared = "samples, instants on CLOCK_MONOTONIC (\(hertz) Hz), EBUSY, ENODEV"
  }
}

private func refusesSecondReader(_ bus: String, _ chip: ChipCase) -> Bool {
  do {
    try IIOReader(bus: bus, address: chip.address, model: chip.model).start()
    return false
  } catch {
    say("  \(error)")
    if case .inUse? = IIOReader.cause(of: error) { return true }
    return false
  }
}

private func pressureBuffer(bus: String) -> Row {
  var row = Row(chip: "LPS25HB buffer", compared: "samples of 24 bits in 32 and 16")
  do {
    let stub = try Stub(bus: bus, address: 0x5D, mirror: 0x80)
    try stub.load([(0x0F, [0xBD, 0x0F]), (0x20, [0, 0, 0, 0]), (0x27, [0x03])])
    let kernel = try Kernel(bus: bus, name: "lps25h", address: 0x5D)
    row.driver = kernel.driver
    row.isBound = true
    do {
      let reader = try IIOReader(bus: bus, address: 0x5D, model: .lps25hb)
      try stub.load([(0x28, [0x12, 0x34, 0x3F, 0x9C, 0xFF])])
      try reader.start()
      row.check(reader.isBuffered, "our IIO driver does not use the buffer")
      for _ in 0..<200 where row.patterns < 20 {
        usleep(10_000)
        guard let read = try reader.readPressure() else { continue }
        row.patterns += 1
        // 0x3F3412 counts of 0.00024414 hPa; -100 counts from 20400 on, of 1/480 degree.
        row.check(
          abs(read.hectopascal - 4_142_098 * 0.000_244_14) < 1e-9
            && abs(read.celsius - 20_300 * 2.083_333_333e-3) < 1e-9, "\(read)")
      }
      let count = row.patterns
      row.check(count == 20, "\(count) samples in 2 s")
    } catch { row.check(false, "\(error)") }
    try kernel.unbind()
  } catch { row.check(false, "\(error)") }
  return row
}

extension IIOReader {
  var isBuffered: Bool {
    field?.isBuffered ?? inertia?.isBuffered ?? pressure?.isBuffered ?? false
  }
  var newestTimestamp: Timestamp? { field?.sampleTimestamp ?? inertialTimestamp }

  /// Takes what waits.
  func empty(_ stem: String) throws {
    for _ in 0..<1000 where try read(stem) == nil { return }
  }
}
