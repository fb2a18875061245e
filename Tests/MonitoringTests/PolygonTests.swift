import EarthModel
import Monitoring
import Quantities
import Testing

enum Distance {
  static func metres(_ a: GeodeticPosition, _ b: GeodeticPosition) -> Double {
    Geodesic.inverse(from: a, to: b).distanceMetres
  }
}

@Suite("Polygons", .timeLimit(.minutes(30)))
struct PolygonTests {
  private func region(_ corners: [(Double, Double)]) -> MonitoredRegion {
    MonitoredRegion(
      identifier: "p",
      condition: .polygon(
        vertices: corners.map { GeodeticPosition(latitudeDegrees: $0.0, longitudeDegrees: $0.1) }))
  }

  /// The state by a single good fix.
  private func state(_ region: MonitoredRegion, _ latitude: Double, _ longitude: Double) -> String {
    state(region, GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude))
  }

  private func state(_ region: MonitoredRegion, _ place: GeodeticPosition) -> String {
    var monitor = ApplicationMonitor()
    monitor.process(
      PlaceFix(position: place, horizontalAccuracyMetres: 1, time: Fixture.start))
    monitor.perform(.requestState(region), at: Fixture.start)
    switch monitor.pending.first?.kind {
    case .regionState(_, let state)?: return state.rawValue
    case .regionFailed(_, let fault)?: return fault.rawValue
    default: return "waits"
    }
  }

  @Test("inside and outside of a square and of one with a notch, in either vertex order")
  func plain() {
    let corners = [(48.0, 11.0), (48.0, 11.1), (48.05, 11.05), (48.1, 11.1), (48.1, 11.0)]
    for region in [region(corners), region(corners.reversed()), region(corners + [corners[0]])] {
      #expect(state(region, 48.05, 11.02) == "satisfied")
      #expect(state(region, 48.05, 11.08) == "unsatisfied")
      #expect(state(region, 48.2, 11.02) == "unsatisfied")
      #expect(state(region, -48.05, -168.98) == "unsatisfied")
      // Within the cushion there is no event yet.
      #expect(state(region, 48.05, 11.0001) == "waits")
    }
  }

  @Test("across the date line")
  func dateLine() {
    let region = region([(-17, 179.5), (-17, -179.5), (-16, -179.5), (-16, 179.5)])
    for longitude in [179.6, 180, -180, -179.6] {
      #expect(state(region, -16.5, longitude) == "satisfied")
    }
    for longitude in [179.4, -179.4, 0] {
      #expect(state(region, -16.5, longitude) == "unsatisfied")
    }
  }

  @Test("around a pole")
  func pole() {
    for sign in [1.0, -1] {
      let region = region([0, 90, 180, -90].map { (sign * 88, $0) })
      #expect(state(region, sign * 90, 0) == "satisfied")
      #expect(state(region, sign * 89.5, 123) == "satisfied")
      // Between two corners an edge reaches to 88.6 degrees.
      #expect(state(region, sign * 88.3, 45) == "unsatisfied")
      #expect(state(region, sign * 88.1, 0.1) == "satisfied")
      #expect(state(region, sign * 87, 10) == "unsatisfied")
    }
  }

  @Test("edges are geodesics: along one of 600 km the side changes within 25 m of it")
  func geodesicEdges() {
    let a = GeodeticPosition(latitudeDegrees: 55, longitudeDegrees: 10)
    let b = GeodeticPosition(latitudeDegrees: 56, longitudeDegrees: 19.5)
    let region = region([(55, 10), (56, 19.5), (50, 15)])
    let way = Geodesic.inverse(from: a, to: b)
    for part in [0.1, 0.35, 0.5, 0.77, 0.9] {
      let at = Geodesic.direct(
        from: a, bearing: way.initialBearing, distanceMetres: way.distanceMetres * part)
      for (side, expected) in [(90.0, "satisfied"), (-90.0, "unsatisfied")] {
        let place = Geodesic.direct(
          from: at.position, bearing: Angle(degrees: at.bearing.degrees + side),
          distanceMetres: 21)
        #expect(state(region, place.position) == expected, "\(part) \(side)")
        let near = Geodesic.direct(
          from: at.position, bearing: Angle(degrees: at.bearing.degrees + side),
          distanceMetres: 19)
        #expect(state(region, near.position) == "waits", "\(part) \(side)")
      }
    }
  }

  @Test("an invalid polygon fails")
  func refused() {
    #expect(state(region([(0, 0), (1, 1)]), 0, 0) == "unsupportedRegion")
    #expect(state(region([(0, 0), (1, 1), (2, 2)]), 0, 0) != "satisfied")
    #expect(state(region([(0, 0), (0, 0), (0, 0)]), 0, 0) == "unsupportedRegion")
    #expect(state(region([(0, 0), (0, 90), (80, 0)]), 0, 0) == "unsupportedRegion")
    #expect(state(region([(0, .nan), (0, 1), (1, 0)]), 0, 0) == "unsupportedRegion")
  }
}
