import Foundation
import Monitoring
import Quantities

/// What monitoring promises after any commands and fixes.
enum MonitorPromises {
  /// 2026-11-21T10:00:00Z.
  static var start: UTCTime { UTCTime(nanosecondsSince1970: 1_795_255_200_000_000_000) }

  /// A good fix, seconds after the start.
  static func fix(at position: GeodeticPosition, second: Double) -> PlaceFix {
    PlaceFix(
      position: position, horizontalAccuracyMetres: 5, time: start.advanced(bySeconds: second))
  }
}

extension ApplicationMonitor {
  /// Checks the limits, the numbers of the events, the demand, and that the stored state reads
  /// back.
  func checkPromises() throws(Violation) {
    try expect(pending.count <= configuration.pendingLimit, "\(pending.count) pending events")
    try expect(
      registrations.conditionCount <= configuration.conditionLimit,
      "\(registrations.conditionCount) conditions")
    for (event, next) in zip(pending, pending.dropFirst()) {
      try expect(
        event.sequence < next.sequence, "event \(next.sequence) after \(event.sequence)")
    }
    if case .every(let seconds) = demand { try Bounds.positive(seconds) }
    try expect(demand == demand, "a demand that is no number")
    let stored = try Self.encoded(self)
    let again: ApplicationMonitor
    do {
      again = try JSONDecoder().decode(ApplicationMonitor.self, from: stored)
    } catch {
      throw Violation("the stored state is refused: \(error)")
    }
    try expect(
      try Self.encoded(again) == stored,
      "the stored state reads back as another: \(String(decoding: stored, as: UTF8.self))")
  }

  private static func encoded(_ monitor: ApplicationMonitor) throws(Violation) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      return try encoder.encode(monitor)
    } catch {
      throw Violation("the state cannot be stored: \(error)")
    }
  }
}
