import Quantities

/// Converts a receiver's bytes to reports: `ReceiverDecoder` and `PositionSources` in one, without a
/// copy of each message between them.
public struct ReceiverReader: Sendable {
  private var decoder = ReceiverDecoder()
  private var sources: PositionSources

  /// Makes a reader.
  /// - Parameters:
  ///   - dates: How dates are corrected after a rollover of the receiver's week count.
  ///   - order: The preferred talkers, the first before the others.
  public init(dates: DateCorrection = .none, order: [Talker] = []) {
    sources = PositionSources(dates: dates, order: order)
  }

  /// The sources of positions on the line, in the order of their first positions.
  public var positionSources: [PositionSource] { sources.sources }

  /// The reports of all sources so far: without a new one `positionSources` are the same.
  public var reportCount: Int { sources.reportCount }

  /// Counts of the messages and rejections so far.
  public var counts: SentenceCounts { decoder.counts }

  /// Decodes the next bytes and calls `body` with each report that they complete.
  ///
  /// `timestamp` is when they were received. An epoch has that of its first message.
  public mutating func push(
    _ bytes: UnsafeRawBufferPointer, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    sources.now = timestamp
    decoder.push(bytes, into: &sources, body)
  }

  /// Decodes the bytes of an incomplete binary frame and reports the open epoch, because the line
  /// is silent.
  public mutating func lineFellSilent(at timestamp: Timestamp, _ body: (ReceiverReport) -> Void) {
    sources.now = timestamp
    decoder.lineFellSilent(into: &sources, body)
    sources.lineFellSilent(body)
  }

  /// Decodes the buffered bytes and reports the last epoch at the end of the stream.
  public mutating func finish(at timestamp: Timestamp, _ body: (ReceiverReport) -> Void) {
    sources.now = timestamp
    decoder.finish(into: &sources, body)
    sources.finish(body)
  }
}

/// Receives the messages of a decoder and calls `body` with its output.
protocol MessageSink {
  associatedtype Output
  mutating func receive(
    _ sentence: NMEASentence, _ type: SentenceType, from talker: Talker, _ body: (Output) -> Void)
  mutating func receive(_ message: UBXMessage, type: UInt16, _ body: (Output) -> Void)
  mutating func receive(_ record: SolutionRecord, _ body: (Output) -> Void)
  mutating func receive(_ frame: RTCM3Frame, _ body: (Output) -> Void)
  mutating func receive(
    _ cause: SentenceRejection, _ bytes: UnsafeBufferPointer<UInt8>, _ body: (Output) -> Void)
}

/// Forwards each message as a `ReceiverMessage`.
struct MessageRelay: MessageSink {
  func receive(
    _ sentence: NMEASentence, _ type: SentenceType, from talker: Talker,
    _ body: (ReceiverMessage) -> Void
  ) {
    body(.sentence(sentence, talker))
  }
  func receive(_ message: UBXMessage, type: UInt16, _ body: (ReceiverMessage) -> Void) {
    body(.ubx(message, type: type))
  }
  func receive(_ record: SolutionRecord, _ body: (ReceiverMessage) -> Void) {
    body(.record(record))
  }
  func receive(_ frame: RTCM3Frame, _ body: (ReceiverMessage) -> Void) { body(.rtcm3(frame)) }
  func receive(
    _ cause: SentenceRejection, _ bytes: UnsafeBufferPointer<UInt8>,
    _ body: (ReceiverMessage) -> Void
  ) {
    body(.rejected(cause, bytes: bytes))
  }
}
