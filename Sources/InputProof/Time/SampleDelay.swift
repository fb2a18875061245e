import Quantities
import RealModule

/// The delay of the stamps of an earth vector (gravity, or the field with its iron) relative to the
/// gyroscope's stamps.
///
/// Model: as `RotationRelation`, with right axes, but with the turn of an earlier or later block:
/// the one that explains the changes best, with the offset that fits it best, is the delay. Changes
/// of the turn's rate show it; steady turning does not.
struct SampleDelay: Sendable {
  /// The length of a block, s, and the number of blocks that are tried to each side.
  private static let blockSeconds = 0.1
  private static let reach = 6
  /// Blocks with motion that are judged together.
  private static let window = 150
  /// Least turn or relative change of a block with motion.
  private static let leastTurn = 0.02
  /// Least relative change of gravity in the blocks of a window: the accelerations of a hand change
  /// it by a hundredth.
  private static let leastChangeOfGravity = 0.015
  /// Largest share of the change that the best delay may leave unexplained.
  private static let largestRest = 0.3
  /// The least factor by which the rest grows two blocks beside the best delay: below, the motion
  /// does not show a delay.
  private static let leastContrast = 1.5
  /// Windows in a row that must agree, and their largest difference, s.
  private static let (wanted, agreement) = (3, 0.06)

  private struct Block: Sendable {
    var turn = SIMD3<Double>.zero
    var value = SIMD3<Double>.zero
    var seconds = 0.0
    /// The mean of the value's stamps, from the block's beginning, s.
    var stamp = 0.0
  }

  /// The delay on which windows agree, s; nil before.
  private(set) var seconds: Double?
  private var run = (newest: 0.0, count: 0)

  private var start: Timestamp?
  private var now = Block()
  private var count = 0.0
  /// The newest blocks, a ring, and how many there are.
  private var ring = [Block](repeating: Block(), count: 2 * reach + 2)
  private var filled = 0
  private var next = 0
  /// By the delay, in blocks from -reach to reach.
  private var fits = [Fit](repeating: Fit(), count: 2 * reach + 1)
  private var errors = [Double](repeating: 0, count: 2 * reach + 1)
  private var sums = (change: 0.0, square: 0.0, seconds: 0.0, stamp: 0.0, blocks: 0)
  private let hasOffset: Bool
  /// The value from which all are counted where there is an offset: one near the window.
  private var origin: SIMD3<Double>?

  /// The normal equations of the offset: `change - v x turn = turn x offset`.
  private struct Fit: Sendable {
    var squares = Matrix3.zero
    var products = SIMD3<Double>.zero
    var rest = 0.0

    mutating func add(rest r: SIMD3<Double>, turn w: SIMD3<Double>) {
      squares =
        squares + Matrix3(diagonal: SIMD3(repeating: w.lengthSquared)) + .outer(w, w) * -1
      products += r.cross(w)
      rest += r.lengthSquared
    }

    /// The squared error with the best offset, which is weakly known to be near the origin.
    func error(weight: Double) -> Double {
      let trace = squares[0, 0] + squares[1, 1] + squares[2, 2]
      let known = squares + Matrix3(diagonal: SIMD3(repeating: weight * trace / 3))
      guard weight > 0, let inverse = known.inverse else { return rest }
      return max(0, rest - products.dot(inverse * products))
    }
  }

  /// Weight of the prior of an offset, as a share of the sums.
  private static let offsetWeight = 1e-3

  /// - Parameter hasOffset: Whether the vector has an unknown offset, as a magnetometer's hard
  ///   iron.
  init(hasOffset: Bool) { self.hasOffset = hasOffset }

  /// Adds a turn, rad, that ended at an instant.
  mutating func add(turn: SIMD3<Double>, at t: Timestamp) {
    if start == nil { start = t }
    now.turn += turn
  }

  /// Adds a value of the vector.
  mutating func add(_ value: SIMD3<Double>, at t: Timestamp) {
    guard let start, t >= start else { return }
    if origin == nil { origin = hasOffset ? value : .zero }
    now.value += value - (origin ?? .zero)
    now.stamp += t.seconds(since: start)
    count += 1
  }

  /// A pause: the turn in it is unknown.
  mutating func interrupt() {
    (start, now, count, filled) = (nil, Block(), 0, 0)
  }

  /// Ends the block where it is long enough and has a value.
  mutating func endBlock(at t: Timestamp) {
    guard let start, count > 0 else { return }
    let length = t.seconds(since: start)
    guard length >= Self.blockSeconds else { return }
    now.value /= count
    now.stamp /= count
    now.seconds = length
    ring[next] = now
    next = (next + 1) % ring.count
    filled = min(filled + 1, ring.count)
    (self.start, now, count) = (t, Block(), 0)
    if filled == ring.count { compare() }
  }

  /// Compares the change in the middle of the ring with the turns before and after it.
  private mutating func compare() {
    let middle = Self.reach
    func block(_ i: Int) -> Block { ring[(next + i) % ring.count] }
    let (one, two) = (block(middle), block(middle + 1))
    let (change, vector) = (two.value - one.value, (one.value + two.value) * 0.5)
    let size = (vector + (origin ?? .zero)).length
    guard size > 0 else { return }
    let turn = (one.turn + two.turn) * 0.5
    guard max(turn.length, change.length / size) > Self.leastTurn else { return }
    for lag in -Self.reach...Self.reach {
      let (a, b) = (block(middle - lag), block(middle + 1 - lag))
      let turn = (a.turn + b.turn) * 0.5
      fits[lag + Self.reach].add(rest: change - vector.cross(turn), turn: turn)
    }
    sums.change += change.lengthSquared
    sums.square += size * size
    sums.seconds += one.seconds
    sums.stamp += one.stamp - one.seconds / 2
    sums.blocks += 1
    guard sums.blocks >= Self.window else { return }
    judge()
    for i in fits.indices { fits[i] = Fit() }
    sums = (0, 0, 0, 0, 0)
    if hasOffset, let old = origin {
      let value = two.value
      origin = old + value
      for i in ring.indices { ring[i].value -= value }
    }
  }

  private mutating func judge() {
    for i in fits.indices { errors[i] = fits[i].error(weight: hasOffset ? Self.offsetWeight : 0) }
    var best = 0
    for i in errors.indices where errors[i] < errors[best] { best = i }
    let leastChange = hasOffset ? 0 : Self.leastChangeOfGravity
    guard sums.change > leastChange * leastChange * sums.square, best > 1,
      best < errors.count - 2, errors[best] < Self.largestRest * sums.change,
      min(errors[best - 2], errors[best + 2]) > Self.leastContrast * errors[best]
    else { return }
    // The vertex of the parabola through the best and its neighbours.
    let (left, right) = (errors[best - 1], errors[best + 1])
    let curve = left + right - 2 * errors[best]
    let part = curve > 0 ? (left - right) / (2 * curve) : 0
    let blocks = Double(sums.blocks)
    let delay =
      (Double(best - Self.reach) + part) * sums.seconds / blocks + sums.stamp / blocks
    let isNear = run.count > 0 && abs(delay - run.newest) < Self.agreement
    run = (delay, isNear ? run.count + 1 : 1)
    if run.count >= Self.wanted { seconds = delay }
  }
}
