internal import CoreLocation
import Foundation
internal import HostProtocol
internal import LinuxIO

/// Receives activities; nil where no source can be opened.
public typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void
/// Receives the activities of a query, or an error.
public typealias CMMotionActivityQueryHandler = ([CMMotionActivity]?, (any Error)?) -> Void

/// Reports the activity when it changes, by inertial unit and receiver.
///
/// Earlier activities are those that a manager of this process has reported, for seven days.
open class CMMotionActivityManager: NSObject {
  private static let histories = PerServices<ActivityHistory>()

  private let updates = Updates<CMMotionActivity>(every: 1)

  /// Makes a manager without updates.
  public override init() { super.init() }

  /// Whether there is a receiver or an accelerometer.
  open class func isActivityAvailable() -> Bool {
    let services = LocationServices.current
    return services.has(\.hasReceiver) || services.measures(.inertia)
  }

  /// Whether the program may use motion data, by the policy for locations.
  open class func authorizationStatus() -> CMAuthorizationStatus {
    LocationServices.current.motionStatus
  }

  /// Starts reporting activities: the present one, then each change.
  open func startActivityUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMMotionActivityHandler
  ) {
    let services = LocationServices.current
    let history = Self.histories.value(of: services) { ActivityHistory() }
    updates.start(queue, { activity, _ in handler(activity) }) { interval, delivery in
      let demand = EstimateDemand(fixes: true, headings: true, headingInterval: interval)
      return EstimateFeed(demand, every: interval) { [clock = services.clock] estimate in
        guard let estimate else { return delivery.fail() }
        let now = clock.now()
        let activity = CMMotionActivity(estimate, receivedAt: now)
        if let last = delivery.latest, !activity.differs(from: last) { return }
        history.add(activity, at: now)
        delivery.deliver(activity)
      }
    }
  }

  /// Ends the reports.
  open func stopActivityUpdates() { updates.stop() }

  /// Answers with the activities of a period, as far as this process has reported them.
  ///
  /// The error is `CMErrorMotionActivityNotAvailable` without a sensor,
  /// `CMErrorMotionActivityNotAuthorized` without access, `CMErrorInvalidParameter` for a period
  /// that ends before it starts.
  open func queryActivityStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMMotionActivityQueryHandler
  ) {
    let services = LocationServices.current
    let fault = services.historyFault(from: start, to: end, isAvailable: Self.isActivityAvailable())
    let history = Self.histories.value(of: services) { ActivityHistory() }
    let found = fault == nil ? history.activities(from: start, to: end) : nil
    let call = ProgramValue(value: handler)
    queue.addOperation { call.value(found, fault) }
  }
}

/// The activities that were reported.
final class ActivityHistory: Sendable {
  private let entries = Locked<[(begin: Date, activity: CMMotionActivity)]>([])

  func add(_ activity: CMMotionActivity, at now: Date) {
    entries.withLock { entries in
      // Another manager, or a start after a stop, reports the same one again.
      if let last = entries.last, last.begin == activity.startDate,
        !activity.differs(from: last.activity)
      {
        return
      }
      entries.append((activity.startDate, activity))
      // An entry ends where the next one begins.
      while entries.count > 1,
        entries[1].begin < now.addingTimeInterval(-LocationServices.historyLength)
      {
        entries.removeFirst()
      }
    }
  }

  /// Those that last within a period.
  func activities(from start: Date, to end: Date) -> [CMMotionActivity] {
    entries.withLock { entries in
      entries.indices.filter { k in
        let isOver = k + 1 < entries.count && entries[k + 1].begin <= start
        return entries[k].begin <= end && !isOver
      }.map { entries[$0].activity }
    }
  }
}
