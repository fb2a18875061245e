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

  func run(_ source: StreamSource) throws {
    let interruption = Interruption { [stop = source.stop] in stop() }
    defer { interruption.end() }
    try checkThatItCanCome(source)
    let waiting = EstimateQueue()
    let observation = source.publisher.observe { waiting.put($0) }
    defer { observation.cancel() }
    source.start()
    let out = OutputStream()
    let truths = try options.truth.map { try OutputStream(path: $0) }
    defer { finish(truths) }
    let interval = 1 / (options.rate ?? (isAboutPlace ? 50 : 10))
    var written = 0
    var last: Estimate?
    while written < options.count ?? .max {
      guard let estimate = waiting.take(orUntil: { source.end != nil }) else { break }
      guard isDue(estimate, after: last, interval) else { continue }
      if estimate.isDeclinationOutOfDate, last?.isDeclinationOutOfDate != true {
        StandardError.say(StandardError.outOfDate)
      }
      last = estimate
      try write(estimate, to: out)
      try out.flush()
      if let truths, let truth = source.truth?(estimate.timestamp) {
        try truths.line(TruthJSON.object(truth))
      }
      written += 1
    }
    if case .fault(let error) = source.end { throw Failure.input("\(error)") }
    if written == 0 {
      throw Failure.input("the recording holds no \(isAboutPlace ? "fix" : "heading")")
    }
  }

  private func finish(_ truths: OutputStream?) {
    do throws(Failure) { try truths?.close() } catch { StandardError.say(error.message) }
  }

  /// A live board without the sensor would never give a line, and never end.
  private func checkThatItCanCome(_ source: StreamSource) throws(Failure) {
    guard options.replay == nil, source.isKnown else { return }
    let player = source.publisher
    if isAboutPlace, !player.hasReceiver {
      throw .board("this board has no receiver, so no place; give its file 'receiver: {port: …}'")
    }
    // A receiver's line may have a compass on it, but the simulated one has none.
    if !isAboutPlace, !player.hasMagnetometer, !player.hasReceiver || player.isSimulated {
      throw .board(
        "this board has no magnetometer, so no heading; name one under 'sensors' in its file")
    }
  }

  private func isDue(_ e: Estimate, after last: Estimate?, _ interval: Double) -> Bool {
    if isAboutPlace {
      guard e.position != nil, e.fixTimestamp != last?.fixTimestamp else { return false }
    } else if e.magneticHeading == nil, e.trueHeading == nil {
      return false
    }
    // A daemon that was started anew may begin its clock again.
    if let last, e.timestamp < last.timestamp { return true }
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
