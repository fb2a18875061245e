import EarthModel
import Pipeline
import Quantities
import Testing

/// The built-in grid against published values.
@Suite("EGM96", .timeLimit(.minutes(30)))
struct EGM96Tests {
  private func separation(_ latitude: Double, _ longitude: Double) throws -> Double {
    try #require(
      Geoid.egm96.separationMetres(
        at: GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)))
  }

  /// Three times the interpolation's stated error of 7 mm.
  private static let tolerance = 0.021

  @Test(
    "NGA's own test points come out",
    arguments: [
      // The readme of NGA's EGM96 programs: by spherical harmonics, not from the grid.
      (38.628_155_0, 269.779_155_0, -31.628), (-14.621_217_0, 305.021_114_0, -2.969),
      (46.874_319_0, 102.448_729_0, -43.575), (-23.617_446_0, 133.874_712_0, 15.871),
      (38.625_473_0, 359.999_500_0, 50.066), (-0.466_744_0, 0.002_300_0, 17.329),
    ])
  func official(latitude: Double, longitude: Double, metres: Double) throws {
    let found = try separation(latitude, longitude)
    #expect(abs(found - metres) < Self.tolerance)
  }

  @Test(
    "what GeographicLib finds by its own interpolation of finer grids comes out",
    arguments: [
      // Timbuktu: Karney on the PROJ mailing list, 1 September 2009. The others: GeoidEval, as
      // quoted in the tests of the Orekit library, GeoidTest.java.
      (16 + 46.55 / 60, -(3 + 34 / 3600.0), 28.7068), (0, 75, -100.3168), (-30, 60, 14.9214),
      (0, 130, 76.6053), (60, -30, 63.7979), (40, -75, -34.0402), (28, 92, -30.4056),
      (45, 250, -7.4825),
    ] as [(Double, Double, Double)])
  func independent(latitude: Double, longitude: Double, metres: Double) throws {
    let found = try separation(latitude, longitude)
    #expect(abs(found - metres) < Self.tolerance)
  }

  @Test("the lowest and highest points of the geoid lie where they are known to lie")
  func extremes() throws {
    var low = (metres: Double.infinity, latitude: 0.0, longitude: 0.0)
    var high = (metres: -Double.infinity, latitude: 0.0, longitude: 0.0)
    for row in -360...360 {
      for column in 0..<1440 {
        let place = (latitude: Double(row) / 4, longitude: Double(column) / 4)
        let metres = try separation(place.latitude, place.longitude)
        if metres < low.metres { low = (metres, place.latitude, place.longitude) }
        if metres > high.metres { high = (metres, place.latitude, place.longitude) }
      }
    }
    // South of India and off New Guinea; the grid's own points, to the rounding of the table.
    #expect(abs(low.metres + 106.991) < 0.0016)
    #expect((low.latitude, low.longitude) == (4.75, 78.75))
    #expect(abs(high.metres - 85.391) < 0.0016)
    #expect((high.latitude, high.longitude) == (-8.25, 147.25))
  }

  @Test("the poles have one value from every side, the date line one from both")
  func seams() throws {
    for longitude in stride(from: -180.0, through: 540, by: 7.3) {
      let north = try separation(90, longitude)
      #expect(abs(north - 13.606) < 0.0016)
      let south = try separation(-90, longitude)
      #expect(abs(south + 29.534) < 0.0016)
    }
    for latitude in stride(from: -89.9, through: 89.9, by: 3.7) {
      let west = try separation(latitude, -179.999_999)
      let east = try separation(latitude, 179.999_999)
      #expect(abs(west - east) < 1e-4)
      let before = try separation(latitude, -1e-6)
      let after = try separation(latitude, 1e-6)
      #expect(abs(before - after) < 1e-4)
    }
  }

  @Test("every point of the grid is the source's")
  func checksum() throws {
    // FNV-1a of the table's bytes, reckoned by another program from geomaglib's grid.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for row in 0..<Geoid.rows {
      for column in 0..<Geoid.columns {
        let metres = try separation(90 - Double(row) / 4, Double(column) / 4)
        let units = Int16(bounded: ((metres - Geoid.zeroMetres) / Geoid.unitMetres).rounded())
        let bits = UInt16(bitPattern: units)
        for byte in [UInt64(bits & 0xFF), UInt64(bits >> 8)] {
          hash = (hash ^ byte) &* 0x100_0000_01B3
        }
      }
    }
    #expect(hash == 0x9F46_638C_0FCD_AC8A)
  }
}
