import Chips
import Testing

/// The whole-number formulas, against figures of arbitrary-precision integers in Python.
@Suite("MS5611's compensation", .timeLimit(.minutes(30)))
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

  @Test("of the relatives gives their sheets' examples and second orders, and never overflows")
  func relatives() {
    let figures: [(MS5611Variant, UInt32, UInt32, Int64, Int64)] = [
      // The data sheets' examples come first of each, the MS5837-30BA's with a digit more.
      (.ms5607, 6_465_444, 8_077_636, 2000, 110_002),
      (.ms5607, 6_465_444, 7_177_636, -1399, 102_072),
      (.ms5607, 6_465_444, 6_577_636, -4084, 95359),
      (.ms5607, 6_465_444, 9_877_636, 8043, 124_552),
      (.ms5607, 1, 1, -55504, 272_304),
      (.ms5607, 16_777_215, 1, -55504, -882_352),
      (.ms5637, 6_465_444, 8_077_636, 2000, 110_002),
      (.ms5637, 6_465_444, 7_177_636, -1304, 102_233),
      (.ms5637, 6_465_444, 6_577_636, -3822, 95728),
      (.ms5637, 6_465_444, 9_877_636, 7985, 124_552),
      (.ms5637, 16_777_215, 1, -47908, -950_846),
      (.ms5837With2Bar, 6_465_444, 8_077_636, 2000, 110_002),
      (.ms5837With2Bar, 6_465_444, 7_177_636, -1281, 102_116),
      (.ms5837With2Bar, 6_465_444, 6_577_636, -3757, 96178),
      (.ms5837With2Bar, 6_465_444, 9_877_636, 8043, 124_552),
      (.ms5837With30Bar, 4_958_179, 6_815_414, 1981, 399_984),
      (.ms5837With30Bar, 4_958_179, 5_915_414, -1110, 385_814),
      (.ms5837With30Bar, 4_958_179, 5_315_414, -3486, 372_331),
      (.ms5837With30Bar, 4_958_179, 8_615_414, 7545, 431_142),
      (.ms5837With30Bar, 16_777_215, 16_777_215, 31588, 13_957_382),
    ]
    for (variant, pressure, temperature, celsius, pascal) in figures {
      let words: SIMD8<UInt16> =
        variant == .ms5837With30Bar
        ? [0, 34982, 36352, 20328, 22354, 26646, 26146, 0]
        : [0, 46372, 43981, 29059, 27842, 31553, 28165, 0]
      let result = MS5611Calibration(words, variant)
        .compensated(pressure: pressure, temperature: temperature)
      #expect(result == (celsius, pascal), "\(pressure) \(temperature)")
    }
    let extremes: [(MS5611Variant, Int64, Int64)] = [
      (.ms5607, -260_135, -31_510_668), (.ms5637, -227_368, -33_704_068),
      (.ms5837With2Bar, -219_177, -7_011_936), (.ms5837With30Bar, -227_368, -585_754_409),
    ]
    for (variant, celsius, pascal) in extremes {
      let most = MS5611Calibration(SIMD8(repeating: 0xFFFF), variant)
      #expect(most.compensated(pressure: 0xFFFFFF, temperature: 1) == (celsius, pascal))
    }
  }

  @Test("finds every single bit that is wrong in a PROM of seven words")
  func shortPROM() {
    let good: SIMD8<UInt16> = [0xD2A1, 46372, 43981, 29059, 27842, 31553, 28165, 0]
    #expect(MS5611Calibration(good, .ms5637).fault == nil)
    #expect(MS5611Calibration(good, .ms5637).product == 0x15)
    for index in 0..<7 {
      for bit in 0..<16 {
        var words = good
        words[index] ^= 1 << UInt16(bit)
        #expect(MS5611Calibration(words, .ms5637).fault != nil, "word \(index) bit \(bit)")
      }
    }
    for word in [UInt16(0), 0xFFFF, 0x1234] {
      var words = SIMD8<UInt16>(repeating: word)
      words[7] = 0
      #expect(MS5611Calibration(words, .ms5637).fault != nil)
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
