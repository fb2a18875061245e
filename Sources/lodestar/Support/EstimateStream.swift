import Formats
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
    try SensorCheck(
      replay: options.replay, isAboutPlace: isAboutPlace, isEitherEnough: options.format == .nmea
    ).run(source)
    let waiting = EstimateQueue()
    let observation = source.publisher.observe { waiting.put($0) }
    defer { observation.cancel() }
    source.start()
    var writer = EstimateWriter(
      options: options, line: line, isAboutPlace: isAboutPlace, isLocal: source.player != nil)
    let truths = try options.truth.map { try OutputStream(path: $0) }
    defer { finish(truths) }
    var written = 0
    let limit = options.count ?? .max
    while written < limit {
      guard let estimate = waiting.next(orUntil: { source.end != nil }) else { break }
      let lines = try writer.write(estimate, mostLines: limit - written)
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
  /// True for a source of this process, which ends with its recording.
  let isLocal: Bool
  private let out = OutputStream()
  private var schedule: NMEASchedule
  private var last: Estimate?
  private var said: Set<StandardError.Contradiction.Kind> = []
  private var states: (heading: SourceState?, position: SourceState?)

  init(options: SourceOptions, line: PlainLine, isAboutPlace: Bool, isLocal: Bool) {
    (self.options, self.line, self.isAboutPlace) = (options, line, isAboutPlace)
    self.isLocal = isLocal
    schedule = options.sentences?.schedule ?? NMEASchedule(headingsPerSecond: options.rate)
  }

  /// Writes an estimate if it is due.
  /// - Returns: The number of lines that were written, at most `mostLines`.
  mutating func write(_ estimate: Estimate, mostLines: Int) throws(Failure) -> Int {
    reportStateChanges(of: estimate)
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
    "SIMULATED: these sentences do not come from a sensor. GGA has quality 8, RMC, GLL, VTG and THS have mode S and, "
    + "as the standard asks, RMC and GLL the status V; HDG, HDM and HDT have no field to mark it"

  /// Writes changes of the state of heading and position (lost, coasting, back) to standard error.
  private mutating func reportStateChanges(of e: Estimate) {
    let before = states
    states = (e.headingState, e.positionState)
    if isLocal, e.headingState == .ended || e.positionState == .ended { return }
    if !isAboutPlace, before.heading != e.headingState {
      say(e.headingTrouble, e.headingState, after: before.heading, "the heading is back")
    }
    if before.position != e.positionState {
      say(e.positionTrouble, e.positionState, after: before.position, "the position is back")
    }
  }

  private func say(
    _ words: String?, _ state: SourceState?, after before: SourceState?, _ back: String
  ) {
    // The start is no loss.
    if before == nil, state == .awaited || state == .late { return }
    guard let words else {
      if let before, before != .awaited, state == .live { StandardError.say(back) }
      return
    }
    let needsHelp = state == .lost || state == .contradicted
    StandardError.say(needsHelp ? "\(words); see 'lodestar doctor'" : words)
  }

  private func isDue(_ e: Estimate) -> Bool {
    let isOver = e.headingState == .ended || e.positionState == .ended
    if isOver, isLocal { return false }
    // The schedule limits the rate of each sentence.
    if options.format == .nmea, !isAboutPlace { return true }
    if isAboutPlace {
      guard e.position != nil, e.fixTimestamp != last?.fixTimestamp else { return false }
    } else if e.magneticHeading == nil, e.trueHeading == nil {
      // The position does not depend on the compass, and a line without a heading says that it is
      // lost. A recording without any heading is an error.
      guard last != nil || options.replay == nil && e.positionState == .live else { return false }
    }
    // The clock of a restarted daemon may start again at a lower time.
    if let last, e.timestamp < last.timestamp { return true }
    let interval = 1 / (options.rate ?? (isAboutPlace ? 50 : 10))
    // Half a sample of tolerance, so that a divisor of the board's rate is reached.
    return last.map { e.timestamp.seconds(since: $0.timestamp) >= interval - 0.005 } ?? true
  }
}
