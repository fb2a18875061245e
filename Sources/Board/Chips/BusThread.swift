import Chips
import Formats
import LinuxIO
import Quantities

/// The thread of one bus: sleeps until a chip is due or its data-ready line rises, then reads the
/// chip.
struct BusThread {
  /// The interval between reports of the lateness, seconds.
  private static let publishInterval = 1.0
  /// Longest sleep, ns: bounds the delay of a stop.
  private static let longestSleep: UInt64 = 100_000_000
  /// The interval between attempts to open lost data-ready lines, s.
  private static let firstReopening = 0.5
  private static let longestReopening = 30.0
  /// Interval between checks for a removed bus, s: bounds how long the kernel waits for the bus to
  /// be closed.
  private static let removalInterval = 0.25

  let name: String
  /// Each with its index in the board file.
  var runners: [(index: Int, runner: ChipRunner)]
  /// For each of the alarm's lines its index in `runners`.
  let lines: [Int]
  let bus: any RegisterBus
  let openAlarm: () throws(BusError) -> any BusAlarm
  let queue: SampleQueue
  let monitor: BoardMonitor

  /// Nil while the lines are lost; the chips are then polled.
  private var alarm: (any BusAlarm)?
  private var alarmDue = Timestamp(nanoseconds: 0)
  private var reopening = RetryDelay(first: Self.firstReopening, longest: Self.longestReopening)
  private var removalDue = Timestamp(nanoseconds: 0)
  private var meter = LatenessMeter()
  private var published: Timestamp?
  private var rows: [SensorSamples] = []

  /// - Throws: The error of the data-ready lines.
  init(
    name: String, runners: [(index: Int, runner: ChipRunner)], lines: [Int], bus: any RegisterBus,
    openAlarm: @escaping () throws(BusError) -> any BusAlarm, queue: SampleQueue,
    monitor: BoardMonitor
  ) throws(BusError) {
    self.name = name
    self.runners = runners
    self.lines = lines
    self.bus = bus
    self.openAlarm = openAlarm
    self.queue = queue
    self.monitor = monitor
    alarm = try openAlarm()
    setWaitsForEdge(true)
  }

  private var now: Timestamp { bus.now }

  /// Serves the chips until the queue is stopped.
  mutating func run() {
    while !queue.isStopped {
      guard let next = runners.indices.min(by: { runners[$0].runner.due < runners[$1].runner.due })
      else { return }
      let due = runners[next].runner.due
      let soon = min(due, now.advanced(byNanoseconds: Self.longestSleep))
      if let woken = wait(until: soon) {
        serve(lines[woken.line], edge: woken.edge)
      }
      // Also after an edge: frequent edges of one line must not delay the other chips.
      if now >= runners[next].runner.due {
        meter.add(now.seconds(since: due))
        serve(next, edge: nil)
      }
      if now >= removalDue {
        removalDue = now.advanced(bySeconds: Self.removalInterval)
        bus.releaseIfRemoved()
      }
      publish()
    }
  }

  /// Sleeps until an edge or a deadline. Lines that fail are closed, so that the kernel can remove
  /// their chip, and opened again later.
  private mutating func wait(until deadline: Timestamp) -> (line: Int, edge: Timestamp)? {
    do throws(BusError) {
      if alarm == nil, now >= alarmDue {
        alarm = try openAlarm()
        setWaitsForEdge(true)
        reopening.reset()
        monitor.dataReady(fault: nil, of: name)
      }
      if let alarm { return try alarm.wait(until: deadline) }
    } catch {
      alarm = nil
      setWaitsForEdge(false)
      alarmDue = now.advanced(bySeconds: reopening.next())
      monitor.dataReady(fault: error.description, of: name)
    }
    queue.waitForStop(atMost: max(0, deadline.seconds(since: now)))
    return nil
  }

  private mutating func setWaitsForEdge(_ waits: Bool) {
    for place in lines { runners[place].runner.waitsForEdge = waits }
  }

  private mutating func serve(_ place: Int, edge: Timestamp?) {
    rows.removeAll(keepingCapacity: true)
    let wasInService = runners[place].runner.isInService
    runners[place].runner.run(edge: edge) { rows.append($0) }
    if !rows.isEmpty || runners[place].runner.isInService != wasInService || !wasInService {
      monitor.chip(
        runners[place].index, fault: runners[place].runner.fault, newSamples: rows.count,
        errors: runners[place].runner.errors, rateHertz: runners[place].runner.rateHertz,
        doubt: runners[place].runner.doubt)
    }
    // No device is held open while it is waited for.
    if !runners.contains(where: { $0.runner.isRunning }) { bus.release() }
    queue.put(rows)
  }

  private mutating func publish() {
    let now = now
    if let published, now.seconds(since: published) < Self.publishInterval { return }
    published = now
    if let lateness = meter.lateness { monitor.lateness(lateness, of: name) }
  }
}
