import EarthModel
import Fusion
import Quantities
import RealModule
import Simulation
import TestSupport
import Testing

@Suite("The state of motion", .timeLimit(.minutes(30)))
struct MotionStateTests {
  private func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: UInt64(nanosecondsIn: 100 + seconds))
  }

  /// Inertial samples of a body whose forward, right and down axes have these accelerations and
  /// rates.
  ///
  /// - Parameters:
  ///   - estimator: Receives them.
  ///   - start: The time of the first, s.
  ///   - seconds: Their time, s.
  ///   - hertz: Their rate.
  ///   - mount: Turns them into the body's axes.
  ///   - motion: Acceleration without gravity, m/s², and rate, rad/s, at a time.
  private func shake(
    _ estimator: inout MotionStateEstimator, from start: Double = 0, seconds: Double,
    hertz: Double = 100, mount: Rotation<BodyFrame, BodyFrame> = .identity,
    _ motion: (Double) -> (SIMD3<Double>, SIMD3<Double>)
  ) {
    var noise = Noise(seed: 7)
    func vector(_ sigma: Double) -> SIMD3<Double> {
      SIMD3(noise.next(), noise.next(), noise.next()) * sigma
    }
    for i in 0..<Int(bounded: seconds * hertz) {
      let t = start + Double(i) / hertz
      let (a, w) = motion(t)
      estimator.update(
        InertialSample(
          timestamp: at(t),
          angularRate: AngularRate(components: mount.rotate(w + vector(0.003))),
          specificForce: SpecificForce(
            components: mount.rotate(a + SIMD3(0, 0, -9.806_65) + vector(0.03)))))
    }
  }

  private func walk(
    _ hertz: Double, _ size: Double
  ) -> (Double) -> (SIMD3<Double>, SIMD3<Double>) {
    { t in
      let phase = 2 * Double.pi * hertz * t
      return (
        SIMD3(0.3 * Double.sin(phase), 0.2 * Double.sin(phase / 2), Double.sin(phase)) * size,
        SIMD3(0.3 * Double.sin(phase / 2), 0.2 * Double.cos(phase), 0.2 * Double.sin(phase / 2))
          * size
      )
    }
  }

  private let rest: (Double) -> (SIMD3<Double>, SIMD3<Double>) = { _ in (.zero, .zero) }

  @Test("a board on a table is stationary within seconds, and sure of it")
  func table() throws {
    var estimator = MotionStateEstimator()
    shake(&estimator, seconds: 15, rest)
    let solution = try #require(estimator.solution(at: at(15)))
    #expect(solution.state == .stationary && solution.probability > 0.95)
    #expect(solution.since.seconds(since: at(0)) < 3)
  }

  @Test("steps are a walk or a run, at every rate of samples", arguments: [25.0, 50, 100, 200])
  func steps(hertz: Double) throws {
    var walker = MotionStateEstimator()
    shake(&walker, seconds: 30, hertz: hertz, walk(1.8, 2))
    let walking = try #require(walker.solution(at: at(30)))
    #expect(walking.state == .walking && walking.probability > 0.8, "\(walking)")
    var runner = MotionStateEstimator()
    shake(&runner, seconds: 30, hertz: hertz, walk(2.7, 8))
    let running = try #require(runner.solution(at: at(30)))
    #expect(running.state == .running && running.probability > 0.8, "\(running)")
  }

  @Test("the mount of the board changes nothing")
  func mount() {
    let turned = Rotation<BodyFrame, BodyFrame>(rotationVector: SIMD3(1.1, -0.7, 2))
    var (a, b) = (MotionStateEstimator(), MotionStateEstimator())
    shake(&a, seconds: 40, walk(1.7, 1.2))
    shake(&b, seconds: 40, mount: turned, walk(1.7, 1.2))
    for state in MotionState.allCases {
      #expect(abs(a.probability(of: state) - b.probability(of: state)) < 0.01)
    }
  }

  @Test("a slow regular roll is a boat, at anchor too")
  func boat() throws {
    for speed in [nil, 0.1, 3.0] {
      var estimator = MotionStateEstimator()
      for second in 0..<120 {
        shake(&estimator, from: Double(second), seconds: 1) { t in
          let phase = 2 * Double.pi * t / 6
          return (
            SIMD3(0, 0.1, 0.4) * Double.sin(phase), SIMD3(0.08, 0.03, 0) * Double.cos(phase)
          )
        }
        if let speed {
          estimator.update(speedMetresPerSecond: speed, accuracy: nil, at: at(Double(second) + 1))
        }
      }
      let solution = try #require(estimator.solution(at: at(120)))
      #expect(
        solution.state == .onWater && solution.probability > 0.8, "\(speed ?? -1) \(solution)")
    }
  }

  @Test("a simulated yacht is on the water, and a simulated car drives")
  func scenarios() throws {
    for (scenario, expected) in [
      (Scenario.sailingBoat, MotionState.onWater), (.carDrive, .driving), (.tableTop, .stationary),
    ] {
      var world = try SimulatedWorld(
        scenario: scenario, seed: 5,
        startUTC: try #require(UTCTime(year: 2026, month: 5, day: 1, hour: 12)))
      var estimator = MotionStateEstimator()
      var right = 0
      while let sample = world.next(), sample.timestamp.seconds < 240 {
        switch sample {
        case .inertial(let raw):
          estimator.update(
            InertialSample(
              timestamp: raw.timestamp,
              angularRate: raw.angularRate.map { AngularRate(components: $0.components) },
              specificForce: raw.specificForce.map { SpecificForce(components: $0.components) }))
        case .fix(let fix):
          guard let speed = fix.speedMetresPerSecond else { break }
          estimator.update(speedMetresPerSecond: speed, accuracy: nil, at: fix.timestamp)
          let isLate = fix.timestamp.seconds > 120
          right +=
            isLate && estimator.solution(at: fix.timestamp)?.state == expected ? 1 : 0
        default: break
        }
      }
      #expect(right > 80, "\(scenario.name): \(right)")
    }
  }

  /// Feeds a speed a second, and gives the states of each second.
  private func drive(
    _ estimator: inout MotionStateEstimator, _ speeds: [Double], from start: Int = 0
  ) -> [MotionState?] {
    speeds.enumerated().map { k, speed in
      estimator.update(speedMetresPerSecond: speed, accuracy: nil, at: at(Double(start + k)))
      return estimator.solution(at: at(Double(start + k)))?.state
    }
  }

  /// From a halt to a speed within ten seconds.
  private func start(to speed: Double, seconds: Int) -> [Double] {
    (0..<seconds).map { speed * min(1, Double($0 + 1) / 10) }
  }

  @Test("a red light belongs to the drive; a car that stays is stationary since it halted")
  func lights() throws {
    var estimator = MotionStateEstimator()
    var states = drive(&estimator, start(to: 14, seconds: 120))
    #expect(states.suffix(60).allSatisfy { $0 == .driving })
    states = drive(&estimator, [8, 4] + [Double](repeating: 0, count: 40), from: 120)
    #expect(states.allSatisfy { $0 == .driving })
    states = drive(&estimator, start(to: 14, seconds: 60), from: 162)
    #expect(states.allSatisfy { $0 == .driving })
    states = drive(&estimator, [8, 4] + [Double](repeating: 0, count: 240), from: 222)
    #expect(states.last == .stationary)
    let since = try #require(estimator.solution(at: at(463))).since.seconds(since: at(0))
    #expect(abs(since - 224) < 8, "\(since)")
    let moves = drive(&estimator, start(to: 14, seconds: 30), from: 464)
    #expect(moves[8] != .stationary && moves.last == .driving)
  }

  @Test("a speed alone tells walking and driving, and leaves open what it cannot tell")
  func speeds() {
    var walker = MotionStateEstimator()
    #expect(drive(&walker, [Double](repeating: 1.35, count: 90)).last == .walking)
    var driver = MotionStateEstimator()
    #expect(drive(&driver, [Double](repeating: 24, count: 90)).last == .driving)
    var cyclist = MotionStateEstimator()
    _ = drive(&cyclist, [Double](repeating: 5, count: 20))
    #expect(cyclist.probability(of: .cycling) < 0.9 && cyclist.probability(of: .driving) > 0.02)
    var aeroplane = MotionStateEstimator()
    #expect(drive(&aeroplane, [Double](repeating: 200, count: 90)).last == .some(nil))
  }

  @Test("an expected activity needs less evidence")
  func hint() {
    var (car, none) = (MotionStateEstimator(hint: .automotive), MotionStateEstimator())
    let town = start(to: 7, seconds: 40)
    _ = (drive(&car, town), drive(&none, town))
    #expect(car.probability(of: .driving) > none.probability(of: .driving))
  }

  @Test("a ride that shakes no more than a table moves, because the receiver says so")
  func quietRide() {
    var estimator = MotionStateEstimator()
    for second in 0..<90 {
      shake(&estimator, from: Double(second), seconds: 1, rest)
      estimator.update(speedMetresPerSecond: 25, accuracy: 0.2, at: at(Double(second) + 1))
    }
    #expect(estimator.solution(at: at(90))?.state == .driving)
  }

  @Test("a receiver that rests between its fixes is enough, and silence ends the state")
  func seldom() {
    var estimator = MotionStateEstimator()
    for k in 0..<20 {
      estimator.update(speedMetresPerSecond: 0, accuracy: 0.3, at: at(60 * Double(k)))
    }
    #expect(estimator.solution(at: at(1200))?.state == .stationary)
    #expect(estimator.solution(at: at(3000)) == nil)
  }

  @Test("a clock that goes back begins anew, one that stumbles is ignored, and nonsense too")
  func clocks() {
    var estimator = MotionStateEstimator()
    _ = drive(&estimator, [Double](repeating: 24, count: 60))
    let before = estimator.probability(of: .driving)
    estimator.update(speedMetresPerSecond: 0, accuracy: nil, at: at(57))
    estimator.update(speedMetresPerSecond: .nan, accuracy: nil, at: at(61))
    #expect(estimator.probability(of: .driving) == before)
    estimator.update(speedMetresPerSecond: 1.3, accuracy: nil, at: at(10))
    #expect(estimator.probability(of: .driving) < 0.5)
    estimator.update(
      InertialSample(
        timestamp: at(20), angularRate: nil,
        specificForce: SpecificForce(components: SIMD3(.nan, 0, 0))))
    #expect(MotionState.allCases.reduce(0) { $0 + estimator.probability(of: $1) } <= 1 + 1e-9)
  }

  @Test("what is usual for a walker is slower than for a driver, and both may change")
  func usual() {
    var (walker, driver) = (MotionStateEstimator(), MotionStateEstimator())
    _ = drive(&walker, [Double](repeating: 1.35, count: 200))
    _ = drive(&driver, start(to: 24, seconds: 200))
    #expect(walker.usualMotion.speed > 1.2 && walker.usualMotion.speed < 5)
    #expect(driver.usualMotion.speed > 10 && driver.usualMotion.speed <= 12)
    #expect(walker.usualMotion.accelerationNoise < driver.usualMotion.accelerationNoise)
  }
}
