/// Learns which message ends a receiver's cycle, so that an epoch is reported before the next one
/// begins.
///
/// A message that ended three cycles in a row, with the same number of occurrences in each, is
/// predicted to end the next one. Where messages of the same instant follow a predicted end,
/// learning starts again.
struct CycleEnd: Sendable {
  private var ender: MessageKey?
  private var occurrences = 0
  private var expectedOccurrences: Int?
  private var confirmed = 0
  private var newest: MessageKey?

  private static let needed = 2

  /// Records a message of the cycle; true where it is predicted to be the last.
  mutating func add(_ key: MessageKey) -> Bool {
    newest = key
    guard key == ender else { return false }
    occurrences += 1
    return confirmed >= Self.needed && occurrences == expectedOccurrences
  }

  /// Records the end of the cycle: another instant has begun. `early` is true where its end was
  /// predicted.
  mutating func cycleEnded(early: Bool) {
    if !early {
      if newest != nil, newest == ender {
        confirmed = expectedOccurrences == occurrences ? confirmed + 1 : 1
        expectedOccurrences = occurrences
      } else {
        (ender, confirmed, expectedOccurrences) = (newest, 0, nil)
      }
    }
    occurrences = 0
    newest = nil
  }

  /// Records that the cycle continued after its predicted end.
  mutating func wasWrong() { confirmed = 0 }
}

/// Identifies a message by its type and, for a sentence, its talker; the last part of a GSV group
/// differs from the others.
struct MessageKey: Equatable, Sendable {
  fileprivate let code: UInt32

  init(_ outline: SentenceOutline, _ talker: Talker) {
    let type = UInt32(outline.type.rawValue)
    code = UInt32(talker.letters) << 16 | type << 1 | (outline.isLastPart ? 1 : 0)
  }

  /// The type is class times 256 plus id, which is below the code of every sentence.
  init(ubx type: UInt16) { code = UInt32(type) }

  /// Between the codes of UBX and of sentences, whose talker begins with a letter or digit.
  init(_ kind: MessageKind) {
    var number = UInt32(kind.number)
    // A hash, which differs for the logs that are decoded.
    for index in 0..<kind.name.count { number = number &* 31 &+ UInt32(kind.name[index]) }
    code = (UInt32(kind.format.rawValue) + 1) << 16 | (number & 0xFFFF)
  }
}

/// A set of at most eight messages; no cycle has more messages without a time.
struct MessageKeys: Sendable {
  private var codes = SIMD8<UInt32>()
  private var count = 0

  mutating func insert(_ key: MessageKey) {
    guard count < codes.scalarCount, !contains(key) else { return }
    codes[count] = key.code
    count += 1
  }

  func contains(_ key: MessageKey) -> Bool {
    for i in 0..<count where codes[i] == key.code { return true }
    return false
  }
}
