import Quantities

/// The common emulator of the HMC5883L and the LSM303DLHC's magnetometer; their differences are
/// parameters.
///
/// - Source: Honeywell HMC5883L data sheet 900405 revision E: tables 2 to 20 and "data output
///   register operation" (lock, ready bit); the HMC5883's: register access (the pointer's way
///   back).
package class EmulatedHMC5883Core: RegisterFile {
  private let surroundings: any Surroundings
  private let countsPerGauss: [SIMD3<Double>]
  private let rates: [Double]

  private var conversions: ConversionClock?
  private var singleEnd: Timestamp?
  private var lastConversion: Timestamp?
  /// The gain at the start of the present measurement.
  private var gain: Int
  /// The data registers that were read since the data were unlocked, a bit each; nil while
  /// unlocked.
  private var readWhileLocked: UInt8?

  private static let (controlA, controlB, mode): (UInt8, UInt8, UInt8) = (0x00, 0x01, 0x02)
  private static let (outX, outYLow, status): (UInt8, UInt8, UInt8) = (0x03, 0x08, 0x09)
  /// Table 1: from the command to the data.
  private static let measurementNanoseconds: UInt64 = 6_000_000
  /// Table 17: the time for which the ready bit is cleared.
  private static let notReadyNanoseconds: UInt64 = 250_000

  /// - Parameters:
  ///   - surroundings: Its input.
  ///   - mode: The mode register after power-on.
  ///   - writableA: The implemented bits of configuration register A.
  ///   - countsPerGauss: By GN[2:0].
  ///   - rates: By DO[2:0], hertz.
  init(
    surroundings: any Surroundings, mode: UInt8, writableA: UInt8, countsPerGauss: [SIMD3<Double>],
    rates: [Double]
  ) {
    self.surroundings = surroundings
    self.countsPerGauss = countsPerGauss
    self.rates = rates
    gain = 1
    super.init(
      defaults: [
        Self.controlA: 0x10, Self.controlB: 0x20, Self.mode: mode, 0x0A: 0x48, 0x0B: 0x34,
        0x0C: 0x33,
      ],
      writable: [Self.controlA: writableA, Self.controlB: 0xE0, Self.mode: 0x03])
    reset(at: Timestamp(nanoseconds: 0))
  }

  package override func reset(at instant: Timestamp) {
    gain = 1
    lastConversion = nil
    begin(at: instant)
  }

  // From the last data register back to the first, from the last register of all to the very first.
  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    if register == Self.outYLow { return Self.outX }
    return register >= 0x0C ? 0x00 : register + 1
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    // Either restarts the measurement and unlocks the data registers.
    if register == Self.controlA || register == Self.mode { begin(at: instant) }
  }

  private func begin(at instant: Timestamp) {
    readWhileLocked = nil
    conversions = nil
    singleEnd = nil
    switch registers[Int(Self.mode)] & 0x03 {
    case 0:
      let hertz = rates[min(Int(registers[Int(Self.controlA)] >> 2 & 7), rates.count - 1)]
      // The first measurement comes after two periods.
      let start = instant.advanced(byNanoseconds: UInt64(bounded: 1e9 / hertz))
      conversions = ConversionClock(start: start, hertz: hertz)
    case 1: singleEnd = instant.advanced(byNanoseconds: Self.measurementNanoseconds)
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    if let end = singleEnd, end <= instant {
      singleEnd = nil
      convert(at: end)
      set(0x02, in: Self.mode)
    }
    // Two, because the first after a change still has the old gain.
    _ = conversions?.finished(by: instant, limit: 2) { convert(at: $0) }
  }

  private func convert(at instant: Timestamp) {
    let counts = surroundings.field(at: instant) * (countsPerGauss[gain] / 100)
    gain = Int(registers[Int(Self.controlB)] >> 5)
    guard readWhileLocked == nil else { return }
    // Bits DXRA and so on: twelve bits with their sign, -4096 after an overflow; the order is x, z,
    // y.
    for (place, axis) in [0, 2, 1].enumerated() {
      let count = counts[axis].rounded()
      putBigEndian(
        -2048...2047 ~= count ? Int(bounded: count) : -4096, at: Self.outX + UInt8(2 * place))
    }
    lastConversion = instant
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    guard register == Self.status else { return registers[Int(register)] }
    let isReady = lastConversion.map {
      $0.advanced(byNanoseconds: Self.notReadyNanoseconds) <= instant
    }
    return (isReady == true ? 0x01 : 0) | (readWhileLocked != nil ? 0x02 : 0)
  }

  // Reading the mode or a part of the data locks the data; reading all six unlocks them.
  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    guard Self.mode...Self.outYLow ~= register else { return }
    var read = readWhileLocked ?? 0
    if register >= Self.outX { read |= 1 << (register - Self.outX) }
    readWhileLocked = read == 0x3F ? nil : read
  }
}
