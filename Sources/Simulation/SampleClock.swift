import Quantities

/// The instants of a sensor's samples: each tick is computed from its number, without drift.
struct SampleClock: Sendable {
  /// Nanoseconds from the start to the coming sample's instant.
  private(set) var tick: UInt64
  /// Nanoseconds from the start to its arrival.
  var due: UInt64 { tick + latency }

  private let period: Double
  private let first: UInt64
  private let latency: UInt64
  private var index: UInt64 = 0

  /// A sensor that samples from the start on.
  init(rateHertz: Double) {
    period = 1e9 / rateHertz
    (first, latency, tick) = (0, 0, 0)
  }

  /// A receiver, whose epochs fall on multiples of their period within civil time's day.
  init(epochsPerSecond: Double, startUTC: UTCTime, latency seconds: Double) {
    period = 1e9 / epochsPerSecond
    let ofDay = Double(startUTC.nanosecondsOfDay)
    let begun = (ofDay / period).rounded(.up) * period - ofDay
    first = UInt64(bounded: Swift.max(0, begun.rounded()))
    latency = UInt64(bounded: (seconds * 1e9).rounded())
    tick = first
  }

  mutating func advance() {
    index += 1
    tick = first + UInt64(bounded: (Double(index) * period).rounded())
  }
}
