import Quantities

/// ST's LSM6DS3, LSM6DS3TR-C, LSM6DSO, LSM6DSO32, ISM330DHCX, LSM6DSV and LSM6DSV32X; the part is a
/// parameter.
/// - Source: ST LSM6DS3 data sheet DocID026899 revision 10 and LSM6DSO data sheet DS12140 revision
///   2 (register maps with defaults, FIFO_STATUS, FIFO_DATA_OUT_TAG); ST's `lsm6dsv_reg.h`,
///   `ism330dhcx_reg.h` (bits); Linux `st_lsm6dsx_core.c` (scales, rates), `st_lsm6dsx_buffer.c`
///   (order and tags of the FIFO).
package final class EmulatedLSM6DSFamily: RegisterFile {
  private let surroundings: any Surroundings
  private let part: Part
  private var conversions: ConversionClock?
  private var words: [[UInt8]] = []
  private var hasOverrun = false
  private var samples: UInt8 = 0
  /// The words that left the FIFO since it was emptied, for the pattern of the untagged one.
  private var taken = 0
  /// The oscillator's deviation in the steps of INTERNAL_FREQ_FINE; a part without that register
  /// has it too.
  package var trim: Int8 = 0 {
    didSet {
      if let register = part.trimRegister { registers[Int(register)] = UInt8(bitPattern: trim) }
    }
  }

  private static let (fifoMode, whoAmI, control3): (UInt8, UInt8, UInt8) = (0x0A, 0x0F, 0x12)
  private static let (control1, control2): (UInt8, UInt8) = (0x10, 0x11)
  private static let (gyroscopeData, accelerometerData): (UInt8, UInt8) = (0x22, 0x28)

  /// The differences of the parts.
  package struct Part: Sendable {
    var whoAmI: UInt8
    var isNewest = false
    var isTagged = true
    var depth = 512
    var control9: UInt8 = 0xE0
    var control10: UInt8 = 0x00
    /// Twice the accelerometer's ranges.
    var isWide = false
    var trimRegister: UInt8? = 0x63
    var trimShare = 0.0015

    package static let lsm6ds3 = Part(
      whoAmI: 0x69, isTagged: false, depth: 4095, control9: 0x38, control10: 0x38,
      trimRegister: nil)
    package static let lsm6ds3trc = Part(
      whoAmI: 0x6A, isTagged: false, depth: 2046, trimRegister: nil)
    package static let lsm6dso = Part(whoAmI: 0x6C)
    package static let lsm6dso32 = Part(whoAmI: 0x6C, isWide: true)
    package static let ism330dhcx = Part(whoAmI: 0x6B)
    package static let lsm6dsv = Part(
      whoAmI: 0x70, isNewest: true, depth: 256, control9: 0x00, trimRegister: 0x4F,
      trimShare: 0.0013)
    package static let lsm6dsv32x = Part(
      whoAmI: 0x70, isNewest: true, depth: 256, control9: 0x00, isWide: true, trimRegister: 0x4F,
      trimShare: 0.0013)

    var status: UInt8 { isNewest ? 0x1B : 0x3A }
  }

  package init(_ part: Part, surroundings: any Surroundings) {
    self.surroundings = surroundings
    self.part = part
    var writable: [UInt8: UInt8] = [
      0x01: 0xC0, 0x06: part.isTagged ? 0x00 : 0xFF, 0x07: 0xFF, 0x08: part.isTagged ? 0xDF : 0x3F,
      0x09: 0xFF, 0x0A: part.isTagged ? 0xF7 : 0x7F, 0x0D: 0xFF, 0x0E: 0xFF, 0x12: 0xFD, 0x13: 0xFF,
      0x14: 0xFF, 0x15: 0xFF, 0x16: 0xFF, 0x17: 0xFF, 0x18: 0xFE, 0x19: 0x3F,
    ]
    writable[0x10] = part.isNewest ? 0x7F : 0xFF
    writable[0x11] = part.isNewest ? 0x7F : 0xFE
    super.init(
      defaults: [
        Self.whoAmI: part.whoAmI, Self.control3: part.isNewest ? 0x44 : 0x04,
        0x18: part.control9, 0x19: part.control10,
      ], writable: writable)
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    emptyFIFO()
    let trim = trim
    self.trim = trim
  }

  // IF_INC; from the end of a FIFO word back to its begin.
  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    guard isSet(0x04, in: Self.control3) else { return register }
    switch register {
    case 0x7E where part.isTagged: return 0x78
    case 0x3F where !part.isTagged: return 0x3E
    default: return register &+ 1
    }
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    switch register {
    case 0x78...0x7E where part.isTagged: return words.first?[Int(register) - 0x78] ?? 0
    case 0x3E...0x3F where !part.isTagged: return words.first?[Int(register) - 0x3E] ?? 0
    case part.status: return UInt8(words.count & 0xFF)
    case part.status + 1: return status2
    // FIFO_PATTERN.
    case part.status + 2 where !part.isTagged: return UInt8(taken % 6)
    default: return registers[Int(register)]
    }
  }

  private var status2: UInt8 {
    let isFull = words.count >= part.depth
    let high = UInt8(words.count >> 8)
    guard part.isTagged else {
      return high | (words.isEmpty ? 0x10 : 0) | (isFull ? 0x20 : 0) | (hasOverrun ? 0x40 : 0)
    }
    return high | (isFull ? 0x20 : 0) | (hasOverrun ? 0x48 : 0)
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    switch register {
    case 0x7E where part.isTagged, 0x3F where !part.isTagged:
      guard !words.isEmpty else { return }
      words.removeFirst()
      taken += 1
    // FIFO_OVR_LATCHED is cleared by its reading.
    case part.status + 1 where part.isTagged: hasOverrun = false
    default: break
    }
  }

  // Source: imud, issue 72: with the FIFO streaming 12 of 12 resets were not acknowledged, in
  // bypass 0 of 6.
  package override func refuses(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp
  ) -> Bool {
    advance(to: instant)
    return part.isTagged && !part.isNewest && register == Self.control3
      && bytes.first.map { $0 & 0x01 != 0 } == true && !words.isEmpty
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.control3 where value & 0x01 != 0:
      beginReset(0x01, in: Self.control3, nanoseconds: 50_000, at: instant)
    case Self.control1, Self.control2: restartConversions(at: instant)
    case Self.fifoMode where value & 0x07 == 0: emptyFIFO()
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    finishReset(by: instant)
    let missed =
      conversions?.finished(by: instant, limit: part.depth / 2 + 2) { convert(at: $0) } ?? 0
    if missed > 0, isFIFOOn { hasOverrun = true }
  }

  private var isFIFOOn: Bool {
    let batches = part.isTagged ? registers[0x09] != 0 : registers[0x08] == 0x09
    return batches && registers[Int(Self.fifoMode)] & 0x07 == 6
  }

  private func emptyFIFO() {
    words = []
    (hasOverrun, samples, taken) = (false, 0, 0)
  }

  private func restartConversions(at instant: Timestamp) {
    let register = registers[Int(Self.control2)]
    let setting = Int(part.isNewest ? register & 0x0F : register >> 4)
    let top = Double(part.isNewest ? 7680 : part.isTagged ? 6667 : 6664)
    // The newest parts' fastest setting is 12, the others' 10.
    let hertz = setting == 0 ? 0 : top / Double(1 << ((part.isNewest ? 12 : 10) - setting))
    let actual = hertz * (1 + part.trimShare * Double(trim))
    conversions = hertz > 0 ? ConversionClock(start: instant, hertz: actual) : nil
  }

  private func convert(at instant: Timestamp) {
    let (degrees, milliG) = scales
    let rate = surroundings.angularRate(at: instant) * (180 / Double.pi / degrees)
    let force = surroundings.specificForce(at: instant) / (9.806_65e-3 * milliG)
    putLittleEndian(rate, at: Self.gyroscopeData)
    putLittleEndian(force, at: Self.accelerometerData)
    guard isFIFOOn else { return }
    let gyroscope = axes(at: Self.gyroscopeData)
    let accelerometer = axes(at: Self.accelerometerData)
    if part.isTagged {
      let count = samples & 0x03
      samples &+= 1
      words.append([0x01 << 3 | count << 1] + gyroscope)
      words.append([0x02 << 3 | count << 1] + accelerometer)
    } else {
      let bytes = gyroscope + accelerometer
      for index in stride(from: 0, to: 12, by: 2) { words.append(Array(bytes[index..<index + 2])) }
    }
    guard words.count > part.depth else { return }
    let lost = words.count - part.depth
    words.removeFirst(lost)
    taken += lost
    hasOverrun = true
  }

  /// A count of the gyroscope in degrees a second, and of the accelerometer in milli-g.
  private var scales: (degrees: Double, milliG: Double) {
    if part.isNewest {
      let gyroscope = [4.375e-3, 8.75e-3, 17.5e-3, 35e-3, 70e-3]
      let accelerometer = [0.061, 0.122, 0.244, 0.488]
      return (
        gyroscope[min(Int(registers[0x15] & 0x0F), 4)],
        accelerometer[Int(registers[0x17] & 3)] * (part.isWide ? 2 : 1)
      )
    }
    return (
      [8.75e-3, 17.5e-3, 35e-3, 70e-3][Int(registers[0x11] >> 2 & 3)],
      [0.061, 0.488, 0.122, 0.244][Int(registers[0x10] >> 2 & 3)] * (part.isWide ? 2 : 1)
    )
  }
}
