import Quantities

/// NXP's FXOS8700CQ, without FIFO, interrupts, sleep and the calibration of its own.
/// - Source: PX4 FXOS8701CQ.cpp and Zephyr fxos8700.c (registers, hybrid mode and its transfer,
///   scales); Linux fxos8700_core.c (rates, half as high in the hybrid mode; settings in standby
///   only).
package final class EmulatedFXOS8700: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?

  private static let (status, force, forceEnd): (UInt8, UInt8, UInt8) = (0x00, 0x01, 0x06)
  private static let (range, control1): (UInt8, UInt8) = (0x0E, 0x2A)
  private static let (fieldStatus, field, fieldEnd): (UInt8, UInt8, UInt8) = (0x32, 0x33, 0x38)
  private static let (fieldControl1, fieldControl2): (UInt8, UInt8) = (0x5B, 0x5C)

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [0x0D: 0xC7],
      writable: [
        0x09: 0xFF, 0x0A: 0xFF, 0x0E: 0x13, 0x0F: 0x33, 0x2A: 0xFF, 0x2B: 0x9F, 0x2C: 0xFB,
        0x2D: 0xFF, 0x2E: 0xFF, 0x2F: 0xFF, 0x30: 0xFF, 0x31: 0xFF, 0x3F: 0xFF, 0x40: 0xFE,
        0x41: 0xFF, 0x42: 0xFE, 0x43: 0xFF, 0x44: 0xFE, 0x5B: 0xFF, 0x5C: 0x7F, 0x5D: 0xFF,
      ])
  }

  private var isActive: Bool { isSet(0x01, in: Self.control1) }
  private var measuresForce: Bool { registers[Int(Self.fieldControl1)] & 0x03 != 0x01 }
  private var measuresField: Bool { registers[Int(Self.fieldControl1)] & 0x03 != 0x00 }

  package override func reset(at instant: Timestamp) { conversions = nil }

  // hyb_autoinc_mode: the field comes behind the force.
  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    isSet(0x20, in: Self.fieldControl2) && register == Self.forceEnd ? Self.field : register &+ 1
  }

  package override func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp
  ) {
    // Settings are taken in standby only.
    guard !isActive || register == Self.control1 else { return }
    super.write(bytes, to: register, at: instant)
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    guard register == Self.control1 else { return }
    guard isActive else {
      conversions = nil
      return
    }
    let alone = [800, 400, 200, 100, 50, 12.5, 6.25, 1.5625][Int(value >> 3 & 0x07)]
    let isHybrid = measuresForce && measuresField
    conversions = ConversionClock(start: instant, hertz: isHybrid ? alone / 2 : alone)
  }

  package override func advance(to instant: Timestamp) {
    _ = conversions?.finished(by: instant) { convert(at: $0) }
  }

  private func convert(at instant: Timestamp) {
    if measuresForce {
      // 14 bits in the upper bits of 16.
      let countsPerG = Double(4096 >> Int(registers[Int(Self.range)] & 0x03))
      let counts = surroundings.specificForce(at: instant) / 9.806_65 * countsPerG
      for axis in 0..<3 {
        let count = Int(bounded: max(-8192, min(8191, counts[axis].rounded())))
        putBigEndian(count << 2, at: Self.force + UInt8(2 * axis))
      }
      markNewAxes(in: Self.status)
    }
    if measuresField {
      let counts = surroundings.field(at: instant) / 0.1
      putBigEndian(counts, at: Self.field)
      markNewAxes(in: Self.fieldStatus)
    }
  }

  // The flags fall when the data are read.
  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.forceEnd { clear(0xFF, in: Self.status) }
    if register == Self.fieldEnd { clear(0xFF, in: Self.fieldStatus) }
  }
}
