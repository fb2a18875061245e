import EarthModel
import Quantities
import TestSupport
import Testing

@Suite("Sky", .timeLimit(.minutes(30)))
struct SkyTests {
  private struct Case {
    let (utc, latitude, longitude): (String, Double, Double)
    let (azimuth, altitude): (Double, Double)
    let (rightAscension, declination): (Double, Double)
    let (rightAscensionJ2000, declinationJ2000): (Double, Double)

    init(
      _ utc: String, _ latitude: Double, _ longitude: Double, _ azimuth: Double, _ altitude: Double,
      _ ofDate: (Double, Double), _ j2000: (Double, Double)
    ) {
      (self.utc, self.latitude, self.longitude) = (utc, latitude, longitude)
      (self.azimuth, self.altitude) = (azimuth, altitude)
      (rightAscension, declination) = ofDate
      (rightAscensionJ2000, declinationJ2000) = j2000
    }
  }

  /// Degrees, by ERFA 2.0.1 (PyPI's pyerfa): ae2hd, gmst06, pmat06.
  private let cases = [
    Case(
      "2026-07-01T22:15:30Z", 48.5, 11.25, 135, 35, (300.54113, 2.62365), (300.20736, 2.54906)),
    Case(
      "2026-01-15T03:00:00Z", -33.9, 18.4, 250.5, 62.25, (143.86666, -38.50643),
      (143.60110, -38.38956)),
    Case(
      "2000-01-01T12:00:00Z", 51.4769, 0, 0, 45, (100.46062, 83.52310), (100.46066, 83.52310)),
    Case(
      "2040-10-10T10:10:10Z", 64.15, -21.9, 359.5, 5, (330.85355, 30.84890), (330.39733, 30.65110)),
    Case(
      "2026-12-01T12:00:00Z", 0, -78.5, 90, 80, (181.85989, 0), (181.51503, 0.14977)),
    Case(
      "2015-06-21T18:30:00Z", -45, 170.5, 181, -10, (178.83733, -34.99258), (178.64045, -34.90649)),
  ]

  private func expect(
    _ angle: Angle, _ degrees: Double, within tolerance: Double, _ text: String
  ) {
    let difference = (angle - Angle(degrees: degrees)).wrappedToHalfTurn.degrees
    #expect(abs(difference) < tolerance, "\(text): \(angle.degrees)")
  }

  @Test("directions among the stars are those of ERFA within 0.0005°, and lead back")
  func directions() throws {
    for one in cases {
      let utc = try #require(UTCTime(iso8601: one.utc))
      let place = GeodeticPosition(latitudeDegrees: one.latitude, longitudeDegrees: one.longitude)
      let sky = Sky(at: place, utc)
      let above = HorizontalDirection(
        azimuth: Angle(degrees: one.azimuth), altitude: Angle(degrees: one.altitude))
      let ofDate = sky.equatorial(above)
      expect(ofDate.rightAscension, one.rightAscension, within: 0.0005, one.utc)
      expect(ofDate.declination, one.declination, within: 0.0005, one.utc)
      let j2000 = sky.j2000(ofDate: ofDate)
      expect(j2000.rightAscension, one.rightAscensionJ2000, within: 0.0005, one.utc)
      expect(j2000.declination, one.declinationJ2000, within: 0.0005, one.utc)
      let back = sky.horizontal(sky.ofDate(j2000: j2000))
      expect(back.azimuth, one.azimuth, within: 1e-9, one.utc)
      expect(back.altitude, one.altitude, within: 1e-9, one.utc)
    }
  }

  @Test("the refraction is that of ERFA and of Meeus' example 16.a")
  func refraction() {
    // Arcminutes, by ERFA's refco(1010 hPa, 10 °C, 50 %, 0.55 µm).
    for (altitude, minutes) in [
      (80, 0.171), (45, 0.966), (30, 1.669), (20, 2.634), (15, 3.553),
    ] {
      let seen = Angle(degrees: Double(altitude))
      expect(Refraction.ofApparent(seen), minutes / 60, within: 0.0017, "\(altitude)")
      let lifted = seen - Refraction.ofApparent(seen)
      expect(Refraction.ofTrue(lifted), minutes / 60, within: 0.0025, "\(altitude)")
    }
    expect(
      Refraction.ofApparent(Angle(degrees: 0.5)), 28.754 / 60, within: 0.00002, "Bennett")
    expect(Refraction.ofTrue(Angle(degrees: 0.5541)), 24.618 / 60, within: 0.00005, "Sæmundsson")
    #expect(
      Refraction.ofApparent(Angle(degrees: -60)) == Refraction.ofApparent(Angle(degrees: -1)))
  }
}
