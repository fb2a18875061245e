import Chips
import Testing

/// The whole-number formulas, against figures of arbitrary-precision integers in Python.
@Suite("MS5611's compensation", .timeLimit(.minutes(15)))
struct MS5611CompensationTests {
  /// MS5611-01BA03, figure 2.
  static let example = MS5611Calibration([1, 40127, 36924, 23317, 23282, 33464, 28312, 0x0008])

  static let figures: [(pressure: UInt32, temperature: UInt32, celsius: Int64, pascal: Int64)] = [
    // The data sheet's own figures.
    (9_085_466, 8_569_150, 2007, 100_009),
    (1, 1, -61088, 175_461),
    (1, 16_777_215, 29710, -119_423),
    (16_777_215, 1, -61088, -816_413),
    (16_777_215, 16_777_215, 29710, 384_166),
    (9_085_466, 8_566_784, 2000, 99993),
    (9_085_466, 8_566_783, 1999, 99993),
    (9_085_466, 7_530_064, -1999, 92174),
    (9_085_466, 7_529_768, -2000, 92172),
    (9_085_466, 7_529_767, -2000, 92172),
    (9_085_466, 7_529_472, -2002, 92169),
    (8_000_000, 7_500_000, -2130, 72932),
    (7_000_000, 7_000_000, -4431, 51715),
    (6_500_000, 6_700_000, -5923, 40732),
    (5_000_000, 8_000_000, -62, 21158),
    (4_000_000, 8_569_150, 2007, 2687),
    (10_000_000, 8_569_150, 2007, 117_510),
    (12_000_000, 9_500_000, 5149, 165_423),
    (9_500_000, 10_300_000, 7849, 120_128),
    (8_388_608, 8_388_608, 1384, 85640),
    (5_592_405, 11_184_810, 10835, 38030),
    (11_184_810, 5_592_405, -12158, 70621),
  ]

  @Test("gives the data sheet's example and both second orders, to the ends of the words")
  func compensation() {
    for figure in Self.figures {
      let result = Self.example.compensated(
        pressure: figure.pressure, temperature: figure.temperature)
      #expect(result.centicelsius == figure.celsius, "\(figure)")
      #expect(result.pascal == figure.pascal, "\(figure)")
    }
  }

  @Test("never overflows, with any words")
  func extremes() {
    let most = MS5611Calibration(SIMD8(repeating: 0xFFFF))
    let figures: [(UInt32, UInt32, Int64, Int64)] = [
      (0xFFFFFF, 1, -260_135, -22_700_453), (1, 0xFFFFFF, 2001, -131_074),
      (0xFFFFFF, 0xFFFFFF, 2001, 393_221),
    ]
    for (pressure, temperature, celsius, pascal) in figures {
      let result = most.compensated(pressure: pressure, temperature: temperature)
      #expect(result == (celsius, pascal))
    }
  }

  @Test("computes the check of the application note's example")
  func check() {
    // AN520: 0x0B for these words, whose last byte is the check.
    let words: SIMD8<UInt16> = [0x3132, 0x3334, 0x3536, 0x3738, 0x3940, 0x4142, 0x4344, 0x4500]
    #expect(MS5611Calibration(words).check == 0x0B)
    #expect(MS5611Calibration(words).fault != nil)
    var right = words
    right[7] = 0x450B
    #expect(MS5611Calibration(right).check == 0x0B)
    #expect(MS5611Calibration(right).fault == nil)
    #expect(Self.example.fault == nil)
  }

  @Test("finds every single bit that is wrong, and words that are all alike")
  func faults() {
    for index in 0..<8 {
      for bit in 0..<16 {
        var words: SIMD8<UInt16> = [1, 40127, 36924, 23317, 23282, 33464, 28312, 0x0008]
        words[index] ^= 1 << UInt16(bit)
        // Four bits beside the check are not under it.
        let isChecked = index != 7 || !(4..<8).contains(bit)
        #expect((MS5611Calibration(words).fault != nil) == isChecked, "word \(index) bit \(bit)")
      }
    }
    for word in [UInt16(0), 0xFFFF, 0x1234] {
      #expect(MS5611Calibration(SIMD8(repeating: word)).fault != nil)
    }
  }
}
