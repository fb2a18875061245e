import Quantities
import RealModule

/// Compares the filter's vertical with gravity, outside the filter.
///
/// The mean specific force over a window is gravity plus the change of the velocity divided by the
/// window's length, whatever the body did meanwhile. A mean that is far from the filter's vertical,
/// and would have changed the velocity by more than the vehicle can, shows that the filter's tilt
/// is wrong. The window is 10 to 60 s: a large error is detected early, a small one late. Where the
/// tilt is wrong again soon after a correction, the gyroscope is at fault, and gravity shows its
/// error too (`RateByGravity`).
struct GravityTiltCheck: Equatable, Sendable {
  /// The angle between the mean force and the vertical from which they contradict each other, rad.
  private static var leastAngle: Double { 20 * .pi / 180 }
  /// The change of velocity in a minute that no turn or take-off exceeds, m/s: half a turn of an
  /// aircraft at 100 m/s. Where a receiver reports the speed: half a turn at that speed plus
  /// `speedChange`, and at least `leastChange`, that of a fast car.
  private static var largestChange: Double { 250 }
  private static var speedChange: Double { 40 }
  private static var leastChange: Double { 60 }
  /// Time constant with which the greatest speed is forgotten, s.
  private static var speedMemory: Double { 120 }
  /// Length of a block, s, and the number of blocks in the shortest and the longest window.
  private static var blockLength: Double { 5 }
  private static var fewestBlocks: Int { 2 }
  private static var mostBlocks: Int { 12 }
  /// The shortest window, s.
  static var shortestWindow: Double { Double(fewestBlocks) * blockLength }
  /// Time for which a contradiction is reported, s.
  private static var reportTime: Double { 30 }

  /// The force's integral over each block along the filter's axes, m/s; the newest last.
  private var blocks: [SIMD3<Double>] = []
  private var sum = SIMD3<Double>.zero
  private var seconds = 0.0
  /// The angle of the newest contradiction, rad, and its time.
  private var angle = 0.0
  private var contradicted: Timestamp?
  /// The greatest speed lately by a receiver, m/s, and the time of the newest.
  private var speed = 0.0
  private var spedAt: Timestamp?

  /// The gyroscope's error since the newest contradiction or interruption.
  private var gyroscope = RateByGravity()

  /// The result of the comparison where gravity contradicts the filter.
  struct Verdict: Equatable, Sendable {
    /// The direction of the mean force along the filter's axes.
    var force: SIMD3<Double>
    /// The gyroscope's error, body frame, rad/s, from the second contradiction in a row on.
    var rateError: SIMD3<Double>?
  }

  init() { blocks.reserveCapacity(Self.mostBlocks) }

  /// The angle by which the filter's vertical was off, rad; nil if there was no contradiction
  /// lately.
  func contradiction(at now: Timestamp) -> Double? {
    contradicted.flatMap { now.seconds(since: $0) < Self.reportTime ? angle : nil }
  }

  /// Records a receiver's speed, m/s.
  mutating func record(speed newest: Double, at t: Timestamp) {
    let kept = spedAt.map { Double.exp(-max(0, t.seconds(since: $0)) / Self.speedMemory) } ?? 0
    (speed, spedAt) = (max(newest, speed * kept), t)
  }

  /// The change of velocity that contradicts, m/s.
  private func limit(at t: Timestamp) -> Double {
    guard let spedAt, t.seconds(since: spedAt) < Self.speedMemory / 2 else {
      return Self.largestChange
    }
    return max(Self.leastChange, 2 * speed + Self.speedChange)
  }

  /// Adds a sample.
  /// - Parameters:
  ///   - force: The specific force along the filter's axes, third axis down, m/s².
  ///   - f: The same as measured, body frame.
  ///   - w: The angular rate as measured, body frame, rad/s.
  ///   - bias: The filter's gyroscope bias, body frame, rad/s.
  ///   - dt: The time since the sample before, s. A gap begins the windows anew.
  ///   - t: The time of the sample.
  /// - Returns: A contradiction of the vertical, or nil. After one the windows start again.
  mutating func add(
    _ force: SIMD3<Double>, bodyForce f: SIMD3<Double>, rate w: SIMD3<Double>, bias: SIMD3<Double>,
    seconds dt: Double, at t: Timestamp
  ) -> Verdict? {
    guard dt < 1 else {
      interrupt()
      return nil
    }
    gyroscope.add(force: f, rate: w, seconds: dt)
    sum += force * dt
    seconds += dt
    guard seconds >= Self.blockLength else { return nil }
    if blocks.count == Self.mostBlocks { blocks.removeFirst() }
    blocks.append(sum)
    (sum, seconds) = (.zero, 0)
    var whole = SIMD3<Double>.zero
    let limit = limit(at: t)
    for k in 1...blocks.count {
      whole += blocks[blocks.count - k]
      guard k >= Self.fewestBlocks else { continue }
      let sideways = (whole.x * whole.x + whole.y * whole.y).squareRoot()
      let tilt = Double.atan2(y: sideways, x: -whole.z)
      // Upside down the sideways part is small: the whole deviation from gravity counts.
      let gravity = StrapdownFilter.gravity * Double(k) * Self.blockLength
      let change = (whole + SIMD3(0, 0, gravity)).length
      if tilt > Self.leastAngle, change > limit {
        let isRepeated = contradiction(at: t) != nil
        let verdict = Verdict(
          force: whole, rateError: isRepeated ? gyroscope.error(besides: bias) : nil)
        (angle, contradicted) = (tilt, t)
        interrupt()
        return verdict
      }
    }
    return nil
  }

  /// Begins the windows anew.
  mutating func interrupt() {
    blocks.removeAll(keepingCapacity: true)
    (sum, seconds) = (.zero, 0)
    gyroscope = RateByGravity()
  }

  mutating func code(_ c: inout StateCoder) {
    var count = UInt64(blocks.count)
    c.code(&count)
    // A broken word must not allocate.
    let kept = Int(min(count, UInt64(Self.mostBlocks)))
    while blocks.count > kept { blocks.removeLast() }
    while blocks.count < kept { blocks.append(.zero) }
    for i in 0..<kept { c.code(&blocks[i]) }
    c.code(&sum)
    c.code(&seconds)
    gyroscope.code(&c)
    c.code(&angle)
    c.code(&contradicted)
    c.code(&speed)
    c.code(&spedAt)
  }
}
