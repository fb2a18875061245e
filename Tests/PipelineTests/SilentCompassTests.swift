import Foundation
import Pipeline
import Quantities
import TestSupport
import Testing

/// A boat in waves with a magnetometer that falls silent, while gyroscope and accelerometer go on.
@Suite("A silent magnetometer", .timeLimit(.minutes(30)))
struct SilentCompassTests {
  private static let rate = 25.0

  /// Rolls and yaws, which proves the axes of the sensors.
  private static func attitude(_ t: Double) -> Rotation<BodyFrame, EarthFrame> {
    let yaw = Rotation<EarthFrame, EarthFrame>(
      rotationVector: SIMD3(0, 0, 0.8 + 0.2 * sin(0.25 * t)))
    let pitch = Rotation<EarthFrame, EarthFrame>(rotationVector: SIMD3(0, 0.05 * sin(1.2 * t), 0))
    let roll = Rotation<BodyFrame, EarthFrame>(
      rotationVector: SIMD3(0.12 * sin(1.5 * t + 1), 0, 0))
    return yaw * (pitch * roll)
  }

  /// The estimates, one a second; the field ends at `silence`, s.
  private func estimates(
    seconds: Int, silence: Double,
    attitude: (Double) -> Rotation<BodyFrame, EarthFrame> = Self.attitude
  ) -> [Estimate] {
    var generator = SeededGenerator(seed: 3)
    func noise(_ size: Double) -> SIMD3<Double> {
      func one() -> Double { Double.random(in: -size...size, using: &generator) }
      return SIMD3(one(), one(), one())
    }
    var configuration = PipelineConfiguration()
    configuration.calibration = .assumed
    var pipeline = Pipeline(configuration: configuration)
    var found: [Estimate] = []
    for n in 0..<seconds * Int(bounded: Self.rate) {
      let t = Double(n) / Self.rate
      let stamp = Timestamp(nanoseconds: UInt64(bounded: t * 1e9))
      var row = SensorSamples(timestamp: stamp)
      let (now, later) = (attitude(t), attitude(t + 0.001))
      let turn = now.inverse * later
      let rate = SIMD3(turn.v.x, turn.v.y, turn.v.z) * (turn.w < 0 ? -2000 : 2000)
      row.inertial = InertialSample<SensorFrame>(
        timestamp: stamp, angularRate: AngularRate(components: rate + noise(0.003)),
        specificForce: SpecificForce(
          components: now.inverse.rotate(SIMD3(0, 0, -9.81)) + noise(0.05)))
      if t < silence {
        row.field = FieldSample<SensorFrame>(
          timestamp: stamp,
          field: MagneticField(
            microtesla: now.inverse.rotate(SIMD3(18, 0, 45)) + noise(0.3)))
      }
      pipeline.process(row)
      guard n % Int(bounded: Self.rate) == 0 else { continue }
      var estimate = pipeline.estimate
      pipeline.describeSources(&estimate, hasHeading: true, hasReceiver: false)
      found.append(estimate)
    }
    return found
  }

  @Test("a slow steady turn without a field is no bias of the gyroscope")
  func steadyTurn() throws {
    // At rest from 60 s on, without a field from 70 s on, and turning at 0.3 degrees a second from
    // 900 s on.
    let found = estimates(seconds: 961, silence: 70) { t in
      let turn = Rotation<EarthFrame, EarthFrame>(
        rotationVector: SIMD3(0, 0, max(0, t - 900) * 0.3 * .pi / 180))
      return turn * Self.attitude(min(t, 60))
    }
    let (before, after) = (
      try #require(found[899].magneticHeading), try #require(found[960].magneticHeading)
    )
    let turned = (after.angle - before.angle).wrappedToHalfTurn.degrees
    let accuracy = try #require(found[960].headingAccuracy).degrees
    #expect(abs(turned - 18) < 3, "turned by \(turned), accuracy \(accuracy)")
  }

  @Test("gives a heading that is carried on, and none once it may point backwards")
  func ends() throws {
    let found = estimates(seconds: 900, silence: 30)
    let carried = found[33]
    #expect(carried.magneticHeading != nil && carried.headingState == .late)
    let end = try #require(found.firstIndex { $0.headingState == .lost }, "never lost")
    #expect(end > 40, "\(end)")
    for estimate in found[end...] {
      #expect(estimate.magneticHeading == nil && estimate.trueHeading == nil)
      #expect(estimate.headingAccuracy == nil && estimate.headingState == .lost)
      // Roll and pitch do not depend on it.
      #expect(estimate.attitude != nil && estimate.isLevelKnown)
    }
    for estimate in found[34..<max(34, end)] {
      let accuracy = try #require(estimate.headingAccuracy)
      #expect(accuracy.degrees < 90)
    }
  }
}
