import Quantities

/// InvenSense's ITG-3205.
/// - Source: InvenSense PS-ITG-3200A-00: register map with defaults, INT_CFG, INT_STATUS, 14.375
///   counts a degree.
package final class EmulatedITG3205: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?

  private static let (divider, filter, interrupt, status): (UInt8, UInt8, UInt8, UInt8) =
    (0x15, 0x16, 0x17, 0x1A)
  private static let (data, power): (UInt8, UInt8) = (0x1D, 0x3E)

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [0x00: 0x68], writable: [0x15: 0xFF, 0x16: 0x1F, 0x17: 0xF5, 0x3E: 0x7F])
  }

  package override func reset(at instant: Timestamp) { start(at: instant) }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.status { clear(0x01, in: Self.status) }
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.power where value & 0x80 != 0: losePower(at: instant)
    case Self.power, Self.divider, Self.filter: start(at: instant)
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    _ = conversions?.finished(by: instant) { convert(at: $0) }
  }

  private func start(at instant: Timestamp) {
    let inner = registers[Int(Self.filter)] & 0x07 == 0 ? 8000.0 : 1000
    // SLEEP.
    conversions =
      isSet(0x40, in: Self.power)
      ? nil
      : ConversionClock(start: instant, hertz: inner / Double(registers[Int(Self.divider)] + 1))
  }

  private func convert(at instant: Timestamp) {
    // FS_SEL 3 is the only setting that the specification allows.
    let isSpecified = isSet(0x18, in: Self.filter)
    let counts = surroundings.angularRate(at: instant) * (180 / .pi * 14.375)
    putBigEndian(isSpecified ? counts : .zero, at: Self.data)
    if isSet(0x01, in: Self.interrupt) { set(0x01, in: Self.status) }
  }
}
