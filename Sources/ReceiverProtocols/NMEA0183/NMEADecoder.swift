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
  private var checked: UInt64 = 0
  /// The same for `ProprietaryType`.
  private var checkedProprietary: UInt64 = 0

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
    framer.withBytes(of: frame) { bytes in
      guard let (kind, addressLength) = Self.kind(of: bytes) else { return }
      guard isChecked || !hasComeChecked(kind) else {
        outcome = .rejected(.missingChecksum)
        return
      }
      var fields = SentenceFields(bytes, after: addressLength)
      do throws(SentenceRejection) {
        let sentence =
          switch kind {
          case .standard(let type): try type.decode(&fields, isChecked: isChecked)
          case .proprietary(let type): try type.decode(&fields, isChecked: isChecked)
          }
        outcome = .accepted(kind, Talker(bytes[0], bytes[1]), sentence)
      } catch {
        outcome = .rejected(error)
      }
      unreadable = fields.unreadable
    }
    sentenceCounts.unreadableFields += unreadable
    switch outcome {
    case .unregistered: sentenceCounts.unregistered += 1
    case .rejected(let cause): sentenceCounts.add(cause)
    case .accepted(let kind, let talker, let sentence):
      sentenceCounts.accepted += 1
      if isChecked { noteChecked(kind) }
      body(talker, sentence)
    }
  }

  /// An address is two letters of talker and three of type, or P and a maker's own.
  private static func kind(
    of bytes: UnsafeBufferPointer<UInt8>
  ) -> (kind: SentenceKind, addressLength: Int)? {
    if bytes.first == UInt8(ascii: "P") {
      return ProprietaryType.find(bytes).map { (.proprietary($0.type), $0.addressLength) }
    }
    guard bytes.count > 5, bytes[5] == UInt8(ascii: ","),
      let type = SentenceType(bytes[2], bytes[3], bytes[4])
    else { return nil }
    return (.standard(type), 5)
  }

  private func hasComeChecked(_ kind: SentenceKind) -> Bool {
    switch kind {
    case .standard(let type): checked & 1 << UInt64(type.rawValue) != 0
    case .proprietary(let type): checkedProprietary & 1 << UInt64(type.rawValue) != 0
    }
  }

  private mutating func noteChecked(_ kind: SentenceKind) {
    switch kind {
    case .standard(let type): checked |= 1 << UInt64(type.rawValue)
    case .proprietary(let type): checkedProprietary |= 1 << UInt64(type.rawValue)
    }
  }

  private enum Outcome {
    case unregistered
    case rejected(SentenceRejection)
    case accepted(SentenceKind, Talker, NMEASentence)
  }
}
