import Foundation
import Pipeline
import Quantities
import TestSupport
import Testing

/// A turning hand-held board of which a sensor fails after a minute.
@Suite("Sensors that stop", .timeLimit(.minutes(30)))
struct StoppedSensorTests {
  /// What a failed sensor reports in place of a value.
  enum Failure: CaseIterable, Sendable {
    case gyroscopeZero, gyroscopeAxis, gyroscopeKept
    case forceOfOneCount, forceAxisZero, forceKept, forceAxisAtLimit, forceAtLimit

    var isForce: Bool { ![Self.gyroscopeZero, .gyroscopeAxis, .gyroscopeKept].contains(self) }

    func rate(_ w: SIMD3<Double>, kept: SIMD3<Double>) -> SIMD3<Double> {
      switch self {
      case .gyroscopeZero: .zero
      case .gyroscopeAxis: SIMD3(w.x, w.y, 0.0015)
      case .gyroscopeKept: kept
      default: w
      }
    }

    func force(_ f: SIMD3<Double>, kept: SIMD3<Double>) -> SIMD3<Double> {
      switch self {
      case .forceOfOneCount: SIMD3(repeating: -0.0006)
      case .forceAxisZero: SIMD3(f.x, f.y, 0)
      case .forceKept: kept
      case .forceAxisAtLimit: SIMD3(f.x, f.y, 156.9)
      case .forceAtLimit: SIMD3(repeating: 156.9)
      default: f
      }
    }
  }

  private static let failsAt = 60.0
  private static let rate = 50.0

  private static func attitude(_ t: Double) -> Rotation<BodyFrame, EarthFrame> {
    let yaw = Rotation<EarthFrame, EarthFrame>(
      rotationVector: SIMD3(0, 0, 0.7 * sin(t / 7) + 0.05 * t))
    let pitch = Rotation<EarthFrame, EarthFrame>(rotationVector: SIMD3(0, 0.1 * sin(t / 1.9), 0))
    let roll = Rotation<BodyFrame, EarthFrame>(rotationVector: SIMD3(0.17 * sin(t / 1.3), 0, 0))
    return yaw * (pitch * roll)
  }

  /// The estimates of two minutes, ten a second, with the true heading, degrees.
  private func estimates(
    _ failure: Failure?, resolution: (rate: Double, force: Double)? = nil, isTurning: Bool = true,
    isUpright: Bool = false
  ) -> [(estimate: Estimate, heading: Double)] {
    var generator = SeededGenerator(seed: 7)
    func noise(_ size: Double) -> SIMD3<Double> {
      func one() -> Double { Double.random(in: -size...size, using: &generator) }
      return SIMD3(one(), one(), one())
    }
    // Along the sensor's axes: forward, left, up.
    func sensed(_ x: SIMD3<Double>) -> SIMD3<Double> {
      let x = isUpright ? SIMD3(-x.z, x.y, x.x) : x
      return SIMD3(x.x, -x.y, -x.z)
    }
    func coarse(_ x: SIMD3<Double>, _ step: Double?) -> SIMD3<Double> {
      step.map { (x / $0).rounded(.toNearestOrEven) * $0 } ?? x
    }
    var configuration = PipelineConfiguration()
    configuration.calibration = .assumed
    var pipeline = Pipeline(configuration: configuration)
    var found: [(Estimate, Double)] = []
    var kept = (rate: SIMD3<Double>.zero, force: SIMD3<Double>.zero)
    for n in 0..<6000 {
      let t = Double(n) / Self.rate
      let stamp = Timestamp(nanoseconds: UInt64(bounded: t * 1e9))
      let (now, later) =
        isTurning
        ? (Self.attitude(t), Self.attitude(t + 0.001)) : (Self.attitude(0), Self.attitude(0))
      let turn = now.inverse * later
      var w = coarse(
        sensed(SIMD3(turn.v.x, turn.v.y, turn.v.z)) * (turn.w < 0 ? -2000 : 2000)
          + noise(0.003),
        resolution?.rate)
      var f = coarse(
        sensed(now.inverse.rotate(SIMD3(0, 0, -9.81))) + noise(0.05), resolution?.force)
      if t < Self.failsAt {
        kept = (w, f)
      } else if let failure {
        (w, f) = (failure.rate(w, kept: kept.rate), failure.force(f, kept: kept.force))
      }
      var row = SensorSamples(timestamp: stamp)
      row.inertial = InertialSample<SensorFrame>(
        timestamp: stamp, angularRate: AngularRate(components: w),
        specificForce: SpecificForce(components: f))
      row.field = FieldSample<SensorFrame>(
        timestamp: stamp,
        field: MagneticField(
          microtesla: sensed(now.inverse.rotate(SIMD3(20, 0, 42))) + noise(0.3)))
      if n % 5 == 0 {
        row.pressure = PressureSample(timestamp: stamp, hectopascal: 1000 + noise(0.02).x)
      }
      pipeline.process(row)
      guard n % 5 == 0 else { continue }
      let x = now.rotate(SIMD3(1, 0, 0))
      found.append((pipeline.estimate, atan2(x.y, x.x) * 180 / .pi))
    }
    return found
  }

  @Test("a sensor that stops is named and not used", arguments: Failure.allCases)
  func stops(failure: Failure) throws {
    let all = estimates(failure)
    #expect(all.prefix(600).allSatisfy { $0.estimate.inputs?.fault == nil })
    // A quarter of a minute for a fault that only the motion shows.
    let late = all.suffix(450)
    let fault = InputVerdicts.Fault.stopped(failure.isForce ? .force : .rate)
    #expect(late.allSatisfy { $0.estimate.inputs?.fault == fault })
    var (outside, count) = (0.0, 0.0)
    for (estimate, heading) in late {
      guard let measured = estimate.magneticHeading, let accuracy = estimate.headingAccuracy
      else { continue }
      count += 1
      let error = (measured.angle - Angle(degrees: heading)).wrappedToHalfTurn
      if abs(error.radians) > accuracy.radians { outside += 1 }
      #expect(abs(estimate.verticalSpeedMetresPerSecond ?? 0) < 2)
    }
    #expect(count > 400)
    #expect(outside / count < 0.05, "\(outside) of \(count)")
    let end = try #require(all.last?.estimate)
    let mode: AttitudeMode = failure.isForce ? .magnetometer : .accelerometerAndMagnetometer
    #expect(end.attitudeMode == mode)
  }

  @Test("a board held upright has no heading without its accelerometer")
  func upright() {
    let late = estimates(.forceOfOneCount, isUpright: true).suffix(450)
    #expect(late.allSatisfy { $0.estimate.inputs?.fault == .stopped(.force) })
    for (estimate, _) in late { #expect((estimate.headingAccuracy?.degrees ?? 180) > 170) }
  }

  @Test(
    "a sensor of low resolution, at rest and turning, has not stopped", arguments: [true, false])
  func coarse(isTurning: Bool) {
    // One degree a second, and eight bits at 2 g.
    let all = estimates(nil, resolution: (0.0175, 0.15), isTurning: isTurning)
    #expect(all.allSatisfy { $0.estimate.inputs?.fault == nil })
    #expect(all.last?.estimate.attitudeMode == .nineAxis)
  }
}
