import Quantities
import Terminal
import Testing

@Suite(.timeLimit(.minutes(30))) struct FiguresTests {
  let figures = Figures(isASCII: false)

  @Test(
    "A heading that rounds to 360 is north",
    arguments: [
      (359.96, "0.0"), (359.949, "359.9"), (0.04, "0.0"), (-0.04, "0.0"), (7.25001, "7.3"),
      (123.4, "123.4"), (720.5, "0.5"),
    ])
  func direction(degrees: Double, text: String) {
    #expect(figures.direction(Angle(degrees: degrees)) == text)
  }

  @Test("Padded headings have three digits")
  func threeFigures() {
    #expect(figures.direction(Angle(degrees: 7.3), padded: true) == "007.3")
    #expect(figures.direction(Angle(degrees: 359.97), padded: true) == "000.0")
  }

  /// A whole number of degrees and minutes of the same sign, and their text.
  struct Reading: Sendable {
    let degrees: Double
    let minutes: Double
    let text: String
    init(_ degrees: Double, _ minutes: Double, _ text: String) {
      (self.degrees, self.minutes, self.text) = (degrees, minutes, text)
    }
    var angle: Angle { Angle(degrees: degrees + minutes / 60) }
  }

  static let latitudes: [Reading] = [
    Reading(57, 59.9996, "58° 00.000′ N"), Reading(57, 59.9994, "57° 59.999′ N"),
    Reading(0, -0.0004, "00° 00.000′ N"), Reading(0, -0.0006, "00° 00.001′ S"),
    Reading(57.12345, 0, "57° 07.407′ N"), Reading(90, 0, "90° 00.000′ N"),
    Reading(-33, -30, "33° 30.000′ S"),
  ]

  @Test("Minutes that round to sixty carry into the degree", arguments: latitudes)
  func latitude(reading: Reading) {
    #expect(figures.latitude(reading.angle) == reading.text)
  }

  static let longitudes: [Reading] = [
    Reading(11.98765, 0, "011° 59.259′ E"), Reading(0, -30, "000° 30.000′ W"),
    Reading(-179, -59.9996, "180° 00.000′ W"),
  ]

  @Test("A longitude has three figures of degrees", arguments: longitudes)
  func longitude(reading: Reading) {
    #expect(figures.longitude(reading.angle) == reading.text)
  }

  @Test("No minute of a whole turn ever reads sixty")
  func neverSixty() {
    for step in 0..<20_000 {
      let text = figures.longitude(Angle(degrees: Double(step) * 0.018 - 179.999_999_9)) ?? "60."
      #expect(!text.contains(" 60."), "\(step): \(text)")
    }
  }

  @Test("A number that rounds to zero has no minus")
  func negativeZero() {
    #expect(figures.number(-0.04, decimals: 1) == "0.0")
    #expect(figures.signed(-0.04, decimals: 1) == " 0.0")
    #expect(figures.signed(-0.06, decimals: 1) == "-0.1")
    #expect(figures.signed(0.96, decimals: 1) == "+1.0")
  }

  @Test("A value that is not finite has no text")
  func notANumber() {
    #expect(figures.number(.nan, decimals: 1) == nil)
    #expect(figures.number(.infinity, decimals: 1) == nil)
    #expect(figures.number(1e300, decimals: 1) == nil)
    #expect(figures.direction(Angle(radians: .nan)) == nil)
    #expect(figures.latitude(Angle(radians: .infinity)) == nil)
    #expect(figures.accuracy(metres: -1) == nil)
    #expect(figures.accuracy(Angle(degrees: -1)) == nil)
    #expect(Figures.wind(Angle(radians: .nan)) == nil)
  }

  @Test(
    "The number of decimals of an accuracy depends on its size",
    arguments: [
      (0.021, "±0.02 m"), (0.996, "±1.0 m"), (3, "±3.0 m"), (9.96, "±10 m"), (120, "±120 m"),
    ])
  func accuracy(metres: Double, text: String) {
    #expect(figures.accuracy(metres: metres) == text)
  }

  @Test("A wind reaches 11.25 degrees to both sides")
  func winds() {
    #expect(Figures.wind(Angle(degrees: 348.7)) == "NNW")
    #expect(Figures.wind(Angle(degrees: 348.8)) == "N")
    #expect(Figures.wind(Angle(degrees: 123.4)) == "ESE")
    #expect(Figures.wind(Angle(degrees: 225)) == "SW")
  }

  @Test("Clock and date round together, as JSON does")
  func clock() {
    let utc = UTCTime(
      year: 2024, month: 2, day: 29, hour: 23, minute: 59, second: 59, nanosecond: 940_000_000)
    #expect(figures.timeOfDay(utc) == "23:59:59.9")
    #expect(figures.date(utc) == "2024-02-29")
    let next = utc?.advanced(bySeconds: 0.059_999_999)
    #expect(figures.timeOfDay(next) == "00:00:00.0")
    #expect(figures.date(next) == "2024-03-01")
  }

  @Test("A knot is 1852 metres an hour")
  func knots() {
    #expect(figures.number(Figures.knots(3.2), decimals: 1) == "6.2")
    #expect(figures.number(Figures.knots(1852.0 / 3600), decimals: 3) == "1.000")
  }
}
