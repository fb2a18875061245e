import Fusion
import Quantities
import RealModule
import TestSupport
import Testing

@Suite("Gravity as a witness of the tilt", .timeLimit(.minutes(5)))
struct GravityWitnessTests {
  /// Feeds a level body that does not turn, whose gyroscope reports a rate and which accelerates along north.
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
    run(&filter, from: 121, seconds: 60, rate: rate) { worst = tilt($0) }
    var late = 0.0
    run(&filter, from: 181, seconds: 30, rate: rate) { late = max(late, tilt($0)) }
    #expect(late < 30, "\(late)°")
  }

  @Test("what vehicles do is no contradiction")
  func vehicles() {
    let motions: [(String, (Double) -> SIMD2<Double>)] = [
      // A jet that takes off, a car that circles with 0.6 g, a train that brakes for a minute.
      ("jet", { $0 > 60 && $0 < 90 ? SIMD2(2.7, 0) : .zero }),
      ("circle", { SIMD2(Double.cos(0.5 * $0), Double.sin(0.5 * $0)) * 6 }),
      ("train", { $0 > 60 && $0 < 120 ? SIMD2(-0.8, 0) : .zero }),
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
