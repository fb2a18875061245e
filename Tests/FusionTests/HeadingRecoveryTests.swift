import Fusion
import Quantities
import Testing

@Suite("A heading that is never lost", .timeLimit(.minutes(30)))
struct HeadingRecoveryTests {
  @Test("a frozen magnetometer is ignored and reported, and used again after recovery")
  func frozen() throws {
    var filter = AttitudeEstimator()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 30, check: 1, motion: boat)
    // The last reading again and again.
    bench.stuckField =
      Rotation<BodyFrame, MagneticEarthFrame>(boat(30)).inverse.rotate(Bench.field)
    let during = bench.run(&filter, from: 30, seconds: 60, check: 60, motion: boat)
    #expect(during.heading < 3)
    let solution = try #require(filter.solution)
    #expect(solution.mode == .gyroscopeAndAccelerometer)
    #expect(solution.disturbance == .disturbed)
    bench.stuckField = nil
    let after = bench.run(&filter, from: 90, seconds: 20, check: 5, motion: boat)
    #expect(after.heading < 3 && filter.solution?.mode == .nineAxis)
  }

  @Test("a saturated magnetometer is ignored", arguments: [4912.0, 1e4])
  func saturated(microtesla: Double) throws {
    var filter = AttitudeEstimator()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 30, check: 1, motion: boat)
    bench.stuckField = SIMD3(repeating: microtesla)
    let during = bench.run(&filter, from: 30, seconds: 30, check: 30, motion: boat)
    #expect(during.heading < 3)
    #expect(filter.solution?.mode == .gyroscopeAndAccelerometer)
  }

  @Test("after an hour in a distorted field accuracy covers the error and heading recovers")
  func anHour() throws {
    var filter = AttitudeEstimator()
    var bench = Bench(rate: 25)
    _ = bench.run(&filter, seconds: 60, check: 1, motion: boat)
    // Another bend every twenty seconds, of two thirds of the earth's horizontal field.
    let bend = { (t: Double) in
      SIMD3(8 * wave(t / 20), 12 * wave(t / 23 + 0.3), 10 * wave(t / 17 + 0.7))
    }
    let during = bench.run(
      &filter, from: 60, seconds: 3600, check: 3600, earthDisturbance: bend, motion: boat)
    #expect(during.heading < 25)
    #expect(try #require(filter.solution?.headingAccuracy).degrees > 5)
    let after = bench.run(&filter, from: 3660, seconds: 60, check: 10, motion: boat)
    #expect(after.heading < 3)
  }

  @Test("an attached magnet is estimated while the body turns")
  func magnetStays() {
    var filter = AttitudeEstimator()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 30, check: 1, motion: boat)
    let error = bench.run(
      &filter, from: 30, seconds: 120, check: 30, extraField: SIMD3(15, -10, 8), motion: boat)
    #expect(error.heading < 5)
    let after = bench.run(&filter, from: 150, seconds: 90, check: 10, motion: boat)
    #expect(after.heading < 3)
  }

  @Test("after a start with an attached magnet, turning corrects the heading")
  func magnetAtStart() {
    var filter = AttitudeEstimator()
    var bench = Bench()
    let error = bench.run(
      &filter, seconds: 300, check: 30, extraField: SIMD3(15, -10, 8), motion: boat)
    #expect(error.heading < 6)
  }

  @Test("a turn that the gyroscope missed is found in a clean field", arguments: [-120.0, 60, 170])
  func missedTurn(degreesMissed: Double) {
    var filter = AttitudeEstimator()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 30, check: 1, motion: boat)
    let error = bench.run(&filter, from: 30, seconds: 30, check: 10) { t in
      var a = boat(t)
      a.heading = a.heading + Angle(degrees: degreesMissed)
      return a
    }
    #expect(error.heading < 4)
  }

  @Test("without a magnetometer for long the accuracy grows; with it again it is small at once")
  func noField() throws {
    var filter = AttitudeEstimator()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 60, check: 1, motion: boat)
    let known = try #require(filter.solution?.headingAccuracy).degrees
    let error = bench.run(
      &filter, from: 60, seconds: 600, check: 600, hasField: false, motion: boat)
    let alone = try #require(filter.solution)
    #expect(alone.mode == .gyroscopeAndAccelerometer)
    let accuracy = try #require(alone.headingAccuracy).degrees
    #expect(accuracy > 1.5 * known && error.heading < accuracy)
    _ = bench.run(&filter, from: 660, seconds: 20, check: 1, motion: boat)
    #expect(try #require(filter.solution?.headingAccuracy).degrees < 1.2 * known)
  }
}
