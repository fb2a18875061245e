/// Decodes a receiver's bytes to typed messages. No input stops the decoder.
///
/// The output depends on the bytes alone, not on how they were split.
///
/// A complete sentence without a checksum is accepted as long as its type has never come with one.
/// Old receivers send no checksums; from a receiver that does, a missing one means a damaged
/// sentence.
public struct ReceiverDecoder: Sendable {
  private var framer = ReceiverFramer()
  private var sentenceCounts = SentenceCounts()
  private static let table = SentenceTable()
  /// One bit for each kind of sentence that has come with a valid checksum.
  private var checked = SentenceTypes()

  /// Makes a decoder at the start of a stream.
  public init() {}

  /// Counts of the messages and rejections so far.
  public var counts: SentenceCounts {
    var counts = sentenceCounts
    counts.noiseBytes = framer.noiseBytes
    return counts
  }

  /// Decodes the next bytes and calls `body` with each message that they complete.
  public mutating func push(
    _ bytes: UnsafeRawBufferPointer, _ body: (ReceiverMessage) -> Void
  ) {
    var relay = MessageRelay()
    push(bytes, into: &relay, body)
  }

  /// Decodes the next byte. It may complete several messages, where a corrupt binary frame held
  /// them back.
  public mutating func push(_ byte: UInt8, _ body: (ReceiverMessage) -> Void) {
    withUnsafeBytes(of: byte) { push($0, body) }
  }

  /// Decodes the buffered bytes at the end of the stream.
  public mutating func finish(_ body: (ReceiverMessage) -> Void) {
    var relay = MessageRelay()
    finish(into: &relay, body)
  }

  mutating func push<Sink: MessageSink>(
    _ bytes: UnsafeRawBufferPointer, into sink: inout Sink, _ body: (Sink.Output) -> Void
  ) {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(framer.fill(from: UnsafeRawBufferPointer(rebasing: rest)))
      while let frame = framer.next() { decode(frame, into: &sink, body) }
    }
  }

  /// Decodes the bytes of an incomplete binary frame, because the line is silent.
  mutating func lineFellSilent<Sink: MessageSink>(
    into sink: inout Sink, _ body: (Sink.Output) -> Void
  ) {
    framer.abandonBinaryFrame()
    while let frame = framer.next() { decode(frame, into: &sink, body) }
  }

  mutating func finish<Sink: MessageSink>(into sink: inout Sink, _ body: (Sink.Output) -> Void) {
    while let frame = framer.next(atEnd: true) { decode(frame, into: &sink, body) }
  }

  private mutating func decode<Sink: MessageSink>(
    _ frame: ReceiverFrame, into sink: inout Sink, _ body: (Sink.Output) -> Void
  ) {
    switch frame.kind {
    case .sentence: sentence(frame, isChecked: true, into: &sink, body)
    case .uncheckedSentence: sentence(frame, isChecked: false, into: &sink, body)
    case .ubx: ubx(frame, into: &sink, body)
    case .log: log(frame, into: &sink, body)
    case .sbf, .binaryLog, .casic, .skyTraq, .allystar: binary(frame, into: &sink, body)
    case .rtcm3:
      sentenceCounts.rtcm3Frames += 1
      framer.withBytes(of: frame) { sink.receive(RTCM3Frame(bytes: $0), body) }
    case .rejected(let cause): reject(frame, cause, into: &sink, body)
    }
  }

  private mutating func reject<Sink: MessageSink>(
    _ frame: ReceiverFrame, _ cause: SentenceRejection, into sink: inout Sink,
    _ body: (Sink.Output) -> Void
  ) {
    sentenceCounts.add(cause)
    framer.withBytes(of: frame) { sink.receive(cause, $0, body) }
  }

  @inline(never)
  private mutating func ubx<Sink: MessageSink>(
    _ frame: ReceiverFrame, into sink: inout Sink, _ body: (Sink.Output) -> Void
  ) {
    let (rejection, type): (UBXRejection?, UInt16) = framer.withBytes(of: frame) { bytes in
      guard let frame = UBXFrame(bytes) else { return (.malformed, 0) }
      do throws(UBXRejection) {
        sink.receive(try UBXMessage(frame), type: frame.type, body)
        return (nil, frame.type)
      } catch {
        return (error, frame.type)
      }
    }
    sentenceCounts.addUBX(rejection, type: type)
  }

  /// A binary frame of another protocol than UBX and RTCM 3.
  @inline(never)
  private mutating func binary<Sink: MessageSink>(
    _ frame: ReceiverFrame, into sink: inout Sink, _ body: (Sink.Output) -> Void
  ) {
    let outcome: BinaryOutcome = framer.withBytes(of: frame) { bytes in
      switch frame.kind {
      case .sbf:
        let block = SBFBlock(bytes)
        return BinaryOutcome(block.record, block.kind, isKnown: block.isKnown)
      case .binaryLog:
        guard let log = BinaryLog(bytes) else { return .malformed }
        return BinaryOutcome(log.record, log.kind, isKnown: log.isKnown)
      case .casic:
        guard let frame = CASICFrame(bytes) else { return .malformed }
        return BinaryOutcome(frame.record, frame.kind, isKnown: frame.isKnown)
      case .allystar:
        guard let frame = AllystarFrame(bytes) else { return .malformed }
        return BinaryOutcome(frame.record, frame.kind, isKnown: frame.isKnown)
      default:
        guard let frame = SkyTraqFrame(bytes) else { return .malformed }
        return BinaryOutcome(frame.record, frame.kind, isKnown: frame.isKnown)
      }
    }
    sentenceCounts.otherFrames += 1
    switch outcome {
    case .record(let record): sink.receive(record, body)
    case .unregistered(let kind):
      sentenceCounts.unregisteredOther += 1
      sentenceCounts.undecoded.add(kind)
    case .malformed: sentenceCounts.malformedOther += 1
    }
  }

  private enum BinaryOutcome {
    case record(SolutionRecord)
    case unregistered(MessageKind)
    case malformed

    init(_ record: SolutionRecord?, _ kind: MessageKind, isKnown: Bool) {
      self = record.map { .record($0) } ?? (isKnown ? .malformed : .unregistered(kind))
    }
  }

  /// A log in ASCII, which is counted as a sentence.
  @inline(never)
  private mutating func log<Sink: MessageSink>(
    _ frame: ReceiverFrame, into sink: inout Sink, _ body: (Sink.Output) -> Void
  ) {
    let (outcome, unreadable): (LogOutcome, Int64) = framer.withFields(of: frame) { fields in
      do throws(SentenceRejection) {
        let record = try AsciiLog.record(&fields)
        let name = ShortText(fields.address)
        return (record.map { .record($0) } ?? .unregistered(name), fields.unreadable)
      } catch {
        return (.rejected(error), 0)
      }
    }
    switch outcome {
    case .unregistered(let name):
      sentenceCounts.unregistered += 1
      sentenceCounts.undecoded.add(MessageKind(.log, name: name))
    case .rejected(let cause): reject(frame, cause, into: &sink, body)
    case .record(let record):
      sentenceCounts.accepted += 1
      sentenceCounts.unreadableFields += unreadable
      sink.receive(record, body)
    }
  }

  private enum LogOutcome {
    case record(SolutionRecord)
    case unregistered(ShortText)
    case rejected(SentenceRejection)
  }

  private mutating func sentence<Sink: MessageSink>(
    _ frame: ReceiverFrame, isChecked: Bool, into sink: inout Sink,
    _ body: (Sink.Output) -> Void
  ) {
    // A closure that captured `self` would copy the framer.
    let checked = self.checked
    let outcome: Outcome = framer.withFields(of: frame) { fields in
      // Bytes of an unknown type without a checksum may not be a sentence at all.
      guard let type = Self.table.type(of: &fields) else {
        return isChecked
          ? .unregistered(Self.table.name(of: fields)) : .rejected(.missingChecksum)
      }
      guard isChecked || !checked.contains(type) else { return .rejected(.missingChecksum) }
      let talker = Talker(fields.address[0], fields.address[1])
      do throws(SentenceRejection) {
        sink.receive(try type.decode(&fields, isChecked: isChecked), type, from: talker, body)
      } catch {
        return .rejected(error)
      }
      return .accepted(type, unreadable: fields.unreadable)
    }
    switch outcome {
    case .unregistered(let name):
      sentenceCounts.unregistered += 1
      sentenceCounts.undecoded.add(MessageKind(.sentence, name: name))
    case .rejected(let cause): reject(frame, cause, into: &sink, body)
    case .accepted(let type, let unreadable):
      sentenceCounts.accepted += 1
      sentenceCounts.unreadableFields += unreadable
      // A modem's line never has one.
      if isChecked, type != .cgpsinfo { self.checked.insert(type) }
    }
  }

  private enum Outcome {
    case unregistered(ShortText)
    case rejected(SentenceRejection)
    case accepted(SentenceType, unreadable: Int64)
  }
}
