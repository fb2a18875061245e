import Quantities
import RealModule

/// Detects a gyroscope of which an axis has stopped: its value stays the same to the last bit while
/// the field turns about it.
///
/// The output of a gyroscope at rest changes by its noise, but a coarse output may stay the same.
/// So the turn that the field shows and the gyroscope does not decides. A passing magnet changes
/// the field's strength too, a turn does not.
public struct RateSensorWatch: Sendable {
  /// The turn about an unchanged axis, by the field, from which the axis has stopped, rad.
  private static var stoppedTurn: Double { 15 * .pi / 180 }
  /// Number of equal values in a row that is neither chance nor a moment at the limit.
  static var fewestEqual: Int { 20 }
  /// Largest change of the field's strength in a turn, as a share: iron that is not calibrated.
  private static var sameStrength: Double { 0.15 }
  /// Least part of the field across an axis, as a share, that shows a turn about it.
  private static var leastAcross: Double { 0.3 }
  /// A longer interval between two fields or rates is a gap, s.
  private static var longestStep: Double { 1 }

  private var rate: (value: SIMD3<Double>, at: Timestamp)?
  private var field: (value: SIMD3<Double>, at: Timestamp)?
  /// The measured turn since the newest field, rad.
  private var turned = SIMD3<Double>.zero
  private var axes = (Axis(), Axis(), Axis())

  /// Makes a watch without samples.
  public init() {}

  /// True while an axis has stopped.
  public var hasStopped: Bool { axes.0.hasStopped || axes.1.hasStopped || axes.2.hasStopped }

  /// Adds a rate along the sensor's own axes, rad/s.
  public mutating func add(rate w: SIMD3<Double>, at t: Timestamp) {
    defer { rate = (w, t) }
    guard let before = rate else { return }
    let dt = t.seconds(since: before.at)
    if dt > Self.longestStep { field = nil }
    if dt > 0, dt <= Self.longestStep { turned += (w + before.value) * (dt / 2) }
    axes.0.add(isSame: w.x == before.value.x)
    axes.1.add(isSame: w.y == before.value.y)
    axes.2.add(isSame: w.z == before.value.z)
  }

  /// Adds a field, calibrated, along the same axes, microtesla.
  public mutating func add(field m: SIMD3<Double>, at t: Timestamp) {
    defer { (field, turned) = ((m, t), .zero) }
    // While no axis repeats its value, nothing is computed.
    guard axes.0.isKept || axes.1.isKept || axes.2.isKept, m.isFinite, let before = field
    else { return }
    let dt = t.seconds(since: before.at)
    guard dt > 0, dt <= Self.longestStep else { return }
    let middle = (m + before.value) * 0.5
    // The change of the field that the measured turn does not explain.
    let rest = m - before.value + turned.cross(middle)
    let strength = m.length
    func angle(about axis: SIMD3<Double>) -> Double? {
      let across = axis.cross(middle)
      let square = across.lengthSquared
      guard square > (Self.leastAcross * strength).squared else { return nil }
      return -rest.dot(across) / square
    }
    if let turn = angle(about: SIMD3(1, 0, 0)) { axes.0.add(turn, strength: strength) }
    if let turn = angle(about: SIMD3(0, 1, 0)) { axes.1.add(turn, strength: strength) }
    if let turn = angle(about: SIMD3(0, 0, 1)) { axes.2.add(turn, strength: strength) }
  }

  /// The turn about an axis since its value has changed.
  private struct Axis: Sendable {
    private var count = 0
    private var turn = 0.0
    private var (least, most) = (0.0, 0.0)
    private var firstStrength: Double?
    private(set) var hasStopped = false
    /// Whether the value has stayed the same for long enough to be judged.
    var isKept: Bool { count >= RateSensorWatch.fewestEqual }

    mutating func add(isSame: Bool) {
      if isSame { count += 1 } else { self = Axis() }
    }

    mutating func add(_ more: Double, strength: Double) {
      guard isKept else { return }
      let first = firstStrength ?? strength
      firstStrength = first
      turn += more
      (least, most) = (min(least, turn), max(most, turn))
      let hasTurned = most - least > RateSensorWatch.stoppedTurn
      if hasTurned, abs(strength - first) < RateSensorWatch.sameStrength * first {
        hasStopped = true
      }
    }
  }
}
