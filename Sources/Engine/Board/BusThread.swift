import Chips
import Formats
import Quantities

/// The thread of one bus: sleeps until a chip is due or its data-ready line rises, then reads the chip.
struct BusThread {
  /// The interval between reports of the lateness, seconds.
  private static let publishInterval = 1.0
  /// Longest sleep, ns: bounds the delay of a stop.
  private static let longestSleep: UInt64 = 100_000_000
  /// Sleep after a failed wait, e.g. when a line was removed, s.
  private static let waitFaultPause = 0.01

  let name: String
  /// Each with its index in the board file.
  var runners: [(index: Int, runner: ChipRunner)]
  /// For each of the alarm's lines its index in `runners`.
  let lines: [Int]
  let alarm: any BusAlarm
  let now: () -> Timestamp
  let queue: SampleQueue
  let monitor: BoardMonitor

  private var meter = LatenessMeter()
  private var published: Timestamp?
  private var rows: [SensorSamples] = []

  init(
    name: String, runners: [(index: Int, runner: ChipRunner)], lines: [Int], alarm: any BusAlarm,
    now: @escaping () -> Timestamp, queue: SampleQueue, monitor: BoardMonitor
  ) {
    self.name = name
    self.runners = runners
    self.lines = lines
    self.alarm = alarm
    self.now = now
    self.queue = queue
    self.monitor = monitor
    for place in lines { self.runners[place].runner.waitsForEdge = true }
  }

  /// Serves the chips until the queue is stopped.
  mutating func run() {
    while !queue.isStopped {
      guard let next = runners.indices.min(by: { runners[$0].runner.due < runners[$1].runner.due })
      else { return }
      let due = runners[next].runner.due
      let woken: (line: Int, edge: Timestamp)?
      let soon = min(due, now().advanced(byNanoseconds: Self.longestSleep))
      do throws(BusError) {
        woken = try alarm.wait(until: soon)
      } catch {
        queue.waitForStop(atMost: Self.waitFaultPause)
        woken = nil
      }
      if let woken {
        serve(lines[woken.line], edge: woken.edge)
      }
      // Also after an edge: frequent edges of one line must not delay the other chips.
      if now() >= runners[next].runner.due {
        meter.add(now().seconds(since: due))
        serve(next, edge: nil)
      }
      publish()
    }
  }

  private mutating func serve(_ place: Int, edge: Timestamp?) {
    rows.removeAll(keepingCapacity: true)
    let wasInService = runners[place].runner.isInService
    runners[place].runner.run(edge: edge) { rows.append($0) }
    if !rows.isEmpty || runners[place].runner.isInService != wasInService || !wasInService {
      let fault = runners[place].runner.fault
      monitor.chip(runners[place].index, fault: fault?.description, newSamples: rows.count)
    }
    queue.put(rows)
  }

  private mutating func publish() {
    let now = now()
    if let published, now.seconds(since: published) < Self.publishInterval { return }
    published = now
    if let lateness = meter.lateness { monitor.lateness(lateness, of: name) }
  }
}
