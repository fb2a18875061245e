import Quantities
import RealModule

/// Compares the filter's vertical with gravity, outside the filter.
///
/// The mean specific force over a window is gravity and the change of the velocity over its length, whatever the body did
/// meanwhile. A mean that is far from the filter's vertical, and would have changed the velocity by more than any vehicle does, shows
/// that the filter's tilt is wrong. The window is 10 to 60 s: a large error is seen early, a small one late.
struct GravityWitness: Equatable, Sendable {
  /// The angle between the mean force and the vertical from which they contradict each other, rad.
  private static var leastAngle: Double { 20 * .pi / 180 }
  /// The change of velocity that a vehicle does not exceed in a minute, m/s: a jet that takes off reaches 80 at 15 degrees.
  private static var largestChange: Double { 60 }
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
  /// The angle of the newest contradiction, rad, and the time since.
  private var angle = 0.0
  private var age = Double.infinity

  init() { blocks.reserveCapacity(Self.mostBlocks) }

  /// The angle by which the filter's vertical was off, rad; nil if there was no contradiction lately.
  var contradiction: Double? { age < Self.reportTime ? angle : nil }

  /// Adds a sample.
  /// - Parameters:
  ///   - force: The specific force along the filter's axes, third axis down, m/s².
  ///   - dt: The time since the sample before, s. A gap begins the windows anew.
  /// - Returns: The direction of the mean force where it contradicts the vertical. The windows then begin anew.
  mutating func add(_ force: SIMD3<Double>, seconds dt: Double) -> SIMD3<Double>? {
    age += dt
    guard dt < 1 else {
      interrupt()
      return nil
    }
    sum += force * dt
    seconds += dt
    guard seconds >= Self.blockLength else { return nil }
    if blocks.count == Self.mostBlocks { blocks.removeFirst() }
    blocks.append(sum)
    (sum, seconds) = (.zero, 0)
    var whole = SIMD3<Double>.zero
    for k in 1...blocks.count {
      whole += blocks[blocks.count - k]
      guard k >= Self.fewestBlocks else { continue }
      let sideways = (whole.x * whole.x + whole.y * whole.y).squareRoot()
      let tilt = Double.atan2(y: sideways, x: -whole.z)
      // Upside down the sideways part is small: the whole deviation from gravity counts.
      let gravity = StrapdownFilter.gravity * Double(k) * Self.blockLength
      let change = (whole + SIMD3(0, 0, gravity)).length
      if tilt > Self.leastAngle, change > Self.largestChange {
        (angle, age) = (tilt, 0)
        interrupt()
        return whole
      }
    }
    return nil
  }

  /// Begins the windows anew.
  mutating func interrupt() {
    blocks.removeAll(keepingCapacity: true)
    (sum, seconds) = (.zero, 0)
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
    c.code(&angle)
    c.code(&age)
  }
}
