import Chips
import LinuxIO

/// Compares all quantities of a chip.
func exercise(_ chip: ChipCase, bus: String) -> [Row] {
  var rows = chip.quantities.map {
    Row(chip: "\(($0.model ?? chip.model).rawValue) \($0.stem.dropFirst(3))", compared: "")
  }
  do {
    let stub = try Stub(bus: bus, address: chip.address, mirror: chip.mirror)
    try stub.load(chip.powerOn)
    let kernel =
      chip.isInTree
      ? try Kernel(bus: bus, driver: chip.kernelName, address: chip.address)
      : try Kernel(bus: bus, name: chip.kernelName, address: chip.address)
    var reader: IIOReader?
    do {
      if let (attribute, text) = chip.rate { try kernel.setAll(attribute, text) }
      for (index, quantity) in chip.quantities.enumerated() {
        rows[index].driver = kernel.driver
        rows[index].isBound = true
        let model = quantity.model ?? chip.model
        reader =
          chip.keepsFIFO ? nil : try IIOReader(bus: bus, address: chip.address, model: model)
        var comparison = AxesComparison(quantity, stub, kernel, reader, rows[index])
        do { try comparison.run() } catch { comparison.row.check(false, "\(error)") }
        rows[index] = comparison.row
      }
    } catch { rows[0].check(false, "\(error)") }
    try kernel.unbind()
    rows[0].check(
      reader?.knowsItIsUnbound() ?? chip.keepsFIFO,
      "our IIO driver does not see that the kernel's is gone")
  } catch { rows[0].check(false, "\(error)") }
  return rows
}

/// One quantity with three axes: the kernel's driver, our decoder and our IIO driver on the same
/// registers.
struct AxesComparison {
  private let quantity: AxesCase
  private let stub: Stub
  private let kernel: Kernel
  private let reader: IIOReader?
  var row: Row

  private static let axes = ["_x", "_y", "_z"]

  private var byteCount: Int { quantity.bytes(SIMD3(0, 0, 0)).count }

  init(_ quantity: AxesCase, _ stub: Stub, _ kernel: Kernel, _ reader: IIOReader?, _ row: Row) {
    self.quantity = quantity
    self.stub = stub
    self.kernel = kernel
    self.reader = reader
    self.row = row
  }

  mutating func run() throws {
    var texts: [String] = []
    for (number, range) in quantity.ranges.enumerated() {
      if quantity.ranges.count > 1 { try choose(number) }
      if let (register, mask, value) = range.bits {
        let found = try stub.written(register) & mask
        row.check(found == value, "range \(number): the kernel's bits are \(found), ours \(value)")
      }
      let size = try sizeOfCount(range)
      let scales = try Self.axes.map { try kernel.number(scaleAttribute($0)) }
      texts.append(compare(scales, size, range))
      try reader?.start()
      for (index, words) in Patterns.axes(bits: quantity.wordBits).enumerated()
      where index % quantity.ranges.count == number && quantity.isReadable(words) {
        row.patterns += 1
        try stub.load([(quantity.register, quantity.bytes(words))])
        try compare(words, range, size: size, scales: scales)
      }
    }
    row.compared = "counts, range bits, scales \(texts.joined(separator: " "))"
    guard let reader else { return }
    let blocks = try reader.blocksOfReading(quantity.stem)
    row.check(blocks == 0, "our IIO driver asks for \(blocks) blocks of the heap")
    row.compared += ", IIO driver"
  }

  private func choose(_ number: Int) throws {
    if quantity.hasRangesByRegister, let bits = quantity.ranges[number].bits {
      return try stub.load([(bits.register, [bits.value])])
    }
    if let scales = quantity.scales { return try kernel.set(scaleAttribute("_x"), scales[number]) }
    let available = ["\(quantity.stem)_scale_available", "scale_available"].first {
      kernel.node(with: $0) != nil
    }
    guard let available, case .success(let text) = try kernel.text(available) else {
      throw Trouble("no ranges of \(quantity.stem)")
    }
    let scales = text.split(separator: " ").map(String.init)
    // Further ones of the kernel's are last.
    guard scales.count >= quantity.ranges.count else { throw Trouble("\(available) is \(text)") }
    try kernel.set(scaleAttribute("_x"), scales[number])
  }

  private func scaleAttribute(_ axis: String) -> String {
    let own = "\(quantity.stem)\(axis)_scale"
    return kernel.node(with: own) == nil ? "\(quantity.stem)_scale" : own
  }

  /// Our size of one of the chip's counts on each axis, in our unit.
  private func sizeOfCount(_ range: RangeCase) throws -> SIMD3<Double> {
    let one = SIMD3(repeating: quantity.unit)
    try stub.load([(quantity.register, quantity.bytes(one))])
    guard let value = range.decode(try stub.read(quantity.register, count: byteCount)) else {
      throw Trouble("a count of 1 is saturated")
    }
    return value
  }

  /// The kernel prints its scales cut off or rounded: ours must lie within one of the last digit.
  private mutating func compare(
    _ scales: [IIODecimal], _ size: SIMD3<Double>, _ range: RangeCase
  ) -> String {
    var texts: [String] = []
    for (axis, theirs) in scales.enumerated() {
      let inTheirUnit = abs(size[axis]) * quantity.countsPerKernelCount / quantity.perABIUnit
      let digits = inTheirUnit / quantity.kernelScaleTimes * Self.power(theirs.places)
      let text = "\(theirs.value)"
      if quantity.hasOnlyXScale && axis > 0 {
        row.check(theirs == scales[0], "scale \(theirs.digits), x's is \(scales[0].digits)")
        texts.append("x's")
      } else if let expected = range.kernelDigits {
        // A difference that is known: the kernel's figure is pinned, and ours is near.
        let parts = ((digits / Double(expected) - 1) * 1e6).rounded()
        row.check(theirs.digits == expected, "scale \(theirs.digits), was \(expected)")
        row.check(abs(parts) < 50_000, "scale \(theirs.digits), ours \(digits)")
        texts.append("\(text) (ours \(parts / 10_000) % off)")
      } else {
        row.check(abs(digits - Double(theirs.digits)) < 1, "scale \(theirs.digits), ours \(digits)")
        texts.append(text)
      }
    }
    return texts[1...].allSatisfy { $0 == texts[0] } ? texts[0] : texts.joined(separator: "/")
  }

  private mutating func compare(
    _ words: SIMD3<Int16>, _ range: RangeCase, size: SIMD3<Double>, scales: [IIODecimal]
  ) throws {
    let decoded = range.decode(try stub.read(quantity.register, count: byteCount))
    let theirs = try Self.axes.map { Int(try kernel.number("\(quantity.stem)\($0)_raw").digits) }
    let isSaturated = theirs.contains(where: quantity.isSaturated)
    row.check(
      (decoded == nil) == isSaturated,
      "\(words): kernel \(theirs), ours \(String(describing: decoded))")
    if let decoded {
      for axis in 0..<3 {
        var count = decoded[axis] / size[axis]
        if let limit = quantity.kernelLimit.map(Double.init) {
          count = min(max(count, -limit), limit)
        }
        // The quotient of two rounded numbers: within a millionth of a count it is that count.
        row.check(
          abs(count - Double(theirs[axis])) < 1e-6,
          "\(words): kernel \(theirs), ours \(count) on axis \(axis)")
      }
    }
    guard let reader else { return }
    guard let read = try reader.read(quantity.stem) else {
      row.check(false, "\(words): our IIO driver has no sample")
      return
    }
    let isMeasured = theirs.allSatisfy(quantity.measured.contains)
    row.check(
      (read.value == nil) == !isMeasured, "\(words): kernel \(theirs), our IIO driver \(read)")
    guard let value = read.value else { return }
    for axis in 0..<3 {
      // The kernel's count times its printed scale: an exact product, divided once.
      let product = Double(Int64(theirs[axis]) * scales[axis].digits)
      let sign: Double = size[axis] < 0 ? -1 : 1
      let whole =
        product / Self.power(scales[axis].places) * quantity.kernelScaleTimes * quantity.perABIUnit
        * sign
      row.check(
        abs(value[axis] - whole) <= abs(whole) * 1e-14,
        "\(words): IIO driver \(value), not \(whole)")
    }
  }

  private static func power(_ places: Int) -> Double {
    (0..<places).reduce(1) { power, _ in power * 10 }
  }
}
