import Quantities

/// Bosch's BMP280 and BME280 (whose humidity reads as not measured).
/// - Source: Bosch BST-BMP280-DS001-23 revision 1.23: table 18 (register map with defaults), tables
///   19 to 25, sections 3.3 (measurement and filter), 3.6 (modes), 3.10 (shadowing);
///   BST-BME280-DS002-15 revision 1.6: table 18, table 17 (what differs), section 9.1 (measurement
///   time).
package final class EmulatedBMP280: RegisterFile {
  package enum Variant: Sendable { case bmp280, bme280 }

  /// Every measurement takes the data sheet's longest time instead of the typical one.
  package var isSlowest = false
  /// The flags always report an idle chip, as they do for a short time after a command.
  package var hidesProgress = false

  private let surroundings: any Surroundings
  private let variant: Variant
  private let element: BMP280Element
  private var measurement: (begin: Timestamp, end: Timestamp)?
  /// A mode that takes effect at the end of the present measurement.
  private var queuedMode: UInt8?
  /// The filter's memory: pressure and temperature.
  private var memory: SIMD2<Double>?
  private var loadedAt = Timestamp(nanoseconds: 0)

  private static let (identity, restart, humidityControl, status): (UInt8, UInt8, UInt8, UInt8) =
    (0xD0, 0xE0, 0xF2, 0xF3)
  private static let (control, configuration): (UInt8, UInt8) = (0xF4, 0xF5)
  private static let (pressure, temperature): (Int, Int) = (0xF7, 0xFA)
  /// The time until the coefficients are in their registers: half of the longest start-up time.
  private static let loadNanoseconds: UInt64 = 1_000_000

  package init(
    surroundings: any Surroundings, variant: Variant, element: BMP280Element = BMP280Element()
  ) {
    self.surroundings = surroundings
    self.variant = variant
    self.element = element
    var defaults: [UInt8: UInt8] = [
      Self.identity: variant == .bmp280 ? 0x58 : 0x60, 0xF7: 0x80, 0xFA: 0x80,
    ]
    var writable: [UInt8: UInt8] = [Self.control: 0xFF, Self.configuration: 0xFD]
    if variant == .bme280 {
      defaults[0xFD] = 0x80
      writable[Self.humidityControl] = 0x07
    }
    for (index, byte) in element.bytes.enumerated() { defaults[0x88 + UInt8(index)] = byte }
    super.init(defaults: defaults, writable: writable)
  }

  package override func reset(at instant: Timestamp) {
    measurement = nil
    queuedMode = nil
    memory = nil
    loadedAt = instant.advanced(byNanoseconds: Self.loadNanoseconds)
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.restart where value == 0xB6:
      restoreDefaults()
      reset(at: instant)
    case Self.configuration: memory = nil
    case Self.control:
      // A change of mode waits for the end of a measurement.
      if let now = measurement, now.begin <= instant {
        queuedMode = value & 0x03
      } else {
        measurement = nil
        begin(mode: value & 0x03, at: instant)
      }
    default: break
    }
  }

  private func begin(mode: UInt8, at instant: Timestamp) {
    guard mode != 0 else { return }
    measurement = (instant, instant.advanced(byNanoseconds: measurementNanoseconds))
  }

  private func factor(_ bits: UInt8) -> Double { [0, 1, 2, 4, 8, 16, 16, 16][Int(bits & 7)] }
  private var control: UInt8 { registers[Int(Self.control)] }

  private var measurementNanoseconds: UInt64 {
    let (fixed, each, settling) = isSlowest ? (1.25, 2.3, 0.575) : (1.0, 2.0, 0.5)
    var milliseconds = fixed + each * factor(control >> 5)
    for bits in [control >> 2, registers[Int(Self.humidityControl)]] where bits & 7 != 0 {
      milliseconds += each * factor(bits) + settling
    }
    return UInt64(bounded: milliseconds * 1e6)
  }

  private var standbyNanoseconds: UInt64 {
    let last: [Double] = variant == .bmp280 ? [2000, 4000] : [10, 20]
    let milliseconds = [0.5, 62.5, 125, 250, 500, 1000] + last
    return UInt64(bounded: milliseconds[Int(registers[Int(Self.configuration)] >> 5)] * 1e6)
  }

  // One call advances the whole chip to the instant of a transfer: its bytes are of one
  // measurement.
  package override func advance(to instant: Timestamp) {
    while let now = measurement, now.end <= instant {
      convert(from: now.begin, to: now.end)
      measurement = nil
      let mode = queuedMode ?? control & 0x03
      let isRepeated = queuedMode == nil
      queuedMode = nil
      if mode == 0x03 {
        begin(mode: mode, at: now.end.advanced(byNanoseconds: standbyNanoseconds))
      } else if isRepeated {
        clear(0x03, in: Self.control)
      } else {
        begin(mode: mode, at: now.end)
      }
    }
  }

  private func convert(from begin: Timestamp, to end: Timestamp) {
    let half = (end.nanoseconds - begin.nanoseconds) / 2
    let middle = begin.advanced(byNanoseconds: half)
    let input = element.converted(
      hectopascal: surroundings.hectopascal(at: middle),
      celsius: surroundings.celsius(at: middle))
    let steps = SIMD2(step(control >> 2), step(control >> 5))
    var value = SIMD2(input.pressure, input.temperature)
    value = (value / steps).rounded(.toNearestOrEven) * steps
    let coefficient = [1.0, 2, 4, 8, 16, 16, 16, 16][
      Int(registers[Int(Self.configuration)] >> 2 & 7)]
    if let memory { value = (memory * (coefficient - 1) + value) / coefficient }
    memory = value
    // A BMP280 puts out as many bits as oversampling gives; a BME280 all of them behind its filter.
    if variant == .bmp280 || coefficient == 1 {
      value = (value / steps).rounded(.toNearestOrEven) * steps
    }
    put(control >> 2 & 7 == 0 ? 0x80000 : value[0], at: Self.pressure)
    put(control >> 5 & 7 == 0 ? 0x80000 : value[1], at: Self.temperature)
  }

  /// The step of a word of 16 bits at ×1 and one bit more for each doubling.
  private func step(_ bits: UInt8) -> Double { 16 / max(factor(bits), 1) }

  private func put(_ value: Double, at register: Int) {
    let word = UInt32(bounded: min(max(value.rounded(), 0), 1_048_575))
    registers[register] = UInt8(word >> 12)
    registers[register + 1] = UInt8(word >> 4 & 0xFF)
    registers[register + 2] = UInt8(word << 4 & 0xFF)
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    switch register {
    case Self.status:
      let isMeasuring = measurement.map { $0.begin <= instant } ?? false
      return (isMeasuring && !hidesProgress ? 0x08 : 0x00) | (instant < loadedAt ? 0x01 : 0x00)
    case Self.control where hidesProgress: return control & 0xFC
    default: return registers[Int(register)]
    }
  }
}
