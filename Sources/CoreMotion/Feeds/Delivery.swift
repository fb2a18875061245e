internal import CoreLocation
import Foundation
internal import LinuxIO

/// The latest value for a program that polls, and the program's handler.
final class Delivery<Item: Sendable>: Sendable {
  typealias Handler = (Item?, (any Error)?) -> Void

  private let services = LocationServices.current
  private let queue: OperationQueue?
  private let handler: ProgramValue<Handler>?
  private let kept = Locked<Item?>(nil)

  init(_ queue: OperationQueue?, _ handler: Handler?) {
    self.queue = queue
    self.handler = handler.map { ProgramValue(value: $0) }
  }

  /// The newest value.
  var latest: Item? { kept.withLock { $0 } }

  func deliver(_ item: Item) {
    kept.withLock { $0 = item }
    call(item, nil)
  }

  /// Reports that no source can be opened.
  func fail() { fail(services.motionFault) }

  /// Reports an error.
  func fail(_ error: NSError) { call(nil, error) }

  private func call(_ item: Item?, _ error: NSError?) {
    guard let queue, let handler else { return }
    queue.addOperation { handler.value(item, error) }
  }
}

/// The updates of one kind that a program starts and stops, with an interval that it may change at
/// any time.
final class Updates<Item: Sendable>: Sendable {
  /// Starts what feeds a delivery.
  typealias Source = (TimeInterval, Delivery<Item>) -> any IntervalFeed

  private struct State {
    var interval: TimeInterval
    var delivery: Delivery<Item>?
    // Ends when it is released.
    var feed: (any IntervalFeed)?
  }
  private let state: Locked<State>

  init(every interval: TimeInterval) { state = Locked(State(interval: interval)) }

  var isActive: Bool { state.withLock { $0.feed != nil } }
  var latest: Item? { state.withLock { $0.delivery }?.latest }

  /// The least interval, seconds; 0 for all. While updates run it is theirs at once.
  var interval: TimeInterval {
    get { state.withLock { $0.interval } }
    set {
      let feed = state.withLock { state in
        state.interval = newValue
        return state.feed
      }
      feed?.setInterval(newValue)
    }
  }

  /// Starts the updates, in place of those that run.
  func start(
    _ queue: OperationQueue? = nil, _ handler: Delivery<Item>.Handler? = nil, _ source: Source
  ) {
    let delivery = Delivery(queue, handler)
    let feed = source(interval, delivery)
    replace(delivery, feed)
  }

  func stop() { replace(nil, nil) }

  /// The old ones are released outside the lock: with them goes the program's handler, and what it
  /// owns may call this object at its end.
  private func replace(_ delivery: Delivery<Item>?, _ feed: (any IntervalFeed)?) {
    _ = state.withLock { state in
      defer { (state.delivery, state.feed) = (delivery, feed) }
      return (state.delivery, state.feed)
    }
  }
}
