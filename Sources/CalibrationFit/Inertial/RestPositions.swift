import Quantities

/// Collects rests from gyroscope and accelerometer samples, for guided use: put down, wait, turn
/// over.
///
/// A sample is quiet if neither rate nor force deviates from its low-pass. Quiet samples are summed
/// in blocks of `blockSeconds`. A block is used if the next one is quiet too; the first block after
/// a motion is not used. This excludes the start of a motion and the rocking after it. A rest ends
/// with motion, with a change of the mean force (a turn too slow for the low-pass), and after
/// `longestRest`, so that a warming sensor gives several.
public struct RestPositions: Equatable, Sendable {
  /// The tuning parameters.
  public struct Parameters: Equatable, Sendable {
    /// Time constant of the low-pass, s. Small: slow motion counts as rest; large: rest is detected
    /// late.
    public var timeConstant = 0.5
    /// Deviation of the rate from its low-pass, rad/s. Ten times the noise of a consumer part (0.1
    /// deg/s, MPU-9250, PS-MPU-9250A-01 rev 1.0, table 1).
    public var rateThreshold = 1.0 * Double.pi / 180
    /// Deviation of the specific force, m/s². Six times that part's noise (8 mg, table 2).
    public var forceThreshold = 0.5
    /// Largest rate taken for a bias, rad/s (table 1: ±5 deg/s).
    public var largestBias = 5.0 * Double.pi / 180
    /// Length of a block, s. Small: the last moment before a motion is included; large: a rest
    /// takes longer.
    public var blockSeconds = 0.5
    /// A block whose mean force differs by more from that of the rest ends it, m/s².
    public var driftThreshold = 0.1
    /// Minimum duration of a rest, s.
    public var shortestRest = 2.0
    /// Maximum duration of a rest, s; a new one follows.
    public var longestRest = 30.0
    /// A longer step is a gap, s.
    public var longestStep = 0.6
    /// Maximum number of stored rests; the oldest are removed.
    public var capacity = 256
    /// Rests whose gravity is within this angle are one position.
    public var positionWidth = Angle(degrees: 8)

    /// The default tuning.
    public init() {}
  }

  /// The tuning parameters.
  public let parameters: Parameters
  /// The ended rests, oldest first.
  public private(set) var ended: [RestInterval] = []
  private var level: (rate: SIMD3<Double>, force: SIMD3<Double>?)?
  private var sum = RestSum()
  private var block = RestSum()
  /// The previous block, used if the current one is quiet.
  private var pending = RestSum()
  /// True during the first block after a motion: the board may still rock.
  private var isSettling = true

  /// Makes an empty collection.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// The current rest; nil in motion and before its minimum duration.
  public var current: RestInterval? {
    sum.seconds >= parameters.shortestRest ? sum.interval : nil
  }
  /// All rests including the current one.
  public var rests: [RestInterval] { current.map { ended + [$0] } ?? ended }

  /// The rests with those of one position combined, for `AccelerometerFit`.
  public var positions: [RestInterval] {
    var sums: [RestSum] = []
    for rest in rests {
      guard let force = rest.force else { continue }
      let place = sums.firstIndex {
        $0.meanForce.map { Angle(radians: $0.angle(to: force)) <= parameters.positionWidth }
          ?? false
      }
      if let place { sums[place].add(rest) } else { sums.append(RestSum(rest)) }
    }
    return sums.compactMap { $0.interval }
  }

  /// Adds a sample. One with a number that is not finite ends the rest.
  /// - Parameters:
  ///   - rate: Angular rate, rad/s along the sensor's axes.
  ///   - force: Specific force, m/s² along the sensor's axes; nil without an accelerometer.
  ///   - celsius: The sensor's temperature; nil if it is not reported.
  ///   - dt: Seconds since the previous sample.
  public mutating func update(
    rate: SIMD3<Double>, force: SIMD3<Double>?, celsius: Double? = nil, seconds dt: Double
  ) {
    guard rate.isFinite, force?.isFinite ?? true, dt > 0, dt < parameters.longestStep,
      let before = level
    else {
      level = rate.isFinite && force?.isFinite ?? true ? (rate, force) : nil
      end()
      return
    }
    guard isQuiet(rate, force, before) else {
      // Restart the low-pass here: after a motion it would take seconds to settle.
      level = (rate, force)
      end()
      return
    }
    let gain = dt / (dt + parameters.timeConstant)
    var next = (rate: before.rate + (rate - before.rate) * gain, force: force)
    if let force, let old = before.force { next.force = old + (force - old) * gain }
    level = next
    block.add(rate, force, celsius, dt)
    if block.seconds >= parameters.blockSeconds { closeBlock() }
  }

  private func isQuiet(
    _ rate: SIMD3<Double>, _ force: SIMD3<Double>?,
    _ before: (rate: SIMD3<Double>, force: SIMD3<Double>?)
  ) -> Bool {
    var isForceQuiet = true
    if let force, let old = before.force {
      isForceQuiet = (force - old).length < parameters.forceThreshold
    }
    return isForceQuiet && (rate - before.rate).length < parameters.rateThreshold
      && before.rate.length < parameters.largestBias
  }

  private mutating func closeBlock() {
    guard !isSettling else {
      (isSettling, block) = (false, RestSum())
      return
    }
    if let mean = sum.meanForce, let new = block.meanForce,
      (new - mean).length > parameters.driftThreshold
    {
      end()
      return
    }
    sum.add(pending)
    pending = block
    block = RestSum()
    if sum.seconds >= parameters.longestRest {
      // The rest continues: the pending block starts the next one.
      let rest = pending
      storeRest()
      (sum, pending) = (RestSum(), rest)
    }
  }

  private mutating func end() {
    storeRest()
    (sum, pending, block) = (RestSum(), RestSum(), RestSum())
    isSettling = true
  }

  private mutating func storeRest() {
    guard let rest = current else { return }
    if ended.count >= parameters.capacity { ended.removeFirst() }
    ended.append(rest)
  }

  /// True if all parts are equal.
  public static func == (a: Self, b: Self) -> Bool {
    a.parameters == b.parameters && a.ended == b.ended && a.sum == b.sum && a.block == b.block
      && a.pending == b.pending && a.isSettling == b.isSettling
      && a.level?.rate == b.level?.rate && a.level?.force == b.level?.force
  }
}
