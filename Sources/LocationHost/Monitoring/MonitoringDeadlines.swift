import Dispatch
import Observers
import Quantities

/// The times at which monitoring has something to do: each second, and at the next deadline of an
/// application. Used only on the keeper's queue.
final class MonitoringDeadlines {
  private let applications: MonitoredApplications
  private let time: HostTime
  private var timer: DispatchSourceTimer?
  /// The call at the next deadline, and the deadline.
  private var alarm: (deadline: UTCTime, observation: Observation)?

  init(of applications: MonitoredApplications, time: HostTime) {
    (self.applications, self.time) = (applications, time)
  }

  /// Calls `body` each second on a queue; does nothing after the first call.
  func startTimer(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    guard timer == nil else { return }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(200))
    timer.setEventHandler(handler: body)
    timer.resume()
    self.timer = timer
  }

  func stop() {
    timer?.cancel()
    alarm = nil
  }

  /// Moves the deadlines by a step of civil time, if there was one, so that no wait becomes longer
  /// or shorter; returns the present time.
  func timeAfterClockStep() -> UTCTime {
    let (now, step) = time.readWithStep()
    guard let step else { return now }
    for application in applications.all { application.monitoring.clockWasSet(by: step) }
    alarm = nil
    return now
  }

  /// Calls `body` at the next deadline, on any thread; the timer alone would be up to a second
  /// late.
  func setAlarm(_ body: @escaping @Sendable () -> Void) {
    let next = applications.all.compactMap { $0.monitoring.nextDeadline }.min()
    guard next != alarm?.deadline else { return }
    alarm = next.flatMap { deadline in
      time.alarm(after: max(0, deadline.seconds(since: time.nowOfLastReading)), body)
        .map { (deadline, $0) }
    }
  }

  /// Removes the alarm after it has fired, so that `setAlarm` accepts the same deadline again, as
  /// after differences of the clock's readings below a step.
  func removeAlarm() { alarm = nil }
}
