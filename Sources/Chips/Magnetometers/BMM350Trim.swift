/// The factory's trim of a BMM350 with its compensation: offset, sensitivity, their change with the
/// temperature, and the axes' influence on one another.
///
/// - Source: ArduPilot's AP_Compass_BMM350.cpp and PX4's BMM350.cpp, which agree, after Bosch's
///   BMM350-SensorAPI.
package struct BMM350Trim: Equatable, Sendable {
  /// The words of the factory's memory in use.
  package static let words: ClosedRange<UInt8> = 0x0D...0x18

  /// Microtesla.
  package var offset: SIMD3<Double>
  /// Relative.
  package var sensitivity: SIMD3<Double>
  /// Microtesla a degree.
  package var offsetByTemperature: SIMD3<Double>
  /// Relative, a degree.
  package var sensitivityByTemperature: SIMD3<Double>
  /// The part of y in x, of x in y, of x in z and of y in z.
  package var (yInX, xInY, xInZ, yInZ): (Double, Double, Double, Double)
  /// Degrees Celsius, and relative.
  package var (temperatureOffset, temperatureSensitivity): (Double, Double)
  /// The temperature of the trim, degrees Celsius.
  package var reference: Double
  private let isEmpty: Bool

  /// Microtesla a count on x, y and z; degrees a count.
  ///
  /// - Source: Bosch's gains: 14.55 and 9 of the bridges, 19.46 and 31 of the amplifiers, 1/1.5 of
  ///   the converter, 0.714607238769531 of the table, 10^6 / 2^20; 0.00204 of the thermometer.
  package static var scale: SIMD4<Double> {
    let gain = 0.714_607_238_769_531 / 1.5
    let power = 1_000_000.0 / 1_048_576
    let planar = power / (14.55 * 19.46 * gain)
    return SIMD4(
      planar, planar, power / (9.0 * 31.0 * gain), 1 / (0.002_04 * gain * 1_048_576))
  }

  /// - Parameter words: The memory from 0x0D to 0x18.
  package init(_ words: [UInt16]) {
    func word(_ index: Int) -> UInt16 {
      words.indices.contains(index - 0x0D) ? words[index - 0x0D] : 0
    }
    func low(_ index: Int) -> Double { Double(Int8(bitPattern: UInt8(word(index) & 0xFF))) }
    func high(_ index: Int) -> Double { Double(Int8(bitPattern: UInt8(word(index) >> 8))) }
    /// Twelve bits with their sign.
    func twelve(_ bits: UInt16) -> Double { Double(Int16(bitPattern: bits << 4) >> 4) }
    offset = SIMD3(
      twelve(word(0x0E) & 0x0FFF), twelve(word(0x0E) >> 4 & 0x0F00 | word(0x0F) & 0x00FF),
      twelve(word(0x0F) & 0x0F00 | word(0x10) & 0x00FF))
    // The constants are Bosch's corrections for all chips.
    sensitivity = SIMD3(high(0x10) / 256, low(0x11) / 256 + 0.01, high(0x11) / 256)
    offsetByTemperature = SIMD3(low(0x12), low(0x13), low(0x14)) / 32
    sensitivityByTemperature =
      SIMD3(high(0x12), high(0x13), high(0x14)) / 16_384 - SIMD3(0, 0, 0.0001)
    (yInX, xInY) = (low(0x15) / 800, high(0x15) / 800)
    (xInZ, yInZ) = (low(0x16) / 800, high(0x16) / 800)
    (temperatureOffset, temperatureSensitivity) = (low(0x0D) / 5, high(0x0D) / 512)
    reference = Double(Int16(bitPattern: word(0x18))) / 512 + 23
    isEmpty = words.allSatisfy { $0 == 0 } || words.allSatisfy { $0 == 0xFFFF }
  }

  /// Why the trim cannot be a factory's; nil for a possible one.
  package var fault: String? { isEmpty ? "every word reads the same" : nil }

  /// Compensates a measurement.
  /// - Parameter raw: Counts of x, y, z and the temperature.
  /// - Returns: The field, microtesla.
  package func field(_ raw: SIMD4<Double>) -> SIMD3<Double> {
    let scaled = raw * Self.scale
    // The thermometer's zero. Below -25.5 °C the maker's formula, kept here, jumps with the
    // output's sign.
    let zero = scaled.w > 0 ? 25.49 : scaled.w < 0 ? -25.49 : 0
    let temperature = (1 + temperatureSensitivity) * (scaled.w - zero) + temperatureOffset
    let change = temperature - reference
    let unity = SIMD3<Double>(repeating: 1)
    var own = SIMD3(scaled.x, scaled.y, scaled.z) * (unity + sensitivity) + offset
    own += offsetByTemperature * change
    own /= unity + sensitivityByTemperature * change
    let determinant = 1 - xInY * yInX
    let x = (own.x - yInX * own.y) / determinant
    let y = (own.y - xInY * own.x) / determinant
    let cross = own.x * (xInY * yInZ - xInZ) - own.y * (yInZ - yInX * xInZ)
    return SIMD3(x, y, own.z + cross / determinant)
  }
}
