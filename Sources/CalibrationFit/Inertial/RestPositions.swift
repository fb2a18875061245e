import Quantities

/// Gathers rests from what gyroscope and accelerometer say, for guided use: put down, wait, turn over.
///
/// A sample is quiet where neither rate nor force strays from its low-pass. Quiet samples gather in blocks
/// of `blockSeconds`; a block counts once the one after it is quiet too, and the first after a motion does
/// not, so that neither the beginning of a motion nor the rocking after it gets in. A rest ends with motion, with a force that has left its mean (a turn too
/// slow to stray from a low-pass), and after `longestRest`, so that a warming sensor gives several.
public struct RestPositions: Equatable, Sendable {
  /// The tuning.
  public struct Parameters: Equatable, Sendable {
    /// Time constant of the low-pass, s. Small: slow motion counts as rest; large: rest is seen late.
    public var timeConstant = 0.5
    /// Deviation of the rate from its low-pass, rad/s. Ten times the noise of a consumer part (0.1 deg/s,
    /// MPU-9250, PS-MPU-9250A-01 rev 1.0, table 1).
    public var rateThreshold = 1.0 * Double.pi / 180
    /// Deviation of the specific force, m/s². Six times that part's noise (8 mg, table 2).
    public var forceThreshold = 0.5
    /// Largest rate taken for a bias, rad/s (table 1: ±5 deg/s).
    public var largestBias = 5.0 * Double.pi / 180
    /// Length of a block, s. Small: the last moment before a motion gets in; large: a rest takes longer.
    public var blockSeconds = 0.5
    /// A block whose mean force is farther than this from the rest's ends it, m/s².
    public var driftThreshold = 0.1
    /// A rest that is shorter is none, s.
    public var shortestRest = 2.0
    /// A rest that is longer becomes another one, s.
    public var longestRest = 30.0
    /// A step that is longer says nothing of the time between, s.
    public var longestStep = 0.6
    /// No more rests than this are kept, the newest.
    public var capacity = 256
    /// Rests with gravity within this angle are one position.
    public var positionWidth = Angle(degrees: 8)

    /// The default tuning.
    public init() {}
  }

  /// The tuning.
  public let parameters: Parameters
  /// The rests that have ended, oldest first.
  public private(set) var ended: [RestInterval] = []
  private var level: (rate: SIMD3<Double>, force: SIMD3<Double>?)?
  private var sum = RestSum()
  private var block = RestSum()
  /// The block before, which waits for this one to be quiet.
  private var waiting = RestSum()
  /// True while the first block after a motion goes on: the board may still rock.
  private var isSettling = true

  /// Positions of which none is known.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// The rest that goes on; nil in motion and before it has lasted.
  public var current: RestInterval? {
    sum.seconds >= parameters.shortestRest ? sum.interval : nil
  }
  /// All rests, the one that goes on too.
  public var rests: [RestInterval] { current.map { ended + [$0] } ?? ended }

  /// The rests with all that lie alike in one, as an `AccelerometerFit` wants them.
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

  /// Takes a sample that held for so long. One that is not a number ends the rest.
  /// - Parameters:
  ///   - rate: Angular rate, rad/s along the sensor's axes.
  ///   - force: Specific force, m/s² along the sensor's axes; nil without an accelerometer.
  ///   - celsius: The sensor's temperature, where it is told.
  ///   - dt: Seconds since the sample before.
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
      // Anew from here: a low-pass full of motion would take seconds to come to rest.
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
    sum.add(waiting)
    waiting = block
    block = RestSum()
    if sum.seconds >= parameters.longestRest {
      // The rest goes on: what waits begins the next one.
      let rest = waiting
      keep()
      (sum, waiting) = (RestSum(), rest)
    }
  }

  private mutating func end() {
    keep()
    (sum, waiting, block) = (RestSum(), RestSum(), RestSum())
    isSettling = true
  }

  private mutating func keep() {
    guard let rest = current else { return }
    if ended.count >= parameters.capacity { ended.removeFirst() }
    ended.append(rest)
  }

  /// Equal where every part is.
  public static func == (a: Self, b: Self) -> Bool {
    a.parameters == b.parameters && a.ended == b.ended && a.sum == b.sum && a.block == b.block
      && a.waiting == b.waiting && a.isSettling == b.isSettling
      && a.level?.rate == b.level?.rate && a.level?.force == b.level?.force
  }
}
