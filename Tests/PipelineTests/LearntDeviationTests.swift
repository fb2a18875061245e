import Foundation
import Pipeline
import Quantities
import Storage
import TestSupport
import Testing

/// A boat with iron that its calibration did not remove, on eight legs of four minutes in a sea.
@Suite("A deviation that is learnt from the course", .timeLimit(.minutes(30)))
struct LearntDeviationTests {
  private static let rate = 25.0
  private static let leg = 240.0
  private static let declination = 4.5 * Double.pi / 180

  /// The heading at a time, rad: legs 45 degrees apart, turns at 5 °/s, and a yaw of 4 degrees in
  /// the waves.
  private static func heading(_ t: Double) -> Double {
    let leg = (t / Self.leg).rounded(.down)
    let turned = min(5 * (t - leg * Self.leg), 45)
    let degrees = leg == 0 ? 0 : 45 * (leg - 1) + turned
    return (degrees + 4 * sin(2 * .pi * t / 11)) * .pi / 180
  }

  private static func attitude(_ t: Double) -> Rotation<BodyFrame, EarthFrame> {
    let roll = 6 * sin(2 * .pi * t / 4.3) + 5
    let pitch = 2.5 * sin(2 * .pi * t / 5.1 + 1)
    let yawed = Rotation<EarthFrame, EarthFrame>(rotationVector: SIMD3(0, 0, heading(t)))
    let pitched = Rotation<EarthFrame, EarthFrame>(
      rotationVector: SIMD3(0, pitch * .pi / 180, 0))
    let rolled = Rotation<BodyFrame, EarthFrame>(rotationVector: SIMD3(roll * .pi / 180, 0, 0))
    return yawed * pitched * rolled
  }

  /// Sails the eight legs. `courseError` is that of the receiver's course, `speed` in m/s; `use` is
  /// called after each row with the time and the heading, rad.
  private func sail(
    _ activity: Activity, iron: SIMD3<Double>, speed: Double = 3, courseError: Angle = .zero,
    use: (inout Pipeline, Double, Double) throws -> Void = { _, _, _ in }
  ) throws -> Pipeline {
    var generator = SeededGenerator(seed: 5)
    func noise(_ sigma: Double) -> SIMD3<Double> {
      func one() -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) } * sigma
      }
      return SIMD3(one(), one(), one())
    }
    var configuration = PipelineConfiguration()
    configuration.calibration = .assumed
    configuration.activity = activity
    configuration.utcAtStart = UTCTime(year: 2025, month: 7, day: 1, hour: 12)
    var pipeline = Pipeline(configuration: configuration)
    let north = SIMD3(18 * cos(Self.declination), 18 * sin(Self.declination), 45)
    var place = SIMD2<Double>.zero
    let dt = 1 / Self.rate
    for i in 0..<Int(bounded: 8 * Self.leg * Self.rate) {
      let t = Double(i) * dt
      let stamp = Timestamp(nanoseconds: UInt64(bounded: t * 1e9))
      let (now, later) = (Self.attitude(t), Self.attitude(t + dt))
      let turn = now.inverse * later
      let rate = SIMD3(turn.v.x, turn.v.y, turn.v.z) * (2 / dt) * (turn.w < 0 ? -1 : 1)
      let (h, next) = (Self.heading(t), Self.heading(t + dt))
      let push = SIMD3(
        speed * (cos(next) - cos(h)) / dt, speed * (sin(next) - sin(h)) / dt, -9.80665)
      var row = SensorSamples(timestamp: stamp)
      row.inertial = InertialSample<SensorFrame>(
        timestamp: stamp,
        angularRate: AngularRate(components: rate + noise(0.003)),
        specificForce: SpecificForce(components: now.inverse.rotate(push) + noise(0.05)))
      if i.isMultiple(of: 3) {
        row.field = FieldSample<SensorFrame>(
          timestamp: stamp,
          field: MagneticField(microtesla: now.inverse.rotate(north) + iron + noise(0.3)))
      }
      place += SIMD2(cos(h), sin(h)) * (speed * dt)
      if i.isMultiple(of: Int(bounded: Self.rate)) {
        var fix = Fix(timestamp: stamp, kind: .threeDimensional)
        fix.position = GeodeticPosition(
          latitudeDegrees: 54.45 + place.x / 111_320, longitudeDegrees: 10.25 + place.y / 64_700)
        (fix.horizontalAccuracyMetres, fix.speedMetresPerSecond) = (3, speed)
        fix.course = (Angle(radians: h + noise(0.017).x) + courseError).wrappedToTurn
        row.fix = fix
      }
      pipeline.process(row)
      try use(&pipeline, t, h)
    }
    return pipeline
  }

  /// The root mean square heading error after two minutes, degrees.
  private func error(_ activity: Activity, iron: SIMD3<Double>) throws -> Double {
    var (sum, count) = (0.0, 0.0)
    let pipeline = try sail(activity, iron: iron) { pipeline, t, heading in
      guard t > 120, let published = pipeline.estimate.magneticHeading else { return }
      let stray = (published.angle - Angle(radians: heading - Self.declination)).wrappedToHalfTurn
      sum += stray.degrees * stray.degrees
      count += 1
    }
    #expect(count > 1000)
    if let stored = pipeline.storedDeviation(at: try #require(Self.made)) { try expectCard(stored) }
    return (sum / count).squareRoot()
  }

  private static let made = UTCTime(year: 2025, month: 7, day: 1, hour: 13)

  /// The card has a leg on each of the eight headings, whatever lies between them.
  private func expectCard(_ stored: StoredDeviation) throws {
    let card = try #require(DeviationCard(stored))
    #expect(card.origin == .course && card.made == Self.made && card.table.rows.count == 24)
    let legs = try #require(card.legs)
    #expect((8...16).contains(legs), "\(legs)")
    let sigma = try #require(card.sigma)
    #expect(card.table.rows.allSatisfy { ($0.sigma ?? .zero) <= sigma } && sigma.degrees < 20)
    #expect(card.table.changes(from: card.table).allSatisfy { abs($0.radians) < 1e-12 })
    #expect(card.table.changes(from: nil) == card.table.rows.map(\.before))
  }

  @Test("is no card where the model is not known")
  func unknownModel() throws {
    let made = try #require(Self.made)
    let stored = StoredDeviation(
      model: "spline", coefficients: [1, 2], covariance: [], coverageDegrees: 360, made: made)
    #expect(DeviationCard(stored) == nil)
  }

  @Test(
    "makes the heading no worse than without it",
    arguments: [SIMD3(3.0, 0, 0), SIMD3(0, 3, 0), SIMD3(6, 0, 0)])
  func noWorse(iron: SIMD3<Double>) throws {
    let without = try error(.other, iron: iron)
    let with = try error(.otherNavigation, iron: iron)
    #expect(with < 1.1 * without + 0.2, "\(iron): \(with)°, without \(without)°")
  }

  @Test("is not learnt from a course that contradicts the places")
  func wrongCourse() throws {
    let pipeline = try sail(
      .otherNavigation, iron: .zero, speed: 8, courseError: Angle(degrees: 60))
    #expect(pipeline.deviationTable == nil && pipeline.boardYaw == nil)
    let estimate = pipeline.estimate
    let course = try #require(estimate.course)
    let heading = Self.heading(8 * Self.leg - 1 / Self.rate)
    #expect(abs((course - Angle(radians: heading)).wrappedToHalfTurn.degrees) < 10)
    #expect(abs(try #require(estimate.speedMetresPerSecond) - 8) < 1)
  }
}
