import EarthModel
import Quantities
import RealModule
import TestSupport
import Testing

/// The look-up over a table whose function is known everywhere.
@Suite("The geoid over a table", .serialized, .timeLimit(.minutes(30)))
struct GeoidTests {
  /// A smooth function of the place on the sphere, metres: its sign differs on the two sides of a
  /// pole.
  private static func smooth(_ latitude: Double, _ longitude: Double) -> Double {
    let x = Double.cos(latitude) * .cos(longitude)
    let y = Double.cos(latitude) * .sin(longitude)
    let z = Double.sin(latitude)
    return -10.8 + 50 * x - 30 * y + 8 * z + 5 * x * y
  }

  /// Runs `body` with a geoid over the smooth function's table.
  private func withSmoothGeoid(_ body: (Geoid) -> Void) {
    var table: [Int16] = []
    table.reserveCapacity(Geoid.rows * Geoid.columns)
    for row in 0..<Geoid.rows {
      for column in 0..<Geoid.columns {
        let value = Self.smooth(
          Double(360 - row) * .pi / 720, Double(column) * .pi / 720)
        table.append(Int16(bounded: ((value - Geoid.zeroMetres) / Geoid.unitMetres).rounded()))
      }
    }
    table.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else {
        Issue.record("the table is empty")
        return
      }
      body(Geoid(grid: base))
    }
  }

  /// Half a unit of the table, as far as a cubic through four points each way can blow it up (1.25
  /// squared).
  private static let roundingMetres = 0.0015 * 1.5625

  @Test("comes out anywhere, at the poles and across the date line too")
  func everywhere() {
    withSmoothGeoid { geoid in
      var random = SeededGenerator(seed: 96)
      var worst = 0.0
      for k in 0..<20_000 {
        // A quarter of the places lie within a degree of a pole, a quarter near the date line.
        var latitude = Double.random(in: -90...90, using: &random)
        var longitude = Double.random(in: -180...180, using: &random)
        if k % 4 == 0 {
          latitude = (latitude < 0 ? -1 : 1) * Double.random(in: 89...90, using: &random)
        } else if k % 4 == 1 {
          longitude = Double.random(in: 179...181, using: &random)
        }
        let place = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
        guard let metres = geoid.separationMetres(at: place) else {
          Issue.record("nothing at \(latitude), \(longitude)")
          return
        }
        let truth = Self.smooth(place.latitude.radians, place.longitude.radians)
        worst = max(worst, abs(metres - truth))
      }
      #expect(worst < Self.roundingMetres)
    }
  }

  @Test("a longitude may turn any number of times, a latitude may go on over a pole")
  func wrapping() {
    withSmoothGeoid { geoid in
      func metres(_ latitude: Double, _ longitude: Double) -> Double? {
        geoid.separationMetres(
          at: GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude))
      }
      for (one, other) in [
        (metres(12.3, -77.7), metres(12.3, 282.3)), (metres(12.3, -77.7), metres(12.3, -3677.7)),
        (metres(91, 20), metres(89, 200)), (metres(-90.5, 20), metres(-89.5, -160)),
        (metres(45, 180), metres(45, -180)), (metres(90, 0), metres(90, 123)),
        (metres(-90, 0), metres(-90, -123)),
      ] {
        guard let one, let other else {
          Issue.record("a place without a separation")
          return
        }
        #expect(abs(one - other) < 1e-8)
      }
    }
  }

  @Test("any finite angle has an answer, no other has one")
  func anyInput() {
    withSmoothGeoid { geoid in
      let finite: [Double] = [
        0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, -1e-20, 1e-20, .pi / 2, -.pi / 2,
        .pi, -.pi, 2 * .pi, 1e9, -1e18,
        1e300, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
      ]
      for latitude in finite {
        for longitude in finite {
          let place = GeodeticPosition(
            latitude: Angle(radians: latitude), longitude: Angle(radians: longitude))
          let metres = geoid.separationMetres(at: place)
          #expect(metres.map { (-110...90).contains($0) } == true, "\(latitude), \(longitude)")
        }
      }
      for bad in [Double.nan, .infinity, -.infinity] {
        for place in [
          GeodeticPosition(latitude: Angle(radians: bad), longitude: .zero),
          GeodeticPosition(latitude: .zero, longitude: Angle(radians: bad)),
        ] {
          #expect(geoid.separationMetres(at: place) == nil)
        }
      }
    }
  }

  @Test("a fix gets its missing altitude and an accuracy valid for both")
  func completion() {
    withSmoothGeoid { Self.checkCompletion($0) }
  }

  private static func checkCompletion(_ geoid: Geoid) {
    let place = GeodeticPosition(latitudeDegrees: 50, longitudeDegrees: 8)
    let separation = smooth(place.latitude.radians, place.longitude.radians)
    var bare = Fix(timestamp: Timestamp(nanoseconds: 1), kind: .threeDimensional)
    bare.position = place
    bare.verticalAccuracyMetres = 2

    var fix = bare
    fix.altitudeMetres = 100
    geoid.complete(&fix)
    let height = fix.ellipsoidalAltitudeMetres ?? .nan
    #expect(abs(height - 100 - separation) < roundingMetres)
    #expect(fix.altitudeMetres == 100)
    let accuracy = fix.verticalAccuracyMetres ?? .nan
    #expect(abs(accuracy - 5.0.squareRoot()) < 1e-12)

    fix = bare
    fix.ellipsoidalAltitudeMetres = 100
    fix.verticalAccuracyMetres = nil
    geoid.complete(&fix)
    let altitude = fix.altitudeMetres ?? .nan
    #expect(abs(altitude - 100 + separation) < roundingMetres)
    #expect(fix.ellipsoidalAltitudeMetres == 100)
    #expect(fix.verticalAccuracyMetres == nil)
  }

  @Test("a fix with both altitudes, with none or without a place stays as it is")
  func nothingToComplete() {
    withSmoothGeoid { geoid in
      var both = Fix(timestamp: Timestamp(nanoseconds: 1), kind: .threeDimensional)
      both.position = GeodeticPosition(latitudeDegrees: 50, longitudeDegrees: 8)
      both.verticalAccuracyMetres = 2
      both.altitudeMetres = 100
      both.ellipsoidalAltitudeMetres = 147
      var none = both
      none.altitudeMetres = nil
      none.ellipsoidalAltitudeMetres = nil
      var nowhere = both
      nowhere.position = nil
      nowhere.altitudeMetres = nil
      for fix in [both, none, nowhere] {
        var completed = fix
        geoid.complete(&completed)
        #expect(completed == fix)
      }
    }
  }
}
