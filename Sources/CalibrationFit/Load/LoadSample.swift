import Quantities

/// A load at one time: motor current, throttle, the Pi's own load; in any unit.
public struct LoadSample: Equatable, Sendable {
  /// The time.
  public var timestamp: Timestamp
  /// The load.
  public var load: Double

  /// Makes a sample.
  public init(timestamp: Timestamp, load: Double) {
    (self.timestamp, self.load) = (timestamp, load)
  }
}

/// A load as a function of time.
struct LoadCurve {
  private let seconds: [Double]
  private let loads: [Double]
  /// Maximum interval between samples for interpolation, s.
  private let longestPause: Double

  /// - Parameters:
  ///   - samples: The load, in order of time.
  ///   - origin: The zero of time.
  ///   - longestPause: The maximum interval between samples for interpolation, s.
  /// - Throws: `LoadInterferenceError.unusable` for a load that is not finite and for time that
  ///   goes back.
  init(
    _ samples: [LoadSample], origin: Timestamp, longestPause: Double
  ) throws(LoadInterferenceError) {
    var last: Timestamp?
    for sample in samples {
      guard sample.load.isFinite, last.map({ $0 < sample.timestamp }) ?? true else {
        throw .unusable
      }
      last = sample.timestamp
    }
    seconds = samples.map { $0.timestamp.seconds(since: origin) }
    loads = samples.map { $0.load }
    self.longestPause = longestPause
  }

  /// Half the mean interval: the resolution of the load's timing.
  var halfStep: Double {
    guard let first = seconds.first, let last = seconds.last, seconds.count > 1 else { return 0 }
    return (last - first) / Double(seconds.count - 1) / 2
  }

  /// The load at a time, interpolated linearly; nil before, after and in a gap.
  func load(at time: Double) -> Double? {
    var (low, high) = (0, seconds.count)
    while low < high {
      let middle = (low + high) / 2
      if seconds[middle] <= time { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    guard low < seconds.count else { return seconds[low - 1] == time ? loads[low - 1] : nil }
    let step = seconds[low] - seconds[low - 1]
    guard step <= longestPause else { return nil }
    let share = (time - seconds[low - 1]) / step
    return loads[low - 1] + (loads[low] - loads[low - 1]) * share
  }
}
