import Monitoring
import Quantities
import SimulatedDays
import Testing

/// The events of a day as short words, for the comparison of sequences.
enum DayWords {
  static func monitor(_ configuration: MonitoringConfiguration = MonitoringConfiguration())
    -> ApplicationMonitor
  {
    var monitor = ApplicationMonitor(configuration: configuration)
    for region in SimulatedDay.regions {
      monitor.perform(.startRegion(region), at: SimulatedDay.start)
    }
    monitor.perform(.startVisits, at: SimulatedDay.start)
    monitor.perform(.startSignificantChanges, at: SimulatedDay.start)
    return monitor
  }

  static func crossing(_ event: MonitoringEvent) -> String? {
    switch event.kind {
    case .entered(let region): "+\(region.identifier)"
    case .exited(let region): "-\(region.identifier)"
    default: nil
    }
  }

  static func visit(_ event: MonitoringEvent) -> Visit? {
    if case .visit(let visit) = event.kind { visit } else { nil }
  }
}

@Suite("A simulated day", .timeLimit(.minutes(30)))
struct DayTests {
  static let kinds: [SimulatedDay.Options] = SimulatedDay.Multipath.allCases.flatMap { multipath in
    [true, false].flatMap { hasGaps in
      [10, 30].flatMap { interval in
        (1...2).map { seed in
          var options = SimulatedDay.Options(seed: UInt64(seed * 155))
          options.intervalSeconds = interval
          options.multipath = multipath
          options.hasGaps = hasGaps
          options.hasSpeed = seed % 2 == 0
          return options
        }
      }
    }
  }

  @Test("every true crossing of a region is reported, and no other", arguments: kinds)
  func regions(_ options: SimulatedDay.Options) throws {
    let day = SimulatedDay(options)
    var monitor = DayWords.monitor()
    for fix in day.fixes { monitor.process(fix) }
    let words = monitor.pending.compactMap(DayWords.crossing)
    // The bridge is crossed too fast for a fix in half a minute.
    let isSeldom = options.intervalSeconds > 10
    let expected = SimulatedDay.crossingWords.filter { !isSeldom || !$0.hasSuffix("bridge") }
    #expect(words.filter { !isSeldom || !$0.hasSuffix("bridge") } == expected, "\(options)")
    guard !isSeldom else { return }
    for (event, truth) in zip(
      monitor.pending.filter { DayWords.crossing($0) != nil }, day.crossings)
    {
      let late = try #require(event.since).seconds(since: truth.time)
      #expect(late > -90, "\(options) \(event)")
    }
  }

  @Test("the stays are visits with their arrival and departure", arguments: kinds)
  func visits(_ options: SimulatedDay.Options) {
    let day = SimulatedDay(options)
    var monitor = DayWords.monitor()
    for fix in day.fixes { monitor.process(fix) }
    let visits = monitor.pending.compactMap(DayWords.visit)
    #expect(visits.count == 7, "\(options) \(visits.map { ($0.arrival, $0.departure) })")
    guard visits.count == 7 else { return }
    #expect(visits.map { $0.departure == nil } == [true, false, true, false, true, false, true])
    #expect(visits[0].arrival == nil && visits[1].arrival == nil)
    for (index, stay) in day.stays.enumerated().dropFirst() {
      // A gap around the true time hides it.
      let known = day.fixes.filter { abs($0.time.seconds(since: stay.from)) < 600 }.count
      guard known * options.intervalSeconds > 1100 else { continue }
      let late = visits[2 * index].arrival?.seconds(since: stay.from) ?? .infinity
      #expect(abs(late) < 180, "\(options) arrival \(index) \(late)")
    }
    for (index, stay) in day.stays.enumerated().dropLast() {
      let known = day.fixes.filter { abs($0.time.seconds(since: stay.to)) < 600 }.count
      guard known * options.intervalSeconds > 1100 else { continue }
      let late = visits[2 * index + 1].departure?.seconds(since: stay.to) ?? .infinity
      #expect(abs(late) < 180, "\(options) departure \(index) \(late)")
    }
  }
}
