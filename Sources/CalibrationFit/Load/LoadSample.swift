import Quantities

/// A load at an instant: motor current, throttle, the Pi's own; in a unit of its own.
public struct LoadSample: Equatable, Sendable {
  /// When it was.
  public var timestamp: Timestamp
  /// How large it was.
  public var load: Double

  /// Makes a sample.
  public init(timestamp: Timestamp, load: Double) {
    (self.timestamp, self.load) = (timestamp, load)
  }
}

/// A load as it went, to be asked for any time between its samples.
struct LoadCurve {
  private let seconds: [Double]
  private let loads: [Double]
  /// A pause longer than this tells no load, s.
  private let longestPause: Double

  /// - Parameters:
  ///   - samples: The load, in order of time.
  ///   - origin: The time that counts as zero.
  ///   - longestPause: What longer pauses tell no load, s.
  /// - Throws: `LoadInterferenceError.unusable` for a load that is not a number and for time going back.
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

  /// Half the mean step: what happened within a step is known no better.
  var halfStep: Double {
    guard let first = seconds.first, let last = seconds.last, seconds.count > 1 else { return 0 }
    return (last - first) / Double(seconds.count - 1) / 2
  }

  /// The load at a time, on the straight line between its samples; nil before, after and in a pause.
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
