import Foundation
import Monitoring
import MonitoringStore
import Quantities
import SimulatedDays

/// What an application was told, as it takes it: an event of a number that it knows is the same one.
final class Told: @unchecked Sendable {
  private let lock = NSLock()
  private var words: [UInt64: String] = [:]
  /// Numbers that came with another event than before.
  private(set) var contradictions: [String] = []

  init() {}

  init(_ other: Told) { words = other.words }

  func take(_ event: MonitoringEvent) {
    lock.withLock {
      let word = SimulatedDay.word(event)
      if let known = words[event.sequence], known != word {
        contradictions.append("\(event.sequence): \(known), \(word)")
      }
      words[event.sequence] = word
    }
  }

  /// The words in order of their numbers.
  var inOrder: [String] { lock.withLock { words.sorted { $0.key < $1.key }.map(\.value) } }
  var crossings: [String] { inOrder.filter { $0.hasPrefix("+") || $0.hasPrefix("-") } }
  var visits: [String] { inOrder.filter { $0 == "arrived" || $0 == "departed" } }
  var highest: UInt64 { lock.withLock { words.keys.max() ?? 0 } }

  /// Takes a desk's events and acknowledges each.
  func listen(to desk: MonitoringDesk, acknowledging: Bool = true) {
    desk.deliver { [weak desk] event in
      self.take(event)
      if acknowledging { desk?.perform(.acknowledge(sequence: event.sequence)) }
    }
  }
}

extension MonitoringDesk {
  static func open(_ files: MemoryFiles) throws -> MonitoringDesk {
    var options = Options()
    options.clock = { SimulatedDay.start }
    return try MonitoringDesk(
      journal: MonitoringJournal(folder: "/state", files: files), options: options)
  }

  /// Asks for all that a day has.
  func registerForTheDay() {
    for region in SimulatedDay.regions { perform(.startRegion(region)) }
    perform(.startVisits)
    perform(.startSignificantChanges)
  }
}
