import Pipeline
import Quantities
import Testing

/// Both altitudes in the estimate if the receiver reported one. Timbuktu's geoid: 28.7068 m
/// (Karney, GeographicLib).
@Suite("A fix with one altitude", .timeLimit(.minutes(30)))
struct CompletedFixTests {
  private static let separation = 28.7068
  /// Three times the interpolation's error.
  private static let tolerance = 0.021

  private func fix(at seconds: Double) -> Fix {
    var fix = Fix(
      timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds)), kind: .threeDimensional)
    fix.position = GeodeticPosition(
      latitudeDegrees: 16 + 46.55 / 60, longitudeDegrees: -(3 + 34 / 3600.0))
    fix.verticalAccuracyMetres = 3
    return fix
  }

  private func altitudes(after fixes: [Fix]) throws -> (
    sea: Double, ellipsoid: Double, sigma: Double
  ) {
    var pipeline = Pipeline()
    for fix in fixes { pipeline.process(fix) }
    let estimate = pipeline.estimate
    return (
      try #require(estimate.altitudeMetres), try #require(estimate.ellipsoidalAltitudeMetres),
      try #require(estimate.verticalAccuracyMetres)
    )
  }

  @Test("with a height above the sea gets the ellipsoidal one with the same accuracy")
  func seaLevelOnly() throws {
    var only = fix(at: 1)
    only.altitudeMetres = 261
    let found = try altitudes(after: [only])
    #expect(abs(found.sea - 261) < 1e-9)
    #expect(abs(found.ellipsoid - 261 - Self.separation) < Self.tolerance)
    #expect(abs(found.sigma - 3) < 1e-4)
  }

  @Test("with an ellipsoidal height gets the one above the sea, less accurate by the geoid's error")
  func ellipsoidalOnly() throws {
    var only = fix(at: 1)
    only.ellipsoidalAltitudeMetres = 289.7068
    let found = try altitudes(after: [only])
    #expect(abs(found.ellipsoid - 289.7068) < 1e-9)
    #expect(abs(found.sea - 261) < Self.tolerance)
    #expect(abs(found.sigma - 10.0.squareRoot()) < 1e-4)
  }

  @Test("uses the receiver's own separation while that is recent, then EGM96")
  func receiversOwn() throws {
    var both = fix(at: 1)
    both.altitudeMetres = 261
    both.ellipsoidalAltitudeMetres = 292
    var soon = fix(at: 10)
    soon.ellipsoidalAltitudeMetres = 292
    let found = try altitudes(after: [both, soon])
    #expect(abs(found.sea - 261) < 1e-6)
    #expect(abs(found.ellipsoid - found.sea - 31) < 1e-9)
    var late = soon
    late.timestamp = Timestamp(nanoseconds: 12_000_000_000)
    let later = try altitudes(after: [both, late])
    #expect(abs(later.ellipsoid - later.sea - Self.separation) < Self.tolerance)
  }

  @Test("and without a position has that altitude only")
  func noPlace() {
    var only = fix(at: 1)
    only.altitudeMetres = 261
    only.position = nil
    var pipeline = Pipeline()
    pipeline.process(only)
    #expect(pipeline.estimate.altitudeMetres == 261)
    #expect(pipeline.estimate.ellipsoidalAltitudeMetres == nil)
  }
}
