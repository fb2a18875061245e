import Quantities

/// Bosch's BMM350, without self-test and FIFO.
/// - Source: the sheet and drivers named in `BMM350`: two bytes before each read, power commands
///   with their status, OTP, ready bit that reading clears. Outputs are found from the field by the
///   inverse of the compensation.
package final class EmulatedBMM350: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  /// The words of the factory's memory, of which those from 0x0D to 0x18 are the trim.
  private let memory: [UInt16]

  private static let (aggregation, axes, powerCommand, powerStatus): (UInt8, UInt8, UInt8, UInt8) =
    (0x04, 0x05, 0x06, 0x07)
  private static let (interruptControl, interruptStatus): (UInt8, UInt8) = (0x2E, 0x30)
  private static let (outX, memoryCommand, memoryData): (UInt8, UInt8, UInt8) = (0x31, 0x50, 0x52)
  private static let (memoryStatus, command): (UInt8, UInt8) = (0x55, 0x7E)

  /// Offsets 3, -5 and 7 µT; x 2/256 and y -3/256 of sensitivity; small drifts, and cross terms of
  /// up to 4/800.
  package static let trim: [UInt16] = [
    0x0205, 0xF003, 0x00FB, 0x0207, 0x01FD, 0x0401, 0xFE02, 0x02FF, 0x0302, 0xFC01, 0x0000, 0x0100,
  ]

  package init(surroundings: any Surroundings, trim: [UInt16] = EmulatedBMM350.trim) {
    self.surroundings = surroundings
    memory = [UInt16](repeating: 0, count: 13) + trim + [UInt16](repeating: 0, count: 7)
    super.init(
      defaults: [0x00: 0x33, 0x03: 0x07, 0x04: 0x14, 0x05: 0x07],
      writable: [
        0x03: 0x07, 0x04: 0x3F, 0x05: 0x07, 0x06: 0x0F, 0x0A: 0xFF, 0x2E: 0x8F, 0x50: 0xFF,
        0x60: 0xFF,
      ])
  }

  package override func reset(at instant: Timestamp) { conversions = nil }

  package override func read(
    _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
  ) {
    for index in bytes.indices.prefix(2) { bytes[index] = 0x7F }
    guard bytes.count > 2 else { return }
    super.read(
      register, into: UnsafeMutableRawBufferPointer(rebasing: bytes[2...]), at: instant)
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.command where value == 0xB6:
      restoreDefaults()
      reset(at: instant)
    case Self.memoryCommand where value & 0xE0 == 0x20:
      let word = memory[Int(value & 0x1F)]
      registers[Int(Self.memoryData)] = UInt8(word >> 8)
      registers[Int(Self.memoryData) + 1] = UInt8(word & 0xFF)
      registers[Int(Self.memoryStatus)] = 0x01
    case Self.powerCommand: obey(value & 0x0F, at: instant)
    default: break
    }
  }

  private func obey(_ command: UInt8, at instant: Timestamp) {
    registers[Int(Self.powerStatus)] = (command & 0x07) << 5 | (command == 1 ? 0x08 : 0)
    conversions = nil
    guard command == 1 else { return }
    let bits = Int(registers[Int(Self.aggregation)] & 0x0F)
    let hertz = 1600.0 / Double(1 << max(2, min(10, bits)))
    conversions = ConversionClock(start: instant, hertz: hertz)
  }

  package override func advance(to instant: Timestamp) {
    _ = conversions?.finished(by: instant) { convert(at: $0) }
  }

  private func convert(at instant: Timestamp) {
    let field = surroundings.field(at: instant)
    let gain = 0.714607238769531 / 1.5
    // The thermometer: sensitivity 2/512, offset 5/5 degrees; trimmed at 23.5 degrees.
    let celsius = surroundings.celsius(at: instant)
    let thermometer = (celsius - 1) / (1 + 2.0 / 512) + 25.49
    let change = celsius - 23.5
    // Cross terms: y in x 2/800, x in y 3/800, x in z 1/800, y in z -4/800.
    let mixed = SIMD3(
      field.x + 2 * field.y / 800, field.y + 3 * field.x / 800,
      field.z + field.x / 800 - 4 * field.y / 800)
    let drift = SIMD3(1.0, 2, -1) / 32 * change
    let slope = (SIMD3(4.0, -2, 2) / 16_384 - SIMD3(0, 0, 0.0001)) * change
    let one = SIMD3<Double>(repeating: 1)
    let sensitivity = one + SIMD3(2.0 / 256, -3.0 / 256 + 0.01, 1.0 / 256)
    let output = (mixed * (one + slope) - drift - SIMD3(3, -5, 7)) / sensitivity
    let planar = 14.55 * 19.46 * gain * 1.048576
    let counts = [
      output.x * planar, output.y * planar, output.z * (9 * 31 * gain * 1.048576),
      thermometer * (0.00204 * gain * 1_048_576),
    ]
    for (index, value) in counts.enumerated() {
      let count = max(-8_388_608, min(8_388_607, Int(bounded: value.rounded())))
      let first = Int(Self.outX) + 3 * index
      for byte in 0..<3 { registers[first + byte] = UInt8(truncatingIfNeeded: count >> (8 * byte)) }
    }
    if isSet(0x80, in: Self.interruptControl) { set(0x04, in: Self.interruptStatus) }
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.interruptStatus { clear(0x04, in: Self.interruptStatus) }
  }
}
