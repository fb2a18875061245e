internal import CoreLocation
import Foundation
internal import HostProtocol
internal import LinuxIO
internal import Quantities

/// How certain an activity is.
public enum CMMotionActivityConfidence: Int, Sendable {
  /// A probability below 0.7.
  case low = 0
  /// From 0.7 on.
  case medium = 1
  /// From 0.9 on.
  case high = 2
}

/// What moves the device. Several properties may be true, as in a car that stands, or none.
open class CMMotionActivity: CMLogItem, @unchecked Sendable {
  /// How certain it is.
  public let confidence: CMMotionActivityConfidence
  /// When it began.
  public let startDate: Date
  /// The motion is not known, or of another kind, as on the water.
  public let unknown: Bool
  /// The device stays where it is.
  public let stationary: Bool
  /// On foot.
  public let walking: Bool
  /// On foot, running.
  public let running: Bool
  /// In a vehicle on land.
  public let automotive: Bool
  /// On a bicycle.
  public let cycling: Bool

  init(_ estimate: Estimate, receivedAt now: Date) {
    let state = estimate.motionState
    let probability = estimate.motionProbability ?? 0
    confidence = probability >= 0.9 ? .high : probability >= 0.7 ? .medium : .low
    let instant = estimate.utc.map { Date(timeIntervalSince1970: $0.secondsSince1970) } ?? now
    let since = estimate.motionSince ?? estimate.timestamp
    startDate = instant.addingTimeInterval(-estimate.timestamp.seconds(since: since))
    unknown = state == nil || state == .onWater
    let halts = estimate.speedMetresPerSecond.map { $0 < 0.3 } ?? false
    stationary = state == .stationary || state == .driving && halts
    walking = state == .walking
    running = state == .running
    automotive = state == .driving
    cycling = state == .cycling
    super.init(timestamp: estimate.timestamp.seconds)
  }

  /// Whether another activity differs in more than its time.
  func differs(from other: CMMotionActivity) -> Bool {
    (unknown, stationary, walking, running, automotive, cycling)
      != (
        other.unknown, other.stationary, other.walking, other.running, other.automotive,
        other.cycling
      )
      || confidence != other.confidence
  }
}

/// Receives activities; nil where no source can be opened.
public typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void
/// Receives the activities of a query, or an error.
public typealias CMMotionActivityQueryHandler = ([CMMotionActivity]?, (any Error)?) -> Void

/// Reports the activity when it changes, by inertial unit and receiver. Earlier activities are not
/// stored.
open class CMMotionActivityManager: NSObject {
  private static let interval: TimeInterval = 1

  private let feed = Locked<EstimateFeed?>(nil)

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
    let delivery = Delivery<CMMotionActivity>(queue) { activity, _ in handler(activity) }
    let demand = EstimateDemand(fixes: true, headings: true, headingInterval: Self.interval)
    let started = EstimateFeed(demand, every: Self.interval) { estimate in
      guard let estimate else { return delivery.fail() }
      let activity = CMMotionActivity(estimate, receivedAt: Date())
      if let last = delivery.latest, !activity.differs(from: last) { return }
      delivery.deliver(activity)
    }
    feed.withLock { $0 = started }
  }

  /// Ends the reports.
  open func stopActivityUpdates() { feed.withLock { $0 = nil } }

  /// Answers with `CMErrorMotionActivityNotAvailable`: no history is stored.
  open func queryActivityStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMMotionActivityQueryHandler
  ) {
    let call = ProgramValue(value: handler)
    queue.addOperation {
      let reason = "no history of activities is stored; use startActivityUpdates(to:withHandler:)"
      call.value(
        nil,
        NSError(
          domain: CMErrorDomain, code: Int(CMErrorMotionActivityNotAvailable.rawValue),
          userInfo: [NSLocalizedDescriptionKey: reason]))
    }
  }
}
