internal import CoreLocation
import Foundation
internal import Fusion
internal import Quantities

/// What someone on foot has done, by date: running totals, for seven days.
struct StepLog: Sendable {
  private struct Entry {
    var date: Date
    var totals: Pedometer.Totals
  }

  /// Least interval of the entries, s. There are none without steps.
  private static let interval: TimeInterval = 2.5
  /// Entries that are too old are removed after so long, s.
  private static let cleaningInterval: TimeInterval = 3600

  private var entries: [Entry] = []

  /// Stores the totals at a date, if they differ from the last ones.
  mutating func add(_ totals: Pedometer.Totals, at date: Date) {
    guard let last = entries.last else {
      entries = [Entry(date: date, totals: totals)]
      return
    }
    guard totals != last.totals else { return }
    let isSoon =
      entries.count > 1
      && date.timeIntervalSince(entries[entries.count - 2].date) < Self.interval
    if isSoon { entries.removeLast() }
    entries.append(Entry(date: date, totals: totals))
    let oldest = date.addingTimeInterval(-LocationServices.historyLength)
    if entries[0].date < oldest.addingTimeInterval(-Self.cleaningInterval) {
      entries.removeAll { $0.date < oldest }
    }
  }

  /// Moves all dates, after a step of the civil clock.
  mutating func shift(by seconds: TimeInterval) {
    for index in entries.indices { entries[index].date.addTimeInterval(seconds) }
  }

  /// The totals at a date.
  func totals(at date: Date) -> Pedometer.Totals {
    // The first entry after the date, by bisection.
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].date > date { high = middle } else { low = middle + 1 }
    }
    // Nothing is known of the time before the first entry.
    guard low > 0 else { return entries.first?.totals ?? Pedometer.Totals() }
    var totals = entries[low - 1].totals
    guard low < entries.count else { return totals }
    let (a, b) = (entries[low - 1], entries[low])
    // Within a walk they grow evenly.
    let span = b.date.timeIntervalSince(a.date)
    guard span < 2 * Self.interval else { return totals }
    let share = date.timeIntervalSince(a.date) / span
    totals.steps += (b.totals.steps - a.totals.steps) * share
    totals.metres += (b.totals.metres - a.totals.metres) * share
    totals.activeSeconds += (b.totals.activeSeconds - a.totals.activeSeconds) * share
    return totals
  }

  /// What happened in a period; nothing in one that is not over before it starts.
  func values(from start: Date, to end: Date, hasBarometer: Bool) -> CMPedometerData.Values {
    let (a, b) = (totals(at: start), totals(at: max(start, end)))
    let metres = b.metres - a.metres
    let steps = b.steps.rounded(.down) - a.steps.rounded(.down)
    var values = CMPedometerData.Values(
      start: start, end: end, steps: Int(bounded: steps), distance: metres)
    if hasBarometer {
      values.floorsAscended = Double(b.floorsAscended - a.floorsAscended)
      values.floorsDescended = Double(b.floorsDescended - a.floorsDescended)
    }
    if metres > 0 { values.averageActivePace = (b.activeSeconds - a.activeSeconds) / metres }
    return values
  }
}
