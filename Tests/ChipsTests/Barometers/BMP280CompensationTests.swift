import Chips
import Testing

/// The whole-number formulas, against figures of arbitrary-precision integers in Python.
@Suite("BMP280's compensation", .timeLimit(.minutes(30)))
struct BMP280CompensationTests {
  /// BST-BMP280-DS001-23, section 3.12.
  static let example = calibration([
    27504, 26435, -1000, 36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000,
  ])
  /// A BME280 that its owner printed (community.bosch-sensortec.com, thread 9390).
  static let owned = calibration([
    28268, 26231, 50, 37544, -10969, 3024, 6255, -54, -7, 9900, -10230, 4285,
  ])

  static func calibration(_ words: [Int]) -> BMP280Calibration {
    BMP280Calibration(
      RegisterBytes(words.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8 & 0xFF)] }))
  }

  struct Figure: Sendable {
    let temperature, pressure, centicelsius, fine: Int32
    let result: Int64
    init(_ t: Int32, _ p: Int32, _ centicelsius: Int32, _ fine: Int32, _ result: Int64) {
      (temperature, pressure, self.centicelsius, self.fine) = (t, p, centicelsius, fine)
      self.result = result
    }
  }

  static let examples = [
    // The data sheet prints 25.08 °C, 128422 and 100653.27 Pa, the last from floating point; its
    // formula in whole numbers gives 25767233 / 256 = 100653.25.
    Figure(519888, 415148, 2508, 128422, 25_767_233),
    Figure(0, 0, -14088, -721301, 33_608_192),
    Figure(0, 1_048_575, -14088, -721301, -912_172),
    Figure(1_048_575, 0, 18755, 960246, 55_536_661),
    Figure(1_048_575, 1_048_575, 18755, 960246, -2_442_530),
    Figure(524288, 524288, 2646, 135479, 21_003_398),
    Figure(524287, 524289, 2646, 135466, 21_003_274),
    Figure(1, 1, -14088, -721301, 33_608_159),
    Figure(349525, 699050, -2863, -146568, 12_320_739),
    Figure(699050, 349525, 8085, 413957, 31_158_967),
    Figure(300000, 350000, -4436, -227131, 25_664_004),
    Figure(300001, 349999, -4436, -227131, 25_664_043),
    Figure(400000, 380000, -1264, -64736, 25_758_009),
    Figure(450000, 800000, 313, 16025, 8_692_137),
    Figure(600000, 250000, 5011, 256562, 34_397_847),
    Figure(700000, 415148, 8115, 415464, 27_995_834),
    Figure(519888, 0, 2508, 128422, 44_339_071),
    Figure(519888, 1_048_575, 2508, 128422, -1_697_504),
    Figure(524272, 524304, 2646, 135453, 21_002_534),
    Figure(519872, 415136, 2508, 128396, 25_767_563),
    Figure(519889, 415149, 2508, 128422, 25_767_189),
    Figure(519903, 415151, 2508, 128435, 25_767_200),
  ]
  static let owneds = [
    Figure(545592, 348543, 2918, 149405, 25_724_954),
    // Its owner's program printed 24.44 °C.
    Figure(530427, 348984, 2444, 125113, 25_502_995),
    Figure(0, 1_048_575, -14131, -723525, -2_988_307),
    Figure(1_048_575, 0, 18666, 955686, 51_659_506),
    Figure(530000, 330000, 2430, 124434, 26_310_091),
    Figure(480000, 400000, 867, 44369, 22_710_333),
    Figure(600000, 300000, 4620, 236551, 28_615_966),
  ]

  @Test("gives the data sheet's example and what its formula gives to the ends of the words")
  func figures() {
    for (calibration, figures) in [(Self.example, Self.examples), (Self.owned, Self.owneds)] {
      for figure in figures {
        let fine = calibration.fineTemperature(raw: figure.temperature)
        #expect(fine == figure.fine)
        #expect(calibration.temperature(fine: fine) == figure.centicelsius)
        #expect(
          calibration.pressure(raw: figure.pressure, fine: fine) == figure.result,
          "\(figure.temperature) \(figure.pressure)")
      }
    }
  }

  @Test("agrees with the nine decimals of a kilopascal that Linux prints")
  func kernel() {
    // Billionths of a kilopascal: the whole part of q · 10⁹ / 256000 (iio_format_value of
    // IIO_VAL_FRACTIONAL).
    let printed: [(Int64, Double)] = [
      (25_767_233, 100_653_253_906), (24_674_867, 96_386_199_218), (7_680_000, 30_000_000_000),
      (28_160_000, 110_000_000_000), (21_003_398, 82_044_523_437),
      (25_767_563, 100_654_542_968), (25_664_043, 100_250_167_968),
    ]
    for (quotient, billionths) in printed {
      #expect((Double(quotient) / 25_600 * 1e8 + 1e-3).rounded(.down) == billionths)
    }
  }

  @Test("decodes a pressure that was not measured as none, and 26.46 °C as a temperature")
  func notMeasured() throws {
    func decode(_ bytes: [UInt8]) -> PressureReading? {
      BMP280<NoBus>.decode(RegisterBytes(bytes), at: 0, Self.example)
    }
    // adc_P 415148 = 0x655AC, adc_T 519888 = 0x7EED0.
    #expect(
      decode([0x65, 0x5A, 0xC0, 0x7E, 0xED, 0x00])
        == PressureReading(hectopascal: 25_767_233.0 / 25_600, celsius: 25.08))
    // The lowest four bits are not of the word.
    #expect(
      decode([0x65, 0x5A, 0xCF, 0x7E, 0xED, 0x0F])
        == decode([0x65, 0x5A, 0xC0, 0x7E, 0xED, 0x00]))
    #expect(decode([0x80, 0x00, 0x00, 0x80, 0x00, 0x00]) == nil)
    #expect(decode([0x80, 0x00, 0x00, 0x7E, 0xED, 0x00]) == nil)
    #expect(decode([0x65, 0x5A, 0xC0, 0x80, 0x00, 0x00])?.celsius == 26.46)
  }

  @Test("does not trap on coefficients that a bus has damaged")
  func damaged() {
    for word in [0x7FFF, 0x8000, 0xFFFF, 0x0000, 0x5555] {
      let calibration = Self.calibration([Int](repeating: word, count: 12))
      for raw in [Int32(0), 1, 0x80000, 0xFFFFF] {
        let fine = calibration.fineTemperature(raw: raw)
        let pressure = calibration.pressure(raw: raw, fine: fine)
        #expect((pressure == nil) == (word == 0))
      }
    }
  }
}
