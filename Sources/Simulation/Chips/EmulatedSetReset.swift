import Chips
import Quantities

/// MEMSIC's MMC5603 and MMC5983MA: single measurements, SET and RESET, without continuous mode and
/// thresholds.
/// - Source: the data sheets named in `MMC5603` and `MMC5983MA`: arrangement of the bits, done
///   bits, write-only control registers that clear themselves. The bridge keeps its magnetisation
///   without power.
package class EmulatedSetReset: RegisterFile {
  /// The bridge's offset, microtesla.
  package var bridgeOffset = SIMD3<Double>(12, -9, 6)
  /// The pulses since the start.
  package private(set) var pulses = 0

  private let surroundings: any Surroundings
  private let part: Part
  private var measurementEnd: Timestamp?
  /// 1 after SET, -1 after RESET; fresh from the factory magnetised either way.
  private var polarity = -1.0

  /// What differs between the parts.
  struct Part {
    var identity: (register: UInt8, value: UInt8)
    var status: UInt8
    var done: UInt8
    var control: (UInt8, UInt8)
    /// The output's bits, and the low ones in the registers behind the high ones.
    var bits: Int
    var nanoseconds: UInt64
    /// Counts a microtesla after SET.
    var countsPerMicrotesla: Double
  }

  init(surroundings: any Surroundings, part: Part) {
    self.surroundings = surroundings
    self.part = part
    super.init(
      defaults: [part.identity.register: part.identity.value], writable: [:])
  }

  package override func reset(at instant: Timestamp) { measurementEnd = nil }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case part.control.0:
      // SET and RESET of a measurement that is active spoil it.
      if value & 0x18 != 0 {
        polarity = value & 0x08 != 0 ? 1 : -1
        pulses += 1
        measurementEnd = nil
      } else if value & 0x01 != 0 {
        clear(part.done, in: part.status)
        measurementEnd = instant.advanced(byNanoseconds: part.nanoseconds)
      }
    case part.control.1 where value & 0x80 != 0:
      restoreDefaults()
      reset(at: instant)
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    guard let end = measurementEnd, end <= instant else { return }
    measurementEnd = nil
    let field = surroundings.field(at: end)
    let zero = 1 << (part.bits - 1)
    var low: [UInt8] = []
    for axis in 0..<3 {
      let output =
        (polarity * field[axis] * part.countsPerMicrotesla + bridgeOffset[axis]
        * abs(part.countsPerMicrotesla)).rounded()
      let count = max(0, min(2 * zero - 1, zero + Int(bounded: output)))
      let high = count >> (part.bits - 16)
      registers[2 * axis] = UInt8(high >> 8)
      registers[2 * axis + 1] = UInt8(high & 0xFF)
      low.append(UInt8(count & ((1 << (part.bits - 16)) - 1)))
    }
    if part.bits == 18 {
      registers[6] = low[0] << 6 | low[1] << 4 | low[2] << 2
    } else {
      for axis in 0..<3 { registers[6 + axis] = low[axis] << 4 }
    }
    set(part.done, in: part.status)
  }
}
