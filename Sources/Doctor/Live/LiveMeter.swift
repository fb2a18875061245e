import Quantities

/// Collects the samples of an observation.
package struct LiveMeter: Sendable {
  /// How long the first sample may take, seconds: chips start, for up to 0.7 s by their data sheets,
  /// and a daemon answers the demand.
  private static let startTime = 1.0

  private var streams: [LiveHealth.Kind: LiveHealth.Stream] = [:]
  private var lastTimes: [LiveHealth.Kind: Timestamp] = [:]
  private var lastValues: [LiveHealth.Kind: SIMD3<Double>] = [:]
  private var rate = FullScaleDetector(least: FullScaleDetector.leastRate)
  private var force = FullScaleDetector(least: FullScaleDetector.leastForce)
  private let start: Timestamp

  /// Begins at an instant of the monotonic clock.
  package init(start: Timestamp) { self.start = start }

  /// Adds the samples of one instant; `now` is when they arrived.
  package mutating func add(_ samples: SensorSamples, now: Timestamp) {
    if let inertial = samples.inertial {
      let turn = inertial.angularRate?.components
      let push = inertial.specificForce?.components
      var isSaturated = false
      if let turn, rate.add(turn) != .zero { isSaturated = true }
      if let push, force.add(push) != .zero { isSaturated = true }
      add(.inertialUnit, push ?? turn ?? .zero, now)
      if isSaturated { streams[.inertialUnit, default: .init()].saturated += 1 }
    }
    if let field = samples.field?.field {
      add(.magnetometer, field.components, now)
      let largest = streams[.magnetometer]?.largestField ?? 0
      streams[.magnetometer, default: .init()].largestField = max(largest, field.magnitude)
    }
    if let pressure = samples.pressure {
      add(.barometer, SIMD3(pressure.hectopascal, pressure.celsius ?? 0, 0), now)
    }
  }

  private mutating func add(_ kind: LiveHealth.Kind, _ value: SIMD3<Double>, _ now: Timestamp) {
    var stream = streams[kind] ?? LiveHealth.Stream()
    stream.count += 1
    stream.longestGap = max(stream.longestGap, gap(of: kind, until: now))
    if let last = lastValues[kind], last != value { stream.varies = true }
    (lastTimes[kind], lastValues[kind], streams[kind]) = (now, value, stream)
  }

  /// The time without a sample up to an instant, seconds; 0 while a chip may still start.
  private func gap(of kind: LiveHealth.Kind, until now: Timestamp) -> Double {
    if let last = lastTimes[kind] { return now.seconds(since: last) }
    let seconds = now.seconds(since: start)
    return seconds > Self.startTime ? seconds : 0
  }

  /// The observation up to an instant.
  /// - Parameters:
  ///   - end: The end of the observation.
  ///   - expected: The sensors that the source has.
  /// - Returns: A stream for each of them, without samples where none came.
  package func health(
    until end: Timestamp, expected: Set<LiveHealth.Kind>
  ) -> LiveHealth {
    var health = LiveHealth(seconds: end.seconds(since: start))
    for kind in LiveHealth.Kind.allCases where expected.contains(kind) || streams[kind] != nil {
      var stream = streams[kind] ?? LiveHealth.Stream()
      stream.longestGap = max(stream.longestGap, gap(of: kind, until: end))
      health.streams[kind] = stream
    }
    return health
  }
}
