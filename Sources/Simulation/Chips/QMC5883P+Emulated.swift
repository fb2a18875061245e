import Quantities

/// QST's QMC5883P, QMC6310 and QMC6309.
/// - Source: the register map, the ready and overflow bits and the reset as in `QMC5883P`. The sign
///   register holds 06H from power-on: ArduPilot's driver, which never writes it, and INAV's, which
///   writes 06H, have the same axes on their boards. The meaning of its single bits is not
///   documented; here each bit that is changed turns its axis. QMC6309: registers, bits and counts
///   of ArduPilot's AP_Compass_QMC6309.cpp and SensorLib's SensorQMC6309.hpp; at how many counts
///   its overflow bit is set is not known, here at those of its range.
package final class EmulatedQMC5883P: RegisterFile {
  /// The part.
  package enum Part { case qmc5883p, qmc6310, qmc6309 }

  private let part: Part
  private let surroundings: any Surroundings
  private let isClearedByData: Bool
  private var conversions: ConversionClock?
  /// When a QMC6309 has loaded its memory after a reset; before, it takes no setting.
  private var loadsUntil: Timestamp?
  private var isResetting = false

  private static let (outX, outZHigh, status): (UInt8, UInt8, UInt8) = (0x01, 0x06, 0x09)
  private static let (control1, control2, sign): (UInt8, UInt8, UInt8) = (0x0A, 0x0B, 0x29)
  private static let (ready, overflow): (UInt8, UInt8) = (0x01, 0x02)

  /// - Parameters:
  ///   - surroundings: Its input.
  ///   - part: The part.
  ///   - isClearedByData: Whether reading the data clears the ready bit; else reading the status
  ///     does.
  package init(
    surroundings: any Surroundings, part: Part = .qmc5883p, isClearedByData: Bool = false
  ) {
    self.surroundings = surroundings
    self.part = part
    self.isClearedByData = isClearedByData
    // NVM_RDY and NVM_LOAD_DONE of a QMC6309's status; SOFT_RST stays until it is written back.
    let isNew = part == .qmc6309
    super.init(
      defaults: isNew ? [0x00: 0x90, 0x09: 0x18] : [0x00: 0x80, 0x29: 0x06],
      writable: isNew ? [0x0A: 0xFB, 0x0B: 0xFF] : [0x0A: 0xFF, 0x0B: 0xCF, 0x29: 0x07])
  }

  package override func reset(at instant: Timestamp) {
    (conversions, loadsUntil, isResetting) = (nil, nil, false)
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.control2 where value & 0x80 != 0:
      restoreDefaults()
      set(0x80, in: Self.control2)
      (conversions, loadsUntil, isResetting) = (nil, nil, true)
      if part == .qmc6309 { clear(0x18, in: Self.status) }
    case Self.control2 where isResetting && part == .qmc6309:
      isResetting = false
      loadsUntil = instant.advanced(byNanoseconds: 5_000_000)
      registers[Int(Self.control2)] = 0
    case Self.control1 where loadsUntil != nil, Self.control2 where loadsUntil != nil:
      registers[Int(register)] = 0
    case Self.control1, Self.control2:
      let mode = isSet(0x80, in: Self.control2) ? 0 : registers[Int(Self.control1)] & 0x03
      let hertz: Double? =
        switch mode {
        // Normal, at ODR; continuous, as fast as the converter is.
        case 0x01: rate
        case 0x03: 1500
        default: nil
        }
      conversions = hertz.map { ConversionClock(start: instant, hertz: $0) }
    default: break
    }
  }

  private var rate: Double {
    guard part == .qmc6309 else {
      return [10.0, 50, 100, 200][Int(registers[Int(Self.control1)] >> 2 & 3)]
    }
    return [1.0, 10, 50, 100, 200, 200, 200, 200][Int(registers[Int(Self.control2)] >> 4 & 7)]
  }

  package override func advance(to instant: Timestamp) {
    if let end = loadsUntil, instant >= end {
      loadsUntil = nil
      set(0x18, in: Self.status)
    }
    _ = conversions?.finished(by: instant) { convert(at: $0) }
  }

  private func convert(at instant: Timestamp) {
    let range = Int(registers[Int(Self.control2)] >> 2 & 3)
    let countsPerGauss =
      part == .qmc6309 ? [1000.0, 2000, 4000, 4000][range] : [1000.0, 2500, 3750, 15_000][range]
    let limit = part == .qmc6309 ? 32_000 : 30_000
    let counts = surroundings.field(at: instant) * (countsPerGauss / 100)
    clear(Self.overflow, in: Self.status)
    for axis in 0..<3 {
      let changed = part == .qmc6309 ? 0 : registers[Int(Self.sign)] ^ 0x06
      let isTurned = changed & 1 << UInt8(axis) != 0
      let count = Int(bounded: (isTurned ? -counts[axis] : counts[axis]).rounded())
      putLittleEndian(count, at: Self.outX + UInt8(2 * axis))
      if abs(count) > limit { set(Self.overflow, in: Self.status) }
    }
    set(Self.ready, in: Self.status)
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    let clears = isClearedByData ? Self.outX...Self.outZHigh : Self.status...Self.status
    if clears ~= register { clear(Self.ready, in: Self.status) }
  }
}
