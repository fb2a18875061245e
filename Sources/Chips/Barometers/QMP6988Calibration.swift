/// The factory's coefficients of a QMP6988 or 2SMPB-02B, with the compensation.
///
/// - Source: QST QMP6988 and Omron 2SMPB-02E data sheets as ghismary/embedded-qmp6988 `lib.rs`,
///   Betaflight barometer_qmp6988.c and Seeed's SMPB.cpp have them (one polynomial); 2SMPB-02B:
///   Betaflight barometer_2smpb_02b.c, and a Python program for a balloon's leak detector with the
///   same constants (two quadratic equations).
package enum QMP6988Calibration: Equatable, Sendable {
  /// A temperature and a pressure of powers of the raw values: QMP6988, 2SMPB-02E.
  case polynomial(Polynomial)
  /// Raw values of powers of the temperature and pressure, to be solved: 2SMPB-02B.
  case roots(Roots)

  /// The number of bytes from 0xA0 on.
  package static var count: Int { 25 }

  /// Which of the two.
  package enum Form: Sendable { case polynomial, roots }

  /// - Parameters:
  ///   - bytes: The registers from 0xA0 to 0xB8.
  ///   - form: What the part computes with.
  package init(_ bytes: RegisterBytes, _ form: Form) {
    self =
      switch form {
      case .polynomial: .polynomial(Polynomial(bytes))
      case .roots: .roots(Roots(bytes))
      }
  }

  /// Pressure and temperature of raw values from which 2²³ is subtracted.
  /// - Returns: Pascals and degrees Celsius; not finite where damaged coefficients have no
  ///   solution.
  package func compensated(pressure: Double, temperature: Double) -> (
    pascal: Double, celsius: Double
  ) {
    switch self {
    case .polynomial(let k):
      let t = k.a0 + temperature * (k.a1 + temperature * k.a2)
      let warm = t * (k.bt1 + t * k.bt2)
      let linear = k.bp1 + t * (k.b11 + t * k.b12)
      let square = k.bp2 + t * k.b21
      let pascal = k.b00 + warm + pressure * (linear + pressure * (square + pressure * k.bp3))
      return (pascal, t / 256)
    case .roots(let k):
      // The roots without a division by the quadratic coefficients, which may be zero.
      let c = k.ca - temperature
      let t = 2 * c / (-k.ba + (k.ba * k.ba - 4 * k.aa * c).squareRoot())
      let d = pressure - k.cp
      let raw = 2 * d / (k.bp + (k.bp * k.bp + 4 * k.ap * d).squareRoot())
      return (raw / (1 + k.ct + t * (k.bt + t * k.at)), t / 256)
    }
  }

  /// The coefficients of the polynomial.
  package struct Polynomial: Equatable, Sendable {
    let (a0, a1, a2): (Double, Double, Double)
    let (b00, bt1, bt2): (Double, Double, Double)
    let (bp1, b11, bp2): (Double, Double, Double)
    let (b12, b21, bp3): (Double, Double, Double)

    init(_ bytes: RegisterBytes) {
      func scaled(_ index: Int, _ offset: Double, _ span: Double) -> Double {
        offset + span * Double(bytes.bigEndian(at: index)) / 32_767
      }
      // Two numbers of twenty bits, whose lowest four share the last byte.
      func long(_ index: Int, _ low: UInt8) -> Double {
        Double(Int(bytes.bigEndian(at: index)) << 4 | Int(low)) / 16
      }
      b00 = long(0, bytes[24] >> 4)
      bt1 = scaled(2, 1.0e-1, 9.1e-2)
      bt2 = scaled(4, 1.2e-8, 1.2e-6)
      bp1 = scaled(6, 3.3e-2, 1.9e-2)
      b11 = scaled(8, 2.1e-7, 1.4e-7)
      bp2 = scaled(10, -6.3e-10, 3.5e-10)
      b12 = scaled(12, 2.9e-13, 7.6e-13)
      b21 = scaled(14, 2.1e-15, 1.2e-14)
      bp3 = scaled(16, 1.3e-16, 7.9e-17)
      a0 = long(18, bytes[24] & 0x0F)
      a1 = scaled(20, -6.3e-3, 4.3e-4)
      a2 = scaled(22, -1.9e-11, 1.2e-10)
    }
  }

  /// The coefficients of the equations.
  package struct Roots: Equatable, Sendable {
    let (aa, ba, ca): (Double, Double, Double)
    let (ap, bp, cp): (Double, Double, Double)
    let (at, bt, ct): (Double, Double, Double)

    init(_ bytes: RegisterBytes) {
      func scaled(_ index: Int, _ offset: Double, _ span: Double) -> Double {
        offset + span * Double(bytes.bigEndian(at: index)) / 32_767
      }
      cp = Double(bytes.bigEndian24(at: 0))
      bp = scaled(3, 30, 10)
      ap = scaled(5, 0, 3.0e-5)
      ct = scaled(7, 4.0e-2, 8.5e-3)
      bt = scaled(9, -6.6e-6, 1.6e-6)
      at = scaled(11, 0, 8.0e-11)
      ca = Double(bytes.bigEndian24(at: 13))
      ba = scaled(17, -160, 8)
      aa = scaled(19, 0, 4.2e-4)
    }
  }
}
