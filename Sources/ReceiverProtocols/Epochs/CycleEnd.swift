/// Learns which sentence ends a receiver's cycle, so that an epoch need not wait for the next one.
///
/// A sentence that ended three cycles in a row, as often as it occurs in each, ends the next as well.
/// Once sentences of the same instant follow an end that was foretold, learning starts anew.
struct CycleEnd: Sendable {
  private var ender: SentenceKey?
  private var occurrences = 0
  private var expectedOccurrences: Int?
  private var confirmed = 0
  private var newest: SentenceKey?

  private static let needed = 2

  /// Takes note of a sentence of the cycle; true where it is the cycle's last.
  mutating func note(_ key: SentenceKey) -> Bool {
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

/// A sentence by type and talker; of GSV the last part and the others differ.
struct SentenceKey: Equatable, Sendable {
  let talker: Talker
  let kind: SentenceKind
  let isLastPart: Bool

  init(_ sentence: NMEASentence, _ talker: Talker) {
    self.talker = talker
    kind = sentence.kind
    if case .gsv(let gsv) = sentence {
      isLastPart = gsv.part == gsv.parts
    } else {
      isLastPart = true
    }
  }
}
