import Fusion
import Quantities
import Testing

@Suite("Going over to another calibration", .timeLimit(.minutes(30)))
struct RecalibrationTests {
  private let earth = EarthField(horizontal: Bench.field.x, down: Bench.field.z)

  private func inside(_ filter: AttitudeEstimator) throws -> StrapdownFilter {
    try #require(Mirror(reflecting: filter).descendant("strapdown") as? StrapdownFilter)
  }

  private func error(_ filter: AttitudeEstimator, _ heading: Double) throws -> Double {
    let now = try #require(filter.solution).attitude.attitudeAngles.heading
    return abs((now - Angle(degrees: heading)).wrappedToHalfTurn.degrees)
  }

  @Test(
    "heading goes to the new field's north within seconds; level and gyroscope stay",
    arguments: [SIMD3(9.0, 10, 0), SIMD3(4, -14, -6), SIMD3(-3, 2, 10)])
  func newNorth(iron: SIMD3<Double>) throws {
    let bias = SIMD3(0.01, -0.008, 0.012)
    var filter = AttitudeEstimator()
    var bench = Bench(gyroscopeBias: bias)
    let before = bench.run(&filter, seconds: 60, check: 20, extraField: iron, motion: boat)
    let learnt = try inside(filter).gyroscopeBias.components
    // The iron is known from now on.
    filter.recalibrate(turningFieldBy: Angle(degrees: before.heading), earth: earth)
    let at = bench.run(&filter, from: 60, seconds: 0.1, check: 0.1, motion: boat)
    #expect(at.tilt < 1.5 && at.heading < before.heading + 5)
    #expect((try inside(filter).gyroscopeBias.components - learnt).length < 0.003)
    _ = bench.run(&filter, from: 60.1, seconds: 4.9, check: 0, motion: boat)
    let after = bench.run(&filter, from: 65, seconds: 35, check: 35, motion: boat)
    #expect(after.heading < 4.5 && after.tilt < 1, "\(before) \(after)")
    #expect((try inside(filter).gyroscopeBias.components - bias).length < 0.004)
    #expect(try inside(filter).iron.components.length < 5)
  }

  @Test("a heading that was 57 degrees off is right ten seconds after")
  func farNorth() {
    var filter = AttitudeEstimator()
    var bench = Bench(gyroscopeBias: SIMD3(0.01, -0.008, 0.012), noise: Noise(seed: 4))
    let iron = SIMD3<Double>(-12, 6, 5)
    let before = bench.run(&filter, seconds: 60, check: 20, extraField: iron, motion: boat)
    filter.recalibrate(turningFieldBy: Angle(degrees: before.heading), earth: earth)
    _ = bench.run(&filter, from: 60, seconds: 10, check: 0, motion: boat)
    let after = bench.run(&filter, from: 70, seconds: 25, check: 25, motion: boat)
    #expect(after.heading < 3.5)
  }

  @Test(
    "after an unusable field, north is found again",
    arguments: [-150.0, 90, 175])
  func anew(turn: Double) throws {
    var filter = AttitudeEstimator()
    var bench = Bench(gyroscopeBias: SIMD3(0.005, 0, -0.01))
    // Iron ten times the field: north is wherever it was.
    let wrong = Rotation<BodyFrame, BodyFrame>(
      rotationVector: SIMD3(0, 0, Angle(degrees: turn).radians))
    let iron = wrong.rotate(SIMD3(200, 0, 0))
    _ = bench.run(&filter, seconds: 30, check: 0, extraField: iron, motion: boat)
    filter.recalibrate(turningFieldBy: nil, earth: earth)
    #expect(try #require(filter.solution).isLevelKnown)
    let soon = bench.run(&filter, from: 30, seconds: 10, check: 8, motion: boat)
    #expect(soon.heading < 8 && soon.tilt < 1.5, "\(soon)")
    _ = bench.run(&filter, from: 40, seconds: 10, check: 0, motion: boat)
    let after = bench.run(&filter, from: 50, seconds: 30, check: 30, motion: boat)
    // The bias that the field has spoilt is corrected slowly: on vehicles a faster correction
    // follows their turns.
    #expect(after.heading < 6 && after.tilt < 1, "\(after)")
  }

  @Test("at rest in a distorted field a small recalibration does not turn heading")
  func bentPlace() throws {
    for east in [-8.0, 8] {
      var filter = AttitudeEstimator()
      var bench = Bench(gyroscopeBias: SIMD3(0.004, 0.003, -0.005))
      let bent: @Sendable (Double) -> SIMD3<Double> = {
        $0 < 58 ? .zero : SIMD3(0, east, -5) * min(1, ($0 - 58) / 2)
      }
      let course: (Double) -> AttitudeAngles = { t in
        t < 60 ? boat(t) : degrees(40 + 6 * 60, 0, 0)
      }
      _ = bench.run(&filter, seconds: 60, check: 0, earthDisturbance: bent, motion: course)
      _ = bench.run(
        &filter, from: 60, seconds: 20, check: 0, earthDisturbance: bent, motion: course)
      let before = try error(filter, 400)
      var other = filter
      var same = bench
      filter.recalibrate(turningFieldBy: Angle(degrees: 0.5), earth: earth)
      for part in 0..<6 {
        let from = 80 + 10 * Double(part)
        _ = bench.run(
          &filter, from: from, seconds: 10, check: 0, earthDisturbance: bent, motion: course)
        _ = same.run(
          &other, from: from, seconds: 10, check: 0, earthDisturbance: bent, motion: course)
        let (own, untouched) = (try error(filter, 400), try error(other, 400))
        #expect(own < untouched + 2, "\(from): \(before), \(own), \(untouched)")
      }
    }
  }

  @Test("the old heading is not mixed into the new one")
  func noEasing() throws {
    var filter = AttitudeEstimator()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 20, check: 0, motion: boat)
    // The compass is used, then the gyroscope returns: a handover is in progress.
    bench.hasGyroscope = false
    _ = bench.run(&filter, from: 20, seconds: 4, check: 0, motion: boat)
    bench.hasGyroscope = true
    _ = bench.run(&filter, from: 24, seconds: 2.5, check: 0, motion: boat)
    filter.recalibrate(turningFieldBy: .zero, earth: earth)
    #expect(Mirror(reflecting: filter).descendant("offset") as? Double == 0)
    #expect(Mirror(reflecting: filter).descendant("smoothingSeconds") as? Double == 0)
  }

  @Test("a recalibration before the first sample has no effect")
  func fresh() throws {
    var filter = AttitudeEstimator()
    filter.recalibrate(turningFieldBy: nil, earth: earth)
    filter.recalibrate(turningFieldBy: Angle(degrees: 10), earth: earth)
    var bench = Bench()
    let error = bench.run(&filter, seconds: 60, check: 30, motion: boat)
    #expect(error.heading < 3 && error.tilt < 1)
  }
}

@Suite("Orientation by gyroscope and accelerometer", .timeLimit(.minutes(30)))
struct InertialOrientationTests {
  /// Passes inertial samples on as a sensor's.
  private struct Carried: AttitudeFilter {
    var orientation = InertialOrientation()
    var solution: AttitudeSolution? {
      guard let attitude = orientation.attitude, let timestamp = orientation.timestamp else {
        return nil
      }
      return AttitudeSolution(
        timestamp: timestamp, attitude: attitude, isHeadingKnown: false, isLevelKnown: true)
    }
    mutating func update(_ sample: InertialSample<BodyFrame>) {
      orientation.update(
        InertialSample<SensorFrame>(
          timestamp: sample.timestamp,
          angularRate: sample.angularRate.map { AngularRate(components: $0.components) },
          specificForce: sample.specificForce.map { SpecificForce(components: $0.components) }))
    }
    mutating func update(_ sample: FieldSample<BodyFrame>) {}
  }

  @Test("level is found and yaw carried, from any origin, without a magnetometer")
  func carried() throws {
    let bias = SIMD3(0.02, -0.01, 0.015)
    var carried = Carried()
    var bench = Bench(gyroscopeBias: bias)
    #expect(carried.solution == nil)
    // Still first: the bias is found.
    let still: (Double) -> AttitudeAngles = { _ in boat(0) }
    _ = bench.run(&carried, seconds: 5, check: 0, motion: still)
    #expect(carried.orientation.isAtRest)
    let begin = try #require(carried.solution).attitude.attitudeAngles.heading
    for part in 0..<6 {
      let from = 5 + 10 * Double(part)
      let moving: (Double) -> AttitudeAngles = { boat($0 - 5) }
      let error = bench.run(&carried, from: from, seconds: 10, check: 1, motion: moving)
      #expect(error.tilt < 1.5)
      let now = try #require(carried.solution).attitude.attitudeAngles.heading
      let turned = (now - begin - (boat(from + 5).heading - boat(0).heading))
      #expect(abs(turned.wrappedToHalfTurn.degrees) < 3)
      #expect(!carried.orientation.isAtRest)
    }
    // A sixth of a degree of turn in a second, and no bias.
    let rate = carried.orientation.rate
    _ = bench.run(&carried, from: 65, seconds: 5, check: 0) { _ in boat(60) }
    #expect(carried.orientation.rate.length < 0.01 && rate.length > 0.05)
  }

  @Test("samples without a rate or a force are ignored")
  func incomplete() {
    var orientation = InertialOrientation()
    for i in 0..<200 as Range<UInt64> {
      orientation.update(
        InertialSample<SensorFrame>(
          timestamp: Timestamp(nanoseconds: i * 10_000_000),
          angularRate: i % 2 == 0 ? .zero : nil,
          specificForce: i % 2 == 0 ? nil : SpecificForce(components: SIMD3(0, 0, -9.8))))
    }
    #expect(orientation.attitude == nil && orientation.timestamp == nil)
  }
}
