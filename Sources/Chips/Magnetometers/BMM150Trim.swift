/// The factory's trim of a BMM150, with the compensation for the sensitivities and the temperature,
/// which the resistance of the Hall element shows.
///
/// - Source: Bosch's integer formulas in sixteenths of a microtesla, as in Linux bmc150_magn.c
///   (`bmc150_magn_compensate_x` to `_z`, `bmc150_magn_trim_regs`), so that results agree with the
///   kernel's.
package struct BMM150Trim: Equatable, Sendable {
  /// The trim registers from 0x5D on.
  package static let count = 21
  /// The outputs after an overflow.
  package static let overflow = SIMD3(-4096, -4096, -16_384)

  package var (x1, y1, x2, y2, xy1, xy2): (Int, Int, Int, Int, Int, Int)
  package var (z1, z2, z3, z4, xyz1): (Int, Int, Int, Int, Int)

  /// - Parameter bytes: The registers from 0x5D to 0x71.
  package init(_ bytes: RegisterBytes) {
    func signed(_ index: Int) -> Int { Int(Int8(bitPattern: bytes[index])) }
    func unsigned(_ index: Int) -> Int { Int(UInt16(bitPattern: bytes.littleEndian(at: index))) }
    (x1, y1, x2, y2) = (signed(0), signed(1), signed(7), signed(8))
    (xy2, xy1) = (signed(19), Int(bytes[20]))
    z4 = Int(bytes.littleEndian(at: 5))
    z2 = Int(bytes.littleEndian(at: 11))
    z1 = unsigned(13)
    // Its highest bit is not used.
    xyz1 = unsigned(15) & 0x7FFF
    z3 = Int(bytes.littleEndian(at: 17))
  }

  /// Why the trim cannot be a factory's; nil for a possible one.
  package var fault: String? {
    if xyz1 == 0 { return "no reference resistance" }
    return z1 == 0 || z2 == 0 ? "no sensitivity of z" : nil
  }

  /// Compensates a measurement.
  /// - Parameters:
  ///   - raw: The outputs of 13, 13 and 15 bits.
  ///   - measured: The Hall element's resistance, 14 bits; 0 where it was not measured.
  /// - Returns: The field in sixteenths of a microtesla; nil after an overflow.
  package func sixteenths(_ raw: SIMD3<Int>, resistance measured: Int) -> SIMD3<Int>? {
    for axis in 0..<3 where raw[axis] == Self.overflow[axis] { return nil }
    let resistance = measured == 0 ? xyz1 : measured
    let ratio = Int(Int16(truncatingIfNeeded: (xyz1 << 14) / resistance - 0x4000))
    let temperature = ((xy2 * ((ratio * ratio) >> 7) + ratio * (xy1 << 7)) >> 9) + 0x10_0000
    func planar(_ raw: Int, _ gain: Int, _ offset: Int) -> Int {
      ((raw * ((temperature * (gain + 0xA0)) >> 12)) >> 13) + (offset << 3)
    }
    let divisor = z2 + ((z1 * (resistance << 1) + 0x8000) >> 16)
    guard divisor != 0 else { return nil }
    let z = (((raw.z - z4) << 15) - ((z3 * (resistance - xyz1)) >> 2)) / divisor
    return SIMD3(planar(raw.x, x2, x1), planar(raw.y, y2, y1), z)
  }
}
