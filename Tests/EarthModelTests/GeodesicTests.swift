import EarthModel
import Foundation
import Quantities
import TestSupport
import Testing

/// Compared with PyPI's geographiclib (`Scripts/generate-geodesics.py`).
@Suite("Geodesics", .timeLimit(.minutes(30)))
struct GeodesicTests {
  private struct Case {
    let from: GeodeticPosition
    let to: GeodeticPosition
    let metres: Double
    let azimuth1: Double
  }

  private func cases() throws -> [Case] {
    let file = SharedData.repository.appendingPathComponent("Tests/EarthModelTests/Geodesics.txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: " ").compactMap { Double($0) } }
      .map {
        Case(
          from: GeodeticPosition(latitudeDegrees: $0[0], longitudeDegrees: $0[1]),
          to: GeodeticPosition(latitudeDegrees: $0[2], longitudeDegrees: $0[3]), metres: $0[4],
          azimuth1: $0[5])
      }
  }

  @Test("every distance is within a micrometre of the reference, antipodes and poles included")
  func distances() throws {
    let cases = try cases()
    #expect(cases.count > 480)
    for c in cases {
      let way = Geodesic.inverse(from: c.from, to: c.to)
      #expect(abs(way.distanceMetres - c.metres) < 1e-6, "\(c)")
    }
  }

  @Test("going by the bearing and distance that were found ends at the other place")
  func closure() throws {
    for c in try cases() {
      let way = Geodesic.inverse(from: c.from, to: c.to)
      let end = Geodesic.direct(
        from: c.from, bearing: way.initialBearing, distanceMetres: way.distanceMetres)
      let miss = Geodesic.inverse(from: end.position, to: c.to).distanceMetres
      #expect(miss < 1e-5, "\(c)")
      // The direction of arrival is that of the end. At a pole it depends on the longitude's name.
      if abs(c.to.latitude.degrees) < 89, way.distanceMetres > 1 {
        let turn = (end.bearing - way.finalBearing).wrappedToHalfTurn.degrees
        #expect(abs(turn) < 1e-5, "\(c)")
      }
    }
  }

  @Test("bearings are the reference's where there is one shortest way")
  func bearings() throws {
    for c in try cases() where c.metres > 1 && c.metres < 1.9e7 {
      let way = Geodesic.inverse(from: c.from, to: c.to)
      let difference = way.initialBearing - Angle(degrees: c.azimuth1)
      #expect(abs(difference.wrappedToHalfTurn.degrees) < 1e-6, "\(c)")
    }
  }

  @Test("the way back is as long and comes in the opposite direction")
  func reverse() throws {
    for c in try cases() where c.metres > 1 && c.metres < 1.9e7 {
      let there = Geodesic.inverse(from: c.from, to: c.to)
      let back = Geodesic.inverse(from: c.to, to: c.from)
      #expect(abs(there.distanceMetres - back.distanceMetres) < 1e-7)
      let turn = there.finalBearing - back.initialBearing + Angle(degrees: 180)
      #expect(abs(turn.wrappedToHalfTurn.degrees) < 1e-6, "\(c)")
    }
  }

  @Test("the distance of a place to itself is zero")
  func coincident() {
    let place = GeodeticPosition(latitudeDegrees: -12.3, longitudeDegrees: 180)
    #expect(Geodesic.inverse(from: place, to: place).distanceMetres == 0)
  }
}
