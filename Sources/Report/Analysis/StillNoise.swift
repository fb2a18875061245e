import CalibrationFit
import Quantities

/// The noise of gyroscope and accelerometer while the board lies still.
package struct StillNoise: Sendable {
  /// Samples this near to a motion are not used, s.
  private static let margin = 1.0
  /// A longer step ends a rest, s.
  package static let longestStep = 0.2

  /// The Allan deviation of the rate, degrees a second.
  package private(set) var rate = AllanDeviation()
  /// The Allan deviation of the specific force, m/s².
  package private(set) var force = AllanDeviation()
  /// The number of rests.
  package private(set) var rests = 0

  private var detector: RestPositions
  /// Samples that wait until the margin after them is still too.
  private var waiting: [InertialSample<SensorFrame>] = []
  private var begin = 0
  private var newest: Timestamp?
  private var lastUsed: Timestamp?

  /// No samples.
  package init() {
    var parameters = RestPositions.Parameters()
    // A long rest is one rest.
    parameters.longestRest = .infinity
    parameters.longestStep = Self.longestStep
    parameters.capacity = 1
    detector = RestPositions(parameters: parameters)
  }

  /// Adds a sample.
  package mutating func add(_ sample: InertialSample<SensorFrame>) {
    guard sample.angularRate != nil || sample.specificForce != nil else { return }
    let dt = newest.map { sample.timestamp.seconds(since: $0) }
    newest = sample.timestamp
    detector.update(
      rate: sample.angularRate?.components ?? .zero, force: sample.specificForce?.components,
      seconds: dt ?? 0)
    guard detector.current != nil else {
      if begin < waiting.count || lastUsed != nil { end() }
      return
    }
    waiting.append(sample)
    while begin < waiting.count,
      sample.timestamp.seconds(since: waiting[begin].timestamp) > Self.margin
    {
      use(waiting[begin])
      begin += 1
    }
    if begin > 4096 {
      waiting.removeFirst(begin)
      begin = 0
    }
  }

  private mutating func use(_ sample: InertialSample<SensorFrame>) {
    if lastUsed == nil { rests += 1 }
    let dt = lastUsed.map { sample.timestamp.seconds(since: $0) }
    if let value = sample.angularRate?.components { rate.add(value * (180 / .pi), after: dt) }
    if let value = sample.specificForce?.components { force.add(value, after: dt) }
    lastUsed = sample.timestamp
  }

  private mutating func end() {
    (waiting, begin, lastUsed) = ([], 0, nil)
    rate.interrupt()
    force.interrupt()
  }
}
