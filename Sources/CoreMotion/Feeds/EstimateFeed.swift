internal import CoreLocation
import Foundation
internal import HostProtocol
internal import LinuxIO
internal import Quantities

/// Estimates of the fusion, until it is released.
final class EstimateFeed: IntervalFeed {
  private let services = LocationServices.current
  private let consumer: Consumer

  /// Begins to receive.
  /// - Parameters:
  ///   - demand: What is needed.
  ///   - interval: The least interval, seconds; 0 for every estimate.
  ///   - body: Receives the estimates, and nil where the source cannot be opened.
  init(
    _ demand: EstimateDemand, every interval: TimeInterval,
    _ body: @escaping @Sendable (Estimate?) -> Void
  ) {
    consumer = Consumer(demand, interval, body)
    services.attach(consumer)
  }

  deinit {
    consumer.end()
    services.detach(consumer)
  }

  func setInterval(_ interval: TimeInterval) { consumer.setInterval(interval) }

  private final class Consumer: EstimateConsumer {
    /// An estimate may be early by this share of the interval.
    private static let tolerance = 0.1

    let demand: EstimateDemand
    private let body: @Sendable (Estimate?) -> Void
    private let state: Locked<State>

    private struct State {
      var interval: TimeInterval
      var isActive = true
      var last: Timestamp?
    }

    init(
      _ demand: EstimateDemand, _ interval: TimeInterval,
      _ body: @escaping @Sendable (Estimate?) -> Void
    ) {
      (self.demand, self.body) = (demand, body)
      state = Locked(State(interval: interval))
    }

    func end() { state.withLock { $0.isActive = false } }
    func setInterval(_ interval: TimeInterval) { state.withLock { $0.interval = interval } }

    var isActive: Bool { state.withLock { $0.isActive } }
    func sourceReady(hasReceiver: Bool, known: CLLocation?, latest: Estimate?) {}
    func sourceFailed(_ error: CLError) { if isActive { body(nil) } }
    func authorizationIsKnown(_ status: CLAuthorizationStatus) {}

    func receive(_ estimate: Estimate, fix: CLLocation?, at now: Date) {
      let isDue = state.withLock { state in
        guard state.isActive else { return false }
        if let last = state.last, estimate.timestamp >= last,
          estimate.timestamp.seconds(since: last) < state.interval * (1 - Self.tolerance)
        {
          return false
        }
        state.last = estimate.timestamp
        return true
      }
      if isDue { body(estimate) }
    }
  }
}
