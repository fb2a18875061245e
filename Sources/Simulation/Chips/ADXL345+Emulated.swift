import Quantities

/// Analog Devices' ADXL345, without taps, activity and free fall.
/// - Source: Analog Devices ADXL345 data sheet revision E: register map with defaults, DATA_FORMAT
///   (FULL_RES, 3.9 mg a count, bits by range), FIFO_CTL, FIFO_STATUS (entries up to 33), rate
///   codes.
package final class EmulatedADXL345: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var samples: [[UInt8]] = []

  private static let (rate, power, format, data): (UInt8, UInt8, UInt8, UInt8) =
    (0x2C, 0x2D, 0x31, 0x32)
  private static let (fifoControl, fifoStatus): (UInt8, UInt8) = (0x38, 0x39)
  private static let depth = 33

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [0x00: 0xE5, 0x2C: 0x0A, 0x30: 0x02],
      writable: [
        0x1D: 0xFF, 0x1E: 0xFF, 0x1F: 0xFF, 0x20: 0xFF, 0x2C: 0x1F, 0x2D: 0x3F, 0x2E: 0xFF,
        0x2F: 0xFF, 0x31: 0xEF, 0x38: 0xFF,
      ])
  }

  package override func reset(at instant: Timestamp) { (conversions, samples) = (nil, []) }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    switch register {
    case Self.data..<Self.data + 6:
      guard isStream, let first = samples.first else { return registers[Int(register)] }
      return first[Int(register - Self.data)]
    case Self.fifoStatus: return UInt8(isStream ? samples.count : 0)
    default: return registers[Int(register)]
    }
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.data + 5, !samples.isEmpty { samples.removeFirst() }
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.power, Self.rate:
      let hertz = 3200 / Double(1 << (15 - Int(registers[Int(Self.rate)] & 0x0F)))
      conversions =
        isSet(0x08, in: Self.power) ? ConversionClock(start: instant, hertz: hertz) : nil
    case Self.fifoControl where value & 0xC0 == 0: samples = []
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    _ = conversions?.finished(by: instant, limit: Self.depth + 1) { convert(at: $0) }
  }

  private var isStream: Bool { registers[Int(Self.fifoControl)] >> 6 == 2 }

  private func convert(at instant: Timestamp) {
    let range = Int(registers[Int(Self.format)] & 0x03)
    let isFull = isSet(0x08, in: Self.format)
    // 10 bits of ±2 g; with FULL_RES a bit more a range, else a step twice as large.
    let limit = Double(512 << (isFull ? range : 0))
    let countsPerG = 256 / Double(isFull ? 1 : 1 << range)
    let counts = surroundings.specificForce(at: instant) / 9.806_65 * countsPerG
    for axis in 0..<3 {
      let count = Int(bounded: max(-limit, min(limit - 1, counts[axis].rounded())))
      putLittleEndian(count, at: Self.data + UInt8(2 * axis))
    }
    guard isStream else { return }
    if samples.count == Self.depth { samples.removeFirst() }
    samples.append(axes(at: Self.data))
  }
}
