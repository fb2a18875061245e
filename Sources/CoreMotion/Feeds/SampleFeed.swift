internal import CoreLocation
import Foundation
internal import LinuxIO

/// What brings updates until it is released, at an interval that may change meanwhile.
protocol IntervalFeed: Sendable {
  /// The least interval of the updates, seconds; 0 for all.
  func setInterval(_ interval: TimeInterval)
}

/// Samples of some sensors, until it is released.
final class SampleFeed: IntervalFeed {
  private let services = LocationServices.current
  private let kinds: Set<CLSensorKind>
  private let body: @Sendable (CLSensorSample?) -> Void
  private let task = Locked<Task<Void, Never>?>(nil)

  /// Begins to receive.
  /// - Parameters:
  ///   - kinds: The sensors.
  ///   - interval: The least interval of each, seconds; 0 for every sample.
  ///   - body: Receives the samples, and nil where the source cannot be opened.
  init(
    _ kinds: Set<CLSensorKind>, every interval: TimeInterval,
    _ body: @escaping @Sendable (CLSensorSample?) -> Void
  ) {
    (self.kinds, self.body) = (kinds, body)
    setInterval(interval)
  }

  /// Begins to deliver the samples of one sensor.
  convenience init<Item: Sendable>(
    _ kind: CLSensorKind, every interval: TimeInterval, to delivery: Delivery<Item>,
    _ item: @escaping @Sendable (CLSensorSample) -> Item
  ) {
    self.init([kind], every: interval) { sample in
      if let sample { delivery.deliver(item(sample)) } else { delivery.fail() }
    }
  }

  deinit { task.withLock { $0?.cancel() } }

  func setInterval(_ interval: TimeInterval) {
    let samples = CLSensorSample.Samples(
      services: services, kinds: kinds, rate: interval > 0 ? 1 / interval : nil)
    // The new reader listens before the old one ends: the source stays open.
    let reader = samples.makeAsyncIterator()
    let new = Task { [body] in
      var reader = reader
      while let sample = await reader.next(), !Task.isCancelled { body(sample) }
      if !Task.isCancelled { body(nil) }
    }
    task.withLock { task in
      task?.cancel()
      task = new
    }
  }
}
