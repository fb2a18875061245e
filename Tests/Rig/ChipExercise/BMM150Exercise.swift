import Chips
import LinuxIO

/// BMM150: the kernel prints sixteenths of a microtesla after its compensation, to be met to the
/// last digit.
func exerciseBMM150(bus: String) -> Row {
  var row = Row(
    chip: ChipModel.bmm150.rawValue,
    compared: "sixteenths of a microtesla, \(trims.count) sets of trim, IIO driver")
  do {
    let stub = try Stub(bus: bus, address: 0x10, mirror: 0)
    for bytes in trims {
      try stub.load([(0x40, [0x32]), (0x4B, [0x01]), (0x4C, [0x06]), (0x5D, bytes)])
      let kernel = try Kernel(bus: bus, name: "bmm150_magn", address: 0x10)
      row.driver = kernel.driver
      row.isBound = true
      do {
        let reader = try IIOReader(bus: bus, address: 0x10, model: .bmm150)
        let trim = BMM150Trim(RegisterBytes(bytes))
        try stub.load([(0x42, data(SIMD3(0, 0, 0), resistance: 6753))])
        try reader.start()
        for (index, words) in Patterns.axes(bits: 16).enumerated() {
          row.patterns += 1
          let resistance = UInt16(4000 + 211 * index)
          try stub.load([(0x42, data(words, resistance: resistance))])
          try compare(words, trim, stub, kernel, reader, &row)
        }
        let blocks = try reader.blocksOfReading("in_magn")
        row.check(blocks == 0, "our IIO driver asks for \(blocks) blocks of the heap")
      } catch { row.check(false, "\(error)") }
      try kernel.unbind()
    }
  } catch { row.check(false, "\(error)") }
  return row
}

/// An ordinary trim as the emulated chip has it, neighbours of it, one without a compensation.
private let trims: [[UInt8]] = {
  func bytes(_ planar: [Int], _ z: [Int]) -> [UInt8] {
    func low(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value) }
    func word(_ value: Int) -> [UInt8] { [low(value), low(value >> 8)] }
    var bytes: [UInt8] = [low(planar[0]), low(planar[1]), 0, 0, 0]
    bytes += word(z[3])
    bytes += [low(planar[2]), low(planar[3]), 0, 0]
    for index in [1, 0, 4, 2] { bytes += word(z[index]) }
    bytes += [low(planar[5]), low(planar[4])]
    return bytes
  }
  return [
    bytes([2, -3, 26, 27, 29, -3], [24_747, 763, -10, 10, 6753]),
    bytes([-5, 7, 25, 28, 31, -2], [23_100, 790, 120, -160, 6900]),
    bytes([0, 0, 0, 0, 0, 0], [20_000, 600, 0, 0, 7000]),
  ]
}()

/// Eight registers of 13, 13, 15 and 14 bits with the ready bit.
private func data(_ words: SIMD3<Int16>, resistance: UInt16) -> [UInt8] {
  let bits = SIMD3(words.x & ~0x07, words.y & ~0x07, words.z & ~0x01)
  return littleEndian(bits)
    + [UInt8(truncatingIfNeeded: resistance << 2) | 0x01, UInt8(resistance >> 6)]
}

private func compare(
  _ words: SIMD3<Int16>, _ trim: BMM150Trim, _ stub: Stub, _ kernel: Kernel, _ reader: IIOReader,
  _ row: inout Row
) throws {
  let ours = BMM150<B>.decode(try stub.read(0x42, count: 8), at: 0, trim).components
  let theirs = try ["x", "y", "z"].map { Int(try kernel.number("in_magn_\($0)_raw").digits) }
  let isOverflow = theirs.contains(Int(Int32.min))
  row.check(
    (ours == nil) == isOverflow, "\(words): kernel \(theirs), ours \(String(describing: ours))")
  guard let read = try reader.read("in_magn") else {
    row.check(false, "\(words): our IIO driver has no sample")
    return
  }
  row.check((read == .saturated) == isOverflow, "\(words): kernel \(theirs), IIO driver \(read)")
  guard let ours, let value = read.value else { return }
  for axis in 0..<3 {
    row.check(ours[axis] * 16 == Double(theirs[axis]), "\(words): kernel \(theirs), ours \(ours)")
    row.check(abs(value[axis] - ours[axis]) < 1e-9, "\(words): IIO driver \(value), ours \(ours)")
  }
}
