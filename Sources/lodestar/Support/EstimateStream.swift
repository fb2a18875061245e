import Engine
import Foundation
import Outputs
import Quantities
import TerminalUI

/// Writes estimates as they come, one line each, no more often than the rate that was asked for.
struct EstimateStream {
  let options: SourceOptions
  let line: PlainLine
  /// True for a command whose subject is the place: it writes one line a fix.
  let isAboutPlace: Bool

  func run(_ player: EstimatePlayer) throws {
    let newest = Mailbox<Estimate>()
    let observation = player.observe { newest.put($0) }
    defer { observation.cancel() }
    let out = OutputStream()
    let interval = 1 / (options.rate ?? (isAboutPlace ? 50 : 10))
    var written = 0
    var last: Estimate?
    while written < options.count ?? .max {
      guard let estimate = newest.take(orUntil: { player.end != nil }) else { break }
      guard isDue(estimate, after: last, interval) else { continue }
      last = estimate
      try write(estimate, to: out)
      try out.flush()
      written += 1
    }
    if case .fault(let error) = player.end { throw Failure.input("\(error)") }
    if written == 0 {
      throw Failure.input("the recording holds no \(isAboutPlace ? "fix" : "heading")")
    }
  }

  private func isDue(_ e: Estimate, after last: Estimate?, _ interval: Double) -> Bool {
    if isAboutPlace {
      guard e.position != nil, e.fixTimestamp != last?.fixTimestamp else { return false }
    } else if e.magneticHeading == nil, e.trueHeading == nil {
      return false
    }
    // Half a sample of slack, so that a rate that divides the board's is met.
    return last.map { e.timestamp.seconds(since: $0.timestamp) >= interval - 0.005 } ?? true
  }

  private func write(_ e: Estimate, to out: OutputStream) throws(Failure) {
    switch options.format {
    case .json: try out.line(EstimateJSON.object(e))
    case .text: try out.line(isAboutPlace ? line.location(e) : line.heading(e))
    case .nmea: try out.write(NMEAReport.sentences(e))
    }
  }
}

/// Holds the newest of a stream: a slow reader misses what came between and delays nobody.
final class Mailbox<Content: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var content: Content?

  /// Replaces what waits.
  func put(_ new: Content) {
    condition.lock()
    content = new
    condition.signal()
    condition.unlock()
  }

  /// Waits for the newest; nil once nothing waits and `isOver` answers true.
  func take(orUntil isOver: () -> Bool) -> Content? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let waiting = content {
        content = nil
        return waiting
      }
      if isOver() { return nil }
      // The stream's end sends nothing: look for it now and then.
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
    }
  }
}
