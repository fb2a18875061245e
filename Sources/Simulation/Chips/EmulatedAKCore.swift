import Quantities

/// What the emulators of Asahi Kasei's magnetometers have in common: the conversions, DRDY and DOR,
/// and the protection of the data from their first read to that of ST2. A subclass has the modes
/// and the size of a count.
/// - Source: AKM AK8963 data sheet MS1356-E-02, section 6.4 (modes, reading, overflow); the sheets
///   named in `AK09916`.
package class EmulatedAKCore: RegisterFile {
  /// The registers that the parts have at different numbers.
  struct Layout {
    var status1: UInt8
    /// The data, up to the last byte before ST2.
    var data: ClosedRange<UInt8>
    var status2: UInt8
    /// The register of the mode, and its bits.
    var mode: (register: UInt8, bits: UInt8)
    /// The register whose lowest bit resets.
    var reset: UInt8
  }

  let surroundings: any Surroundings
  private let layout: Layout
  private var conversions: ConversionClock?
  private var singleEnd: Timestamp?
  /// Set from the first read of the data to the read of ST2: measurements are discarded.
  private var isProtected = false

  private static let (ready, skipped): (UInt8, UInt8) = (0x01, 0x02)
  private static let overflow: UInt8 = 0x08

  init(
    _ layout: Layout, surroundings: any Surroundings, defaults: [UInt8: UInt8],
    writable: [UInt8: UInt8]
  ) {
    (self.layout, self.surroundings) = (layout, surroundings)
    super.init(defaults: defaults, writable: writable)
  }

  /// The present mode.
  var mode: UInt8 { registers[Int(layout.mode.register)] & layout.mode.bits }
  /// The rate of a mode of continuous measurement, hertz; nil for another.
  func rate(of mode: UInt8) -> Double? { nil }
  /// The counts of an axis for a field in microtesla.
  func counts(_ microtesla: Double, axis: Int) -> Double { 0 }
  /// What ST2 shows of a measurement besides the overflow.
  var settingBits: UInt8 { 0 }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    singleEnd = nil
    isProtected = false
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case layout.reset where value & 0x01 != 0:
      restoreDefaults()
      reset(at: instant)
    case layout.mode.register:
      conversions = nil
      singleEnd = nil
      if mode == 0x01 {
        singleEnd = instant.advanced(byNanoseconds: 7_200_000)
      } else if let hertz = rate(of: mode) {
        conversions = ConversionClock(start: instant, hertz: hertz)
      }
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    if let end = singleEnd, end <= instant {
      singleEnd = nil
      convert(at: end)
      clear(layout.mode.bits, in: layout.mode.register)
    }
    let missed = conversions?.finished(by: instant) { convert(at: $0) } ?? 0
    if missed > 0 { set(Self.skipped, in: layout.status1) }
  }

  private func convert(at instant: Timestamp) {
    if isProtected || isSet(Self.ready, in: layout.status1) {
      set(Self.skipped, in: layout.status1)
    }
    guard !isProtected else { return }
    let field = surroundings.field(at: instant)
    for axis in 0..<3 {
      putLittleEndian(
        Int(bounded: counts(field[axis], axis: axis)),
        at: layout.data.lowerBound + UInt8(2 * axis))
    }
    let sum = abs(field.x) + abs(field.y) + abs(field.z)
    registers[Int(layout.status2)] = settingBits | (sum >= 4912 ? Self.overflow : 0)
    set(Self.ready, in: layout.status1)
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    switch register {
    case layout.data:
      clear(Self.ready | Self.skipped, in: layout.status1)
      isProtected = true
    case layout.status2:
      clear(Self.ready | Self.skipped, in: layout.status1)
      isProtected = false
    default: break
    }
  }
}
