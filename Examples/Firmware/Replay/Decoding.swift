import Chips
import Quantities

/// Register contents that the drivers decode. The expected values are of the data sheets, or
/// computed from them with other programs; the tests of `Chips` name the sources.
enum Decoding {
  /// Decodes each and prints the results.
  static func run() {
    // 12 bits with an overflow value; x, z, y; 1100 and 980 counts a gauss.
    let hmc = RegisterBytes([0x01, 0x90, 0xFF, 0x38, 0x00, 0x64])
    if let field = LSM303DLHCMagnetometer<NoBus>.decode(hmc, at: 0, range: .gauss1_3).value {
      show("LSM303DLHC-field", field.components)
    }
    let overflow = RegisterBytes([0xF0, 0x00, 0, 1, 0, 1])
    if case .saturated = LSM303DLHCMagnetometer<NoBus>.decode(overflow, at: 0, range: .gauss1_3) {
      show("LSM303DLHC-overflow", SIMD3(1, 0, 0))
    }
    let axes = RegisterBytes([0x00, 0x10, 0x10, 0xF0, 0xF0, 0x3F])
    let force = LSM303DLHCAccelerometer<NoBus>.decode(axes, at: 0, range: .g2)
    if let force = force.value { show("LSM303DLHC-force", force.components) }

    let words = RegisterBytes([0x34, 0x12, 0xCC, 0xED, 0xFF, 0x7F])
    show("AK09916", AK09916<NoBus>.decode(words, at: 0).components)
    show("LIS3MDL", LIS3MDL<NoBus>.decode(words, at: 0, range: .gauss4).components)
    // 24 bits, signed: the extremes would overflow if they were taken for 32 bits unsigned.
    let wide = RegisterBytes([0x7F, 0xFF, 0xFF, 0x80, 0x00, 0x00, 0xFF, 0xFF, 0xFF])
    show("RM3100", RM3100<NoBus>.decode(wide, at: 0, cycleCount: .fine).components)
    decodePressure()
  }

  private static func decodePressure() {
    let highest = RegisterBytes([0xFF, 0xFF, 0x7F, 0xFE, 0xFF, 0xFF])
    if let reading = BMP581<NoBus>.decode(highest, at: 0) {
      show("BMP581", SIMD3(reading.hectopascal, reading.celsius, 0))
    }
    // The example of BST-BMP280-DS001-23, section 3.12: intermediate results of 64 bits.
    let coefficients: [Int32] = [
      27504, 26435, -1000, 36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000,
    ]
    var bytes = RegisterBytes(count: 24)
    for (index, word) in coefficients.enumerated() {
      bytes[2 * index] = UInt8(truncatingIfNeeded: word)
      bytes[2 * index + 1] = UInt8(truncatingIfNeeded: word >> 8)
    }
    let calibration = BMP280Calibration(bytes)
    for (temperature, pressure) in [(519_888, 415_148), (1_048_575, 1_048_575), (0, 1)] {
      var raw = RegisterBytes(count: 6)
      for (first, word) in [(0, pressure), (3, temperature)] {
        raw[first] = UInt8(truncatingIfNeeded: word >> 12)
        raw[first + 1] = UInt8(truncatingIfNeeded: word >> 4)
        raw[first + 2] = UInt8(truncatingIfNeeded: word << 4)
      }
      guard let reading = BMP280<NoBus>.decode(raw, at: 0, calibration) else { continue }
      show("BMP280", SIMD3(reading.hectopascal, reading.celsius, 0))
    }
  }

  private static func show(_ name: String, _ values: SIMD3<Double>) {
    Console.print(name, 0, [values.x, values.y, values.z])
  }
}

/// No bus: decoding needs none, but a driver's type names one.
final class NoBus: RegisterBus {
  var name: String { "no bus" }
  var now: Timestamp { Timestamp(nanoseconds: 0) }
  func wait(nanoseconds: UInt64) {}
  func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) {
    throw BusError(.noAnswer, device: name)
  }
  func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) {
    throw BusError(.noAnswer, device: name)
  }
  func receive(from address: UInt8) throws(BusError) -> UInt8 {
    throw BusError(.noAnswer, device: name)
  }
}
