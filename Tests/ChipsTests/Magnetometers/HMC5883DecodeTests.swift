import Chips
import Quantities
import Simulation
import Testing

/// Six bytes in the order x, z, y and what they stand for on x, y and z in microtesla: HMC5883L at
/// 1.3 gauss, LSM303DLHC at 4.0; nil where an axis overflowed.
///
/// - Source: Worked out in exact fractions by Python's struct and fractions modules: n 100/1090; x
///   and y n 100/450, z n 100/400.
private struct Row {
  var bytes: [UInt8]
  var hmc5883l: [Double]?
  var lsm303dlhc: [Double]?

  init(_ bytes: [UInt8], _ hmc5883l: [Double]?, _ lsm303dlhc: [Double]?) {
    (self.bytes, self.hmc5883l, self.lsm303dlhc) = (bytes, hmc5883l, lsm303dlhc)
  }

  static let all: [Row] = [
    Row([0x00, 0x00, 0x00, 0x00, 0x00, 0x00], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
    Row(
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [-0.091743, -0.091743, -0.091743],
      [-0.222222, -0.222222, -0.25]),
    Row(
      [0x07, 0xFF, 0x07, 0xFF, 0x07, 0xFF], [187.798165, 187.798165, 187.798165],
      [454.888889, 454.888889, 511.75]),
    Row(
      [0xF8, 0x00, 0xF8, 0x00, 0xF8, 0x00], [-187.889908, -187.889908, -187.889908],
      [-455.111111, -455.111111, -512.0]),
    Row(
      [0x00, 0x01, 0x00, 0x02, 0x00, 0x03], [0.091743, 0.275229, 0.183486],
      [0.222222, 0.666667, 0.5]),
    Row(
      [0xFF, 0xFF, 0x00, 0x02, 0xFF, 0xFD], [-0.091743, -0.275229, 0.183486],
      [-0.222222, -0.666667, 0.5]),
    Row([0x04, 0x42, 0x00, 0x00, 0x00, 0x00], [100.0, 0.0, 0.0], [242.222222, 0.0, 0.0]),
    Row([0x00, 0x00, 0x04, 0x42, 0x00, 0x00], [0.0, 0.0, 100.0], [0.0, 0.0, 272.5]),
    Row([0x00, 0x00, 0x00, 0x00, 0x04, 0x42], [0.0, 100.0, 0.0], [0.0, 242.222222, 0.0]),
    Row(
      [0xFB, 0xBE, 0x02, 0x21, 0xFD, 0xDF], [-100.0, -50.0, 50.0],
      [-242.222222, -121.111111, 136.25]),
    Row(
      [0x07, 0xFF, 0xF8, 0x00, 0x07, 0xFF], [187.798165, 187.798165, -187.889908],
      [454.888889, 454.888889, -512.0]),
    Row([0xF0, 0x00, 0x00, 0x00, 0x00, 0x00], nil, nil),
    Row([0x00, 0x00, 0xF0, 0x00, 0x00, 0x00], nil, nil),
    Row([0x00, 0x00, 0x00, 0x00, 0xF0, 0x00], nil, nil),
    Row([0xF0, 0x00, 0xF0, 0x00, 0xF0, 0x00], nil, nil),
    Row([0xF0, 0x01, 0x00, 0x00, 0x00, 0x00], [-375.688073, 0.0, 0.0], [-910.0, 0.0, 0.0]),
    Row(
      [0x06, 0x36, 0x00, 0x2A, 0x05, 0x9F], [145.87156, 132.018349, 3.853211],
      [353.333333, 319.777778, 10.5]),
    Row(
      [0x05, 0xB1, 0xF8, 0x92, 0xF8, 0x26], [133.669725, -184.40367, -174.495413],
      [323.777778, -446.666667, -475.5]),
    Row(
      [0x07, 0x60, 0xF9, 0xA7, 0x02, 0x4B], [173.211009, 53.853211, -149.082569],
      [419.555556, 130.444444, -406.25]),
    Row(
      [0xFB, 0x11, 0x03, 0x74, 0x04, 0x83], [-115.87156, 105.963303, 81.100917],
      [-280.666667, 256.666667, 221.0]),
    Row(
      [0x02, 0xE9, 0xFE, 0x8D, 0x05, 0x50], [68.348624, 124.770642, -34.036697],
      [165.555556, 302.222222, -92.75]),
    Row(
      [0x04, 0x51, 0xFF, 0x73, 0x06, 0x81], [101.376147, 152.752294, -12.93578],
      [245.555556, 370.0, -35.25]),
  ]
}

@Suite("Decoding HMC5883L and LSM303DLHC", .timeLimit(.minutes(30)))
struct HMC5883DecodeTests {
  @Test("gives the data sheets' values in the order x, z, y, and an overflow as saturated")
  func decode() {
    for row in Row.all {
      // Three bytes in front: the index counts.
      let bytes = RegisterBytes([0x78, 0x20, 0x00] + row.bytes)
      expect(HMC5883L<EmulatedBus>.decode(bytes, at: 3, range: .gauss1_3), row.hmc5883l)
      expect(
        LSM303DLHCMagnetometer<EmulatedBus>.decode(bytes, at: 3, range: .gauss4_0), row.lsm303dlhc)
    }
  }

  private func expect(
    _ reading: Reading<MagneticField<SensorFrame>>, _ expected: [Double]?,
    _ location: SourceLocation = #_sourceLocation
  ) {
    guard let expected, let field = reading.value else {
      #expect(reading == .saturated && expected == nil, sourceLocation: location)
      return
    }
    for axis in 0..<3 {
      #expect(abs(field.components[axis] - expected[axis]) < 1e-6, sourceLocation: location)
    }
  }
}
