import Quantities

extension ChipModel {
  /// The MMC5603 and the MMC5633, which have the same identity.
  public static let mmc5603 = ChipModel(
    "MMC5603", .field, at: [0x30], Identity(0x39, 0x10, "MMC5603 or MMC5633"))
  /// The MMC5983MA.
  public static let mmc5983ma = ChipModel("MMC5983MA", .field, at: [0x30], Identity(0x2F, 0x30))
    // Source: MMC5983MA data sheet, SPI: the first bit of a read is set, the second is 0.
    .over(SPIFraming(fastestHertz: 10_000_000))
}

/// What differs between MEMSIC's magnetometers.
public struct SetResetPart: Sendable {
  let model: ChipModel
  let identity: (register: UInt8, value: UInt8)
  let status: UInt8
  /// Meas_M_Done.
  let done: UInt8
  /// The registers internal control 0 and 1.
  let control: (UInt8, UInt8)
  /// The arrangement of the data registers.
  let layout: SetResetLayout
  /// The longest time of a measurement, nanoseconds.
  let measurementNanoseconds: UInt64
  /// From a pulse to the next measurement, nanoseconds.
  let pulseNanoseconds: UInt64
  /// From a reset of the registers to the first command, nanoseconds.
  let resetNanoseconds: UInt64
  /// Rates, hertz, rising.
  let rates: [Double]
  /// Counts a microtesla after SET; negative where the output falls with the field along an axis.
  let countsPerMicrotesla: Double

  /// The MMC5603: ±30 gauss in 20 bits, up to 75 Hz here.
  ///
  /// - Axes: right-handed, as printed on the package, after SET.
  /// - Source: MEMSIC MMC5603NJ data sheet: registers 00H to 08H, 18H, 1BH, 1CH, 39H; 16,384 counts a
  ///   gauss; 6.6 ms a measurement; 1 ms after a pulse. Read from Linux mmc5633.c (registers, the
  ///   arrangement of the bits, 1 ms) and compared with ArduPilot's AP_Compass_MMC5603.cpp
  ///   (registers, 16,384 counts a gauss, and 20 ms after a reset there 50). The sources differ in
  ///   the sign after SET and by 2.4 % in the scale: see `ChipFact`. Here SET is positive, as in
  ///   ArduPilot, Betaflight and PX4's driver of a sister part.
  public static let mmc5603 = SetResetPart(
    model: .mmc5603, identity: (0x39, 0x10), status: 0x18, done: 0x40, control: (0x1B, 0x1C),
    layout: .bits20, measurementNanoseconds: 6_600_000, pulseNanoseconds: 1_000_000,
    resetNanoseconds: 50_000_000, rates: [25, 50, 75], countsPerMicrotesla: 163.84)

  /// The MMC5983MA: ±8 gauss in 18 bits, up to 100 Hz here.
  ///
  /// - Axes: right-handed, as printed on the package; the output falls with the field after SET.
  ///   ArduPilot and PX4 invert all three axes alike, and SparkFun's compass example x and y; Linux
  ///   does not (`ChipFact`).
  /// - Source: MEMSIC MMC5983MA data sheet revision A: registers 00H to 0CH, 2FH; 16,384 counts a
  ///   gauss with 18 bits; page 15: 8 ms a measurement at BW 00, pulses of 500 ns, 10 ms after a
  ///   reset. Read from Linux mmc5983.c (which cites them) and compared with ArduPilot's
  ///   AP_Compass_MMC5xx3.cpp (16 of the 18 bits, 4096 counts a gauss, the same registers).
  public static let mmc5983ma = SetResetPart(
    model: .mmc5983ma, identity: (0x2F, 0x30), status: 0x08, done: 0x01, control: (0x09, 0x0A),
    layout: .bits18, measurementNanoseconds: 8_000_000, pulseNanoseconds: 500_000,
    resetNanoseconds: 15_000_000, rates: [25, 50, 100], countsPerMicrotesla: -163.84)
}

/// The arrangement of the outputs in the data registers from 0x00 on: the 16 high bits of x, y and
/// z, then the low bits.
package enum SetResetLayout: Sendable {
  /// Two low bits of each axis in one register.
  case bits18
  /// Four low bits in a register each, left-aligned.
  case bits20

  /// The number of registers.
  package var count: Int { self == .bits18 ? 7 : 9 }
  /// The output without a field.
  package var zero: Int32 { self == .bits18 ? 1 << 17 : 1 << 19 }

  /// The three outputs.
  package func counts(_ bytes: RegisterBytes) -> SIMD3<Int32> {
    var counts = SIMD3<Int32>.zero
    for axis in 0..<3 {
      let high = Int32(bytes[2 * axis]) << 8 | Int32(bytes[2 * axis + 1])
      counts[axis] =
        switch self {
        case .bits18: high << 2 | Int32(bytes[6]) >> Int32(6 - 2 * axis) & 0x03
        case .bits20: high << 4 | Int32(bytes[6 + axis]) >> 4
        }
    }
    return counts
  }
}
