import Quantities

/// Melexis's MLX90393: commands with a status byte, single measurements and burst mode, without
/// wake-up and the temperature.
/// - Source: Melexis 3901090393 revision 002, page 13 (status byte: modes, ERROR where data are
///   read that are not ready, RS, the number of bytes); Adafruit_MLX90393.h (sensitivities,
///   conversion times); RIOT's `mlx90393.c` (settings that do not work); arduino-MLX90393 (RES, 16
///   bits of 19, which wrap); Adafruit's issue 11 (the third register is zero after power-on). That
///   the first reading after power-on is no error was reported in a user's `SS_MLX90393.c`.
package final class EmulatedMLX90393: EmulatedChip {
  /// The registers of 16 bits. The upper bits of the first are a trim.
  package private(set) var registers = EmulatedMLX90393.defaults
  /// A register that does not keep what is written.
  package var frozenRegister: Int?

  private let surroundings: any Surroundings
  private var mode: UInt8 = 0
  private var wasReset = true
  private var measurement: (begin: Timestamp, end: Timestamp)?
  private var isReady = true
  private var data = [UInt8](repeating: 0, count: 6)
  private var answer: [UInt8] = []

  private static let (burst, single): (UInt8, UInt8) = (0x80, 0x20)
  private static let defaults: [UInt16] =
    [0x727C, 0x0000, 0x0000] + [UInt16](repeating: 0, count: 61)

  package init(surroundings: any Surroundings) { self.surroundings = surroundings }

  package func losePower(at instant: Timestamp) {
    registers = Self.defaults
    (mode, wasReset, measurement, isReady) = (0, true, nil, true)
    data = [UInt8](repeating: 0, count: 6)
    answer = []
  }

  package func read(
    _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
  ) {
    answer = execute(register, [], at: instant)
    give(bytes)
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp) {
    answer = execute(register, Array(bytes), at: instant)
  }

  package func receive(into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp) -> Bool {
    if answer.isEmpty { answer = [mode] }
    give(bytes)
    return true
  }

  private func give(_ bytes: UnsafeMutableRawBufferPointer) {
    if !answer.isEmpty, wasReset {
      answer[0] |= 0x04
      wasReset = false
    }
    for index in bytes.indices { bytes[index] = index < answer.count ? answer[index] : 0xFF }
    answer = []
  }

  private func execute(_ command: UInt8, _ bytes: [UInt8], at instant: Timestamp) -> [UInt8] {
    advance(to: instant)
    switch command >> 4 {
    case 0x1:
      mode = Self.burst
      begin(at: instant)
    case 0x3:
      mode = Self.single
      begin(at: instant)
    case 0x4:
      let count = UInt8((command & 0x0F).nonzeroBitCount)
      let length = count == 0 ? 0 : count - 1
      guard isReady else { return [mode | 0x10 | length] }
      isReady = false
      if mode == Self.single { mode = 0 }
      return [mode | length] + data
    case 0x5:
      guard let place = bytes.first, mode != Self.burst else { return [mode | 0x10] }
      let value = registers[Int(place >> 2)]
      return [mode, UInt8(value >> 8), UInt8(value & 0xFF)]
    case 0x6:
      guard bytes.count == 3, mode != Self.burst else { return [mode | 0x10] }
      let place = Int(bytes[2] >> 2)
      if place != frozenRegister { registers[place] = UInt16(bytes[0]) << 8 | UInt16(bytes[1]) }
    case 0x8: (mode, measurement) = (0, nil)
    case 0xF: losePower(at: instant)
    default: break
    }
    return [mode]
  }

  private func begin(at instant: Timestamp) {
    isReady = false
    let filter = UInt64(registers[2] >> 2 & 7)
    let oversampling = UInt64(registers[2] & 3)
    // These do not work with HALLCONF 0xC.
    guard filter + oversampling > 1 else {
      measurement = nil
      return
    }
    let times: UInt64 = (2 + (1 << filter)) << oversampling
    let axis: UInt64 = 67_000 + 64_000 * times
    measurement = (instant, instant.advanced(byNanoseconds: 490_000 + 3 * axis))
  }

  private func advance(to instant: Timestamp) {
    guard let (begin, end) = measurement, end <= instant else { return }
    measurement = nil
    let middle = begin.advanced(byNanoseconds: (end.nanoseconds - begin.nanoseconds) / 2)
    convert(at: middle)
    isReady = true
    guard mode == Self.burst else { return }
    let length = end.nanoseconds - begin.nanoseconds
    measurement = (instant, instant.advanced(byNanoseconds: length))
  }

  private func convert(at instant: Timestamp) {
    // 5x to 1x by GAIN_SEL; 98/75 coarser with HALLCONF 0x0.
    let gains: [Double] = [5, 4, 3, 2.5, 2, 1.667, 1.333, 1]
    let gain = gains[Int(registers[0] >> 4 & 7)]
    let hall = registers[0] & 0x0F == 0x0C ? 1 : 98 / 75.0
    let field = surroundings.field(at: instant)
    for axis in 0..<3 {
      let microtesla = (axis == 2 ? 0.242 : 0.1502) * gain * hall
      let converted = Int(bounded: max(-88_000, min(88_000, (field[axis] / microtesla).rounded())))
      let resolution = Int(registers[2] >> UInt16(5 + 2 * axis) & 3)
      let zero = [0, 0, 0x8000, 0x4000][resolution]
      let word = UInt16(truncatingIfNeeded: (converted >> resolution) + zero)
      (data[2 * axis], data[2 * axis + 1]) = (UInt8(word >> 8), UInt8(word & 0xFF))
    }
  }
}
