import Fusion
import Quantities
import Testing

@Suite("Attitude filters", .timeLimit(.minutes(30)))
struct AttitudeFilterTests {
  @Test(
    "a body at rest in any attitude is found within seconds",
    arguments: [
      (0.0, 0.0, 0.0), (90, 0, 0), (200, 30, -40), (359, -80, 10), (123, 10, 179), (270, 45, 120),
    ])
  func anyAttitude(heading: Double, pitch: Double, roll: Double) {
    var filter = StrapdownFilter()
    var bench = Bench()
    let error = bench.run(&filter, seconds: 8, check: 2) { _ in degrees(heading, pitch, roll) }
    #expect(error.heading < 2.5)
    #expect(error.tilt < 0.5)
  }

  @Test("heading holds through waves and turns, and accuracy covers the error")
  func waves() throws {
    var filter = StrapdownFilter()
    var bench = Bench()
    let error = bench.run(&filter, seconds: 120, check: 100, motion: boat)
    #expect(error.heading < 2)
    #expect(error.tilt < 1)
    let accuracy = try #require(filter.solution?.headingAccuracy)
    #expect(accuracy.degrees > error.heading && accuracy.degrees < 10)
  }

  @Test("a gyroscope bias of two degrees a second is estimated at rest and in motion")
  func bias() {
    let bias = SIMD3(2.0, -1.5, 1.8) * (Double.pi / 180)
    var filter = StrapdownFilter()
    var bench = Bench(gyroscopeBias: bias)
    _ = bench.run(&filter, seconds: 15, check: 1) { _ in degrees(70) }
    let missing = Angle(radians: (filter.gyroscopeBias.radiansPerSecond - bias).length)
    #expect(missing.degrees < 0.2)
    let error = bench.run(&filter, from: 15, seconds: 60, check: 40) { t in
      degrees(70 + 20 * wave((t - 5) / 20), 10 * wave(t / 5), 0)
    }
    #expect(error.heading < 3)
    var moving = StrapdownFilter()
    var other = Bench(gyroscopeBias: bias * 0.5)
    let late = other.run(&moving, seconds: 180, check: 30, motion: boat)
    #expect(late.heading < 3)
  }

  @Test("a slow steady turn is followed, not taken for bias", arguments: [0.5, 1, 2, 4])
  func slowTurn(degreesPerSecond rate: Double) {
    var filter = StrapdownFilter()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 15, check: 1) { _ in degrees(20) }
    let error = bench.run(&filter, from: 15, seconds: 60, check: 50) { t in
      degrees(20 + rate * (t - 15))
    }
    #expect(error.heading < 2.5)
    #expect(abs((filter.solution?.rateOfTurn?.degreesPerSecond ?? 0) - rate) < 0.2)
  }

  @Test("without a magnetometer heading is unknown, but attitude is continuous")
  func noField() throws {
    var filter = StrapdownFilter()
    var bench = Bench()
    let error = bench.run(&filter, seconds: 30, check: 20, hasField: false, motion: boat)
    #expect(error.tilt < 1)
    #expect(try #require(filter.solution).isHeadingKnown == false)
    #expect(filter.solution?.headingAccuracy == nil)
  }

  @Test("a magnetometer that joins late sets the heading at once")
  func lateField() {
    var filter = StrapdownFilter()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 10, check: 1, hasField: false) { _ in degrees(250) }
    let error = bench.run(&filter, from: 10, seconds: 5, check: 2) { _ in degrees(250) }
    #expect(error.heading < 2.5)
  }

  @Test("uncalibrated iron distorts the heading but causes no drift")
  func uncalibrated() {
    var filter = StrapdownFilter()
    var bench = Bench(gyroscopeBias: SIMD3(0.01, -0.01, 0.02))
    // Half the horizontal field: no more than asin(0.5) = 30 degrees of deviation.
    let error = bench.run(
      &filter, seconds: 600, check: 500, extraField: SIMD3(9, 0, 0), motion: boat)
    #expect(error.heading < 40)
  }

  @Test("a passing magnet does not turn the heading")
  func passingMagnet() {
    var filter = StrapdownFilter()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 60, check: 1, motion: boat)
    let during = bench.run(
      &filter, from: 60, seconds: 5, check: 5, extraField: SIMD3(30, 40, -10), motion: boat)
    #expect(during.heading < 8)
    let after = bench.run(&filter, from: 65, seconds: 30, check: 5, motion: boat)
    #expect(after.heading < 3)
  }

  @Test("a wrong heading recovers in a clean field")
  func wrongStart() {
    // The field is turned by 150 degrees, then right: the filter has every reason to be sure.
    var filter = StrapdownFilter()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 60, check: 1) { t in degrees(30 + 6 * t) }
    let error = bench.run(&filter, from: 60, seconds: 90, check: 10) { t in degrees(180 + 6 * t) }
    #expect(error.heading < 3)
  }

  @Test("accuracy does not depend on azimuth")
  func yawEquivariance() throws {
    var solutions: [AttitudeSolution] = []
    for turn in [0.0, 77, 180, 291] {
      var filter = StrapdownFilter()
      var bench = Bench()
      _ = bench.run(&filter, seconds: 20, check: 1) { t in
        var a = boat(t)
        a.heading = a.heading + Angle(degrees: turn)
        return a
      }
      solutions.append(try #require(filter.solution))
    }
    for (s, turn) in zip(solutions.dropFirst(), [77.0, 180, 291]) {
      let turned = s.attitude.attitudeAngles.heading - solutions[0].attitude.attitudeAngles.heading
      let difference = turned - Angle(degrees: turn)
      // Not zero: the dip turns the same tilt error into another heading error at each azimuth.
      #expect(abs(difference.wrappedToHalfTurn.degrees) < 0.3)
      let accuracy = s.headingAccuracy?.radians ?? 0
      let first = solutions[0].headingAccuracy?.radians ?? 1
      #expect(abs(accuracy - first) < 2e-3)
    }
  }

  @Test("samples that are not finite, repeated or late change nothing")
  func badSamples() throws {
    var filter = StrapdownFilter()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 5, check: 1) { _ in degrees(45) }
    let before = try #require(filter.solution)
    let nan = SIMD3<Double>(.nan, 0, 0)
    for seconds in [3.0, 14.99] {
      filter.update(
        InertialSample<BodyFrame>(
          timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds)),
          angularRate: AngularRate(radiansPerSecond: seconds < 10 ? SIMD3(1, 1, 1) : nan),
          specificForce: SpecificForce(metresPerSecondSquared: SIMD3(0, 0, -9.8))))
    }
    filter.update(
      FieldSample<BodyFrame>(
        timestamp: before.timestamp, field: MagneticField(microtesla: nan)))
    #expect(filter.solution == before)
  }

  @Test("the same samples give the same bits")
  func deterministic() {
    var results: [AttitudeSolution?] = []
    for _ in 0..<2 {
      var filter = StrapdownFilter()
      var bench = Bench()
      _ = bench.run(&filter, seconds: 10, check: 1, motion: boat)
      results.append(filter.solution)
    }
    #expect(results[0] == results[1])
  }

  @Test("without a gyroscope gravity and field still give attitude, any way up")
  func compassOnly() throws {
    for angles in [degrees(10), degrees(200, 40, -30), degrees(300, -20, 170)] {
      var filter = TiltCompensatedCompass()
      var bench = Bench()
      let error = bench.run(&filter, seconds: 5, check: 2) { _ in angles }
      #expect(error.heading < 2)
      #expect(error.tilt < 0.5)
      #expect(try #require(filter.solution?.headingAccuracy).degrees > error.heading)
    }
  }

  @Test("a magnetometer alone gives a heading for a level body with level unknown")
  func fieldAlone() throws {
    var filter = AttitudeEstimator()
    // Heading 40: north lies 40 degrees to the left of the bow.
    let body = Rotation<BodyFrame, MagneticEarthFrame>(degrees(40)).inverse.rotate(Bench.field)
    for i in 0..<100 {
      filter.update(
        FieldSample<BodyFrame>(
          timestamp: Timestamp(nanoseconds: UInt64(i) * 20_000_000),
          field: MagneticField(microtesla: body)))
    }
    let solution = try #require(filter.solution)
    #expect(abs(solution.attitude.attitudeAngles.heading.degrees - 40) < 0.01)
    #expect(!solution.isLevelKnown)
    #expect(try #require(solution.headingAccuracy).degrees >= 20)
  }

  @Test("after a gyroscope failure gravity and field give the attitude")
  func gyroscopeDies() throws {
    var filter = AttitudeEstimator()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 10, check: 1) { _ in degrees(100) }
    let body = Rotation<BodyFrame, MagneticEarthFrame>(degrees(160)).inverse
    for i in 0..<1500 {
      let at = Timestamp(nanoseconds: 20_000_000_000 + UInt64(i) * 10_000_000)
      filter.update(
        InertialSample<BodyFrame>(
          timestamp: at, angularRate: nil,
          specificForce: SpecificForce(
            metresPerSecondSquared: body.rotate(SIMD3(0, 0, -9.80665)))))
      filter.update(
        FieldSample<BodyFrame>(
          timestamp: at, field: MagneticField(microtesla: body.rotate(Bench.field))))
      // During a handover the accuracy includes the remaining correction.
      guard let now = filter.solution, now.mode == .accelerometerAndMagnetometer else { continue }
      let error = (now.attitude.attitudeAngles.heading - Angle(degrees: 160)).wrappedToHalfTurn
      #expect(abs(error.radians) < now.headingAccuracy?.radians ?? 0)
    }
    let solution = try #require(filter.solution)
    #expect(solution.mode == .accelerometerAndMagnetometer)
    #expect(abs(solution.attitude.attitudeAngles.heading.degrees - 160) < 2)
  }
}
