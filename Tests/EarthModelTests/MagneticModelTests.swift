import EarthModel
import Foundation
import Quantities
import TestSupport
import Testing

/// The official test values: WMM2025_TEST_VALUES.txt and WMMHR2025_TEST_VALUES.txt of NOAA NCEI,
/// whose header names the columns.
@Suite("The magnetic model", .timeLimit(.minutes(30)))
struct MagneticModelTests {
  private func rows(_ file: String) throws -> [[Double]] {
    let path = try #require(SharedData.path("data/wmm/\(file)"))
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: " ").compactMap { Double($0) } }
      .filter { $0.count == 18 }
  }

  private func check(_ model: MagneticModel, _ file: String) throws {
    let rows = try rows(file)
    #expect(rows.count == 100)
    for r in rows {
      let e = try model.elements(
        at: GeodeticPosition(latitudeDegrees: r[2], longitudeDegrees: r[3]),
        ellipsoidalHeightMetres: r[1] * 1000, decimalYear: r[0])
      // Angles as printed, two decimals; the last one may be rounded either way.
      #expect(abs(e.declination.degrees - r[4]) <= 0.005 + 1e-6)
      #expect(abs(e.inclination.degrees - r[5]) <= 0.005 + 1e-6)
      let values = [
        e.horizontalNanotesla, e.northNanotesla, e.eastNanotesla, e.downNanotesla, e.totalNanotesla,
      ]
      for (value, expected) in zip(values, r[6...10]) { #expect(abs(value - expected) < 0.01) }
      #expect(abs(e.declinationRate.degrees - r[11]) < 1e-5)
      #expect(abs(e.inclinationRate.degrees - r[12]) < 1e-5)
      let rates = [
        e.horizontalRateNanotesla, e.northRateNanotesla, e.eastRateNanotesla, e.downRateNanotesla,
        e.totalRateNanotesla,
      ]
      for (rate, expected) in zip(rates, r[13...17]) { #expect(abs(rate - expected) < 0.01) }
    }
  }

  @Test(
    "the compiled coefficients give the official values",
    .enabled(if: SharedData.path("data/wmm") != nil, "the reference data is absent"))
  func official() throws { try check(.wmm2025, "WMM2025_TEST_VALUES.txt") }

  @Test(
    "a coefficients' file of degree 12 or 133 gives its official values",
    .enabled(if: SharedData.path("data/wmm") != nil, "the reference data is absent"),
    arguments: [("WMM2025", 12), ("WMMHR2025", 133)])
  func files(name: String, degree: Int) throws {
    let path = try #require(SharedData.path("data/wmm/\(name).COF"))
    let model = try MagneticModel(parsingCOF: try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(model.degree == degree)
    try check(model, "\(name)_TEST_VALUES.txt")
  }

  @Test("at the poles the field is finite, and its vector does not depend on the longitude given")
  func poles() throws {
    for latitude in [90.0, -90] {
      var first: SIMD3<Double>?
      for longitude in [0.0, 45, 120, -170] {
        let e = try MagneticModel.wmm2025.elements(
          at: GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude),
          ellipsoidalHeightMetres: 0, decimalYear: 2026)
        // North and east turned back to the axes of longitude 0.
        let turn = Rotation<EarthFrame, EarthFrame>(
          rotationVector: SIMD3(0, 0, longitude * .pi / 180 * (latitude > 0 ? -1 : 1)))
        let v = turn.rotate(e.field.microtesla)
        #expect(v.isFinite)
        if let first { #expect((v - first).length < 1e-6) }
        first = v
      }
    }
  }

  @Test("the date line and longitudes beyond it are one place")
  func dateLine() throws {
    func field(_ longitude: Double) throws -> SIMD3<Double> {
      try MagneticModel.wmm2025.elements(
        at: GeodeticPosition(latitudeDegrees: -17, longitudeDegrees: longitude),
        ellipsoidalHeightMetres: 0, decimalYear: 2026
      ).field.microtesla
    }
    let at180 = try field(180)
    for longitude in [-180.0, 540] { #expect(try (field(longitude) - at180).length < 1e-9) }
    #expect(try (field(179.999999) - (field(-179.999999))).length < 1e-4)
  }

  @Test("an invalid place or date is an error")
  func errors() {
    func elements(_ latitude: Double, _ height: Double, _ year: Double) throws {
      _ = try MagneticModel.wmm2025.elements(
        at: GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: 0),
        ellipsoidalHeightMetres: height, decimalYear: year)
    }
    #expect(throws: MagneticModelError.self) { try elements(90.001, 0, 2026) }
    #expect(throws: MagneticModelError.self) { try elements(-91, 0, 2026) }
    #expect(throws: MagneticModelError.self) { try elements(.nan, 0, 2026) }
    #expect(throws: MagneticModelError.self) { try elements(0, .infinity, 2026) }
    #expect(throws: MagneticModelError.self) { try elements(0, -6_000_000, 2026) }
    #expect(throws: MagneticModelError.self) { try elements(0, 0, .nan) }
  }

  @Test("outside 2025.0 to 2030.0 the answer carries a warning, inside it does not")
  func validity() throws {
    for (year, isOutside) in [(2024.99, true), (2025, false), (2030, false), (2030.01, true)] {
      let e = try MagneticModel.wmm2025.elements(
        at: GeodeticPosition(latitudeDegrees: 50, longitudeDegrees: 10),
        ellipsoidalHeightMetres: 0, decimalYear: year)
      #expect(e.warnings.contains(.outsideValidity(years: 2025...2030)) == isOutside)
    }
  }

  @Test("near the magnetic pole the result has a blackout or caution warning")
  func zones() throws {
    func warnings(_ latitude: Double, _ longitude: Double) throws -> [MagneticModelWarning] {
      try MagneticModel.wmm2025.elements(
        at: GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude),
        ellipsoidalHeightMetres: 0, decimalYear: 2026
      ).warnings
    }
    #expect(try warnings(85.8, 139) == [.blackoutZone])
    #expect(try warnings(80, -96) == [.cautionZone])
    #expect(try warnings(57, 12).isEmpty)
  }

  @Test("declination's uncertainty grows as the horizontal field shrinks")
  func uncertainty() throws {
    // WMM2025 technical report: sqrt(0.26² + (5417 / H)²) degrees.
    let e = try MagneticModel.wmm2025.elements(
      at: GeodeticPosition(latitudeDegrees: 57.7, longitudeDegrees: 11.9),
      ellipsoidalHeightMetres: 0, decimalYear: 2026)
    let h = e.horizontalNanotesla
    let expected = (0.26 * 0.26 + (5417 / h) * (5417 / h)).squareRoot()
    #expect(abs(e.declinationUncertainty.degrees - expected) < 1e-12)
    #expect(abs(expected - 0.42) < 0.02)
  }

  @Test(
    "an invalid coefficients' file is rejected with its line",
    arguments: [
      ("", 1), ("hello\n", 1), ("2025.0 X 1\n", 2), ("2025.0 X 1\n1 0 abc 0 0 0\n", 2),
      ("2025.0 X 1\n1 0 1 0 0 0\n1 2 1 0 0 0\n", 3),
      ("2025.0 X 1\n1 0 1 0 0 0\n1 1 1 1 0 0\n2 0 1 0 0 0\n", 5), ("2025.0 X 1\n1 0 1 0\n", 2),
    ])
  func badFiles(text: String, line: Int) {
    var caught: MagneticModelError?
    do { _ = try MagneticModel(parsingCOF: text.utf8) } catch { caught = error }
    guard case .malformed(let at, _) = caught else {
      Issue.record("no error")
      return
    }
    #expect(at == line)
  }

  @Test("true and magnetic heading differ by the declination, east positive")
  func headings() throws {
    let e = try MagneticModel.wmm2025.elements(
      at: GeodeticPosition(latitudeDegrees: 57.7, longitudeDegrees: 11.9),
      ellipsoidalHeightMetres: 0, decimalYear: 2026)
    let magnetic = MagneticHeading(Angle(degrees: 358))
    let truth = e.trueHeading(of: magnetic)
    let expected = (358 + e.declination.degrees).truncatingRemainder(dividingBy: 360)
    #expect(e.declination.degrees > 3 && e.declination.degrees < 6)
    #expect(abs(truth.angle.degrees - expected) < 1e-9)
    #expect(abs(e.magneticHeading(of: truth).angle.degrees - 358) < 1e-9)
  }
}
