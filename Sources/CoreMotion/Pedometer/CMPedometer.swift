internal import CoreLocation
import Foundation
internal import LinuxIO
internal import Observers

/// Receives what someone on foot did, or an error.
public typealias CMPedometerHandler = (CMPedometerData?, (any Error)?) -> Void
/// Receives pauses and resumptions, or an error.
public typealias CMPedometerEventHandler = (CMPedometerEvent?, (any Error)?) -> Void

/// Counts steps by the accelerometer, with the distance by a receiver or else by the cadence, and
/// floors by a barometer.
///
/// Counting begins with the first update or query of any pedometer of the process and lasts while
/// the pedometer exists; what other processes or earlier runs have seen is not known. Handlers run
/// on a serial queue of the pedometer. What has happened is known after about two seconds.
open class CMPedometer: NSObject {
  private static let histories = PerServices<StepHistory>()

  private struct Use: Sendable {
    var counting: StepHistory.Counting?
    var updates: Observation?
    var events: Observation?
  }
  private let use = Locked(Use())
  private let handlers = HandlerQueue()

  /// Makes a pedometer that does not count yet.
  public override init() { super.init() }

  /// Whether there is an accelerometer.
  open class func isStepCountingAvailable() -> Bool { LocationServices.current.measures(.inertia) }
  /// The same: without a receiver the distance follows from the steps.
  open class func isDistanceAvailable() -> Bool { isStepCountingAvailable() }
  /// Whether there are an accelerometer and a barometer.
  open class func isFloorCountingAvailable() -> Bool {
    isStepCountingAvailable() && LocationServices.current.measures(.pressure)
  }
  /// Whether there is an accelerometer.
  open class func isPaceAvailable() -> Bool { isStepCountingAvailable() }
  /// Whether there is an accelerometer.
  open class func isCadenceAvailable() -> Bool { isStepCountingAvailable() }
  /// Whether there is an accelerometer.
  open class func isPedometerEventTrackingAvailable() -> Bool { isStepCountingAvailable() }

  /// Whether the program may use motion data, by the policy for locations.
  open class func authorizationStatus() -> CMAuthorizationStatus {
    LocationServices.current.motionStatus
  }

  /// Answers with the data of a period, as far as this process has seen it.
  open func queryPedometerData(
    from start: Date, to end: Date, withHandler handler: @escaping CMPedometerHandler
  ) {
    guard let history = history(from: start, to: end, for: handler) else { return }
    let data = CMPedometerData(
      history.values(from: start, to: end, hasBarometer: Self.isFloorCountingAvailable()))
    handlers.call(handler, data, nil)
  }

  /// Starts reporting the data since a date, now and whenever they change.
  open func startUpdates(from start: Date, withHandler handler: @escaping CMPedometerHandler) {
    guard let history = history(from: start, to: start, for: handler) else { return }
    let hasBarometer = Self.isFloorCountingAvailable()
    let handler = ProgramValue(value: handler)
    let known = history.values(
      from: start, to: LocationServices.current.clock.now(), hasBarometer: hasBarometer)
    if known.steps > 0 { handlers.call(handler.value, CMPedometerData(known), nil) }
    let observation = history.observe { [handlers, weak history] news in
      guard let history else { return }
      switch news {
      case .progress(let end, let cadence, let speed):
        var values = history.values(from: start, to: end, hasBarometer: hasBarometer)
        values.currentCadence = cadence
        values.currentPace = speed.flatMap { $0 > 0 ? 1 / $0 : nil }
        handlers.call(handler.value, CMPedometerData(values), nil)
      case .fault(let error): handlers.call(handler.value, nil, error)
      case .event: break
      }
    }
    replace(\.updates, observation)
  }

  /// Ends the reports. Counting goes on for queries.
  open func stopUpdates() { replace(\.updates, nil) }

  /// Starts reporting pauses and resumptions from now on.
  open func startEventUpdates(handler: @escaping CMPedometerEventHandler) {
    guard let history = history(for: handler) else { return }
    let handler = ProgramValue(value: handler)
    let observation = history.observe { [handlers] news in
      switch news {
      case .event(let type, let date):
        handlers.call(handler.value, CMPedometerEvent(type, at: date), nil)
      case .fault(let error): handlers.call(handler.value, nil, error)
      case .progress: break
      }
    }
    replace(\.events, observation)
  }

  /// Ends the reports of events.
  open func stopEventUpdates() { replace(\.events, nil) }

  /// The old one is released outside the lock: with it goes the program's handler, and what it owns
  /// may call this pedometer at its end.
  private func replace(_ part: WritableKeyPath<Use, Observation?> & Sendable, _ new: Observation?) {
    _ = use.withLock { use in
      defer { use[keyPath: part] = new }
      return use[keyPath: part]
    }
  }

  /// The history, which counts from now on; nil after reporting an error to the handler.
  private func history<Item: Sendable>(
    from start: Date = .unknown, to end: Date = .unknown,
    for handler: @escaping (Item?, (any Error)?) -> Void
  ) -> StepHistory? {
    let services = LocationServices.current
    let isAvailable = Self.isStepCountingAvailable()
    if let fault = services.historyFault(from: start, to: end, isAvailable: isAvailable) {
      handlers.call(handler, nil, fault)
      return nil
    }
    let history = Self.histories.value(of: services) { StepHistory() }
    let counting = history.count()
    _ = use.withLock { use in
      defer { use.counting = counting }
      return use.counting
    }
    return history
  }
}

/// Calls a program's handlers one after the other.
private final class HandlerQueue: Sendable {
  private let queue = OperationQueue()

  init() { queue.maxConcurrentOperationCount = 1 }

  func call<Item: Sendable>(
    _ handler: @escaping (Item?, (any Error)?) -> Void, _ item: Item?, _ error: NSError?
  ) {
    let handler = ProgramValue(value: handler)
    queue.addOperation { handler.value(item, error) }
  }
}
