/// Finds samples at the end of a sensor's range, which is not stated: values that are cut off there are equal to the last digit.
///
/// The largest value of an axis so far, repeated often, is taken for the end of the range until it is exceeded. A sensor at rest
/// with coarse digits looks the same; nothing is lost with its samples. With an oblique mount the values of the board's axes do not
/// repeat, and the end is not found. `FullScaleDetector` also finds tops that calibration has made uneven, from 200 degrees a second
/// and one and a half g on, not those of a field.
struct MeasuringRange: Sendable {
  private struct End: Sendable {
    /// How often the largest value has to come twice in a row: at the peaks of a motion coarse digits repeat a few times.
    private static let wanted = 8
    var value = -Double.infinity
    var repeated = 0

    /// Whether a value, the one before given, is at this end.
    mutating func reaches(_ new: Double, after last: Double) -> Bool {
      if new > value {
        (value, repeated) = (new, 0)
      } else if new == value, last == value {
        repeated = min(repeated + 1, Self.wanted)
      }
      return repeated == Self.wanted && new == value
    }
  }

  private var last = SIMD3<Double>(repeating: .nan)
  private var ends = (End(), End(), End(), End(), End(), End())

  /// Notes a value and says whether it is cut off on any axis.
  mutating func cutsOff(_ new: SIMD3<Double>) -> Bool {
    defer { last = new }
    let x = ends.0.reaches(new.x, after: last.x) || ends.1.reaches(-new.x, after: -last.x)
    let y = ends.2.reaches(new.y, after: last.y) || ends.3.reaches(-new.y, after: -last.y)
    let z = ends.4.reaches(new.z, after: last.z) || ends.5.reaches(-new.z, after: -last.z)
    return x || y || z
  }
}
