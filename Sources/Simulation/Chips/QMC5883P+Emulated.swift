import Quantities

/// QST's QMC5883P.
/// - Source: the register map, the ready and overflow bits and the reset as in `QMC5883P`. The sign register holds 06H from power-on:
///   ArduPilot's driver, which never writes it, and INAV's, which writes 06H, have the same axes on their boards. The meaning of its
///   single bits is not documented; here each bit that is changed turns its axis.
package final class EmulatedQMC5883P: RegisterFile {
  private let surroundings: any Surroundings
  private let isClearedByData: Bool
  private var conversions: ConversionClock?

  private static let (outX, outZHigh, status): (UInt8, UInt8, UInt8) = (0x01, 0x06, 0x09)
  private static let (control1, control2, sign): (UInt8, UInt8, UInt8) = (0x0A, 0x0B, 0x29)
  private static let (ready, overflow): (UInt8, UInt8) = (0x01, 0x02)

  /// - Parameters:
  ///   - surroundings: Its input.
  ///   - isClearedByData: Whether reading the data clears the ready bit; else reading the status does.
  package init(surroundings: any Surroundings, isClearedByData: Bool = false) {
    self.surroundings = surroundings
    self.isClearedByData = isClearedByData
    super.init(defaults: [0x00: 0x80, 0x29: 0x06], writable: [0x0A: 0xFF, 0x0B: 0x4F, 0x29: 0x07])
  }

  package override func reset(at instant: Timestamp) { conversions = nil }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.control2 where value & 0x80 != 0:
      restoreDefaults()
      conversions = nil
    case Self.control1:
      let hertz: Double? =
        switch registers[Int(register)] & 0x03 {
        // Normal, at ODR; continuous, as fast as the converter is.
        case 0x01: [10.0, 50, 100, 200][Int(registers[Int(register)] >> 2 & 3)]
        case 0x03: 1500
        default: nil
        }
      conversions = hertz.map { ConversionClock(start: instant, hertz: $0) }
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    guard var clock = conversions else { return }
    _ = clock.finished(by: instant) { convert(at: $0) }
    conversions = clock
  }

  private func convert(at instant: Timestamp) {
    let range = Int(registers[Int(Self.control2)] >> 2 & 3)
    let countsPerGauss = [1000.0, 2500, 3750, 15_000][range]
    let counts = surroundings.field(at: instant) * (countsPerGauss / 100)
    clear(Self.overflow, in: Self.status)
    for axis in 0..<3 {
      let isTurned = (registers[Int(Self.sign)] ^ 0x06) & 1 << UInt8(axis) != 0
      let count = Int(bounded: (isTurned ? -counts[axis] : counts[axis]).rounded())
      putLittleEndian(count, at: Self.outX + UInt8(2 * axis))
      if abs(count) > 30_000 { set(Self.overflow, in: Self.status) }
    }
    set(Self.ready, in: Self.status)
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    let clears = isClearedByData ? Self.outX...Self.outZHigh : Self.status...Self.status
    if clears ~= register { clear(Self.ready, in: Self.status) }
  }
}
