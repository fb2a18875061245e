import EarthModel
import Testing

/// Figures of ISO 2533 and the U.S. Standard Atmosphere 1976, table 1 (geopotential altitude).
@Suite("The standard atmosphere", .timeLimit(.minutes(30)))
struct StandardAtmosphereTests {
  static let table: [(metres: Double, hectopascal: Double)] = [
    (-1000, 1139.29), (0, 1013.25), (500, 954.608), (1000, 898.746), (2000, 794.952),
    (5000, 540.199), (9000, 307.425), (11_000, 226.321), (15_000, 120.446), (20_000, 54.7489),
    (25_000, 25.1102), (30_000, 11.7187),
  ]

  @Test("pressures of the published table come out, and altitudes go back", arguments: table)
  func published(metres: Double, hectopascal: Double) {
    let p = StandardAtmosphere.pressureHectopascal(altitudeMetres: metres)
    #expect(abs(p / hectopascal - 1) < 2e-5)
    let h = StandardAtmosphere.pressureAltitudeMetres(hectopascal: p)
    #expect(abs(h - metres) < 1e-6)
  }

  @Test("a QNH shifts the scale so that its own pressure is at sea level")
  func qnh() {
    #expect(
      abs(StandardAtmosphere.pressureAltitudeMetres(hectopascal: 990, qnhHectopascal: 990)) < 1e-9)
    // 1 hPa is about 8.3 m near the sea.
    let rise =
      StandardAtmosphere.pressureAltitudeMetres(hectopascal: 1000, qnhHectopascal: 1014.25)
      - StandardAtmosphere.pressureAltitudeMetres(hectopascal: 1000, qnhHectopascal: 1013.25)
    #expect(abs(rise - 8.31) < 0.02)
    let p = StandardAtmosphere.pressureHectopascal(altitudeMetres: 640, qnhHectopascal: 985)
    #expect(
      abs(
        StandardAtmosphere.qnhHectopascal(pressureHectopascal: p, altitudeMetres: 640) - 985) < 1e-9
    )
  }
}
