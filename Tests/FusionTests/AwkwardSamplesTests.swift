import Fusion
import Quantities
import Testing

@Suite("Samples as they really come", .timeLimit(.minutes(30)))
struct AwkwardSamplesTests {
  private func still(_ t: Double) -> AttitudeAngles { degrees(120, 2, -3) }

  private func inertial(_ t: Double, rate: SIMD3<Double>?, force: SIMD3<Double>?)
    -> InertialSample<BodyFrame>
  {
    InertialSample(
      timestamp: Timestamp(nanoseconds: UInt64(bounded: (10 + t) * 1e9)),
      angularRate: rate.map { AngularRate(radiansPerSecond: $0) },
      specificForce: force.map { SpecificForce(metresPerSecondSquared: $0) })
  }

  @Test(
    "a boat that swings at anchor from the start keeps its heading",
    arguments: [(5.0, 40.0), (10, 40), (10, 120), (100, 40)])
  func slowSwing(hertz: Double, period: Double) {
    var filter = AttitudeEstimator()
    var bench = Bench(rate: hertz, gyroscopeBias: SIMD3(0.004, -0.006, 0.005))
    let swing = { (t: Double) in
      degrees(200 + 20 * wave(t / period + 0.1), 0.6 * wave(t / 5), 0.6 * wave(t / 4))
    }
    let error = bench.run(&filter, seconds: 300, check: 270, motion: swing)
    #expect(error.heading < 6)
  }

  @Test("a pause of all sensors is a gap, not a restart", arguments: [1.0, 1.7, 3, 30])
  func pause(seconds: Double) throws {
    var filter = AttitudeEstimator()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 30, check: 1, motion: still)
    let from = 30 + seconds
    let error = bench.run(&filter, from: from, seconds: 10, check: 10, motion: still)
    #expect(error.heading < 3 && error.tilt < 2)
    #expect(filter.solution?.mode == .nineAxis)
  }

  @Test("a pause without a magnetometer keeps the heading and widens its accuracy")
  func pauseWithoutField() throws {
    var filter = AttitudeEstimator()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 30, check: 1, motion: still)
    _ = bench.run(&filter, from: 30, seconds: 10, check: 1, hasField: false, motion: still)
    let before = try #require(filter.solution?.headingAccuracy)
    let error = bench.run(
      &filter, from: 43, seconds: 10, check: 10, hasField: false, motion: still)
    #expect(error.heading < 5)
    #expect(try #require(filter.solution?.headingAccuracy).degrees > before.degrees)
  }

  @Test("an accelerometer alone gives level without a heading")
  func accelerometerAlone() throws {
    var filter = AttitudeEstimator()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 30, check: 1, motion: still)
    bench.hasGyroscope = false
    let error = bench.run(
      &filter, from: 30, seconds: 10, check: 1, hasField: false,
      motion: { _ in degrees(120, 20, 30) }
    )
    let solution = try #require(filter.solution)
    #expect(solution.mode == .accelerometer && !solution.isHeadingKnown && error.tilt < 1)
  }

  @Test("late, invalid and implausible samples change nothing")
  func impossible() throws {
    var filter = AttitudeEstimator()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 30, check: 1, motion: still)
    let down = SIMD3(0, 0, -9.8)
    filter.update(inertial(25, rate: .zero, force: down))
    filter.update(inertial(30.001, rate: SIMD3(.nan, 0, 0), force: down))
    filter.update(inertial(30.002, rate: SIMD3(1e200, 0, 0), force: down))
    filter.update(inertial(30.003, rate: .zero, force: SIMD3(1e200, 0, 0)))
    let error = bench.run(&filter, from: 30.01, seconds: 5, check: 5, motion: still)
    #expect(error.heading < 2 && error.tilt < 1 && filter.solution?.mode == .nineAxis)
  }

  @Test("a gyroscope without finite values counts as absent")
  func nanGyroscope() throws {
    var filter = AttitudeEstimator()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 30, check: 1, motion: still)
    bench.gyroscopeBias = SIMD3(repeating: .nan)
    let error = bench.run(&filter, from: 30, seconds: 15, check: 5) { _ in degrees(180, 2, -3) }
    #expect(error.heading < 3)
    #expect(filter.solution?.mode == .accelerometerAndMagnetometer)
  }

  @Test("alternating gyroscope and accelerometer samples give nine axes")
  func inTurns() throws {
    var filter = InTurns()
    var bench = Bench()
    let error = bench.run(&filter, seconds: 60, check: 30, motion: boat)
    #expect(error.heading < 3 && filter.solution?.mode == .nineAxis)
  }

  @Test("a field between two inertial samples is rotated to its own time")
  func betweenSamples() {
    var filter = Between()
    var bench = Bench(rate: 25, fieldSigma: 0.05)
    let waggle = { (t: Double) in degrees(90 + 25 * wave(t)) }
    let error = bench.run(&filter, seconds: 40, check: 10, motion: waggle)
    #expect(error.heading < 2.5)
  }
}

/// Parts each inertial sample in two.
private struct InTurns: AttitudeFilter {
  var filter = AttitudeEstimator()
  var solution: AttitudeSolution? { filter.solution }

  mutating func update(_ sample: InertialSample<BodyFrame>) {
    var force = sample
    force.angularRate = nil
    filter.update(force)
    var rate = sample
    rate.specificForce = nil
    rate.timestamp = Timestamp(nanoseconds: sample.timestamp.nanoseconds + 1_000_000)
    filter.update(rate)
  }

  mutating func update(_ sample: FieldSample<BodyFrame>) { filter.update(sample) }
}

/// Hands out each field before the inertial sample of its instant has come.
private struct Between: AttitudeFilter {
  var filter = AttitudeEstimator()
  var waiting: InertialSample<BodyFrame>?
  var solution: AttitudeSolution? { filter.solution }

  mutating func update(_ sample: InertialSample<BodyFrame>) { waiting = sample }

  mutating func update(_ sample: FieldSample<BodyFrame>) {
    filter.update(sample)
    if let waiting { filter.update(waiting) }
  }
}
