internal import CoreLocation
import Foundation

/// Receives the steps of a query, or an error.
public typealias CMStepQueryHandler = (Int, (any Error)?) -> Void
/// Receives the steps so far and their time, or an error.
public typealias CMStepUpdateHandler = (Int, Date, (any Error)?) -> Void

/// The pedometer of iOS 7, in terms of `CMPedometer`.
@available(*, deprecated, message: "use CMPedometer")
open class CMStepCounter: NSObject {
  private let pedometer = CMPedometer()

  /// Makes a counter that does not count yet.
  public override init() { super.init() }

  /// Whether there is an accelerometer.
  open class func isStepCountingAvailable() -> Bool { CMPedometer.isStepCountingAvailable() }

  /// Answers with the steps of a period.
  open func queryStepCountStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMStepQueryHandler
  ) {
    let handler = ProgramValue(value: handler)
    pedometer.queryPedometerData(from: start, to: end) { data, error in
      queue.addOperation { handler.value(data?.numberOfSteps.intValue ?? 0, error) }
    }
  }

  /// Starts reporting the steps from now on, after so many each.
  open func startStepCountingUpdates(
    to queue: OperationQueue, updateOn stepCounts: Int,
    withHandler handler: @escaping CMStepUpdateHandler
  ) {
    let handler = ProgramValue(value: handler)
    let reported = ProgramValue(value: ReportedSteps())
    pedometer.startUpdates(from: LocationServices.current.clock.now()) { data, error in
      guard let data else {
        return queue.addOperation { handler.value(0, Date(), error) }
      }
      let steps = data.numberOfSteps.intValue
      guard steps - reported.value.steps >= max(stepCounts, 1) else { return }
      reported.value.steps = steps
      let date = data.endDate
      queue.addOperation { handler.value(steps, date, nil) }
    }
  }

  /// Ends the reports.
  open func stopStepCountingUpdates() { pedometer.stopUpdates() }

  /// The steps of the last report; used on the pedometer's queue only.
  private final class ReportedSteps { var steps = 0 }
}
