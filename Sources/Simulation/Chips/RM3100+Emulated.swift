import Quantities

/// PNI's RM3100 in continuous mode, and polled.
/// - Source: the registers as in `RM3100`; defaults (cycle counts 200, TMRC 0x96) from the manual
///   by ArduPilot's and PX4's headers; longest rates from the manual's table. A write to a
///   register, too, clears DRDY.
package final class EmulatedRM3100: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var pollEnd: Timestamp?

  private static let (poll, continuous, cycleCount): (UInt8, UInt8, UInt8) = (0x00, 0x01, 0x05)
  private static let (updateRate, outX, outZLow): (UInt8, UInt8, UInt8) = (0x0B, 0x24, 0x2C)
  private static let (status, ready): (UInt8, UInt8) = (0x34, 0x80)

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    var writable: [UInt8: UInt8] = [0x00: 0x70, 0x01: 0x7D, 0x0B: 0xFF, 0x33: 0x8F, 0x35: 0x0F]
    for register in UInt8(0x04)...0x09 { writable[register] = 0xFF }
    super.init(
      defaults: [0x05: 200, 0x07: 200, 0x09: 200, 0x0B: 0x96, 0x35: 0x1B, 0x36: 0x22],
      writable: writable)
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    pollEnd = nil
  }

  /// Counts a microtesla and the fastest rate of three axes.
  private var gain: (countsPerMicrotesla: Double, hertz: Double) {
    switch registers[Int(Self.cycleCount)] {
    case 50: (20, 534)
    case 100: (38, 283)
    case 200: (75, 147)
    // The manual's figures lie on this line.
    case let count: (0.3671 * Double(count) + 1.5, 29_400 / Double(max(1, count)))
    }
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    clear(Self.ready, in: Self.status)
    switch register {
    case Self.continuous:
      let rates = [600.0, 300, 150, 75, 37, 18, 9, 4.5, 2.3, 1.2, 0.6, 0.3, 0.15, 0.075]
      let index = Int(registers[Int(Self.updateRate)]) - 0x92
      let hertz = rates.indices.contains(index) ? min(rates[index], gain.hertz) : 37
      conversions = value & 0x01 != 0 ? ConversionClock(start: instant, hertz: hertz) : nil
    case Self.poll where value & 0x70 != 0 && conversions == nil:
      pollEnd = instant.advanced(byNanoseconds: UInt64(bounded: 1e9 / gain.hertz))
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    if let end = pollEnd, end <= instant {
      pollEnd = nil
      clear(0x70, in: Self.poll)
      convert(at: end)
    }
    _ = conversions?.finished(by: instant) { convert(at: $0) }
  }

  private func convert(at instant: Timestamp) {
    let counts = surroundings.field(at: instant) * gain.countsPerMicrotesla
    for axis in 0..<3 {
      let count = Int32(clamping: Int(bounded: counts[axis].rounded()))
      let first = Int(Self.outX) + 3 * axis
      registers[first] = UInt8(truncatingIfNeeded: count >> 16)
      registers[first + 1] = UInt8(truncatingIfNeeded: count >> 8)
      registers[first + 2] = UInt8(truncatingIfNeeded: count)
    }
    set(Self.ready, in: Self.status)
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if Self.outX...Self.outZLow ~= register { clear(Self.ready, in: Self.status) }
  }
}
