import Quantities

/// The sources of positions on one line, for instance a receiver and an AIS transponder on an NMEA
/// bus. Each has an assembler of its own, so that position, accuracy, kind and time are never joined
/// from two; the reports are those of the chosen one (`PositionChoice`).
///
/// Headings, wind, water and weather belong to no source; they are reported with the chosen one.
public struct PositionSources: Sendable {
  /// When the messages of the attached decoder were received.
  var now = Timestamp(nanoseconds: 0)
  private var assemblers: [EpochAssembler]
  /// The sender of each source; nil until its first position.
  private var senders: [PositionSource.Sender?] = [nil]
  /// The talker of each one's newest position; nil for UBX and proprietary sentences.
  private var talkers: [Talker?] = [nil]
  /// Who sent accuracies or times before the first position.
  private var early: [PositionSource.Sender] = []
  private var gate = Gate()
  private var contradictions = TalkerContradictions()
  private var devices = LateDevices()
  private let order: [Talker]
  private let dates: DateCorrection

  /// More talkers than a bus has: limits the memory that an invalid stream can cause.
  private static let mostSources = 8

  /// Makes the sources of a line.
  /// - Parameters:
  ///   - dates: How dates are corrected after a rollover of the receiver's week count.
  ///   - order: The preferred talkers, the first before the others.
  public init(dates: DateCorrection = .none, order: [Talker] = []) {
    (self.dates, self.order) = (dates, order)
    assemblers = [EpochAssembler(dates: dates)]
  }

  /// The sources in the order of their first positions.
  public var sources: [PositionSource] {
    senders.indices.compactMap { index in
      gate.choice.source(index, senders[index] ?? .receiver, talker: talkers[index])
    }
  }

  /// The reports of all sources so far: without a new one `sources` are the same.
  public var reportCount: Int { gate.choice.reports }

  /// Adds a message and calls `body` with each report that it completes.
  ///
  /// `timestamp` is when the message's first byte was received. An epoch has that of its first
  /// message.
  public mutating func add(
    _ message: ReceiverMessage, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    now = timestamp
    switch message {
    case .sentence(let sentence, let talker): receive(sentence, sentence.type, from: talker, body)
    case .ubx(let message, let type): receive(message, type: type, body)
    case .record(let record): receive(record, body)
    case .rtcm3, .rejected: break
    }
  }

  /// Reports the open epochs, because the line has fallen silent for a moment.
  public mutating func lineFellSilent(_ body: (ReceiverReport) -> Void) {
    for index in assemblers.indices {
      Self.lineFellSilent(&assemblers[index], &gate, origin(index), body)
    }
  }

  /// Reports the last epochs at the end of the stream.
  public mutating func finish(_ body: (ReceiverReport) -> Void) {
    for index in assemblers.indices {
      Self.finish(&assemblers[index], &gate, origin(index), body)
    }
  }

  /// Whose report it is.
  private struct Origin {
    let index: Int
    let isReceiver: Bool
    let rank: Int
    let arrival: Timestamp
  }

  private func origin(_ index: Int) -> Origin {
    let sender = senders[index] ?? .receiver
    return Origin(
      index: index, isReceiver: sender == .receiver, rank: rank(sender, talkers[index]),
      arrival: now)
  }

  /// The place of a source in the order of the board file.
  private func rank(_ sender: PositionSource.Sender, _ talker: Talker?) -> Int {
    guard !order.isEmpty else { return .max }
    var name = talker
    if case .talker(let own) = sender { name = own }
    return name.flatMap { name in order.firstIndex { $0 == name } } ?? .max
  }

  // The properties are separate parameters below, so that none is copied.

  private static func lineFellSilent(
    _ assembler: inout EpochAssembler, _ gate: inout Gate, _ origin: Origin,
    _ body: (ReceiverReport) -> Void
  ) {
    assembler.lineFellSilent { gate.pass($0, of: origin, body) }
  }

  private static func finish(
    _ assembler: inout EpochAssembler, _ gate: inout Gate, _ origin: Origin,
    _ body: (ReceiverReport) -> Void
  ) {
    assembler.finish { gate.pass($0, of: origin, body) }
  }

  private static func add(
    _ sentence: NMEASentence, _ outline: SentenceOutline, _ talker: Talker,
    to assembler: inout EpochAssembler,
    _ gate: inout Gate, _ origin: Origin, _ body: (ReceiverReport) -> Void
  ) {
    assembler.add(sentence, outline, from: talker, at: origin.arrival) {
      gate.pass($0, of: origin, body)
    }
  }

  private static func add(
    _ message: UBXMessage, type: UInt16, to assembler: inout EpochAssembler,
    _ gate: inout Gate, _ origin: Origin, _ body: (ReceiverReport) -> Void
  ) {
    assembler.add(message, type: type, at: origin.arrival) {
      gate.pass($0, of: origin, body)
    }
  }

  private static func add(
    _ record: SolutionRecord, to assembler: inout EpochAssembler,
    _ gate: inout Gate, _ origin: Origin, _ body: (ReceiverReport) -> Void
  ) {
    assembler.add(record, at: origin.arrival) { gate.pass($0, of: origin, body) }
  }

  /// Passes on what the choice accepts.
  private struct Gate: Sendable {
    var choice = PositionChoice()
    /// What the receiver reports of its signals, also while another source is chosen.
    private var signals = SignalState()
    /// The time of the newest epoch that was passed on.
    private var newest: Timestamp?

    mutating func pass(
      _ report: ReceiverReport, of origin: Origin, _ body: (ReceiverReport) -> Void
    ) {
      guard case .epoch(let epoch) = report else { return body(report) }
      let decision = choice.decide(
        epoch.fix, isFixOK: epoch.isFixOK, of: origin.index, rank: origin.rank, at: origin.arrival)
      if origin.isReceiver { signals = epoch.signals }
      guard decision != .leave, !isLate(epoch.fix.timestamp) else { return }
      defer { newest = epoch.fix.timestamp }
      if decision == .use, origin.isReceiver, !epoch.isRevision { return body(report) }
      var passed = epoch
      // The revised epoch may be from another source.
      passed.isRevision = epoch.isRevision && epoch.fix.timestamp == newest
      if decision == .useWithoutTime { passed.fix.utc = nil }
      // Only the receiver reports signals, also while another source gives the positions.
      passed.signals = signals
      body(.epoch(passed))
    }

    /// Whether an epoch is older than the last one passed on, which is possible after a change of
    /// the source. More than 10 s older means that the clock was set.
    private func isLate(_ timestamp: Timestamp) -> Bool {
      newest.map { (-10..<0).contains(timestamp.seconds(since: $0)) } ?? false
    }
  }

  /// What a sentence is to a source.
  private enum Part {
    /// It has a position.
    case position
    /// Accuracy or time: of no use without positions of the same source.
    case quality
    /// Motion and satellites: of the chosen source where its own has no positions.
    case motion
    /// Headings, wind, water, weather: of the line, not of a source.
    case shared
  }

  private static func part(of type: SentenceType) -> Part {
    switch type {
    case .gga, .gns, .gll, .rmc, .pubx00, .pgrmf, .pashrpos, .pqtmpvt, .pqtmdrpva, .cgpsinfo:
      .position
    case .gst, .gbs, .gsa, .zda, .pubx04, .pgrme, .pgrmz, .psrfepe, .pqtmepe, .pqtmdop:
      .quality
    case .vtg, .gsv, .pgrmv, .pubx03, .pashrsat, .pqtmvel, .pqtmjammingstatus,
      .pqtmantennastatus, .pairspf, .pairspf5, .txt:
      .motion
    default: .shared
    }
  }

  /// The assembler of a sentence; nil where it belongs to a source that has no positions. A position
  /// also gives its source the talker's name.
  private mutating func index(of outline: SentenceOutline, _ talker: Talker) -> Int? {
    let part = Self.part(of: outline.type)
    let index = index(part, outline, talker)
    if let index, part == .position, !talker.isProprietary, !talker.isOfModem {
      talkers[index] = talker
    }
    return index
  }

  private mutating func index(
    _ part: Part, _ outline: SentenceOutline, _ talker: Talker
  ) -> Int? {
    guard part != .shared else { return gate.choice.chosen }
    let isReceiver = talker.isOfReceiver || talker.isOfModem
    if isReceiver, part == .position, contradictions.add(outline, talker) { restart(.receiver) }
    var sender: PositionSource.Sender =
      isReceiver && !contradictions.isApart(talker) ? .receiver : .talker(talker)
    let verdict = devices.add(outline, talker)
    if verdict != .inTime {
      if verdict == .firstLate { restart(sender) }
      sender = .named("\(talker.text) late")
      guard part == .position || senders.contains(sender) else { return nil }
    }
    if let index = senders.firstIndex(where: { $0 == sender }) { return index }
    if senders[0] == nil {
      if part == .position {
        begin(sender)
      } else if part == .quality, early.count < Self.mostSources, !early.contains(sender) {
        early.append(sender)
      }
      return 0
    }
    switch part {
    case .motion, .shared: return gate.choice.chosen
    case .quality: return nil
    case .position: return append(sender)
    }
  }

  /// Begins a source again that was two until now: its epochs and its contradictions were those of
  /// both.
  private mutating func restart(_ sender: PositionSource.Sender) {
    guard let index = senders.firstIndex(of: sender) else { return }
    assemblers[index] = EpochAssembler(dates: dates)
    gate.choice.restart(index)
  }

  /// The assembler of messages that only a receiver sends; nil where there are too many sources.
  private mutating func receiverIndex() -> Int? {
    if senders[0] == nil { begin(.receiver) }
    return senders.firstIndex { $0 == .receiver } ?? append(.receiver)
  }

  /// Makes the first source; what others sent before it is not of it.
  private mutating func begin(_ sender: PositionSource.Sender) {
    if early.contains(where: { $0 != sender }) { assemblers[0] = EpochAssembler(dates: dates) }
    (senders[0], early) = (sender, [])
  }

  /// Makes a source; at the limit in place of another, so that noise does not lock one out. Only
  /// the receiver's own messages are certain to be of a source.
  private mutating func append(_ sender: PositionSource.Sender) -> Int? {
    if assemblers.count < Self.mostSources {
      assemblers.append(EpochAssembler(dates: dates))
      senders.append(sender)
      talkers.append(nil)
      return assemblers.count - 1
    }
    guard sender == .receiver, let index = senders.indices.last(where: { $0 != gate.choice.chosen })
    else { return nil }
    (assemblers[index], senders[index]) = (EpochAssembler(dates: dates), sender)
    talkers[index] = nil
    gate.choice.remove(index)
    return index
  }
}

extension PositionSources: MessageSink {
  mutating func receive(
    _ sentence: NMEASentence, _ type: SentenceType, from talker: Talker,
    _ body: (ReceiverReport) -> Void
  ) {
    let outline = SentenceOutline(sentence, type)
    guard let index = index(of: outline, talker) else { return }
    Self.add(sentence, outline, talker, to: &assemblers[index], &gate, origin(index), body)
  }

  mutating func receive(_ message: UBXMessage, type: UInt16, _ body: (ReceiverReport) -> Void) {
    guard let index = receiverIndex() else { return }
    Self.add(message, type: type, to: &assemblers[index], &gate, origin(index), body)
  }

  mutating func receive(_ record: SolutionRecord, _ body: (ReceiverReport) -> Void) {
    guard let index = receiverIndex() else { return }
    Self.add(record, to: &assemblers[index], &gate, origin(index), body)
  }

  func receive(_ frame: RTCM3Frame, _ body: (ReceiverReport) -> Void) {}
  func receive(
    _ cause: SentenceRejection, _ bytes: UnsafeBufferPointer<UInt8>,
    _ body: (ReceiverReport) -> Void
  ) {}
}
