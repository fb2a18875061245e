import Chips
import LinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A chip that is read by its kernel's name alone, as one that Lodestar does not know.
private struct GeneralCase {
  /// The text written to `new_device`, and the name in a board file.
  var kernelName: String
  var part: String
  var address: UInt8
  var powerOn: [(UInt8, [UInt8])]
  var quantity: ChipModel.Quantity
  /// The registers of each quantity's axes; for a pressure the registers of pressure and
  /// temperature.
  var data: [(stem: String, register: UInt8)]
  /// What makes the registers' axes right-handed.
  var signs = SIMD3<Double>(1, 1, 1)
}

private let generalCases = [
  GeneralCase(
    kernelName: "lis2mdl", part: "LIS2MDL", address: 0x1E,
    powerOn: [(0x4F, [0x40]), (0x60, [0x03, 0x00, 0x00]), (0x67, [0x0F])], quantity: .field,
    data: [("in_magn", 0x68)], signs: SIMD3(1, 1, -1)),
  GeneralCase(
    kernelName: "lsm6dsox", part: "LSM6DSOX", address: 0x6B, powerOn: [(0x0F, [0x6C])],
    quantity: .inertia, data: [("in_accel", 0x28), ("in_anglvel", 0x22)]),
  GeneralCase(
    kernelName: "bmi160", part: "BMI160", address: 0x68,
    powerOn: [(0x00, [0xD1, 0, 0, 0x14]), (0x40, [0x28, 0x03, 0x28, 0x00])], quantity: .inertia,
    data: [("in_accel", 0x12), ("in_anglvel", 0x0C)]),
  GeneralCase(
    kernelName: "bmp380", part: "BMP390", address: 0x76,
    powerOn: [
      (0x00, [0x60, 0x00, 0x00, 0x70]),
      // An ordinary calibration: T1, T2, T3, P1 to P11.
      (
        0x31,
        [
          0x7A, 0x6B, 0x53, 0x49, 0xF6, 0x3B, 0x00, 0x1C, 0xF3, 0x23, 0x00, 0x7C, 0x60, 0x54, 0x76,
          0xF3, 0xF6, 0x8B, 0x3F, 0x17, 0xC4,
        ]
      ),
    ], quantity: .pressure, data: [("in_pressure", 0x04), ("in_temp", 0x07)]),
  GeneralCase(
    kernelName: "dps310", part: "DPS310", address: 0x76,
    powerOn: [
      (0x0D, [0x10]), (0x08, [0xF0]), (0x28, [0x80]),
      (
        0x10,
        [
          0x0C, 0x4E, 0xF8, 0x13, 0x6A, 0xCF, 0x2B, 0x48, 0xEC, 0x94, 0x05, 0x35, 0xDA, 0x1F, 0x05,
          0x57, 0xF9, 0xA5,
        ]
      ),
    ], quantity: .pressure, data: [("in_pressure", 0x00), ("in_temp", 0x03)]),
  GeneralCase(
    kernelName: "lps22hb", part: "LPS22HB", address: 0x5D,
    powerOn: [(0x0F, [0xB1]), (0x10, [0, 0x10, 0]), (0x27, [0x03])], quantity: .pressure,
    data: [("in_pressure", 0x28), ("in_temp", 0x2B)]),
]

/// Any chip of a kernel driver as a source: values as the kernel prints them, found in the kernel's
/// list, by its kernel's name; and the samples a second that sysfs gives.
func exerciseGeneralSource(bus: String) -> [Row] {
  generalCases.map { chip in
    var row = Row(chip: "\(chip.part) by name", compared: "")
    do {
      let stub = try Stub(bus: bus, address: chip.address, mirror: 0)
      try stub.load(chip.powerOn)
      let kernel = try Kernel(bus: bus, name: chip.kernelName, address: chip.address)
      row.driver = kernel.driver
      row.isBound = true
      do { try compare(chip, bus, stub, kernel, &row) } catch { row.check(false, "\(error)") }
      try kernel.unbind()
    } catch { row.check(false, "\(error)") }
    return row
  }
}

private func compare(
  _ chip: GeneralCase, _ bus: String, _ stub: Stub, _ kernel: Kernel, _ row: inout Row
) throws {
  let model = ChipModel.ofKernel(chip.kernelName, chip.quantity)
  let listed = IIODevice.all().filter { $0.address == chip.address && $0.reads(model) }
  row.check(listed.count == 1, "the kernel's list has \(IIODevice.all().map(\.name))")
  guard let device = listed.first else { return }
  row.check(
    device.driver == kernel.driver && device.bus == resolved(bus),
    "\(device.bus) \(device.driver)")
  let reader = try IIOReader(bus: bus, address: chip.address, model: model)
  try load(chip, SIMD3(100, 200, 300), stub)
  try reader.start()
  for words in Patterns.axes(bits: 16).prefix(40)
  where words.min() > -32_000 && words.max() < 32_000 {
    try load(chip, words, stub)
    row.patterns += 1
    if chip.quantity == .pressure {
      let (hectopascal, celsius) = (
        try value("in_pressure", kernel) * 10, try value("in_temp", kernel) / 1000
      )
      let read = try reader.readPressure()
      row.check(
        read.map { abs($0.hectopascal - hectopascal) < 1e-6 && abs($0.celsius - celsius) < 1e-6 }
          ?? false, "\(words): kernel \(hectopascal) hPa, ours \(String(describing: read))")
    } else {
      for (stem, _) in chip.data {
        let factor = stem == "in_magn" ? 100.0 : 1
        let expected = try SIMD3(
          value("\(stem)_x", kernel), value("\(stem)_y", kernel), value("\(stem)_z", kernel))
        let read = try reader.read(stem)?.value ?? SIMD3(repeating: .infinity)
        let difference = read - expected * chip.signs * factor
        row.check(
          max(abs(difference.x), abs(difference.y), abs(difference.z)) < 1e-9,
          "\(words): \(read), not \(expected * factor)")
      }
    }
  }
  let blocks = try reader.blocksOfReading(chip.data[0].stem)
  row.check(blocks == 0, "our IIO driver asks for \(blocks) blocks of the heap")
  let (hertz, rate) = try speed(device, model)
  row.compared =
    "values of the kernel's scale, \(hertz) samples/s by sysfs (device \(rate) Hz); \(device.access(to: model).description)"
}

private func load(_ chip: GeneralCase, _ words: SIMD3<Int16>, _ stub: Stub) throws {
  for (stem, register) in chip.data {
    switch stem {
    case "in_pressure":
      // A number of 24 bits, as it is in each of the three orders an ordinary value.
      let low = UInt8(truncatingIfNeeded: words.x)
      try stub.load([
        (register, chip.kernelName == "dps310" ? [0xF0, low, 0x10] : [low, 0x34, 0x3F])
      ])
    case "in_temp":
      let low = UInt8(truncatingIfNeeded: words.y)
      let bytes: [UInt8] =
        switch chip.kernelName {
        case "dps310": [0x05, low, 0x10]
        case "lps22hb": [low, 0x09]
        default: [low, 0x34, 0x80]
        }
      try stub.load([(register, bytes)])
    default: try stub.load([(register, littleEndian(words))])
    }
  }
}

/// A channel's value as the kernel prints it: processed, else from raw, offset and scale.
private func value(_ name: String, _ kernel: Kernel) throws -> Double {
  if kernel.node(with: "\(name)_input") != nil { return try kernel.number("\(name)_input").value }
  let stem = name.split(separator: "_").prefix(2).joined(separator: "_")
  let scale = kernel.node(with: "\(name)_scale") != nil ? name : stem
  let offset =
    kernel.node(with: "\(scale)_offset") != nil ? try kernel.number("\(scale)_offset").value : 0
  return (try kernel.number("\(name)_raw").value + offset)
    * (try kernel.number("\(scale)_scale").value)
}

/// The samples a second of a driver that is read as fast as it delivers, and its own rate, hertz.
private func speed(_ device: IIODevice, _ model: ChipModel) throws -> (Int, Int) {
  guard let chip = device.driver(for: model, settings: ChipSettings()) else {
    throw Trouble("no driver")
  }
  var (field, unit, barometer) = (
    chip as? any Magnetometer, chip as? any InertialUnit, chip as? any Barometer
  )
  try field?.start()
  try unit?.start()
  try barometer?.start()
  let end = MonotonicClock.now.advanced(byNanoseconds: 2_000_000_000)
  var count = 0
  while MonotonicClock.now < end {
    if try field?.readField() != nil { count += 1 }
    _ = try unit?.readInertia { _ in count += 1 }
    if try barometer?.readPressure() != nil { count += 1 }
    usleep(200)
  }
  let rate = field?.rateHertz ?? unit?.rateHertz ?? barometer?.rateHertz ?? 0
  return (count / 2, Int(bounded: rate))
}

private func resolved(_ path: String) -> String {
  guard let real = realpath(path, nil) else { return path }
  defer { free(real) }
  return String(cString: real)
}
