import Quantities

/// Asahi Kasei's AK8963 behind an MPU-9250's bypass.
/// - Source: AKM AK8963 data sheet MS1356-E-02: section 6.4 (modes, reading, overflow), 7.2.3
///   (counting up), 8.1 to 8.3 (registers).
package final class EmulatedAK8963: EmulatedAKCore {
  private let adjustment: SIMD3<UInt8>

  private static let (control1, control2): (UInt8, UInt8) = (0x0A, 0x0B)
  private static let fuseROM: ClosedRange<UInt8> = 0x10...0x12
  private static let sixteenBits: UInt8 = 0x10

  /// - Parameters:
  ///   - surroundings: Its input.
  ///   - adjustment: The fuse ROM's sensitivity adjustment.
  ///   - isAK8975: Emulates the older chip with the same identity, without 16 bits and continuous
  ///     measurement.
  package init(
    surroundings: any Surroundings, adjustment: SIMD3<UInt8> = SIMD3(178, 179, 165),
    isAK8975: Bool = false
  ) {
    self.adjustment = adjustment
    let layout = Layout(
      status1: 0x02, data: 0x03...0x08, status2: 0x09, mode: (Self.control1, 0x0F),
      reset: Self.control2)
    super.init(
      layout, surroundings: surroundings, defaults: [0x00: 0x48, 0x01: 0x9A],
      writable: [0x0A: isAK8975 ? 0x0F : 0x1F, 0x0B: 0x01, 0x0C: 0x40])
  }

  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    switch register {
    case 0x0C: 0x00
    case Self.fuseROM.upperBound: Self.fuseROM.lowerBound
    default: register &+ 1
    }
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    guard Self.fuseROM ~= register else { return registers[Int(register)] }
    // Only in fuse ROM access mode.
    guard mode == 0x0F else { return 0 }
    return adjustment[Int(register - Self.fuseROM.lowerBound)]
  }

  override func rate(of mode: UInt8) -> Double? {
    switch mode {
    case 0x02: 8
    case 0x06: 100
    default: nil
    }
  }

  private var has16Bits: Bool { isSet(Self.sixteenBits, in: Self.control1) }

  override func counts(_ microtesla: Double, axis: Int) -> Double {
    // The factory's adjustment corrects the axis's low sensitivity.
    let factor = 1 + (Double(adjustment[axis]) - 128) / 256
    let limit = has16Bits ? 32_760.0 : 8190
    return max(-limit, min(limit, (microtesla / factor / (has16Bits ? 0.15 : 0.6)).rounded()))
  }

  override var settingBits: UInt8 { has16Bits ? Self.sixteenBits : 0 }
}
