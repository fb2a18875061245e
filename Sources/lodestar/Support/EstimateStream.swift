import Formats
import Foundation
import Quantities
import Terminal

/// Writes estimates as they arrive, one line each, at most at the requested rate.
struct EstimateStream {
  let options: SourceOptions
  let line: PlainLine
  /// True for `lodestar location`: one line for each fix.
  let isAboutPlace: Bool

  func run(_ source: StreamSource) throws {
    let interruption = Interruption(undoSeconds: source.undoSeconds) { [stop = source.stop] in
      stop()
    }
    defer { interruption.end() }
    try SensorCheck(replay: options.replay, isAboutPlace: isAboutPlace).run(source)
    let waiting = EstimateQueue()
    let observation = source.publisher.observe { waiting.put($0) }
    defer { observation.cancel() }
    source.start()
    var writer = EstimateWriter(options: options, line: line, isAboutPlace: isAboutPlace)
    let truths = try options.truth.map { try OutputStream(path: $0) }
    defer { finish(truths) }
    var written = 0
    while written < options.count ?? .max {
      guard let estimate = waiting.next(orUntil: { source.end != nil }) else { break }
      let lines = try writer.write(estimate, mostLines: (options.count ?? .max) - written)
      guard lines > 0 else { continue }
      if let truths, let truth = source.truth?(estimate.timestamp) {
        try truths.line(TruthJSON.object(truth, utc: estimate.utc))
      }
      written += lines
    }
    if case .fault(let error) = source.end { throw Failure.input("\(error)") }
    if written == 0 {
      throw Failure.input("the recording has no \(isAboutPlace ? "fix" : "heading")")
    }
  }

  private func finish(_ truths: OutputStream?) {
    do throws(Failure) { try truths?.close() } catch { StandardError.say(error.message) }
  }
}

/// Writes the estimates that are due, in the requested format.
private struct EstimateWriter {
  let options: SourceOptions
  let line: PlainLine
  let isAboutPlace: Bool
  private let out = OutputStream()
  private var schedule: NMEASchedule
  private var last: Estimate?
  private var said: Set<StandardError.Contradiction.Kind> = []

  init(options: SourceOptions, line: PlainLine, isAboutPlace: Bool) {
    (self.options, self.line, self.isAboutPlace) = (options, line, isAboutPlace)
    schedule = options.sentences?.schedule ?? NMEASchedule(headingsPerSecond: options.rate)
  }

  /// Writes an estimate if it is due.
  /// - Returns: The number of lines that were written, at most `mostLines`.
  mutating func write(_ estimate: Estimate, mostLines: Int) throws(Failure) -> Int {
    guard isDue(estimate) else { return 0 }
    var lines = 1
    switch options.format {
    case .json: try out.line(EstimateJSON.object(estimate))
    case .text: try out.line(isAboutPlace ? line.location(estimate) : line.heading(estimate))
    case .nmea:
      let sentences = schedule.sentences(for: estimate).split(separator: UInt8(ascii: "\n"))
        .prefix(mostLines)
      guard !sentences.isEmpty else { return 0 }
      if estimate.isSimulated, last == nil { StandardError.say(Self.simulatedNotice) }
      for sentence in sentences { try out.line(Array(sentence)) }
      lines = sentences.count
    }
    try out.flush()
    if estimate.isDeclinationOutOfDate, last?.isDeclinationOutOfDate != true {
      StandardError.say(StandardError.outOfDate)
    }
    for warning in StandardError.contradictions(in: estimate) where !said.contains(warning.kind) {
      said.insert(warning.kind)
      StandardError.say(warning.text)
    }
    last = estimate
    return lines
  }

  private static let simulatedNotice =
    "SIMULATED: these sentences do not come from a sensor. GGA has quality 8, RMC, VTG and THS have mode S; "
    + "HDG, HDM and HDT have no field to mark it"

  private func isDue(_ e: Estimate) -> Bool {
    if isAboutPlace {
      guard e.position != nil, e.fixTimestamp != last?.fixTimestamp else { return false }
    } else if e.magneticHeading == nil, e.trueHeading == nil {
      return false
    }
    // The schedule limits the rate of each sentence.
    if options.format == .nmea, !isAboutPlace { return true }
    // The clock of a restarted daemon may start again at a lower time.
    if let last, e.timestamp < last.timestamp { return true }
    let interval = 1 / (options.rate ?? (isAboutPlace ? 50 : 10))
    // Half a sample of tolerance, so that a divisor of the board's rate is reached.
    return last.map { e.timestamp.seconds(since: $0.timestamp) >= interval - 0.005 } ?? true
  }
}
