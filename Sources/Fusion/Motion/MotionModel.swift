import Quantities
import RealModule

/// A value for each hidden state of `MotionModel`.
typealias MotionVector = SIMD16<Double>

/// The kind of motion that the application or the user expects; it changes how often each state
/// begins.
public enum MotionHint: Sendable {
  /// Nothing is expected.
  case none
  /// A car.
  case automotive
  /// On foot or on a bicycle.
  case fitness
  /// A boat, a train.
  case otherNavigation
  /// An aircraft.
  case airborne
}

/// The hidden states of the motion, how they follow each other, and what each of them shows.
///
/// Each kind of travel has two: moving and halting. A halt is short; a body that halts for much
/// longer than its kind of travel usually does has become stationary. The last state is motion of
/// another kind, as of a device that is handled or an aircraft; where it is the likeliest, the
/// motion is unknown.
///
/// Densities are normal in the logarithm of a size and in the strength of a period. Successive
/// values of a feature depend on each other, so each counts with a weight below one, its interval
/// over its correlation time.
/// - Source: speeds of walking 1.2 to 1.5 m/s (Bohannon 1997, doi 10.1093/ageing/26.1.15), steps
///   1.4 to 2.3 Hz walking, 2.3 to 3.3 Hz running (Ji and Pachi 2005; Novacheck 1998, doi
///   10.1016/S0966-6362(97)00038-6); forces of hand, pocket and vehicle from the sets that
///   `position-study motion` lists.
enum MotionModel {
  // The order of the hidden states.
  static var stationary: Int { 0 }
  static var walking: Int { 1 }
  static var running: Int { 3 }
  static var cycling: Int { 5 }
  static var driving: Int { 7 }
  static var onWater: Int { 9 }
  static var other: Int { 11 }
  static var count: Int { 12 }

  /// The hidden state of a motion; of travel, the one that moves: the next one halts.
  static func index(of state: MotionState) -> Int {
    switch state {
    case .stationary: stationary
    case .walking: walking
    case .running: running
    case .cycling: cycling
    case .driving: driving
    case .onWater: onWater
    }
  }

  /// The probabilities before the first sample.
  static var start: MotionVector {
    var p = MotionVector.zero
    p[stationary] = 0.4
    for (state, share) in [
      (walking, 0.15), (running, 0.03), (cycling, 0.06), (driving, 0.15), (onWater, 0.06),
    ] {
      p[state] = share * 0.7
      p[state + 1] = share * 0.3
    }
    p[other] = 0.15
    return p
  }

  /// What is usual for a state: speed, one sigma an axis, m/s, and acceleration, m/s²·√s. A walker
  /// turns back within twenty seconds, a cyclist takes a corner within a minute. For an unknown
  /// state the parameters of `PositionFilter` are used.
  static func usual(_ state: MotionState?) -> UsualMotion {
    switch state {
    case .stationary: UsualMotion(speed: 0.5, accelerationNoise: 0.3)
    case .walking: UsualMotion(speed: 1.2, accelerationNoise: 0.6)
    case .running: UsualMotion(speed: 2.5, accelerationNoise: 0.9)
    case .cycling: UsualMotion(speed: 5, accelerationNoise: 1)
    case .onWater: UsualMotion(speed: 4, accelerationNoise: 0.7)
    case .driving, nil:
      UsualMotion(
        speed: PositionFilter.Parameters().usualSpeed,
        accelerationNoise: PositionFilter.Parameters().accelerationNoise)
    }
  }

  // MARK: Transitions

  /// The rates from each state to each other one, 1/s: the reciprocal is the mean time until then.
  static func rates(hint: MotionHint) -> [MotionVector] {
    var rates = [MotionVector](repeating: .zero, count: count)
    // A transition that is not listed below happens about once a day.
    for i in 0..<count { for j in 0..<count where i != j { rates[i][j] = 1e-5 } }
    func every(_ seconds: Double, from i: Int, to j: Int) { rates[i][j] = 1 / seconds }
    // Kind, halts after, halts for, ends at rest after.
    for (state, moves, halts, ends) in [
      (walking, 40.0, 8.0, 300.0), (running, 150, 15, 1800), (cycling, 150, 20, 1800),
      (driving, 90, 30, 1200), (onWater, 150, 60, 3600),
    ] {
      every(moves, from: state, to: state + 1)
      every(halts, from: state + 1, to: state)
      every(ends, from: state, to: stationary)
      every(600, from: state + 1, to: stationary)
      every(3600, from: state, to: other)
      every(3600, from: state + 1, to: other)
    }
    // From rest, and from motion of another kind: walks and drives are the most frequent.
    for (state, interval) in [
      (walking, 600.0), (running, 6000), (cycling, 3000), (driving, 1500), (onWater, 12_000),
    ] {
      every(interval, from: stationary, to: state)
      every(interval, from: other, to: state)
    }
    every(2400, from: stationary, to: other)
    every(120, from: other, to: stationary)
    // One gets in and out on foot.
    for (state, ends, begins) in [
      (running, 300.0, 3600.0), (cycling, 600, 3600), (driving, 600, 1800), (onWater, 2400, 12_000),
    ] {
      every(4 * ends, from: state, to: walking)
      every(ends, from: state + 1, to: walking)
      every(2 * begins, from: walking, to: state)
      every(begins, from: walking + 1, to: state)
    }
    apply(hint, &rates)
    for i in 0..<count { rates[i][i] = -rates[i].sum() }
    return rates
  }

  /// What is expected begins four times as often, what is not, a quarter as often.
  private static func apply(_ hint: MotionHint, _ rates: inout [MotionVector]) {
    let expected: (Int) -> Bool
    switch hint {
    case .none: return
    case .automotive: expected = { $0 == driving }
    case .fitness: expected = { $0 == walking || $0 == running || $0 == cycling }
    case .otherNavigation: expected = { $0 == onWater || $0 == driving }
    case .airborne: expected = { $0 == other }
    }
    for state in [walking, running, cycling, driving, onWater, other] {
      let factor = expected(state) ? 4.0 : 0.25
      for i in 0..<count where i != state && i != state + 1 {
        rates[i][state] *= factor
        if state != other { rates[i][state + 1] *= factor }
      }
    }
  }

  // MARK: Speed

  /// The likelihoods of a speed over ground: of moving at all, which a few seconds show, and of the
  /// pace among the states that move, which lasts longer.
  ///
  /// - Parameters:
  ///   - v: The speed, m/s.
  ///   - sigma: Its accuracy, m/s.
  /// - Returns: The logarithms.
  static func logLikelihood(
    speed v: Double, sigma: Double
  ) -> (moving: MotionVector, pace: MotionVector) {
    let error = max(sigma, 0.25)
    func moving(_ mean: Double, _ spread: Double) -> Double {
      density(v, mean, (spread * spread + error * error).squareRoot())
    }
    let walk = moving(1.3, 0.4)
    // Slow jogging included.
    let run = 0.75 * moving(2.8, 0.6) + 0.25 * moving(2.1, 0.4)
    // On the level, downhill, uphill.
    let cycle = 0.65 * moving(5.5, 1.8) + 0.2 * moving(10, 4) + 0.15 * moving(3.2, 1)
    let drive = 0.2 * moving(5, 3) + 0.5 * moving(13, 5) + 0.3 * moving(27, 7)
    let water = 0.5 * moving(3, 1.3) + 0.5 * moving(8, 5)
    // Anything to 300 m/s, slow more often.
    let other = 0.3 * Double.exp(-v / 2) / 2 + 0.7 / 300
    let any = 0.3 * walk + 0.1 * run + 0.15 * cycle + 0.35 * drive + 0.1 * water
    func log(_ x: Double) -> Double { Double.log(x + 1e-4) }
    // A receiver at rest reports its noise.
    let still = Double.log(2 * density(v, 0, error) + 1e-6)
    let drift = Double.log(2 * density(v, 0, (0.25 + error * error).squareRoot()) + 1e-6)
    let moves = log(any)
    // Few boats are faster than 35 knots.
    let floats = v - 3 * error > 18 ? log(0) : moves
    return (
      MotionVector(
        still, moves, still, moves, still, moves, still, moves, still, floats, drift, log(other),
        0, 0, 0, 0),
      MotionVector(
        0, log(walk) - moves, 0, log(run) - moves, 0, log(cycle) - moves, 0, log(drive) - moves, 0,
        log(water) - moves, 0, 0, 0, 0, 0, 0)
    )
  }

  /// The likelihoods of a mean acceleration along the way over four seconds, of the states that
  /// move.
  ///
  /// - Parameters:
  ///   - a: The acceleration, m/s².
  ///   - error: Its accuracy, m/s².
  /// - Returns: The logarithms: only an engine causes large accelerations.
  static func logLikelihood(acceleration a: Double, sigma error: Double) -> MotionVector {
    // A steady speed is no evidence: cars and cyclists have it most of the time.
    guard abs(a) - 2 * error > 0.4 else { return .zero }
    func about(_ usual: Double, _ seldom: Double) -> Double {
      func part(_ spread: Double) -> Double {
        density(a, 0, (spread * spread + error * error).squareRoot())
      }
      return Double.log(0.93 * part(usual) + 0.07 * part(seldom) + 1e-3)
    }
    let (legs, cycle) = (about(0.12, 0.35), about(0.15, 0.45))
    let (drive, water) = (about(0.3, 1.1), about(0.15, 0.5))
    return MotionVector(
      0, legs, 0, legs, 0, cycle, 0, drive, 0, water, 0, about(0.3, 1.1), 0, 0, 0, 0)
  }

  private static func density(_ x: Double, _ mean: Double, _ sigma: Double) -> Double {
    let z = (x - mean) / sigma
    return Double.exp(-0.5 * z * z) / (sigma * 2.506_628)
  }

  // MARK: Inertial features

  /// The likelihoods of a second's features.
  static func logLikelihood(_ f: MotionFeatures) -> MotionVector {
    var sum = shake(f) * 0.3
    if f.turning != nil { sum += turning(f) * 0.2 }
    // At rest the sensor's noise has no period.
    if let steps = f.steps, f.shakeAboveFloor > 2.5 {
      sum += strength(steps.strength) * 0.25
      if steps.strength > 0.25 { sum += cadence(steps.hertz) * 0.25 }
    }
    if let sway = f.sway {
      sum += swaying(sway.rate) * 0.1
      if sway.rate > 0.004 { sum += regularity(sway.strength) * 0.08 }
    }
    return sum
  }

  private static func shake(_ f: MotionFeatures) -> MotionVector {
    let x = Double.log(max(f.shake, 1e-4))
    let floor = density(Double.log(f.shakeAboveFloor), 0.1, 0.3)
    func about(_ size: Double, _ spread: Double) -> Double { density(x, Double.log(size), spread) }
    let hand = about(0.12, 0.9)
    let halt = 0.3 * floor + 0.7 * hand
    return MotionVector(
      log(0.8 * floor + 0.2 * hand), log(about(0.9, 0.65)), log(halt), log(about(5.8, 0.35)),
      log(halt), log(about(2, 0.7)), log(halt), log(0.9 * about(0.5, 0.6) + 0.1 * about(0.08, 0.8)),
      log(0.5 * floor + 0.5 * about(0.08, 0.7)), log(about(0.3, 1)), log(about(0.2, 1)),
      log(about(1.5, 1.4)), 0, 0, 0, 0)
  }

  private static func turning(_ f: MotionFeatures) -> MotionVector {
    let x = Double.log(max(f.turning ?? 0, 1e-5))
    let floor = density(Double.log(f.turningAboveFloor), 0.1, 0.4)
    func about(_ size: Double, _ spread: Double) -> Double { density(x, Double.log(size), spread) }
    let hand = about(0.06, 1)
    let halt = 0.3 * floor + 0.7 * hand
    let boat = log(about(0.04, 1))
    return MotionVector(
      log(0.8 * floor + 0.2 * hand), log(about(0.5, 0.8)), log(halt), log(about(2.8, 0.5)),
      log(halt), log(about(0.35, 0.8)), log(halt),
      log(0.9 * about(0.06, 0.8) + 0.1 * about(0.01, 1)),
      log(0.5 * floor + 0.5 * about(0.02, 0.8)), boat, boat, log(about(1, 1.3)), 0, 0, 0, 0)
  }

  private static func strength(_ r: Double) -> MotionVector {
    let weak = log(density(r, 0.12, 0.12))
    return MotionVector(
      weak, log(density(r, 0.38, 0.18)), weak, log(density(r, 0.75, 0.14)), weak,
      log(density(r, 0.25, 0.15)), weak, weak, weak, weak, weak, log(density(r, 0.2, 0.2)),
      0, 0, 0, 0)
  }

  private static func cadence(_ hertz: Double) -> MotionVector {
    let any = log(1 / 2.6)
    return MotionVector(
      any, log(density(hertz, 1.55, 0.35)), any,
      // A hand swings once in two steps.
      log(0.5 * density(hertz, 2.7, 0.25) + 0.5 * density(hertz, 1.35, 0.12)), any, any, any, any,
      any,
      any, any, any, 0, 0, 0, 0)
  }

  private static func swaying(_ rate: Double) -> MotionVector {
    let x = Double.log(max(rate, 1e-4))
    func about(_ size: Double, _ spread: Double) -> Double {
      log(density(x, Double.log(size), spread))
    }
    let (still, hand) = (about(0.002, 1), about(0.1, 1.2))
    let boat = about(0.04, 0.8)
    return MotionVector(
      still, about(0.12, 0.8), hand, about(0.2, 0.9), hand, about(0.08, 0.9), hand,
      about(0.014, 0.8), about(0.005, 1), boat, boat, about(0.3, 1.2), 0, 0, 0, 0)
  }

  private static func regularity(_ r: Double) -> MotionVector {
    let (weak, strong) = (log(density(r, 0.12, 0.15)), log(density(r, 0.6, 0.3)))
    return MotionVector(
      weak, weak, weak, weak, weak, weak, weak, weak, weak, strong, strong, weak, 0, 0, 0, 0)
  }

  /// The likelihoods where the receiver shows that the body moves: a smooth ride may have as little
  /// vibration as rest, for hours.
  static func moving(_ logs: MotionVector) -> MotionVector {
    var logs = logs
    var most = logs[other]
    for i in stride(from: walking, to: other, by: 2) { most = max(most, logs[i]) }
    for i in 0..<other where i == stationary || i % 2 == 0 { logs[i] = min(logs[i], most) }
    return logs
  }

  /// The logarithm of a density, bounded: no single feature excludes a state.
  private static func log(_ density: Double) -> Double { Double.log(density + 5e-3) }
}
