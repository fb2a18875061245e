import EarthModel
import Formats
import Pipeline
import Quantities
import Testing

/// Velocity and covariances of the estimate: the receiver's, and the fused ones.
@Suite("An estimate's motion and errors", .timeLimit(.minutes(30)))
struct EstimateMotionTests {
  private func fix(at seconds: Double) -> Fix {
    var fix = Fix(
      timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds)), kind: .differential)
    fix.position = GeodeticPosition(latitudeDegrees: 54, longitudeDegrees: 10)
    fix.utc = UTCTime(
      nanosecondsSince1970: 1_750_000_000_000_000_000 + Int64(bounded: seconds * 1e9))
    fix.horizontalAccuracyMetres = 3
    (fix.altitudeMetres, fix.ellipsoidalAltitudeMetres) = (20, 60)
    fix.verticalAccuracyMetres = 4
    fix.speedMetresPerSecond = 5
    fix.course = Angle(degrees: 30)
    return fix
  }

  private func estimate(after fixes: [Fix]) -> Estimate {
    var pipeline = Pipeline()
    for fix in fixes { pipeline.process(fix) }
    return pipeline.estimate
  }

  /// The fixes of half a minute, with a barometer beside them that climbs a metre a second.
  private func climbing(_ adjust: (inout Fix) -> Void = { _ in }) -> Estimate {
    var pipeline = Pipeline()
    for step in 0..<300 {
      let seconds = Double(step) / 10
      var row = SensorSamples(timestamp: Timestamp(nanoseconds: UInt64(step) * 100_000_000))
      // 12 Pa a metre near the sea.
      row.pressure = PressureSample(
        timestamp: row.timestamp, hectopascal: 1010 - 0.12 * seconds, celsius: nil)
      if step % 10 == 0 {
        var fix = fix(at: seconds)
        adjust(&fix)
        row.fix = fix
      }
      pipeline.process(row)
    }
    return pipeline.estimate
  }

  @Test("without a vector velocity is made from speed, course and the fused vertical speed")
  func parts() throws {
    let e = climbing()
    let v = try #require(e.velocity?.metresPerSecond)
    #expect(abs(v.x - 5 * 0.866_025) < 1e-5 && abs(v.y - 2.5) < 1e-9)
    #expect(v.z == -(e.verticalSpeedMetresPerSecond ?? .nan) && abs(v.z + 1) < 0.1)
  }

  @Test(
    "the receiver's vector has priority over speed and course; down is fused with a barometer")
  func vector() throws {
    let e = climbing { $0.velocity = Velocity(metresPerSecond: SIMD3(-1, 2, 9)) }
    let v = try #require(e.velocity?.metresPerSecond)
    #expect(v.x == -1 && v.y == 2 && abs(v.z + 1) < 0.1)
  }

  @Test(
    "without a barometer down is the receiver's, or the altitude filter's with its uncertainty")
  func receiverAlone() throws {
    let reported = estimate(
      after: (0..<30).map {
        var fix = fix(at: Double($0))
        fix.velocity = Velocity(metresPerSecond: SIMD3(-1, 2, 0.5))
        return fix
      })
    #expect(reported.velocity?.metresPerSecond == SIMD3(-1, 2, 0.5))
    let silent = estimate(after: (0..<30).map { fix(at: Double($0)) })
    let v = try #require(silent.velocity?.metresPerSecond)
    #expect(silent.verticalSpeedMetresPerSecond == nil && abs(v.z) < 0.1)
  }

  @Test("a fix without course has no velocity, and one without altitude no covariance")
  func unknown() {
    var slow = fix(at: 0)
    slow.course = nil
    #expect(estimate(after: [slow]).velocity == nil)
    var flat = fix(at: 0)
    (flat.altitudeMetres, flat.ellipsoidalAltitudeMetres) = (nil, nil)
    flat.verticalAccuracyMetres = nil
    let e = estimate(after: [flat])
    #expect(e.positionCovarianceSquareMetres == nil && e.position != nil)
    #expect(e.velocityCovarianceSquareMetresPerSecondSquared == nil)
  }

  @Test("an accuracy without covariance becomes equal variances with that radius at 68 %")
  func isotropic() throws {
    let e = estimate(after: [fix(at: 0)])
    let m = try #require(e.positionCovarianceSquareMetres)
    #expect(m.r0.x == m.r1.y && m.r0.y == 0)
    // Rayleigh's distribution: 1 - exp(-r²/2s²) = 0.68.
    #expect(abs(9 / (2 * m.r0.x) - 1.139_434) < 1e-5)
    let sigma = try #require(e.verticalAccuracyMetres)
    #expect(abs(m.r2.z - sigma * sigma) < 1e-12)
  }

  @Test(
    "the receiver's covariance is used for north and east; down is the fused altitude's")
  func receiverCovariance() throws {
    let e = estimate(
      after: (0..<60).map {
        var fix = fix(at: Double($0))
        fix.positionCovarianceSquareMetres = Matrix3(
          rows: SIMD3(4, 1, 0.5), SIMD3(1, 9, -2), SIMD3(0.5, -2, 16))
        fix.velocityCovarianceSquareMetresPerSecondSquared = Matrix3(
          rows: SIMD3(0.04, 0.01, 0), SIMD3(0.01, 0.09, 0), SIMD3(0, 0, 0.16))
        return fix
      })
    let m = try #require(e.positionCovarianceSquareMetres)
    #expect(m.r0 == SIMD3(4, 1, 0) && m.r1 == SIMD3(1, 9, 0))
    let sigma = try #require(e.verticalAccuracyMetres)
    #expect(abs(m.r2.z - sigma * sigma) < 1e-9 && m.r2.x == 0)
    let v = try #require(e.velocityCovarianceSquareMetresPerSecondSquared)
    #expect(v.r0 == SIMD3(0.04, 0.01, 0) && v.r1.y == 0.09)
    #expect(v.r2 == SIMD3(0, 0, v.r2.z) && v.r2.z > 0)
  }

  @Test("a speed's sigma becomes the velocity's if the receiver reports no covariance")
  func speedAccuracy() throws {
    let e = estimate(
      after: (0..<30).map {
        var fix = fix(at: Double($0))
        fix.speedAccuracyMetresPerSecond = 0.3
        fix.courseAccuracy = Angle(degrees: 4)
        fix.verticalDilution = 1.5
        fix.horizontalDilution = 0.9
        fix.correctionAgeSeconds = 2
        return fix
      })
    let v = try #require(e.velocityCovarianceSquareMetresPerSecondSquared)
    #expect(abs(v.r0.x - 0.09) < 1e-12 && v.r0.x == v.r1.y)
    #expect(e.speedAccuracyMetresPerSecond == 0.3 && e.courseAccuracy == Angle(degrees: 4))
    #expect(e.horizontalDilution == 0.9 && e.verticalDilution == 1.5)
    #expect(e.correctionAgeSeconds == 2)
  }

  @Test("without fixes it is dead reckoning, whose errors grow, and is removed after 90 seconds")
  func old() throws {
    var pipeline = Pipeline()
    pipeline.process(fix(at: 0))
    func estimate(at seconds: UInt64) -> Estimate {
      pipeline.process(SensorSamples(timestamp: Timestamp(nanoseconds: seconds * 1_000_000_000)))
      return pipeline.estimate
    }
    #expect(try #require(estimate(at: 9).speedAccuracyMetresPerSecond) > 1)
    let reckoned = estimate(at: 11)
    #expect(reckoned.fixKind == .deadReckoning)
    #expect(try #require(reckoned.horizontalAccuracyMetres) > 20)
    // Nothing measures them any more.
    #expect(reckoned.speedMetresPerSecond == nil && reckoned.speedAccuracyMetresPerSecond == nil)
    #expect(reckoned.course == nil)
    let e = estimate(at: 91)
    #expect(e.position == nil && e.fixKind == FixKind.none)
    #expect(e.velocity == nil && e.positionCovarianceSquareMetres == nil)
    #expect(e.speedAccuracyMetresPerSecond == nil)
  }

  @Test("a receiver is late after two and a half of its own intervals", arguments: [1.0, 5.0])
  func slow(interval: Double) {
    var pipeline = Pipeline()
    for n in 0..<6 { pipeline.process(fix(at: Double(n) * interval)) }
    func state(_ age: Double) -> (SourceState?, FixKind?) {
      let t = 5 * interval + age
      pipeline.process(SensorSamples(timestamp: Timestamp(nanoseconds: UInt64(bounded: t * 1e9))))
      var e = pipeline.estimate
      pipeline.describeSources(&e, hasHeading: false, hasReceiver: true)
      return (e.positionState, e.fixKind)
    }
    let late = 2.5 * interval
    let fresh = state(min(late, 10) - 0.1)
    #expect(fresh.0 == .live && fresh.1 != .deadReckoning)
    // A receiver slower than once in four seconds is lost at ten seconds, as every other.
    let over = state(min(late, 10) + 0.1)
    #expect(over.0 == (late > 10 ? .lost : .late) && over.1 == .deadReckoning)
    #expect(pipeline.estimate.position != nil)
  }

  @Test("a refused fix does not move the declination")
  func declinationOfRefusedFix() throws {
    var pipeline = Pipeline()
    for n in 0..<20 { pipeline.process(fix(at: Double(n) / 5)) }
    let declination = try #require(pipeline.estimate.declination?.degrees)
    var far = fix(at: 4)
    far.position = GeodeticPosition(latitudeDegrees: 48.75, longitudeDegrees: -79.1)
    pipeline.process(far)
    #expect(try #require(pipeline.estimate.declination?.degrees) == declination)
  }

  @Test("a compass's own accuracy becomes the heading's, at 95 %")
  func compass() throws {
    var pipeline = Pipeline()
    var first = fix(at: 0)
    first.utc = UTCTime(year: 2026, month: 6, day: 1, hour: 12)
    pipeline.process(first)
    var row = SensorSamples(timestamp: Timestamp(nanoseconds: 1_000_000_000))
    row.heading = HeadingSample(
      timestamp: row.timestamp, magnetic: nil, true: TrueHeading(Angle(degrees: 80)),
      accuracy: Angle(degrees: 1))
    pipeline.process(row)
    let e = pipeline.estimate
    #expect(abs((e.trueHeadingAccuracy?.degrees ?? 0) - 2) < 1e-9)
    // The magnetic heading has the declination's error as well.
    let magnetic = try #require(e.headingAccuracy?.degrees)
    #expect(magnetic > 2 && magnetic < 4)
    row.heading?.accuracy = nil
    pipeline.process(row)
    #expect(pipeline.estimate.headingAccuracy == nil)
  }
}
