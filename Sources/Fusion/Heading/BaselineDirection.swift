import Quantities
import RealModule

/// The direction of the line between two antennas, clockwise from the bow, by the course of a
/// vehicle that drives.
///
/// A vehicle on a straight track moves along its bow. The difference between the antennas' heading
/// and the course is then the direction of the baseline. It counts
/// - above a speed at which the course is known, with little rate of turn,
/// - once it has been the same over different headings: a current, wind or a vehicle that moves
///   sideways turn the difference with the heading, a baseline does not.
///
/// Motion astern differs by half a turn and is left out while it is the smaller part.
public struct BaselineDirection: Equatable, Sendable {
  /// What motion is needed.
  public struct Parameters: Equatable, Sendable {
    /// Least speed, m/s. Small: the course's error counts; large: a slow vehicle never learns.
    public var leastSpeed = 2.0
    /// Largest rate of turn, rad/s: course and heading are not of the same instant.
    public var largestRate = 0.05
    /// Least time of such motion, s.
    public var leastSeconds = 40.0
    /// Least angle between two headings, rad.
    public var leastArc = 1.0
    /// Largest spread of the differences, rad, one sigma.
    public var largestSpread = 0.2
    /// Memory, s of such motion. Small: one crosswind counts much; large: a change is noticed late.
    public var memory = 300.0
    /// Correlation time of the difference, s: side slip and course error last.
    public var errorSeconds = 20.0
    /// Error that does not average out, one sigma, rad: a vehicle runs slightly askew, and its
    /// course is that of the antenna.
    public var lasting = 0.5 * Double.pi / 180

    /// The default parameters.
    public init() {}
  }

  /// The parameters.
  public var parameters: Parameters

  /// Sum of the directions ahead, weighted by time, and the time, s; the same astern.
  private var (sum, seconds) = (SIMD2<Double>.zero, 0.0)
  private var (asternSum, asternSeconds) = (SIMD2<Double>.zero, 0.0)
  /// Seconds by sector of the heading.
  private var sectors = SIMD16<Double>.zero
  private var newest: Timestamp?

  /// Makes an estimator without headings.
  public init(_ parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Adds a heading of the antennas with the course at that time.
  /// - Parameters:
  ///   - heading: The direction of the baseline, or of the bow by its stated direction.
  ///   - course: The course over ground.
  ///   - speed: The speed over ground, m/s.
  ///   - rate: The rate of turn, rad/s.
  ///   - t: The time.
  public mutating func add(
    _ heading: TrueHeading, course: Angle, speedMetresPerSecond speed: Double,
    rateOfTurn rate: Double,
    at t: Timestamp
  ) {
    let elapsed = newest.map { t.seconds(since: $0) } ?? 0
    guard elapsed >= 0 else { return }
    newest = t
    guard speed >= parameters.leastSpeed, abs(rate) <= parameters.largestRate else { return }
    // Longer than that the motion between two headings is unknown.
    let dt = min(elapsed, 1)
    let difference = (heading.angle - course).radians
    guard difference.isFinite, dt > 0 else { return }
    let direction = SIMD2(Double.cos(difference), Double.sin(difference))
    let kept = Double.exp(-dt / parameters.memory)
    (sum, seconds) = (sum * kept, seconds * kept)
    (asternSum, asternSeconds) = (asternSum * kept, asternSeconds * kept)
    sectors *= kept
    if seconds > 5, (direction * sum).sum() < 0 {
      asternSum += direction * dt
      asternSeconds += dt
      // What was taken for ahead was astern.
      if asternSeconds > seconds {
        ((sum, seconds), (asternSum, asternSeconds)) = ((asternSum, asternSeconds), (sum, seconds))
      }
    } else {
      sum += direction * dt
      seconds += dt
    }
    let sector = Int(bounded: heading.angle.wrappedToTurn.radians / (2 * .pi) * 16)
    sectors[min(max(sector, 0), 15)] += dt
  }

  /// The largest angle between two headings, rad.
  private var arc: Double {
    var widest = 0
    for i in 0..<16 where sectors[i] >= 2 {
      for k in 0..<i where sectors[k] >= 2 { widest = max(widest, min(i - k, 16 - (i - k))) }
    }
    return Double(widest) * 2 * .pi / 16
  }

  /// The direction with its one sigma, rad; nil until the motion has shown it.
  public var value: (direction: Angle, sigma: Double)? {
    let p = parameters
    let length = (sum * sum).sum().squareRoot()
    guard seconds >= p.leastSeconds, asternSeconds < seconds / 4, arc >= p.leastArc,
      length > 0
    else { return nil }
    // In a narrow distribution the mean vector is shorter than 1 by half the variance.
    let spread = (2 * max(0, 1 - length / seconds)).squareRoot()
    guard spread <= p.largestSpread else { return nil }
    let independent = max(1, seconds / p.errorSeconds)
    let sigma = (spread * spread / independent + p.lasting * p.lasting).squareRoot()
    return (Angle(radians: Double.atan2(y: sum.y, x: sum.x)), sigma)
  }
}
