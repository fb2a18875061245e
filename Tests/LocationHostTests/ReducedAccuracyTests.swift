import EarthModel
import Foundation
import LocationHost
import Monitoring
import Quantities
import Testing

@Suite("Reduced accuracy", .timeLimit(.minutes(30)))
struct ReducedAccuracyTests {
  private let now = UTCTime(nanosecondsSince1970: 1_780_000_000_000_000_000)

  /// A complete estimate of an engine at a place, exact.
  private func estimate(at place: GeodeticPosition, second: Double) throws -> Estimate {
    var e = Estimate(timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: second)))
    let elements = try MagneticModel.wmm2025.elements(
      at: place, ellipsoidalHeightMetres: 0, decimalYear: now.decimalYear)
    let heading = MagneticHeading(Angle(degrees: 30))
    e.utc = now.advanced(bySeconds: second)
    (e.attitude, e.isLevelKnown) = (.identity, true)
    (e.magneticHeading, e.trueHeading) = (heading, elements.trueHeading(of: heading))
    e.headingAccuracy = Angle(degrees: 3)
    e.trueHeadingAccuracy = Angle(
      radians: 0.05 + 2 * elements.declinationUncertainty.radians)
    (e.modelField, e.earthField) = (elements.earthField, elements.earthField)
    let field = elements.field.microtesla
    e.field = MagneticField(microtesla: field)
    (e.position, e.horizontalAccuracyMetres) = (place, 3)
    (e.altitudeMetres, e.ellipsoidalAltitudeMetres) = (place.latitude.degrees, 2)
    (e.verticalAccuracyMetres, e.verticalSpeedMetresPerSecond) = (1, place.longitude.degrees)
    (e.speedMetresPerSecond, e.course) = (5, Angle(degrees: 10))
    e.velocity = Velocity(metresPerSecond: SIMD3(5, 0, 0))
    e.positionCovarianceSquareMetres = Matrix3(diagonal: SIMD3(1, 2, 3))
    e.velocityCovarianceSquareMetresPerSecondSquared = Matrix3(diagonal: SIMD3(1, 2, 3))
    (e.speedAccuracyMetresPerSecond, e.courseAccuracy) = (1, Angle(degrees: 1))
    (e.horizontalDilution, e.verticalDilution, e.correctionAgeSeconds) = (1, 1, 1)
    (e.fixKind, e.fixTimestamp, e.satellitesUsed) = (.threeDimensional, e.timestamp, 9)
    (e.calibration, e.disturbance) = (.good, .clean)
    return e
  }

  @Test(
    "two journeys through the same cells at the same times give identical results",
    arguments: 0..<40)
  func indistinguishable(seed: Int) throws {
    var random = SystemSeed(UInt64(seed))
    let start = GeodeticPosition(
      latitudeDegrees: Double.random(in: -80...80, using: &random),
      longitudeDegrees: Double.random(in: -180...180, using: &random))
    var (one, other) = (ReducedAccuracy(), ReducedAccuracy())
    for minute in 0..<180 {
      // Cells are crossed at about 60 km/h; within a cell the journeys have different places.
      let way = GeodeticPosition(
        latitudeDegrees: start.latitude.degrees + 0.009 * Double(minute) * 0.3,
        longitudeDegrees: start.longitude.degrees)
      let cell = ReducedAccuracy.cell(of: way)
      func wandering() -> GeodeticPosition {
        // More than 500 m inside the cell's boundary.
        GeodeticPosition(
          latitudeDegrees: cell.latitude.degrees
            + Double.random(in: -0.016...0.016, using: &random),
          longitudeDegrees: cell.longitude.degrees
            + Double.random(in: -0.016...0.016, using: &random)
            / max(0.1, cos(cell.latitude.radians)))
      }
      let second = Double(minute * 60 + 1)
      let first = one.reduce(try estimate(at: wandering(), second: second), now: now)
      let second2 = other.reduce(try estimate(at: wandering(), second: second), now: now)
      #expect(first == second2)
      #expect(first.trueHeading != nil && first.magneticHeading != nil)
    }
  }

  @Test("values of the receiver and the magnetic field are left out")
  func leftOut() throws {
    var rule = ReducedAccuracy()
    let place = GeodeticPosition(latitudeDegrees: 48.1371, longitudeDegrees: 11.5761)
    let reduced = rule.reduce(try estimate(at: place, second: 1), now: now)
    var expected = Estimate(timestamp: reduced.timestamp)
    (expected.utc, expected.attitude, expected.isLevelKnown) = (reduced.utc, .identity, true)
    (expected.magneticHeading, expected.trueHeading) = (
      reduced.magneticHeading, reduced.trueHeading
    )
    (expected.headingAccuracy, expected.trueHeadingAccuracy) = (
      reduced.headingAccuracy, reduced.trueHeadingAccuracy
    )
    (expected.calibration, expected.disturbance) = (.good, .clean)
    (expected.position, expected.fixKind) = (ReducedAccuracy.cell(of: place), .threeDimensional)
    (expected.fixTimestamp, expected.horizontalAccuracyMetres) = (
      reduced.fixTimestamp, ReducedAccuracy.accuracyMetres
    )
    #expect(reduced == expected)
    // The declinations of cell and place differ by a fraction of a degree.
    let exact = try estimate(at: place, second: 1)
    let error = try #require(reduced.trueHeading).angle - (try #require(exact.trueHeading)).angle
    #expect(abs(error.wrappedToHalfTurn.degrees) < 0.1)
  }

  @Test("true north is unknown before the first cell")
  func beforeTheFirstCell() throws {
    var rule = ReducedAccuracy()
    var heading = try estimate(
      at: GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11), second: 1)
    (heading.position, heading.fixTimestamp) = (nil, nil)
    let reduced = rule.reduce(heading, now: now)
    #expect(reduced.magneticHeading == heading.magneticHeading && reduced.trueHeading == nil)
    #expect(reduced.trueHeadingAccuracy == nil)
  }
}

/// SplitMix64: reproducible random numbers of a seed.
private struct SystemSeed: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
