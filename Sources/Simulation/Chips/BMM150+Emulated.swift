import Quantities

/// Bosch's BMM150, without interrupts and self-test.
/// - Source: the sheet and drivers named in `BMM150`: suspend mode, in which only the power
///   register can be accessed; defaults; ready bit; overflow values. The trim is an ordinary one of
///   real chips; outputs are found from the field by the inverse of the compensation, in floating
///   point.
package final class EmulatedBMM150: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?

  private static let (identity, outX, ready): (UInt8, UInt8, UInt8) = (0x40, 0x42, 0x48)
  private static let (status, power, mode): (UInt8, UInt8, UInt8) = (0x4A, 0x4B, 0x4C)

  /// x1 y1 . . . z4 x2 y2 . . z2 z1 xyz1 z3 xy2 xy1, the low byte first.
  private static let trim: [UInt8] = [
    0x02, 0xFD, 0, 0, 0, 0x0A, 0x00, 0x1A, 0x1B, 0, 0, 0xFB, 0x02, 0xAB, 0x60, 0x61, 0x1A, 0xF6,
    0xFF, 0xFD, 0x1D,
  ]
  private static let (x1, y1, x2, y2, xy1, xy2) = (2.0, -3.0, 26.0, 27.0, 29.0, -3.0)
  private static let (z1, z2, z3, z4, xyz1) = (24_747.0, 763.0, -10.0, 10.0, 6753.0)
  /// The Hall element's resistance at the emulated temperature.
  private static let resistance = 6820.0

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    var defaults: [UInt8: UInt8] = [0x40: 0x32, 0x4C: 0x06, 0x4E: 0x07]
    for (index, byte) in Self.trim.enumerated() { defaults[0x5D + UInt8(index)] = byte }
    super.init(
      defaults: defaults,
      writable: [
        0x4B: 0x07, 0x4C: 0xFF, 0x4D: 0xFF, 0x4E: 0xFF, 0x4F: 0xFF, 0x50: 0xFF, 0x51: 0xFF,
        0x52: 0xFF,
      ])
  }

  package override func reset(at instant: Timestamp) { conversions = nil }

  /// Another identity is another chip's, which does not sleep.
  private var isAsleep: Bool {
    !isSet(0x01, in: Self.power) && registers[Int(Self.identity)] == 0x32
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    isAsleep && register != Self.power ? 0 : registers[Int(register)]
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.power where value & 0x82 == 0x82:
      restoreDefaults()
      reset(at: instant)
    case Self.power where value & 0x01 == 0:
      restoreDefaults()
      reset(at: instant)
    case Self.mode:
      let hertz: [Double] = [10, 2, 6, 8, 15, 20, 25, 30]
      conversions =
        value & 0x06 == 0
        ? ConversionClock(start: instant, hertz: hertz[Int(value >> 3 & 7)]) : nil
    default: break
    }
    // In suspend mode a write to another register is lost.
    if isAsleep && register != Self.power { restoreDefaults() }
  }

  package override func advance(to instant: Timestamp) {
    guard !isAsleep else { return }
    _ = conversions?.finished(by: instant) { convert(at: $0) }
  }

  private func convert(at instant: Timestamp) {
    let field = surroundings.field(at: instant) * 16
    let ratio = Self.xyz1 / Self.resistance * 16_384 - 16_384
    let temperature =
      (Self.xy2 * ratio * ratio / 128 + ratio * Self.xy1 * 128) / 512 + 1_048_576
    let x = (field.x - 8 * Self.x1) * 8192 / (temperature * (Self.x2 + 160) / 4096)
    let y = (field.y - 8 * Self.y1) * 8192 / (temperature * (Self.y2 + 160) / 4096)
    let divisor = Self.z2 + Self.z1 * Self.resistance * 2 / 65_536
    let z = (field.z * divisor + Self.z3 * (Self.resistance - Self.xyz1) / 4) / 32_768 + Self.z4
    func put(_ raw: Double, limit: Int, overflow: Int, shift: Int, _ register: UInt8) -> Bool {
      let count = Int(bounded: raw.rounded())
      let isOver = abs(count) > limit
      putLittleEndian((isOver ? overflow : count) << shift, at: register)
      return isOver
    }
    let xOver = put(x, limit: 4095, overflow: -4096, shift: 3, Self.outX)
    let yOver = put(y, limit: 4095, overflow: -4096, shift: 3, Self.outX + 2)
    let zOver = put(z, limit: 16_383, overflow: -16_384, shift: 1, Self.outX + 4)
    registers[Int(Self.status)] = xOver || yOver || zOver ? 0x40 : 0
    putLittleEndian(Int(bounded: Self.resistance) << 2 | 0x01, at: Self.ready)
  }

  // Reading a data register clears the ready bit.
  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if Self.ready ~= register { clear(0x01, in: Self.ready) }
  }
}
