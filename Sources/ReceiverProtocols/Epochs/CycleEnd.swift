/// Learns which message ends a receiver's cycle, so that an epoch need not wait for the next one.
///
/// A message that ended three cycles in a row, as often as it occurs in each, ends the next as well.
/// Once messages of the same instant follow an end that was foretold, learning starts anew.
struct CycleEnd: Sendable {
  private var ender: MessageKey?
  private var occurrences = 0
  private var expectedOccurrences: Int?
  private var confirmed = 0
  private var newest: MessageKey?

  private static let needed = 2

  /// Takes note of a message of the cycle; true where it is the cycle's last.
  mutating func note(_ key: MessageKey) -> Bool {
    newest = key
    guard key == ender else { return false }
    occurrences += 1
    return confirmed >= Self.needed && occurrences == expectedOccurrences
  }

  /// Takes note that the cycle is over because another instant has begun.
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

  /// The cycle went on after its foretold end.
  mutating func wasWrong() { confirmed = 0 }
}

/// A message by its type and, of a sentence, its talker; of GSV the last part and the others differ.
struct MessageKey: Equatable, Sendable {
  fileprivate let code: UInt32

  init(_ sentence: NMEASentence, _ talker: Talker) {
    var isLastPart = true
    if case .gsv(let gsv) = sentence { isLastPart = gsv.part == gsv.parts }
    code = UInt32(talker.letters) << 16 | UInt32(sentence.kind.number) << 1 | (isLastPart ? 1 : 0)
  }

  /// Of class times 256 plus id; no talker's letters are as low.
  init(ubx type: UInt16) { code = UInt32(type) }
}

/// The first eight different messages that are put in; no cycle has more without a time.
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
