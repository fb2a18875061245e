import Quantities

/// Asahi Kasei's AK8963 behind an MPU-9250's bypass.
/// - Source: AKM AK8963 data sheet MS1356-E-02: section 6.4 (modes, reading, overflow), 7.2.3
///   (counting up), 8.1 to 8.3 (registers).
package final class EmulatedAK8963: RegisterFile {
  private let surroundings: any Surroundings
  private let adjustment: SIMD3<UInt8>
  private var conversions: ConversionClock?
  private var singleEnd: Timestamp?
  /// Set from the first read of the data to the read of ST2: measurements are discarded.
  private var isProtected = false

  private static let (status1, outX, outZHigh): (UInt8, UInt8, UInt8) = (0x02, 0x03, 0x08)
  private static let (status2, control1, control2): (UInt8, UInt8, UInt8) = (0x09, 0x0A, 0x0B)
  private static let fuseROM: ClosedRange<UInt8> = 0x10...0x12
  private static let (ready, skipped): (UInt8, UInt8) = (0x01, 0x02)
  private static let (overflow, sixteenBits): (UInt8, UInt8) = (0x08, 0x10)

  /// - Parameters:
  ///   - surroundings: Its input.
  ///   - adjustment: The fuse ROM's sensitivity adjustment.
  ///   - isAK8975: Emulates the older chip with the same identity, without 16 bits and continuous
  ///     measurement.
  package init(
    surroundings: any Surroundings, adjustment: SIMD3<UInt8> = SIMD3(178, 179, 165),
    isAK8975: Bool = false
  ) {
    self.surroundings = surroundings
    self.adjustment = adjustment
    super.init(
      defaults: [0x00: 0x48, 0x01: 0x9A],
      writable: [0x0A: isAK8975 ? 0x0F : 0x1F, 0x0B: 0x01, 0x0C: 0x40])
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    singleEnd = nil
    isProtected = false
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

  private var mode: UInt8 { registers[Int(Self.control1)] & 0x0F }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.control2 where value & 0x01 != 0:
      restoreDefaults()
      reset(at: instant)
    case Self.control1:
      conversions = nil
      singleEnd = nil
      switch mode {
      case 0x01: singleEnd = instant.advanced(byNanoseconds: 7_200_000)
      case 0x02: conversions = ConversionClock(start: instant, hertz: 8)
      case 0x06: conversions = ConversionClock(start: instant, hertz: 100)
      default: break
      }
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    if let end = singleEnd, end <= instant {
      singleEnd = nil
      convert(at: end)
      clear(0x0F, in: Self.control1)
    }
    guard var clock = conversions else { return }
    let missed = clock.finished(by: instant) { convert(at: $0) }
    if missed > 0 { set(Self.skipped, in: Self.status1) }
    conversions = clock
  }

  private func convert(at instant: Timestamp) {
    if isProtected || isSet(Self.ready, in: Self.status1) { set(Self.skipped, in: Self.status1) }
    guard !isProtected else { return }
    let field = surroundings.field(at: instant)
    let has16Bits = isSet(0x10, in: Self.control1)
    for axis in 0..<3 {
      // The factory's adjustment corrects the axis's low sensitivity.
      let factor = 1 + (Double(adjustment[axis]) - 128) / 256
      let count = (field[axis] / factor / (has16Bits ? 0.15 : 0.6)).rounded()
      let limit = has16Bits ? 32_760.0 : 8190
      putLittleEndian(Int(bounded: max(-limit, min(limit, count))), at: Self.outX + UInt8(2 * axis))
    }
    let sum = abs(field.x) + abs(field.y) + abs(field.z)
    registers[Int(Self.status2)] =
      (has16Bits ? Self.sixteenBits : 0) | (sum >= 4912 ? Self.overflow : 0)
    set(Self.ready, in: Self.status1)
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.outX...Self.outZHigh:
      clear(Self.ready | Self.skipped, in: Self.status1)
      isProtected = true
    case Self.status2:
      clear(Self.ready | Self.skipped, in: Self.status1)
      isProtected = false
    default: break
    }
  }
}
