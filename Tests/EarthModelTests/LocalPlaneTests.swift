import EarthModel
import Quantities
import Testing

@Suite("The plane that touches the ellipsoid", .timeLimit(.minutes(30)))
struct LocalPlaneTests {
  private static let places = [(48.0, 11.0), (0, 0), (-33.9, 179.999), (89.999, 20), (-90, 0)]

  @Test("metres and places agree with the geodesic", arguments: places)
  func geodesic(latitude: Double, longitude: Double) {
    let origin = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
    let plane = LocalPlane(origin: origin)
    for metres in [SIMD2(0.0, 0), SIMD2(800, 0), SIMD2(0, -900), SIMD2(-400, 700)] {
      let place = plane.place(at: metres)
      let line = Geodesic.inverse(from: origin, to: place)
      #expect(abs(line.distanceMetres - (metres * metres).sum().squareRoot()) < 1e-4)
      let back = plane.metres(to: place)
      #expect(abs(back.x - metres.x) < 1e-4 && abs(back.y - metres.y) < 1e-4)
      #expect(abs(place.longitude.radians) <= .pi)
    }
  }

  @Test("north turns by the convergence of meridians, and by any angle at a pole")
  func turn() {
    func plane(_ latitude: Double, _ longitude: Double) -> LocalPlane {
      LocalPlane(origin: GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude))
    }
    // A degree of longitude at 30 degrees north: the sine of the latitude.
    #expect(abs(plane(30, 10).turn(to: plane(30, 11)).degrees + 0.5) < 1e-3)
    // Over the pole north points the other way.
    #expect(abs(abs(plane(89.999, 0).turn(to: plane(89.999, 180)).degrees) - 180) < 1e-6)
  }
}
