import Quantities

/// Finds samples at the end of a sensor's range, which is not stated: values that are cut off there
/// are equal to the last digit.
///
/// The largest value of an axis, repeated often, is taken for the end of the range until several
/// samples exceed it: a single one is a glitch. An axis of a few digits, as that of a sensor at
/// rest, has no end. With an oblique mount the values of the board's axes do not repeat, and the
/// end is not found. `FullScaleDetector` also finds tops that calibration has made uneven, from 200
/// degrees a second and one and a half g on, not those of a field.
struct MeasuringRange: Sendable {
  private struct End: Sendable {
    /// How often the largest value has to come twice in a row: at the peaks of a motion coarse
    /// digits repeat a few times.
    private static let wanted = 8
    /// How many larger samples show that it is not the end.
    private static let larger = 3
    private(set) var value = -Double.infinity
    private var repeated = 0
    private var exceeded = (count: 0, least: Double.infinity)

    /// Whether a value of at least `value` is at the end of the range; `last` is the value before.
    mutating func reaches(_ new: Double, after last: Double) -> Bool {
      if new > value {
        exceeded = (exceeded.count + 1, min(exceeded.least, new))
        if exceeded.count == Self.larger || value == -.infinity {
          (value, repeated, exceeded) = (exceeded.least, 0, (0, .infinity))
        }
        return false
      }
      if last == value {
        repeated = min(repeated + 1, Self.wanted)
        exceeded = (0, .infinity)
      }
      return repeated == Self.wanted
    }
  }

  private struct Axis: Sendable {
    private var (above, below) = (End(), End())
    var highest: Double { above.value }
    var lowest: Double { -below.value }

    mutating func cutsOff(_ new: Double, after last: Double, step: Double) -> Bool {
      let isAbove = new >= highest && above.reaches(new, after: last)
      let isBelow = new <= lowest && below.reaches(-new, after: -last)
      return (isAbove || isBelow) && highest - lowest > MeasuringRange.fewDigits * step
    }
  }

  /// A range of fewer digits is that of a sensor at rest.
  private static let fewDigits = 16.0
  private var last = SIMD3<Double>(repeating: .nan)
  /// The smallest change of each axis: one digit.
  private var step = SIMD3(repeating: Double.infinity)
  private var axes = (Axis(), Axis(), Axis())
  private var highest = SIMD3(repeating: -Double.infinity)
  private var lowest = SIMD3(repeating: Double.infinity)

  /// Adds a value; true where it is cut off at the end of the range on any axis.
  mutating func cutsOff(_ new: SIMD3<Double>) -> Bool {
    defer { last = new }
    let change = new - last
    let size = change.replacing(with: -change, where: change .< 0)
    step.replace(with: size, where: (size .< step) .& (size .> 0))
    // Few samples are near an end.
    guard any((new .>= highest) .| (new .<= lowest)) else { return false }
    let x = axes.0.cutsOff(new.x, after: last.x, step: step.x)
    let y = axes.1.cutsOff(new.y, after: last.y, step: step.y)
    let z = axes.2.cutsOff(new.z, after: last.z, step: step.z)
    highest = SIMD3(axes.0.highest, axes.1.highest, axes.2.highest)
    lowest = SIMD3(axes.0.lowest, axes.1.lowest, axes.2.lowest)
    return x || y || z
  }
}
