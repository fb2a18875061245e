import Quantities

/// Bosch's BMP580, BMP581 and BMP585 in normal, forced and continuous mode, without FIFO, filter
/// and memory.
/// - Source: the sheet and drivers named in `BMP581`: defaults, rates, times, the status that
///   reading clears, and the settings that only take effect in standby.
package final class EmulatedBMP581: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?

  private static let (data, interruptStatus, filter): (UInt8, UInt8, UInt8) = (0x1D, 0x27, 0x31)
  private static let (source, oversampling, rate): (UInt8, UInt8, UInt8) = (0x15, 0x36, 0x37)
  private static let command: UInt8 = 0x7E
  /// By odr.
  private static let hertz: [Double] = [
    240, 218.5, 199.1, 179.2, 160, 149.3, 140, 129.8, 120, 110.1, 100.2, 89.6, 80, 70, 60, 50,
    45, 40, 35, 30, 25, 20, 15, 10, 5, 4, 3, 2, 1, 0.5, 0.25, 0.125,
  ]
  /// Microseconds by osr_p and by osr_t.
  private static let pressureTimes: [UInt64] = [
    1050, 1785, 3045, 5670, 10_920, 21_420, 42_420, 84_420,
  ]
  private static let temperatureTimes: [UInt64] = [
    1050, 1105, 1575, 2205, 3465, 6090, 11_340, 21_840,
  ]

  package init(surroundings: any Surroundings, identity: UInt8) {
    self.surroundings = surroundings
    var defaults: [UInt8: UInt8] = [
      0x01: identity, 0x02: 0x32, 0x14: 0x35, 0x27: 0x10, 0x28: 0x03, 0x30: 0x23, 0x37: 0x70,
    ]
    for register in Self.data...0x22 { defaults[register] = 0x7F }
    super.init(
      defaults: defaults,
      writable: [
        0x13: 0xF3, 0x14: 0xFF, 0x15: 0x0F, 0x16: 0x3F, 0x18: 0x1F, 0x30: 0xFF, 0x31: 0x3F,
        0x36: 0x7F, 0x37: 0xFF,
      ])
  }

  package override func reset(at instant: Timestamp) { conversions = nil }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.command where value == 0xB6:
      restoreDefaults()
      reset(at: instant)
    case Self.filter where registers[Int(Self.rate)] & 0x03 != 0:
      // The filter can be set in standby only.
      registers[Int(Self.filter)] = 0
    case Self.rate:
      let mode = value & 0x03
      let hertz = mode == 0x01 ? Self.hertz[Int(value >> 2 & 0x1F)] : .infinity
      let longest = 1e9 / Double(conversionNanoseconds)
      conversions =
        mode == 0 ? nil : ConversionClock(start: instant, hertz: min(hertz, longest))
    default: break
    }
  }

  private var conversionNanoseconds: UInt64 {
    let bits = registers[Int(Self.oversampling)]
    let pressure = bits & 0x40 != 0 ? Self.pressureTimes[Int(bits >> 3 & 7)] : 0
    return 1000 * (pressure + Self.temperatureTimes[Int(bits & 7)])
  }

  package override func advance(to instant: Timestamp) {
    var isDone = false
    _ = conversions?.finished(by: instant) {
      convert(at: $0)
      isDone = true
    }
    // Forced: one conversion.
    if isDone && registers[Int(Self.rate)] & 0x03 == 0x02 {
      conversions = nil
      clear(0x03, in: Self.rate)
    }
  }

  private func convert(at end: Timestamp) {
    let half = conversionNanoseconds / 2
    let middle = Timestamp(nanoseconds: end.nanoseconds - min(half, end.nanoseconds))
    put(Int(bounded: (surroundings.celsius(at: middle) * 65_536).rounded()), at: Self.data)
    let pascal = min(max(100 * surroundings.hectopascal(at: middle), 0), 262_143)
    let isMeasured = isSet(0x40, in: Self.oversampling)
    put(isMeasured ? Int(bounded: (pascal * 64).rounded()) : 0x7F7F7F, at: Self.data + 3)
    if isSet(0x01, in: Self.source) { set(0x01, in: Self.interruptStatus) }
  }

  private func put(_ value: Int, at register: UInt8) {
    for byte in 0..<3 {
      registers[Int(register) + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
    }
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.interruptStatus { registers[Int(register)] = 0 }
  }
}
