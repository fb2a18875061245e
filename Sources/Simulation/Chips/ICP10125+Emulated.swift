import Quantities

/// TDK InvenSense's ICP-10125 and its sisters: commands of 16 bits and words with checksums, no
/// registers.
/// - Source: the sheets named in `ICP10125`: commands, longest times, identity, checksum. It
///   answers a read only while an answer waits, not during a measurement. The pressure's word is
///   found by the inverse of the formula.
package final class EmulatedICP10125: EmulatedChip {
  /// The factory's coefficients; a test may damage them.
  package var coefficients: [Int] = [1300, 900, -500, 4250]
  /// The word with the identity; the bits above it have no meaning.
  package var identity: UInt16 = 0x0148
  /// Added to each checksum, as noise on the bus.
  package var checkNoise: UInt8 = 0

  private let surroundings: any Surroundings
  private var answer: [UInt8] = []
  private var measurement: (begin: Timestamp, end: Timestamp, isPressureFirst: Bool)?
  /// The coefficient that the next read gives; nil before the address was moved.
  private var next: Int?

  package init(surroundings: any Surroundings) { self.surroundings = surroundings }

  package func losePower(at instant: Timestamp) {
    answer = []
    measurement = nil
    next = nil
  }

  package func read(
    _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
  ) {
    // A command of one byte is none.
    for index in bytes.indices { bytes[index] = 0xFF }
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp) {
    guard let low = bytes.first else { return }
    if let now = measurement, now.end > instant { return }
    measurement = nil
    answer = []
    switch UInt16(register) << 8 | UInt16(low) {
    case 0x805D: next = nil
    case 0xEFC8: answer = word(Int(identity))
    case 0xC595 where Array(bytes.dropFirst()) == [0x00, 0x66, 0x9C]: next = 0
    case 0xC7F7:
      guard let index = next, index < coefficients.count else { return }
      answer = word(coefficients[index])
      next = index + 1
    case 0x401A: begin(1800, isPressureFirst: true, instant)
    case 0x48A3: begin(6300, isPressureFirst: true, instant)
    case 0x5059: begin(23_800, isPressureFirst: true, instant)
    case 0x58E0: begin(94_500, isPressureFirst: true, instant)
    case 0x609C: begin(1800, isPressureFirst: false, instant)
    case 0x6825: begin(6300, isPressureFirst: false, instant)
    case 0x70DF: begin(23_800, isPressureFirst: false, instant)
    case 0x7866: begin(94_500, isPressureFirst: false, instant)
    default: break
    }
  }

  private func begin(_ microseconds: UInt64, isPressureFirst: Bool, _ instant: Timestamp) {
    let end = instant.advanced(byNanoseconds: 1000 * microseconds)
    measurement = (instant, end, isPressureFirst)
  }

  package func receive(into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp) -> Bool {
    if let now = measurement {
      guard now.end <= instant else { return false }
      measurement = nil
      let half = (now.end.nanoseconds - now.begin.nanoseconds) / 2
      let (pressure, temperature) = measured(at: now.begin.advanced(byNanoseconds: half))
      let first = word(pressure >> 8) + word((pressure & 0xFF) << 8)
      answer =
        now.isPressureFirst ? first + word(temperature) : word(temperature) + first
    }
    guard !answer.isEmpty else { return false }
    for index in bytes.indices { bytes[index] = index < answer.count ? answer[index] : 0xFF }
    answer = []
    return true
  }

  private func word(_ value: Int) -> [UInt8] {
    let bytes = [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    var remainder = 0xFF
    for bit in 0..<16 {
      if bit % 8 == 0 { remainder ^= Int(bytes[bit / 8]) }
      remainder <<= 1
      if remainder & 0x100 != 0 { remainder ^= 0x131 }
    }
    return bytes + [UInt8(truncatingIfNeeded: remainder) &+ checkNoise]
  }

  private func measured(at instant: Timestamp) -> (pressure: Int, temperature: Int) {
    let temperature = ((surroundings.celsius(at: instant) + 45) * 65_536 / 175).rounded()
    let square = (temperature - 32_768) * (temperature - 32_768) / 16_777_216
    let counts = [
      3_670_016 + Double(coefficients[0]) * square,
      2048 * Double(coefficients[3]) + Double(coefficients[1]) * square,
      12_058_624 + Double(coefficients[2]) * square,
    ]
    // The curve through the three points has the form (P - A) (C + raw) = B: two equations in A and
    // C.
    let pascals: [Double] = [45_000, 80_000, 105_000]
    func difference(_ i: Int, _ j: Int) -> (a: Double, c: Double, right: Double) {
      (
        counts[j] - counts[i], pascals[i] - pascals[j],
        pascals[j] * counts[j] - pascals[i] * counts[i]
      )
    }
    let (one, two) = (difference(0, 1), difference(1, 2))
    let determinant = one.a * two.c - two.a * one.c
    let a = (one.right * two.c - two.right * one.c) / determinant
    let c = (one.a * two.right - two.a * one.right) / determinant
    let b = (pascals[0] - a) * (c + counts[0])
    let raw = b / (100 * surroundings.hectopascal(at: instant) - a) - c
    return (
      Int(bounded: min(max(raw.rounded(), 0), 16_777_215)),
      Int(bounded: min(max(temperature, 0), 65_535))
    )
  }
}
