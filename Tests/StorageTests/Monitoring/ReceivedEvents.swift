import Foundation
import Monitoring
import Quantities
import SimulatedDays
import Storage

/// The events that an application has received, by their numbers.
final class ReceivedEvents: @unchecked Sendable {
  private let lock = NSLock()
  private var words: [UInt64: String] = [:]
  /// Numbers that were delivered with two different events.
  private(set) var contradictions: [String] = []

  init() {}

  init(_ other: ReceivedEvents) { words = other.words }

  func record(_ event: MonitoringEvent) {
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

  /// Receives the events and acknowledges each.
  func listen(to session: MonitoringSession, acknowledging: Bool = true) {
    session.deliver { [weak session] event in
      self.record(event)
      if acknowledging { session?.perform(.acknowledge(sequence: event.sequence)) }
    }
  }
}

extension MonitoringSession {
  static func open(_ files: MemoryFiles) throws -> MonitoringSession {
    var options = Options()
    options.clock = { SimulatedDay.start }
    return try MonitoringSession(
      journal: MonitoringJournal(folder: "/state", files: files), options: options)
  }

  /// Starts all services and regions of the simulated day.
  func registerForTheDay() {
    for region in SimulatedDay.regions { perform(.startRegion(region)) }
    perform(.startVisits)
    perform(.startSignificantChanges)
  }
}
