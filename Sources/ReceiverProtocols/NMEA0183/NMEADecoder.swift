/// Receiver bytes in, typed sentences out; nothing in the stream can stop it.
///
/// Output depends on the bytes alone, not on how they were split.
///
/// A sentence without a checksum is taken while its type has never come with one, where it is whole:
/// old receivers send none at all, but from one that sends them a missing one means a broken sentence.
public struct NMEADecoder: Sendable {
  private var framer = ReceiverFramer()
  private var sentenceCounts = SentenceCounts()
  /// Bit per `SentenceType`: it has come with a good checksum.
  private var checked: UInt32 = 0

  /// Makes a decoder that has seen nothing.
  public init() {}

  /// What has come in so far.
  public var counts: SentenceCounts {
    var counts = sentenceCounts
    counts.noiseBytes = framer.noiseBytes
    return counts
  }

  /// Takes the next bytes and calls `body` with each sentence that they complete.
  public mutating func push(
    _ bytes: UnsafeRawBufferPointer, _ body: (Talker, NMEASentence) -> Void
  ) {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(framer.fill(from: UnsafeRawBufferPointer(rebasing: rest)))
      while let frame = framer.next() { decode(frame, body) }
    }
  }

  /// Takes the next byte; several sentences come at once where a corrupt binary frame held them back.
  public mutating func push(_ byte: UInt8, _ body: (Talker, NMEASentence) -> Void) {
    withUnsafeBytes(of: byte) { push($0, body) }
  }

  /// Searches what still waits: the stream has ended.
  public mutating func finish(_ body: (Talker, NMEASentence) -> Void) {
    while let frame = framer.next(atEnd: true) { decode(frame, body) }
  }

  private mutating func decode(_ frame: ReceiverFrame, _ body: (Talker, NMEASentence) -> Void) {
    switch frame.kind {
    case .ubx: sentenceCounts.ubxFrames += 1
    case .rtcm3: sentenceCounts.rtcm3Frames += 1
    case .rejected(let cause): sentenceCounts.add(cause)
    case .sentence: sentence(frame, isChecked: true, body)
    case .uncheckedSentence: sentence(frame, isChecked: false, body)
    }
  }

  private mutating func sentence(
    _ frame: ReceiverFrame, isChecked: Bool, _ body: (Talker, NMEASentence) -> Void
  ) {
    // Of an unknown type without a checksum nobody can say that it is a sentence at all.
    var outcome = isChecked ? Outcome.unregistered : .rejected(.missingChecksum)
    var unreadable: Int64 = 0
    let checked = self.checked
    framer.withFields(of: frame) { fields in
      let address = fields.address
      // An address is two letters of talker and three of type; P and other lengths are proprietary.
      guard address.count == 5, address[0] != UInt8(ascii: "P"), fields.remaining > 0,
        let type = SentenceType(address[2], address[3], address[4])
      else { return }
      guard isChecked || checked & 1 << UInt32(type.rawValue) == 0 else {
        outcome = .rejected(.missingChecksum)
        return
      }
      do throws(SentenceRejection) {
        let sentence = try type.decode(&fields, isChecked: isChecked)
        outcome = .accepted(type, Talker(address[0], address[1]), sentence)
      } catch {
        outcome = .rejected(error)
      }
      unreadable = fields.unreadable
    }
    sentenceCounts.unreadableFields += unreadable
    switch outcome {
    case .unregistered: sentenceCounts.unregistered += 1
    case .rejected(let cause): sentenceCounts.add(cause)
    case .accepted(let type, let talker, let sentence):
      sentenceCounts.accepted += 1
      if isChecked { self.checked |= 1 << UInt32(type.rawValue) }
      body(talker, sentence)
    }
  }

  private enum Outcome {
    case unregistered
    case rejected(SentenceRejection)
    case accepted(SentenceType, Talker, NMEASentence)
  }
}
