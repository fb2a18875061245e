import Monitoring
import Quantities
import SimulatedDays
import Testing

/// A week of a phone whose receiver is on only when monitoring, or the updates of a manager, need
/// it.
private struct WeekRun {
  private(set) var events: [MonitoringEvent] = []
  /// Pauses and resumptions of the updates.
  private(set) var pauses: [(isPause: Bool, time: UTCTime)] = []
  /// The times of the fixes that the receiver measured, and the number of delivered ones.
  private(set) var measured: [UTCTime] = []
  private(set) var delivered = 0
  let week: SimulatedWeek

  /// Runs a week, with a manager's updates of an activity; nil without updates.
  init(_ options: SimulatedDay.Options, updates activity: Activity? = nil) {
    var week = SimulatedWeek(options)
    self.week = week
    var monitor = ApplicationMonitor()
    for region in SimulatedWeek.regions {
      monitor.perform(.startRegion(region), at: SimulatedDay.start)
    }
    monitor.perform(.startVisits, at: SimulatedDay.start)
    monitor.perform(.startSignificantChanges, at: SimulatedDay.start)
    var pause = activity.map { AutomaticPause(activity: $0, at: SimulatedDay.start) }
    var (demand, last) = (monitor.demand, -1_000_000)
    for second in 0..<week.count {
      let time = SimulatedWeek.time(second)
      let received = week.fix(at: second)
      if monitor.nextDeadline.map({ $0 <= time }) == true { monitor.advance(to: time) }
      if let deadline = pause?.deadline, deadline <= time { record(pause?.advance(to: time), time) }
      let isUpdating = pause?.isPaused == false
      let isOn =
        switch demand {
        case .none: isUpdating
        case .every(let seconds): isUpdating || Double(second - last) >= seconds
        case .continuous: true
        }
      if isOn, let fix = received {
        last = second
        measured.append(time)
        monitor.process(fix)
        if isUpdating {
          delivered += 1
          record(pause?.process(fix), time)
        }
      }
      for event in monitor.pending {
        events.append(event)
        monitor.perform(.acknowledge(sequence: event.sequence), at: time)
        // As on an iPhone the application starts paused updates again, here when it leaves a place.
        if Self.isDeparture(event), pause?.isPaused == true {
          pause?.restart(at: time)
          pauses.append((false, time))
        }
      }
      demand = monitor.demand
    }
  }

  private static func isDeparture(_ event: MonitoringEvent) -> Bool {
    switch event.kind {
    case .exited: true
    case .visit(let visit): visit.departure != nil
    default: false
    }
  }

  private mutating func record(_ action: AutomaticPause.Action?, _ time: UTCTime) {
    if let action { pauses.append((action == .pause, time)) }
  }

  /// True where the receiver had reception for long enough to know of a stay.
  func isKnown(_ from: UTCTime, _ to: UTCTime) -> Bool {
    let inside = measured.filter { $0 >= from && $0 <= to }
    guard let first = inside.first, let last = inside.last else { return false }
    return last.seconds(since: first) > 600
  }

  var crossings: [MonitoringEvent] { events.filter { DayWords.crossing($0) != nil } }
  var visits: [Visit] { events.compactMap(DayWords.visit) }
}

@Suite("A week of one phone", .timeLimit(.minutes(30)))
struct WeekTests {
  static let kinds: [SimulatedDay.Options] = SimulatedDay.Multipath.allCases.flatMap { multipath in
    [true, false].map { hasGaps in
      var options = SimulatedDay.Options(seed: 7)
      (options.multipath, options.hasGaps) = (multipath, hasGaps)
      return options
    }
  }

  // Swift 6.0.3 crashes on a closure among a macro's arguments.
  static let kindsWithoutGaps = kinds.filter { !$0.hasGaps }

  @Test(
    "each crossing is reported once, each stay is a visit, and the receiver sleeps",
    arguments: kinds)
  func monitoring(_ options: SimulatedDay.Options) {
    let run = WeekRun(options)
    checkCrossings(run, options)
    checkVisits(run, options)
    #expect(run.measured.count < run.week.count / 20, "\(options)")
    print("\(options): \(run.measured.count) fixes in \(run.week.count) s")
  }

  private func checkCrossings(_ run: WeekRun, _ options: SimulatedDay.Options) {
    let words = run.crossings.compactMap(DayWords.crossing)
    let expected = run.week.crossings.map { ($0.isEntry ? "+" : "-") + $0.region }
    if options.hasGaps, options.multipath == .dishonest {
      // Two reflections with an outage between them cannot be told from a walk.
      #expect((expected.count...expected.count + 2).contains(words.count), "\(options) \(words)")
    } else {
      #expect(words == expected, "\(options)")
    }
    // Where hours have no reception, the times are not known.
    guard words == expected, !options.hasGaps else { return }
    let errors = zip(run.crossings, run.week.crossings).map { event, truth in
      abs(event.since?.seconds(since: truth.time) ?? .infinity)
    }.sorted()
    #expect(errors[errors.count / 2] < 10 && (errors.last ?? 0) < 90, "\(options) \(errors)")
  }

  /// A walk and a jam are no stays.
  private func checkVisits(_ run: WeekRun, _ options: SimulatedDay.Options) {
    let stays = run.week.stays
    // Arrivals and departures in turn; the first stay began before, the last one goes on.
    let kinds = run.visits.map { $0.departure == nil }
    #expect(kinds == kinds.indices.map { $0 % 2 == 0 }, "\(options)")
    let known = stays.filter { run.isKnown($0.from, $0.to) }
    let least = options.hasGaps ? known.count : stays.count
    #expect((2 * least - 1...2 * stays.count - 1).contains(kinds.count), "\(options)")
    guard kinds.count == 2 * stays.count - 1, !options.hasGaps else { return }
    for (index, stay) in stays.enumerated() {
      let arrival = run.visits[2 * index].arrival?.seconds(since: stay.from)
      #expect(
        index == 0 ? arrival == nil : abs(arrival ?? .infinity) < 180, "\(options) \(index)")
      guard index < stays.count - 1 else { continue }
      let departure = run.visits[2 * index + 1].departure?.seconds(since: stay.to) ?? .infinity
      #expect(abs(departure) < 180, "\(options) \(index) \(departure)")
    }
  }

  @Test(
    "updates pause once at each stay and resume at each departure",
    arguments: kindsWithoutGaps)
  func pauses(_ options: SimulatedDay.Options) {
    let run = WeekRun(options, updates: .other)
    let stays = run.week.stays
    #expect(run.pauses.map(\.isPause) == (0..<(2 * stays.count - 1)).map { $0 % 2 == 0 })
    guard run.pauses.count == 2 * stays.count - 1 else { return }
    var moving = 0.0
    for (index, stay) in stays.enumerated() {
      let paused = run.pauses[2 * index].time.seconds(since: stay.from)
      // 20 min; a wait that began on the way may begin once more.
      #expect(1100...2000 ~= paused, "\(options) \(index) \(paused)")
      moving += 1200
      guard index < stays.count - 1 else { continue }
      let resumed = run.pauses[2 * index + 1].time.seconds(since: stay.to)
      #expect(0...600 ~= resumed, "\(options) \(index) \(resumed)")
      moving += stays[index + 1].from.seconds(since: stay.to)
    }
    // One a second while not paused.
    #expect(abs(Double(run.delivered) - moving) < 0.1 * moving, "\(run.delivered) \(moving)")
  }
}
