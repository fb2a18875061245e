import Quantities

/// Asahi Kasei's AK09916.
/// - Source: the sheets named in `AK09916`: registers, their sequence, DRDY and DOR, the protection of the
///   data from the first read to ST2's, overflow.
package final class EmulatedAK09916: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var singleEnd: Timestamp?
  /// Set from the first read of the data to the read of ST2: measurements are discarded.
  private var isProtected = false

  private static let (status1, outX, dummy, status2): (UInt8, UInt8, UInt8, UInt8) =
    (0x10, 0x11, 0x17, 0x18)
  private static let (control2, control3): (UInt8, UInt8) = (0x31, 0x32)
  private static let (ready, skipped, overflow): (UInt8, UInt8, UInt8) = (0x01, 0x02, 0x08)

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(defaults: [0x00: 0x48, 0x01: 0x09], writable: [0x31: 0x1F, 0x32: 0x01])
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    singleEnd = nil
    isProtected = false
  }

  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    switch register {
    case 0x03: 0x10
    case Self.status2: 0x00
    case Self.control3: 0x30
    default: register &+ 1
    }
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.control3 where value & 0x01 != 0:
      restoreDefaults()
      reset(at: instant)
    case Self.control2:
      conversions = nil
      singleEnd = nil
      switch value & 0x1F {
      case 0x01: singleEnd = instant.advanced(byNanoseconds: 7_200_000)
      case 0x02: conversions = ConversionClock(start: instant, hertz: 10)
      case 0x04: conversions = ConversionClock(start: instant, hertz: 20)
      case 0x06: conversions = ConversionClock(start: instant, hertz: 50)
      case 0x08: conversions = ConversionClock(start: instant, hertz: 100)
      default: break
      }
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    if let end = singleEnd, end <= instant {
      singleEnd = nil
      convert(at: end)
      clear(0x1F, in: Self.control2)
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
    for axis in 0..<3 {
      let count = max(-32_752, min(32_752, (field[axis] / 0.15).rounded()))
      putLittleEndian(Int(bounded: count), at: Self.outX + UInt8(2 * axis))
    }
    let sum = abs(field.x) + abs(field.y) + abs(field.z)
    registers[Int(Self.status2)] = sum >= 4912 ? Self.overflow : 0
    set(Self.ready, in: Self.status1)
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.outX...Self.dummy:
      clear(Self.ready | Self.skipped, in: Self.status1)
      isProtected = true
    case Self.status2:
      clear(Self.ready | Self.skipped, in: Self.status1)
      isProtected = false
    default: break
    }
  }
}
