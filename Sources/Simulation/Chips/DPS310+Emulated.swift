import Quantities

/// Infineon's DPS310 and Goertek's SPL06-001 and SPL07-003 without FIFO. Each has two thermometers,
/// of the pressure element and of the ASIC; the coefficients fit the former.
/// - Source: the sheets named in `DPS310`: registers with their values after a reset, rates, times
///   of measurements, flags that reading the data clears, formulas. Raw values are found from
///   pressure and temperature by bisection. Coefficients of a real chip:
///   Infineon/DPS310-Pressure-Sensor, issue 30. What unlocks the undocumented register: that
///   library and Linux dps310.c. SPL06: Infineon/DPS310-Pressure-Sensor, issue 20 (a register that
///   its sheet does not have, and that reads without an error; coefficients of the MEMS element's
///   thermometer). SPL07: Kenneract's SPL07-003.h (TMP_EXT in bit 3 of MEAS_CFG, fields of the
///   rates) and adafruit_spa06_003.py (c31, c40); their values are made up.
package final class EmulatedDPS310: RegisterFile {
  private let surroundings: any Surroundings
  private var clocks: (pressure: ConversionClock?, temperature: ConversionClock?)
  /// The end of a single measurement of the temperature.
  private var singleEnd: Timestamp?
  /// The wrong fuse of some chips: a temperature 40 degrees too high.
  private let hasWrongFuse: Bool
  private var isFixed = false

  private static let (pressure, temperature): (UInt8, UInt8) = (0x00, 0x03)
  private static let (pressureSettings, temperatureSettings): (UInt8, UInt8) = (0x06, 0x07)
  private static let (measurement, configuration, restart): (UInt8, UInt8, UInt8) =
    (0x08, 0x09, 0x0C)
  private static let microseconds: [UInt64] = [
    3600, 5200, 8400, 14_800, 27_600, 53_200, 104_400, 206_800,
  ]
  private static let factors: [Double] = [
    524_288, 1_572_864, 3_670_016, 7_864_320, 253_952, 516_096, 1_040_384, 2_088_960,
  ]
  private static let (c0, c1): (Int, Int) = (222, -297)
  private static let (c00, c10): (Int, Int) = (79_832, -56_308)
  private static let (c01, c11, c20, c21, c30): (Int, Int, Int, Int, Int) =
    (-2295, 1444, -9701, 111, -1289)
  private static let (c31, c40): (Int, Int) = (-150, 320)

  /// The registers from 0x10 on.
  package static let coefficients: [UInt8] = {
    func low(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value) }
    var bytes = [low(c0 >> 4), low(c0 << 4) | low(c1 >> 8) & 0x0F, low(c1)]
    bytes += [low(c00 >> 12), low(c00 >> 4), low(c00 << 4) | low(c10 >> 16) & 0x0F]
    bytes += [low(c10 >> 8), low(c10)]
    return bytes + [c01, c11, c20, c21, c30].flatMap { [low($0 >> 8), low($0)] }
  }()

  /// The chip.
  package enum Part: Sendable { case dps310, spl06, spl07 }
  private let part: Part
  /// Registers that were written though the chip's sheet does not have them.
  package private(set) var undocumentedWrites: [UInt8] = []

  package init(
    _ part: Part = .dps310, surroundings: any Surroundings, hasWrongFuse: Bool = false
  ) {
    self.surroundings = surroundings
    self.part = part
    self.hasWrongFuse = hasWrongFuse
    var defaults: [UInt8: UInt8] = [0x08: 0xC0, 0x0D: 0x10]
    if part == .dps310 {
      defaults[0x28] = 0x80
      defaults[0x32] = hasWrongFuse ? 0x00 : 0x02
    }
    for (index, byte) in Self.coefficients.enumerated() { defaults[0x10 + UInt8(index)] = byte }
    var writable: [UInt8: UInt8] = [0x06: 0x7F, 0x07: 0xF7, 0x08: 0x07, 0x09: 0xFF]
    switch part {
    case .dps310: (writable[0x0E], writable[0x0F]) = (0xFF, 0xFF)
    case .spl06: break
    case .spl07:
      defaults[0x0D] = 0x11
      let (c31, c40) = (Self.c31, Self.c40)
      defaults[0x22] = UInt8(truncatingIfNeeded: c31 >> 4)
      defaults[0x23] = UInt8(truncatingIfNeeded: c31 << 4 | c40 >> 8 & 0x0F)
      defaults[0x24] = UInt8(truncatingIfNeeded: c40)
      (writable[0x06], writable[0x07], writable[0x08]) = (0xFF, 0xFF, 0x0F)
    }
    super.init(defaults: defaults, writable: writable)
  }

  package override func reset(at instant: Timestamp) {
    clocks = (nil, nil)
    singleEnd = nil
    isFixed = false
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.restart where value & 0x0F == 0x09:
      restoreDefaults()
      reset(at: instant)
    case Self.measurement:
      clocks.pressure =
        value & 0x05 == 0x05 ? clock(Self.pressureSettings, instant) : nil
      clocks.temperature =
        value & 0x06 == 0x06 ? clock(Self.temperatureSettings, instant) : nil
      singleEnd =
        value & 0x07 == 0x02
        ? instant.advanced(byNanoseconds: 1000 * time(Self.temperatureSettings)) : nil
    case 0x0E, 0x0F, 0x28, 0x32,
      0x62 where part != .dps310:
      undocumentedWrites.append(register)
    case 0x62 where value == 0x02:
      isFixed = registers[0x0E] == 0xA5 && registers[0x0F] == 0x96
    default: break
    }
  }

  private func clock(_ settings: UInt8, _ instant: Timestamp) -> ConversionClock {
    let field = registers[Int(settings)] >> 4 & (part == .spl07 ? 15 : 7)
    // Fields from 8 on are 25/16, 25/8, … Hz.
    let first = field < 8 ? 1 : 25.0 / 16
    return ConversionClock(start: instant, hertz: first * Double(1 << Int(field & 7)))
  }

  package override func advance(to instant: Timestamp) {
    if let end = singleEnd, end <= instant {
      singleEnd = nil
      clear(0x07, in: Self.measurement)
      measureTemperature(at: end)
    }
    _ = clocks.temperature?.finished(by: instant) { measureTemperature(at: $0) }
    _ = clocks.pressure?.finished(by: instant) { measurePressure(at: $0) }
  }

  /// Microseconds.
  private func time(_ settings: UInt8) -> UInt64 {
    Self.microseconds[Int(registers[Int(settings)] & 7)]
  }

  private func middle(_ end: Timestamp, _ settings: UInt8) -> Timestamp {
    let half = 500 * time(settings)
    return Timestamp(nanoseconds: end.nanoseconds - min(half, end.nanoseconds))
  }

  private func scaledTemperature(at instant: Timestamp) -> Double {
    // The thermometer that needs other coefficients.
    let isOther =
      part == .spl07
      ? isSet(0x08, in: Self.measurement) : !isSet(0x80, in: Self.temperatureSettings)
    let isWrong = isOther || (hasWrongFuse && !isFixed)
    let celsius = surroundings.celsius(at: instant) + (isWrong ? 40 : 0)
    return (celsius - Double(Self.c0) / 2) / Double(Self.c1)
  }

  private func measureTemperature(at end: Timestamp) {
    let scaled = scaledTemperature(at: middle(end, Self.temperatureSettings))
    put(
      scaled, settings: Self.temperatureSettings, shift: 0x08, at: Self.temperature, flag: 0x20)
  }

  private func measurePressure(at end: Timestamp) {
    let instant = middle(end, Self.pressureSettings)
    let pascal = 100 * surroundings.hectopascal(at: instant)
    // The pressure depends on the real temperature.
    let t = (surroundings.celsius(at: instant) - Double(Self.c0) / 2) / Double(Self.c1)
    var (low, high) = (-2.0, 2.0)
    for _ in 0..<48 {
      let middle = (low + high) / 2
      // It falls with the raw value.
      if self.pascal(middle, t) > pascal { low = middle } else { high = middle }
    }
    put(low, settings: Self.pressureSettings, shift: 0x04, at: Self.pressure, flag: 0x10)
  }

  private func pascal(_ p: Double, _ t: Double) -> Double {
    let (c31, c40) = part == .spl07 ? (Double(Self.c31), Double(Self.c40)) : (0, 0)
    let cold =
      Double(Self.c00) + Double(Self.c10) * p + Double(Self.c20) * p * p
      + Double(Self.c30) * p * p * p
    let warm = Double(Self.c01) * t + Double(Self.c11) * p * t + Double(Self.c21) * p * p * t
    return cold + c40 * p * p * p * p + warm + c31 * p * p * p * t
  }

  private func put(
    _ scaled: Double, settings: UInt8, shift: UInt8, at register: UInt8, flag: UInt8
  ) {
    let precision = Int(registers[Int(settings)] & 7)
    // Above eight measurements the sum needs the shift to fit into 24 bits; without it, its top is
    // lost.
    let isLost = precision > 3 && !isSet(shift, in: Self.configuration)
    let count = Int(bounded: (scaled * Self.factors[precision]).rounded()) * (isLost ? 16 : 1)
    for byte in 0..<3 {
      registers[Int(register) + byte] = UInt8(truncatingIfNeeded: count >> (16 - 8 * byte))
    }
    set(flag, in: Self.measurement)
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.pressure + 2 { clear(0x10, in: Self.measurement) }
    if register == Self.temperature + 2 { clear(0x20, in: Self.measurement) }
  }
}
