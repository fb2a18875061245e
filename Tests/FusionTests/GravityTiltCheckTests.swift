import Fusion
import Quantities
import RealModule
import TestSupport
import Testing

@Suite("Check of the tilt by gravity", .timeLimit(.minutes(30)))
struct GravityTiltCheckTests {
  /// Feeds a level body that does not turn, whose gyroscope reports a rate and which accelerates
  /// along north.
  private func run(
    _ filter: inout AttitudeEstimator, from start: Double, seconds: Double,
    rate: SIMD3<Double> = .zero, acceleration: (Double) -> SIMD2<Double> = { _ in .zero },
    body: (AttitudeSolution) -> Void
  ) {
    var noise = Noise(seed: 5)
    for i in 0..<Int(bounded: seconds * 100) {
      let t = start + Double(i) / 100
      let a = acceleration(t)
      func vector(_ sigma: Double) -> SIMD3<Double> {
        SIMD3(noise.next(), noise.next(), noise.next()) * sigma
      }
      filter.update(
        InertialSample<BodyFrame>(
          timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: t)),
          angularRate: AngularRate(radiansPerSecond: rate + vector(0.002)),
          specificForce: SpecificForce(
            metresPerSecondSquared: SIMD3(a.x, a.y, -9.806_65) + vector(0.05))))
      if let solution = filter.solution { body(solution) }
    }
  }

  private func tilt(_ solution: AttitudeSolution) -> Double {
    Double.acos(min(max(solution.attitude.rows.2.z, -1), 1)) * 180 / .pi
  }

  @Test(
    "a gyroscope that reports a false rate does not keep the horizon turned over",
    arguments: [SIMD3(0.35, 0, 0), SIMD3(0, -0.3, 0), SIMD3(0.2, 0.2, 0.1)])
  func falseRate(rate: SIMD3<Double>) {
    var filter = AttitudeEstimator()
    var (worst, reported) = (0.0, 0)
    run(&filter, from: 1, seconds: 60) { reported += $0.tiltContradiction == nil ? 0 : 1 }
    #expect(reported == 0)
    run(&filter, from: 61, seconds: 60, rate: rate) {
      worst = max(worst, tilt($0))
      reported += $0.tiltContradiction == nil ? 0 : 1
    }
    // The fault is there, it is reported, and what follows is level.
    #expect(worst > 20 && reported > 1000, "\(worst)°, \(reported)")
    run(&filter, from: 121, seconds: 60, rate: rate) { _ in }
    var (late, count) = (0.0, 0.0)
    run(&filter, from: 181, seconds: 60, rate: rate) {
      late += tilt($0)
      count += 1
    }
    // Such a gyroscope is worth little; without the check the mean is 90 degrees.
    #expect(late / count < 25, "\(late / count)°")
  }

  @Test("what vehicles do is no contradiction")
  func vehicles() {
    let motions: [(String, (Double) -> SIMD2<Double>)] = [
      // A jet that takes off, a car that circles with 0.6 g, a train that brakes for a minute.
      ("jet", { $0 > 60 && $0 < 90 ? SIMD2(2.7, 0) : .zero }),
      ("circle", { SIMD2(Double.cos(0.5 * $0), Double.sin(0.5 * $0)) * 6 }),
      ("train", { $0 > 60 && $0 < 120 ? SIMD2(-0.8, 0) : .zero }),
      // Half a turn of an aircraft at 50 m/s with 30 degrees of bank, and at 80 m/s with 45.
      ("turn", { turn($0, speed: 50, acceleration: 5.7) }),
      ("steep turn", { turn($0, speed: 80, acceleration: 9.8) }),
    ]
    for (name, acceleration) in motions {
      var filter = AttitudeEstimator()
      var contradictions = 0
      run(&filter, from: 1, seconds: 180, acceleration: acceleration) {
        contradictions += $0.tiltContradiction == nil ? 0 : 1
      }
      #expect(contradictions == 0, "\(name)")
    }
  }

  /// The acceleration of a flight that turns from its 60th second on for a minute.
  private func turn(_ t: Double, speed: Double, acceleration: Double) -> SIMD2<Double> {
    guard t > 60, t < 120 else { return .zero }
    let angle = (t - 60) * acceleration / speed
    return SIMD2(-Double.sin(angle), Double.cos(angle)) * acceleration
  }

  @Test("where a receiver tells a low speed, a smaller change is enough")
  func speed() {
    func first(noting: Bool) -> Double? {
      var filter = AttitudeEstimator()
      var found: Double?
      for part in 0..<180 {
        let t = Double(part)
        if noting {
          filter.record(
            speedMetresPerSecond: 3, at: Timestamp(nanoseconds: UInt64(nanosecondsIn: t + 1)))
        }
        run(&filter, from: 1 + t, seconds: 1, rate: t < 60 ? .zero : SIMD3(0.35, 0, 0)) {
          if $0.tiltContradiction != nil { found = found ?? t }
        }
      }
      return found
    }
    let (with, without) = (first(noting: true), first(noting: false))
    #expect(with.map { $0 < 80 } ?? false && without != nil, "\(with ?? 0), \(without ?? 0)")
    #expect((with ?? 1000) <= (without ?? 0))
  }

  @Test("the state with windows and a contradiction is restored to the bit")
  func state() throws {
    var filter = AttitudeEstimator()
    run(&filter, from: 1, seconds: 30) { _ in }
    run(&filter, from: 31, seconds: 17.3, rate: SIMD3(0.5, 0, 0)) { _ in }
    let words = filter.saved()
    var other = AttitudeEstimator()
    let isRestored = other.restore(words)
    #expect(isRestored && other.saved() == words)
    #expect(other.solution == filter.solution)
    var (a, b) = (AttitudeSolution?.none, AttitudeSolution?.none)
    run(&filter, from: 48.3, seconds: 20, rate: SIMD3(0.5, 0, 0)) { a = $0 }
    run(&other, from: 48.3, seconds: 20, rate: SIMD3(0.5, 0, 0)) { b = $0 }
    #expect(a == b && a?.tiltContradiction != nil)
    let isBroken = !other.restore(Array(words.dropLast()))
    #expect(isBroken)
  }
}
