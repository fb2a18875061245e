import Quantities
import RealModule

/// True north by a receiver with two antennas, as a turn of the attitude filter's north. The
/// attitude filter carries a heading on between the receiver's messages, in turns and without them;
/// its north drifts with the gyroscope's bias, or wanders with the field's disturbances.
///
/// Model. Two states, the turn and its rate, each with a random walk.
public struct AntennaNorth: Sendable {
  /// Random walk of the attitude filter's north, rad/√s: 0.17 degrees in a second, 1.3 in a minute.
  private static let wander = 0.003
  /// Rate of that north before it is known, one sigma, rad/s: a gyroscope's bias at switching on.
  private static let initialRate = 0.01
  /// Random walk of the rate, rad/s/√s.
  private static let rateWander = 1e-4
  /// Age of a heading when its message arrives, one sigma, s: solution and transmission take 0.05
  /// to 0.2 s.
  private static let lateness = 0.1
  /// Longest time without a message for which the turn is known, s.
  private static let longestSilence = 120.0
  /// Innovation, in sigmas, beyond which a heading is rejected, and the number of such headings in
  /// a row after which they are believed.
  private static let (gate, reacquisitionCount) = (5.0, 5)

  /// Turn, rate and their covariance at an instant.
  private struct State {
    var turn: Double
    var rate = 0.0
    var turnVariance: Double
    var covariance = 0.0
    var rateVariance: Double

    /// The state later.
    func after(_ dt: Double) -> State {
      let q = AntennaNorth.rateWander * AntennaNorth.rateWander
      var next = self
      next.turn = AntennaNorth.wrapped(turn + rate * dt)
      next.turnVariance +=
        dt * (2 * covariance + dt * rateVariance) + q * dt * dt * dt / 3
        + AntennaNorth.wander * AntennaNorth.wander * dt
      next.covariance += dt * rateVariance + q * dt * dt / 2
      next.rateVariance += q * dt
      return next
    }
  }

  private var state: State?
  private var newest = Timestamp(nanoseconds: 0)
  private var rejected = 0

  /// Makes one that does not know north.
  public init() {}

  /// Uses a heading of the receiver.
  /// - Parameters:
  ///   - heading: The heading.
  ///   - sigma: Its accuracy.
  ///   - attitude: The attitude filter's attitude at that time.
  ///   - rate: The rate of turn, rad/s.
  ///   - t: The time of the heading.
  public mutating func update<North: Frame>(
    _ heading: TrueHeading, sigma: Angle, attitude: Rotation<BodyFrame, North>,
    rateOfTurn rate: Double, at t: Timestamp
  ) {
    let late = rate * Self.lateness
    let noise = sigma.radians * sigma.radians + late * late
    let measured = heading.angle.radians - attitude.attitudeAngles.heading.radians
    guard measured.isFinite, noise.isFinite else { return }
    guard var now = carried(to: t) else {
      state = State(
        turn: Self.wrapped(measured), turnVariance: noise,
        rateVariance: Self.initialRate * Self.initialRate)
      (newest, rejected) = (t, 0)
      return
    }
    let innovation = Self.wrapped(measured - now.turn)
    let s = now.turnVariance + noise
    guard innovation * innovation <= Self.gate * Self.gate * s else {
      rejected += 1
      if rejected >= Self.reacquisitionCount { state = nil }
      return
    }
    let gain = (now.turnVariance / s, now.covariance / s)
    now.turn = Self.wrapped(now.turn + gain.0 * innovation)
    now.rate += gain.1 * innovation
    now.rateVariance -= gain.1 * now.covariance
    now.covariance -= gain.0 * now.covariance
    now.turnVariance -= gain.0 * now.turnVariance
    (state, newest, rejected) = (now, t, 0)
  }

  /// The clockwise turn from true north to the attitude filter's north with its one sigma, rad: an
  /// attitude's heading and the turn together are the true heading. Nil where no recent heading is
  /// known.
  public func value(at t: Timestamp) -> (radians: Double, sigma: Double)? {
    carried(to: t).map { ($0.turn, max(0, $0.turnVariance).squareRoot()) }
  }

  private func carried(to t: Timestamp) -> State? {
    let age = max(0, t.seconds(since: newest))
    guard age <= Self.longestSilence else { return nil }
    return state?.after(age)
  }

  private static func wrapped(_ radians: Double) -> Double {
    Angle(radians: radians).wrappedToHalfTurn.radians
  }
}
