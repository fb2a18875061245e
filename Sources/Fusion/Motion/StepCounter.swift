import Quantities
import RealModule

/// Counts the steps of a walker or runner who carries the board, by the rhythm of the force along
/// the vertical.
///
/// Model. Each step lifts the body once, so the force along the vertical repeats with the steps.
/// - The force is averaged over `bin`, projected on its slow mean, which is the vertical however
///   the board lies, and freed of its mean.
/// - Every `hop` the amplitude of each step rate and its overtones is computed from a window. A
///   hidden Markov model follows the rate: rates change slowly, and the size of the force separates
///   a rate from its double.
/// - The carrier is on foot where the force moves by `movement` in the middle of the window and the
///   lines of the rate have `rhythm` of its energy. A walk begins with `fewestSteps` such steps and
///   goes on with less; each hop then has rate times hop steps, so that one weak or double peak
///   costs nothing.
///
/// What has another rhythm or another size at that rhythm, as vehicles and waving hands, has no
/// steps. Results are half a window late. No sample allocates memory.
/// - Source: the short-time Fourier method of A. Brajdic and R. Harle, Walk detection and step
///   counting on unconstrained smartphones, UbiComp 2013 (doi 10.1145/2493432.2493449), with the
///   rate followed by a hidden Markov model (L. R. Rabiner, Proc. IEEE 77(2), 1989, equation 20).
/// - Accuracy: `Documentation/Measured.md`.
public struct StepCounter: Sendable {
  /// The tuning parameters, chosen on phones in hands and pockets and on boards at the waist; the
  /// errors do not change by much within a quarter of each.
  public struct Parameters: Equatable, Sendable {
    /// Time constant of the vertical, s. Small: the swing of an arm turns it; large: a phone that
    /// is taken out of a pocket is followed late.
    public var verticalTime = 1.5
    /// Time constant of the mean that is taken away, s.
    public var meanTime = 0.95
    /// Weight of the lines at the double and triple rate, relative to the line at the rate. Large: a
    /// rate is recognised by its overtones, and a half or a third of it as well.
    public var overtones = 0.43
    /// How far a window is believed, as the exponent of the relative amplitude.
    public var belief = 2.9
    /// Probability of each neighbour in the grid after a hop.
    public var drift = 0.1
    /// Probability of any rate after a hop. Small: a rate once wrong stays wrong; large: overtones
    /// take over.
    public var leap = 0.14
    /// The rate that belongs to a force of 1 m/s² (standard deviation), Hz. A walk at 1.1 Hz has
    /// about 0.5 m/s², a run at 2.7 Hz 6 m/s².
    public var usualRate = 1.57
    /// The exponent of the force in that rate.
    public var usualExponent = 0.36
    /// The spread of the logarithm of that rate. Small: steps are miscounted where the board is
    /// carried softly or swung; large: a rate is taken for its double.
    public var usualSpread = 0.26
    /// Least share of the energy in the lines of the rate, to begin a walk. Small: waving and
    /// vibration count as walks; large: short walks with halts are missed.
    public var rhythm = 0.28
    /// The least share that continues a walk, as a share of `rhythm`.
    public var rhythmToContinue = 0.47
    /// Least standard deviation of the force, m/s², to begin a walk.
    public var movement = 0.44
    /// The least deviation that continues a walk, as a share of `movement`.
    public var movementToContinue = 0.425
    /// Steps after which a walk is counted.
    public var fewestSteps = 4.0

    /// The default tuning.
    public init() {}
  }

  /// The result of a hop.
  public struct Progress: Equatable, Sendable {
    /// The middle of the window.
    public var time: Timestamp
    /// The new steps, including those that were held back until the walk was certain.
    public var steps: Double
    /// The new seconds on foot, counted in the same way.
    public var activeSeconds: Double
    /// The steps a second; nil without a walk, and before one is certain.
    public var cadenceHertz: Double?
  }

  /// Interval of the averages, ns: 25 Hz, more than twice the third harmonic of the fastest rate.
  private static let binNanoseconds: UInt64 = 40_000_000
  /// `binNanoseconds` in seconds.
  private static var bin: Double { Double(binNanoseconds) * 1e-9 }
  /// Averages in a window, which is 4 s, and in a hop.
  private static let window = 100
  private static let hop = 12
  /// Averages before and after the middle in which a movement is looked for: the window is tapered,
  /// and a walk starts and ends within it.
  private static let middle = 36
  /// A longer pause of the sensor is a gap, s.
  private static let longestPause = 0.5
  /// The grid of rates, Hz: slow walks of patients to sprints.
  private static let rates = 40
  private static let slowest = 0.8
  private static let fastest = 3.6
  /// The highest frequency that the averages show, Hz.
  private static let highest = 11.0
  /// Below this amplitude, m/s², there is no rhythm.
  private static let silence = 1e-4

  /// The tuning parameters.
  public var parameters: Parameters
  private var last: Timestamp?
  private var sum = SIMD3<Double>.zero
  private var count = 0.0
  private var binNumber: UInt64 = 0
  private var vertical = SIMD3<Double>.zero
  private var mean = 0.0
  private var ring = [Double](repeating: 0, count: window)
  private var filled = 0
  private var next = 0
  private var untilHop = hop
  // Scratch: the window oldest first and tapered, and the amplitude of each rate.
  private var tapered = [Double](repeating: 0, count: window)
  private let taper: [Double]
  private var scores = [Double](repeating: 0, count: rates)
  private var shares = [Double](repeating: 0, count: rates)
  private var probabilities = [Double](repeating: 1 / Double(rates), count: rates)
  private var moved = [Double](repeating: 0, count: rates)
  private let hertz: [Double]
  // The present walk.
  private var isWalking = false
  private var waiting = (steps: 0.0, seconds: 0.0, certain: 0.0)

  /// Makes a counter without samples.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    taper = (0..<Self.window).map { k in
      0.5 - 0.5 * Double.cos(2 * .pi * (Double(k) + 0.5) / Double(Self.window))
    }
    let span = Double.log(Self.fastest / Self.slowest) / Double(Self.rates - 1)
    hertz = (0..<Self.rates).map { Self.slowest * Double.exp(Double($0) * span) }
  }

  /// Adds a sample; returns the result when a hop is complete.
  public mutating func update(_ force: SIMD3<Double>, at t: Timestamp) -> Progress? {
    guard force.isFinite else { return nil }
    defer { last = t }
    if let last {
      let pause = t.seconds(since: last)
      guard pause >= 0, pause < Self.longestPause else {
        restart()
        return nil
      }
    }
    let number = t.nanoseconds / Self.binNanoseconds
    var progress: Progress?
    if count > 0, number != binNumber {
      // A sensor slower than the averages holds its value.
      let value = sum / count
      for _ in 0..<(number &- binNumber) { progress = append(value, t) ?? progress }
      (sum, count) = (.zero, 0)
    }
    binNumber = number
    sum += force
    count += 1
    return progress
  }

  /// Clears the window and an unconfirmed walk; reported steps remain.
  private mutating func restart() {
    (sum, count, filled, next, untilHop) = (.zero, 0, 0, 0, Self.hop)
    (vertical, mean, last) = (.zero, 0, nil)
    endWalk()
    for k in 0..<Self.rates { probabilities[k] = 1 / Double(Self.rates) }
  }

  private mutating func endWalk() {
    isWalking = false
    waiting = (0, 0, 0)
  }

  private mutating func append(_ force: SIMD3<Double>, _ t: Timestamp) -> Progress? {
    if vertical == .zero { vertical = force }
    vertical += (force - vertical) * (Self.bin / (parameters.verticalTime + Self.bin))
    let length = vertical.length
    guard length > 0 else { return nil }
    let along = force.dot(vertical) / length - length
    mean += (along - mean) * (Self.bin / (parameters.meanTime + Self.bin))
    ring[next] = along - mean
    next = next + 1 == Self.window ? 0 : next + 1
    filled = min(filled + 1, Self.window)
    untilHop -= 1
    guard untilHop <= 0, filled == Self.window else { return nil }
    untilHop = Self.hop
    let half = UInt64(Self.window / 2) * Self.binNanoseconds
    return judge(at: Timestamp(nanoseconds: t.nanoseconds - min(half, t.nanoseconds)))
  }

  // MARK: A window

  private mutating func judge(at middle: Timestamp) -> Progress {
    let deviation = taperWindow()
    let seconds = Double(Self.hop) * Self.bin
    var progress = Progress(time: middle, steps: 0, activeSeconds: 0)
    guard let rate = followRate(deviation) else {
      endWalk()
      return progress
    }
    let movement = movementInTheMiddle
    let rhythm = shares[rate.index]
    let p = parameters
    let isCertain = movement > p.movement && rhythm > p.rhythm
    guard
      isCertain
        || movement > p.movement * p.movementToContinue && rhythm > p.rhythm * p.rhythmToContinue
    else {
      endWalk()
      return progress
    }
    waiting.steps += rate.hertz * seconds
    waiting.seconds += seconds
    if isCertain { waiting.certain += rate.hertz * seconds }
    isWalking = isWalking || waiting.certain >= p.fewestSteps
    guard isWalking else { return progress }
    (progress.steps, progress.activeSeconds) = (waiting.steps, waiting.seconds)
    progress.cadenceHertz = rate.hertz
    waiting = (0, 0, 0)
    return progress
  }

  /// Fills `tapered`; the standard deviation of the window, m/s².
  private mutating func taperWindow() -> Double {
    var mean = 0.0
    for value in ring { mean += value / Double(Self.window) }
    var (square, weight) = (0.0, 0.0)
    var k = next
    for i in 0..<Self.window {
      let value = ring[k] - mean
      k = k + 1 == Self.window ? 0 : k + 1
      tapered[i] = value * taper[i]
      square += value * value * taper[i]
      weight += taper[i]
    }
    return (square / weight).squareRoot()
  }

  /// The standard deviation of the force in the middle of the window, m/s².
  private var movementInTheMiddle: Double {
    var (sum, square) = (0.0, 0.0)
    for i in (Self.window / 2 - Self.middle)..<(Self.window / 2 + Self.middle) {
      var k = next + i
      if k >= Self.window { k -= Self.window }
      sum += ring[k]
      square += ring[k] * ring[k]
    }
    let n = Double(2 * Self.middle)
    return max(0, square / n - sum * sum / (n * n)).squareRoot()
  }

  /// The rate of steps, if this is a walk; nil in silence.
  private mutating func followRate(_ deviation: Double) -> (hertz: Double, index: Int)? {
    var energy = 0.0
    for value in tapered { energy += value * value }
    guard energy.squareRoot() > Self.silence else { return nil }
    let p = parameters
    var most = 0.0
    for j in 0..<Self.rates {
      let f = hertz[j]
      let (one, two, three) = (line(f), line(2 * f), line(3 * f))
      scores[j] =
        one.squareRoot() + p.overtones * (two.squareRoot() + three.squareRoot())
      // A sine under the taper has the squared amplitude energy x window / 3. The third harmonic is
      // limited: a vibration at three times a rate alone is no walk at that rate.
      let low = one + two
      shares[j] = (low + min(three, 6 * low)) / (energy * Double(Self.window) / 3)
      most = max(most, scores[j])
    }
    let usual = p.usualRate * Double.pow(max(deviation, 0.1), p.usualExponent)
    var total = 0.0
    for j in 0..<Self.rates {
      let below = probabilities[max(j - 1, 0)]
      let above = probabilities[min(j + 1, Self.rates - 1)]
      let stayed = probabilities[j] * (1 - 2 * p.drift) + (below + above) * p.drift
      let away = Double.log(hertz[j] / usual) / p.usualSpread
      moved[j] =
        (stayed * (1 - p.leap) + p.leap / Double(Self.rates))
        * Double.pow(scores[j] / most, p.belief) * Double.exp(-0.5 * away * away)
      total += moved[j]
    }
    guard total > 0 else { return nil }
    var best = 0
    for j in 0..<Self.rates {
      probabilities[j] = moved[j] / total
      if probabilities[j] > probabilities[best] { best = j }
    }
    // Interpolates between the rates of the grid.
    var (weighted, weight) = (0.0, 0.0)
    for j in max(0, best - 2)...min(Self.rates - 1, best + 2) {
      weighted += probabilities[j] * hertz[j]
      weight += probabilities[j]
    }
    return (weighted / weight, best)
  }

  /// The square of the amplitude of the tapered window at a frequency, by Goertzel's recurrence.
  private func line(_ hertz: Double) -> Double {
    guard hertz <= Self.highest else { return 0 }
    let c = 2 * Double.cos(2 * .pi * hertz * Self.bin)
    var (before, last) = (0.0, 0.0)
    for value in tapered {
      let here = value + c * last - before
      (before, last) = (last, here)
    }
    return max(0, last * last + before * before - c * last * before)
  }
}
