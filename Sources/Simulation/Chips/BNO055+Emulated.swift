import Quantities

/// Bosch's BNO055 in its modes AMG and NDOF, with noise of a count, as a real one.
/// - Source: Bosch BST-BNO055-DS000-14 (revision 1.4), table 0-2 (start-up time 400 ms, in which it
///   does not acknowledge: eupn/bno055 pull requests 9 and 35), tables 3-4 to 3-6, 4-2 and 4-3 (two
///   pages of registers, defaults).
package final class EmulatedBNO055: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var fields: ConversionClock?
  private var isOdd = false
  private var bootsAt: Timestamp?
  /// The state of the calibration in CALIB_STAT: system, gyroscope, accelerometer, magnetometer.
  package var calibration: UInt8 = 0xFF
  /// The attitude of the fusion, from the chip's axes to east, north and up: w, x, y, z.
  package var quaternion = SIMD4<Double>(1, 0, 0, 0)

  /// Page 1 lies behind page 0.
  private static let secondPage: UInt8 = 0x80
  private static let (page, mode): (UInt8, UInt8) = (0x07, 0x3D)

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [
        0x00: 0xA0, 0x01: 0xFB, 0x02: 0x32, 0x03: 0x0F, 0x04: 0x11, 0x05: 0x03, 0x3B: 0x80,
        0x41: 0x24, 0x88: 0x0D, 0x89: 0x0B, 0x8A: 0x38,
      ],
      writable: [
        0x07: 0x7F, 0x3B: 0x97, 0x3D: 0x0F, 0x3E: 0x03, 0x3F: 0xC1, 0x41: 0x3F, 0x42: 0x07,
        0x88: 0xFF, 0x89: 0x7F, 0x8A: 0x3F, 0x8B: 0x07,
      ])
  }

  private var modeBits: UInt8 { registers[Int(Self.mode)] & 0x0F }

  package override func reset(at instant: Timestamp) {
    (conversions, fields) = (nil, nil)
    bootsAt = instant.advanced(byNanoseconds: 400_000_000)
  }

  package override func acknowledges(at instant: Timestamp) -> Bool {
    bootsAt.map { instant >= $0 } ?? true
  }

  // PAGE_ID is on both pages.
  package override func first(_ register: UInt8) -> UInt8 {
    let place = register & 0x7F
    return place != Self.page && registers[Int(Self.page)] == 1 ? place | Self.secondPage : place
  }

  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    first((register & 0x7F) &+ 1)
  }

  package override func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp
  ) {
    // Outside the configuration mode only the mode and the page change.
    guard modeBits == 0 || [Self.mode, Self.page].contains(register) else { return }
    super.write(bytes, to: register, at: instant)
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    guard register == Self.mode else { return }
    for place in 0x08...0x2D { registers[place] = 0 }
    registers[0x35] = 0
    guard modeBits == 0x07 || modeBits == 0x0C else {
      (conversions, fields) = (nil, nil)
      return
    }
    // Table 3-6.
    let start = instant.advanced(byNanoseconds: 7_000_000)
    conversions = ConversionClock(start: start, hertz: 100)
    fields = ConversionClock(start: start, hertz: 20)
  }

  package override func advance(to instant: Timestamp) {
    _ = fields?.finished(by: instant) { measureField(at: $0) }
    _ = conversions?.finished(by: instant) { measure(at: $0) }
  }

  private func measureField(at instant: Timestamp) {
    let limits = SIMD3<Double>(1300, 1300, 2500)
    let field = surroundings.field(at: instant)
    for axis in 0..<3 {
      let counts = max(-limits[axis], min(limits[axis], field[axis])) * 16
      put(counts, at: 0x0E + UInt8(2 * axis), isNoisy: axis == 0)
    }
  }

  private func measure(at instant: Timestamp) {
    isOdd.toggle()
    let range = Double(2 << Int(registers[0x88] & 0x03)) * 9.806_65
    let end = range * 8191 / 8192
    let force = surroundings.specificForce(at: instant)
    let degrees = Double(2000 >> Int(registers[0x8A] & 0x07))
    let rate = surroundings.angularRate(at: instant) * (180 / Double.pi)
    for axis in 0..<3 {
      put(
        max(-end, min(end, force[axis])) * 100, at: 0x08 + UInt8(2 * axis), isNoisy: axis == 0)
      put(rate[axis] / degrees * 32_768, at: 0x14 + UInt8(2 * axis), isNoisy: axis == 1)
    }
    guard modeBits == 0x0C else { return }
    for part in 0..<4 {
      put(quaternion[part] * 16_384, at: 0x20 + UInt8(2 * part), isNoisy: part == 1)
    }
    registers[0x35] = calibration
  }

  /// Noise changes between the two counts around a value, in different samples for different
  /// registers.
  private func put(_ counts: Double, at register: UInt8, isNoisy: Bool) {
    let value =
      isNoisy && isOdd ? counts.rounded(.up) + (counts == counts.rounded() ? 1 : 0) : counts
    putLittleEndian(saturated(isNoisy && !isOdd ? counts.rounded(.down) : value), at: register)
  }
}
