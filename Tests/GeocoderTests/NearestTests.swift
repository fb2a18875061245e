import EarthModel
import Geocoder
import Quantities
import RealModule
import TestSupport
import Testing

@Suite("The nearest place", .timeLimit(.minutes(30)))
struct NearestTests {
  /// Looks at every place, on the sphere, and at those that come into question on the ellipsoid.
  private struct BruteForce {
    let sites: [Site]
    let directions: [SIMD3<Double>]

    init(_ gazetteer: Gazetteer) throws {
      sites = try gazetteer.sites(around: GeodeticPosition(0, 0), within: .infinity)
      directions = sites.map { Self.direction($0.position) }
    }

    func distance(from position: GeodeticPosition) -> Double {
      let here = Self.direction(position)
      var best = -2.0
      for direction in directions { best = max(best, (direction * here).sum()) }
      // 3 % more of an arc than the nearest, and at least a little.
      let limit = Double.cos(min(.pi, Double.acos(min(1, best)) * 1.03 + 1e-6))
      var metres = Double.infinity
      for (site, direction) in zip(sites, directions) where (direction * here).sum() >= limit {
        let way = Geodesic.inverse(from: position, to: site.position)
        metres = min(metres, way.distanceMetres)
      }
      return metres
    }

    private static func direction(_ position: GeodeticPosition) -> SIMD3<Double> {
      let (latitude, longitude) = (position.latitude.radians, position.longitude.radians)
      let cosine = Double.cos(latitude)
      return SIMD3(
        cosine * Double.cos(longitude), cosine * Double.sin(longitude), Double.sin(latitude))
    }
  }

  private static func points() -> [GeodeticPosition] {
    var random = SeededGenerator(seed: 42)
    func longitude() -> Double { .random(in: -180...180, using: &random) }
    var points: [GeodeticPosition] = []
    for _ in 0..<30 {
      let height = Double.random(in: -1...1, using: &random)
      points.append(GeodeticPosition(Double.asin(height) * 180 / .pi, longitude()))
    }
    // About the antimeridian and the poles.
    for _ in 0..<12 {
      let offset = Double.random(in: -2...2, using: &random)
      let latitude = Double.random(in: -60...70, using: &random)
      points.append(GeodeticPosition(latitude, offset < 0 ? 180 + offset : -180 + offset))
    }
    for latitude in [-90.0, -89.9, -88, 88, 89.9, 90] {
      points.append(GeodeticPosition(latitude, longitude()))
    }
    for corner in [180.0, -180] { points.append(GeodeticPosition(0, corner)) }
    return points
  }

  @Test("is the one that looking at all of them finds")
  func equalsBruteForce() throws {
    let gazetteer = try Gazetteers.builtIn()
    let all = try BruteForce(gazetteer)
    #expect(all.sites.count == gazetteer.placeCount)
    var points = Self.points()
    // About towns, where the index has many to choose from.
    for site in all.sites where site.number.isMultiple(of: 1500) {
      let (latitude, longitude) = (
        site.position.latitude.degrees, site.position.longitude.degrees
      )
      points.append(GeodeticPosition(latitude + 0.21, longitude - 0.17))
    }
    #expect(points.count > 60)
    for point in points {
      let found = try #require(try gazetteer.nearestPlace(to: point))
      let expected = all.distance(from: point)
      #expect(abs(found.distanceMetres - expected) < 1e-3, "\(point)")
      let way = Geodesic.inverse(from: point, to: found.place.position)
      #expect(abs(way.distanceMetres - expected) < 1e-3, "\(point)")
    }
  }

  @Test("is not given beyond the limit")
  func limit() throws {
    let gazetteer = try Gazetteers.builtIn()
    let point = GeodeticPosition(23, 5)
    let distance = try #require(try gazetteer.nearestPlace(to: point)).distanceMetres
    #expect(try gazetteer.nearestPlace(to: point, within: distance + 1) != nil)
    #expect(try gazetteer.nearestPlace(to: point, within: distance - 1) == nil)
    #expect(try gazetteer.nearestPlace(to: point, within: 0) == nil)
    #expect(try gazetteer.nearestPlace(to: GeodeticPosition(.nan, 0)) == nil)
  }

  @Test("is the same for threads that ask at once")
  func threads() async throws {
    let geocoder = try Gazetteers.geocoder()
    let points = Self.points()
    let expected = try points.map { try geocoder.reverse($0) }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for (point, known) in zip(points, expected) {
            guard try geocoder.reverse(point) == known,
              try geocoder.forward("Paris").places.first?.locality == "Paris"
            else { return false }
          }
          return true
        }
      }
      for try await isSame in group { #expect(isSame) }
    }
  }
}
