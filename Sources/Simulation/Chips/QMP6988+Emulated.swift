import Quantities

/// QST's QMP6988 and Omron's 2SMPB-02B without filter.
/// - Source: registers, flags and averages as in ghismary/embedded-qmp6988 `lib.rs`, Seeed's
///   SMPB.cpp, Betaflight barometer_qmp6988.c and barometer_2smpb_02b.c; the formulas there, the
///   raw values of the QMP6988 by bisection. The coefficients are made up within their spans.
package final class EmulatedQMP6988: RegisterFile {
  /// The chip.
  package enum Part: Sendable { case qmp6988, smpb02b }

  private let part: Part
  private let surroundings: any Surroundings
  private var measurement: (begin: Timestamp, end: Timestamp)?

  private static let (status, control): (UInt8, UInt8) = (0xF3, 0xF4)

  // b00, bt1, bt2, bp1, b11, bp2, b12, b21, bp3, a0, a1, a2.
  private static let words = [
    300_005, 2345, -345, 1500, -2000, 1000, 500, -700, 800, 102_409, -1234, 567,
  ]
  // cp, bp, ap, ct, bt, at, ca, ba, aa.
  private static let roots = [-2_000_000, 500, 3000, 200, -300, 1000, 1_000_000, 2000, 1000]

  package init(_ part: Part = .qmp6988, surroundings: any Surroundings) {
    self.part = part
    self.surroundings = surroundings
    var defaults: [UInt8: UInt8] = [0xD1: 0x5C, 0xF7: 0x80, 0xFA: 0x80]
    func put(_ value: Int, at register: UInt8, count: Int = 2) {
      for index in 0..<count {
        defaults[register + UInt8(index)] = UInt8(
          truncatingIfNeeded: value >> (8 * (count - 1 - index)))
      }
    }
    switch part {
    case .qmp6988:
      for (index, word) in Self.words.enumerated() {
        put(index == 0 || index == 9 ? word >> 4 : word, at: 0xA0 + UInt8(2 * index))
      }
      defaults[0xB8] = UInt8((Self.words[0] & 15) << 4 | Self.words[9] & 15)
    case .smpb02b:
      put(Self.roots[0], at: 0xA0, count: 3)
      for index in 1...5 { put(Self.roots[index], at: 0xA1 + UInt8(2 * index)) }
      put(Self.roots[6], at: 0xAD, count: 3)
      put(Self.roots[7], at: 0xB1)
      put(Self.roots[8], at: 0xB3)
    }
    super.init(defaults: defaults, writable: [0xF1: 0x07, 0xF4: 0xFF, 0xF5: 0xE5])
  }

  package override func reset(at instant: Timestamp) { measurement = nil }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case 0xE0 where value == 0xE6:
      restoreDefaults()
      reset(at: instant)
    case Self.control where measurement == nil && value & 0x03 != 0: begin(at: instant)
    default: break
    }
  }

  private func begin(at instant: Timestamp) {
    let control = registers[Int(Self.control)]
    func count(_ bits: UInt8) -> Double { bits & 7 == 0 ? 0 : Double(1 << Int((bits & 7) - 1)) }
    // About 0.85 ms for each average, and what turns the circuits on.
    let milliseconds = 3.0 + 0.85 * (count(control >> 5) + count(control >> 2))
    measurement = (instant, instant.advanced(byNanoseconds: UInt64(bounded: 1e6 * milliseconds)))
  }

  package override func advance(to instant: Timestamp) {
    while let now = measurement, now.end <= instant {
      measurement = nil
      let middle = now.begin.advanced(
        byNanoseconds: (now.end.nanoseconds - now.begin.nanoseconds) / 2)
      let pascal = 100 * surroundings.hectopascal(at: middle)
      let t = 256 * surroundings.celsius(at: middle)
      let raw = part == .qmp6988 ? Self.words(pascal, t) : Self.roots(pascal, t)
      for (register, value) in [(0xF7, raw.pressure), (0xFA, raw.temperature)] {
        let word = UInt32(bounded: min(max(value.rounded() + 8_388_608, 0), 16_777_215))
        for index in 0..<3 {
          registers[register + index] = UInt8(word >> UInt32(16 - 8 * index) & 0xFF)
        }
      }
      if registers[Int(Self.control)] & 0x03 == 0x03 {
        begin(at: now.end)
      } else {
        clear(0x03, in: Self.control)
      }
    }
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    register == Self.status ? (measurement == nil ? 0x00 : 0x08) : registers[Int(register)]
  }

  /// A coefficient: an offset, and a span of 32767 counts.
  private static func k(_ word: Int, _ offset: Double, _ span: Double) -> Double {
    offset + span * Double(word) / 32_767
  }

  private static func words(
    _ pascal: Double, _ t: Double
  ) -> (pressure: Double, temperature: Double) {
    let w = words
    let (a0, a1, a2) = (
      Double(w[9]) / 16, k(w[10], -6.30e-3, 4.30e-4), k(w[11], -1.9e-11, 1.2e-10)
    )
    // The temperature falls with its word.
    let temperature = argument { a0 + a1 * $0 + a2 * $0 * $0 > t }
    let (bt1, bt2) = (k(w[1], 1.00e-1, 9.10e-2), k(w[2], 1.20e-8, 1.20e-6))
    let (bp1, b11) = (k(w[3], 3.30e-2, 1.90e-2), k(w[4], 2.10e-7, 1.40e-7))
    let (bp2, b12) = (k(w[5], -6.30e-10, 3.50e-10), k(w[6], 2.90e-13, 7.60e-13))
    let (b21, bp3) = (k(w[7], 2.10e-15, 1.20e-14), k(w[8], 1.30e-16, 7.90e-17))
    let cold = Double(w[0]) / 16 + bt1 * t + bt2 * t * t
    let pressure = argument { d in
      let first = cold + bp1 * d + b11 * t * d + bp2 * d * d
      return first + b12 * d * t * t + b21 * d * d * t + bp3 * d * d * d < pascal
    }
    return (pressure, temperature)
  }

  private static func roots(
    _ pascal: Double, _ t: Double
  ) -> (pressure: Double, temperature: Double) {
    let w = roots
    let (aa, ba, ca) = (k(w[8], 0, 4.2e-4), k(w[7], -1.6e2, 8), Double(w[6]))
    let (ap, bp, cp) = (k(w[2], 0, 3.0e-5), k(w[1], 3.0e1, 10), Double(w[0]))
    let (at, bt, ct) = (k(w[5], 0, 8.0e-11), k(w[4], -6.6e-6, 1.6e-6), k(w[3], 4.0e-2, 8.5e-3))
    let raw = pascal * (at * t * t + bt * t + ct + 1)
    return (ap * raw * raw + bp * raw + cp, aa * t * t + ba * t + ca)
  }

  /// The largest number of 24 bits that meets a condition met by smaller ones.
  private static func argument(_ holds: (Double) -> Bool) -> Double {
    var (low, high) = (-8_388_608.0, 8_388_607.0)
    for _ in 0..<48 {
      let middle = (low + high) / 2
      if holds(middle) { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
